#include "scenarios/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/errors.h"
#include "scenarios/run.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_classes = 1024;
constexpr double least_gain = 0.01;

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string rate_text(Decimal bandwidth) {
  return fmt::format("{:.4g} GB/s", to_double(bandwidth) / 1e9);
}

Decimal doubled(Decimal d) {
  return {d.mantissa * 2, d.exponent};
}

struct Knob {
  std::string what;
  std::function<void(ClusterShape&)> turn;
};

// Neighbouring dimensions of the same make and rate are one product decision: they turn together.
void add_dimension_knobs(const std::vector<Dimension>& dimensions,
                         std::vector<Dimension> ClusterShape::*where, const char* scope,
                         std::vector<Knob>& knobs) {
  for (std::size_t d = 0; d < dimensions.size();) {
    std::size_t end = d + 1;
    while (end < dimensions.size() && dimensions[end].kind == dimensions[d].kind &&
           dimensions[end].bandwidth == dimensions[d].bandwidth) {
      ++end;
    }
    const std::string what = fmt::format(
        "twice the {} bandwidth of dimension{} {} ({} -> {} per link)", scope, end - d > 1 ? "s" : "",
        end - d > 1 ? fmt::format("{}-{}", d, end - 1) : fmt::format("{}", d),
        rate_text(dimensions[d].bandwidth), rate_text(doubled(dimensions[d].bandwidth)));
    knobs.push_back({what, [where, d, end](ClusterShape& shape) {
                       for (std::size_t i = d; i < end; ++i)
                         (shape.*where)[i].bandwidth = doubled((shape.*where)[i].bandwidth);
                     }});
    d = end;
  }
}

std::vector<Knob> knobs_of(const ClusterShape& shape) {
  std::vector<Knob> knobs;
  if (shape.ranks_per_chip > 1) {
    knobs.push_back({fmt::format("twice the bandwidth inside the chips ({} -> {} per core)",
                                 rate_text(shape.inner.bandwidth), rate_text(doubled(shape.inner.bandwidth))),
                     [](ClusterShape& s) { s.inner.bandwidth = doubled(s.inner.bandwidth); }});
  }
  add_dimension_knobs(shape.scale_up, &ClusterShape::scale_up, "scale-up", knobs);
  add_dimension_knobs(shape.scale_out, &ClusterShape::scale_out, "scale-out", knobs);
  if (shape.clos) {
    knobs.push_back({fmt::format("twice the NIC bandwidth ({} -> {} per port, fabric to match)",
                                 rate_text(shape.clos->bandwidth), rate_text(doubled(shape.clos->bandwidth))),
                     [](ClusterShape& s) { s.clos->bandwidth = doubled(s.clos->bandwidth); }});
    const bool oversubscribed =
        std::any_of(shape.clos->oversubscription.begin(), shape.clos->oversubscription.end(),
                    [](Decimal o) { return to_double(o) > 1; });
    if (oversubscribed) {
      knobs.push_back(
          {"a fabric without oversubscription", [](ClusterShape& s) { s.clos->oversubscription.clear(); }});
    }
  }
  if (!shape.wans.empty()) {
    knobs.push_back(
        {fmt::format("twice the WAN bandwidth ({} -> {} per link)", rate_text(shape.wans[0].bandwidth),
                     rate_text(doubled(shape.wans[0].bandwidth))),
         [](ClusterShape& s) {
           for (Wan& wan : s.wans) wan.bandwidth = doubled(wan.bandwidth);
         }});
  }
  return knobs;
}

std::string time_text(Duration d) {
  const double us = static_cast<double>(d.ps) / 1e6;
  return us < 1000 ? fmt::format("{:.4g} us", us) : fmt::format("{:.4g} ms", us / 1000);
}

// The last row's question alone: largest size, last collective, last algorithm.
Scenario last_row_of(const Scenario& scenario) {
  Scenario single = scenario;
  auto& work = std::get<CollectiveWork>(single.jobs[0].work);
  work.collectives = {work.collectives.back()};
  work.sizes = {work.sizes.back()};
  work.algorithms = {work.algorithms.back()};
  single.assertions.clear();
  return single;
}

}  // namespace

namespace {

void describe_sites(const MixedShape& mixed, Result::Cluster& cluster) {
  cluster.sites = mixed.sites.size();
  cluster.summary = fmt::format("{} chips = ", grouped(cluster.chips));
  for (const ClusterShape& site : mixed.sites) {
    std::uint64_t domain = 1, server = 1;
    for (std::size_t d = 0; d < site.scale_up.size(); ++d) {
      domain *= site.scale_up[d].size;
      if (d < site.server_dimensions) server *= site.scale_up[d].size;
    }
    const std::uint32_t domains = site.sites[0].domains;
    cluster.ultraservers += domains;
    cluster.servers += domains * domain / server;
    cluster.summary +=
        fmt::format("{}site {}: {} domain{} x {} chips", &site == &mixed.sites.front() ? "" : ", ",
                    site.sites[0].name, grouped(domains), domains == 1 ? "" : "s", domain);
  }
}

}  // namespace

Result::Cluster describe_cluster(const Scenario& scenario, const Topology& topology) {
  Result::Cluster cluster;
  cluster.chips = topology.chips() / topology.ranks_per_chip();
  cluster.links = topology.link_count();
  if (const auto* mixed = std::get_if<MixedShape>(&scenario.network)) {
    describe_sites(*mixed, cluster);
    return cluster;
  }
  const auto* shape = std::get_if<ClusterShape>(&scenario.network);
  if (shape == nullptr) {
    cluster.sites = 1;
    cluster.summary = fmt::format("{} chips in an explicit graph, {} directed links", grouped(cluster.chips),
                                  grouped(cluster.links));
    return cluster;
  }
  for (const Site& site : shape->sites) cluster.ultraservers += site.domains;
  cluster.sites = shape->sites.size();
  cluster.servers = cluster.chips / std::max(1u, scenario.chips_per_server);
  const std::uint64_t per_domain = cluster.chips / cluster.ultraservers;
  cluster.summary = fmt::format("{} chips = ", grouped(cluster.chips));
  if (cluster.sites > 1) cluster.summary += fmt::format("{} sites, ", cluster.sites);
  cluster.summary += fmt::format("{} {}{} x {} chips", grouped(cluster.ultraservers), scenario.unit,
                                 cluster.ultraservers == 1 ? "" : "s", per_domain);
  if (topology.ranks_per_chip() > 1)
    cluster.summary += fmt::format(", {} ranks on each", topology.ranks_per_chip());
  return cluster;
}

std::vector<std::string> suggestions(const Scenario& scenario, const Result& result) {
  const auto* shape = std::get_if<ClusterShape>(&scenario.network);
  if (shape == nullptr || result.collectives.empty() || scenario.jobs.size() != 1) return {};
  const CollectiveRow& row = result.collectives.back();
  if (!std::holds_alternative<CollectiveWork>(scenario.jobs[0].work) || row.classes > most_classes ||
      row.time.ps == 0 ||
      row.flows / std::max<std::uint64_t>(1, row.ranks * row.groups / row.classes) > 100'000) {
    return {};
  }
  struct Gain {
    std::string what;
    Duration time;
  };
  std::vector<Gain> gains;
  RunOptions options;
  options.advise = false;
  for (const Knob& knob : knobs_of(*shape)) {
    Scenario turned = last_row_of(scenario);
    knob.turn(std::get<ClusterShape>(turned.network));
    const Result other = run(turned, options);
    gains.push_back({knob.what, other.collectives.back().time});
  }
  std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.time < b.time; });
  std::vector<std::string> lines;
  for (const Gain& gain : gains) {
    const double saved = 1 - seconds(gain.time) / seconds(row.time);
    if (saved < least_gain || lines.size() == 2) break;
    lines.push_back(fmt::format("{}: {} instead of {} (-{:.0f} %)", gain.what, time_text(gain.time),
                                time_text(row.time), saved * 100));
  }
  if (lines.empty() && !gains.empty()) {
    lines.emplace_back("no single bandwidth, doubled, saves 1 %: latency and the order of steps decide here");
  }
  return lines;
}

}  // namespace tahoma
