#include "collectives/stack/on_network.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/errors.h"

namespace tahoma {
namespace {

Decimal product(Decimal a, Decimal b) {
  i128 mantissa = i128{a.mantissa} * b.mantissa;
  std::int32_t exponent = a.exponent + b.exponent;
  for (; mantissa != 0 && mantissa % 10 == 0; mantissa /= 10) ++exponent;
  if (mantissa > std::numeric_limits<std::int64_t>::max())
    throw ScenarioError("a factor of the stack has too many digits beside the link's efficiency");
  return {static_cast<std::int64_t>(mantissa), exponent};
}

Duration half(Duration step) {
  return {(step.ps + 1) / 2};
}

/// Whole bytes per second: a rate is given in such.
Decimal bytes_of(Capacity rate) {
  return {static_cast<std::int64_t>(rate.q20 >> 20), 0};
}

/// A link of `bandwidth` x `efficiency` carries no more than the channels of a way.
void limit(Decimal& bandwidth, Decimal& efficiency, const StackFigures& figures) {
  if (figures.channel_rate.q20 == 0) return;
  const Capacity most = capacity_of({bytes_of(figures.channel_rate)}, figures.channels);
  if (capacity_of({bandwidth, efficiency}) <= most) return;
  bandwidth = bytes_of(most);
  efficiency = {1, 0};
}

void change(Dimension& dimension, Decimal factor, Duration step, const StackFigures& figures) {
  limit(dimension.bandwidth, dimension.efficiency, figures);
  dimension.efficiency = product(dimension.efficiency, factor);
  dimension.latency += dimension.kind == DimensionKind::switched ? half(step) : step;
}

ClusterShape changed(ClusterShape shape, const StackFigures& figures) {
  shape.inner.efficiency = product(shape.inner.efficiency, figures.factor_chip);
  for (Dimension& dimension : shape.scale_up) change(dimension, figures.factor_up, figures.step_up, figures);
  for (Dimension& dimension : shape.scale_out)
    change(dimension, figures.factor_out, figures.step_out, figures);
  if (shape.clos) {
    Clos& clos = *shape.clos;
    limit(clos.bandwidth, clos.efficiency, figures);
    clos.efficiency = product(clos.efficiency, figures.factor_out);
    // The last latency repeats for the tiers above, which must not get the step.
    if (clos.latency.empty()) clos.latency.push_back({});
    if (clos.latency.size() == 1) clos.latency.push_back(clos.latency.front());
    clos.latency.front() += half(figures.step_out);
  }
  return shape;
}

bool has_kind(const GraphShape& shape, const GraphLink& link, VertexKind kind) {
  return shape.vertices[link.from].kind == kind || shape.vertices[link.to].kind == kind;
}

GraphShape changed(GraphShape shape, const StackFigures& figures) {
  for (GraphLink& link : shape.links) {
    const bool at_chip = has_kind(shape, link, VertexKind::chip);
    const bool at_nic = has_kind(shape, link, VertexKind::nic);
    const bool at_switch = has_kind(shape, link, VertexKind::switch_);
    if (at_chip && at_nic) continue;    // the bus between them
    if (!at_chip && !at_nic) continue;  // between switches
    const Decimal factor = at_nic ? figures.factor_out : figures.factor_up;
    const Duration step = at_nic ? figures.step_out : figures.step_up;
    limit(link.bandwidth, link.efficiency, figures);
    link.efficiency = product(link.efficiency, factor);
    link.latency += at_switch ? half(step) : step;
  }
  return shape;
}

MixedShape changed(MixedShape shape, const StackFigures& figures) {
  for (ClusterShape& site : shape.sites) site = changed(std::move(site), figures);
  return shape;
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t vertex) {
  while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
  return vertex;
}

}  // namespace

NetworkShape under_stack(const NetworkShape& shape, const StackFigures& figures) {
  return std::visit([&](const auto& value) { return NetworkShape(changed(value, figures)); }, shape);
}

ScaleUpDomains::ScaleUpDomains(const NetworkShape& shape) {
  if (const auto* cluster = std::get_if<ClusterShape>(&shape)) {
    chips_ = cluster->ranks_per_chip;
    for (const Dimension& dimension : cluster->scale_up) chips_ *= dimension.size;
    return;
  }
  if (const auto* mixed = std::get_if<MixedShape>(&shape)) {
    std::uint32_t domain = 0;
    for (const ClusterShape& site : mixed->sites) {
      std::uint32_t chips = 1;
      for (const Dimension& dimension : site.scale_up) chips *= dimension.size;
      for (const Site& place : site.sites)
        for (std::uint32_t d = 0; d < place.domains; ++d, ++domain)
          by_chip_.insert(by_chip_.end(), chips, domain);
    }
    return;
  }
  const auto& graph = std::get<GraphShape>(shape);
  std::vector<std::uint32_t> parent(graph.vertices.size());
  std::iota(parent.begin(), parent.end(), 0u);
  for (const GraphLink& link : graph.links) {
    if (has_kind(graph, link, VertexKind::nic)) continue;
    // The lower number stands for both, so that domains are numbered as their first vertices are.
    const std::uint32_t a = root_of(parent, link.from), b = root_of(parent, link.to);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> number(graph.vertices.size(), ~0u);
  std::uint32_t domains = 0;
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v) {
    if (graph.vertices[v].kind != VertexKind::chip) continue;
    std::uint32_t& domain = number[root_of(parent, v)];
    if (domain == ~0u) domain = domains++;
    by_chip_.push_back(domain);
  }
}

std::uint32_t domains_of(const RankGroups& groups, const ScaleUpDomains& domains) {
  std::uint32_t most = 1;
  std::vector<std::uint32_t> met;
  for (std::uint32_t g = 0; g < groups.groups(); ++g) {
    met.clear();
    for (std::uint32_t p = 0; p < groups.size(); ++p) {
      const std::uint32_t domain = domains.of(groups.chip(g, p));
      if (met.empty() || met.back() != domain) met.push_back(domain);
    }
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    most = std::max(most, static_cast<std::uint32_t>(met.size()));
  }
  return most;
}

Duration launch_of(const StackFigures& figures, std::uint32_t ranks, std::uint32_t domains, Bytes size) {
  const auto doublings = static_cast<std::int64_t>(std::bit_width(ranks - 1));
  const std::int64_t further = std::int64_t{domains} - 1, others = std::int64_t{ranks} - 1;
  Duration copy{};
  if (figures.copy_rate.q20 != 0)
    copy = time_to_move(work_of(Bytes{size.count / ranks}),
                        Rate{static_cast<std::uint64_t>(figures.copy_rate.q20)});
  return {figures.floor.ps + figures.floor_per_doubling.ps * doublings +
          figures.floor_per_domain.ps * further + figures.floor_per_rank.ps * others + copy.ps};
}

std::uint32_t chunks_of(const StackFigures& figures, Bytes size) {
  if (figures.chunks <= 1) return 0;
  if (figures.chunk.count == 0) return figures.chunks;
  const std::uint64_t fitting = std::max<std::uint64_t>(1, size.count / figures.chunk.count);
  const auto chunks = static_cast<std::uint32_t>(std::min<std::uint64_t>(figures.chunks, fitting));
  return chunks <= 1 ? 0 : chunks;
}

}  // namespace tahoma
