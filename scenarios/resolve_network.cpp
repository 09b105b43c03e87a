// Cluster, sites and fabric into a shape: how many domains stand where, and what joins them.
#include <fmt/format.h>

#include <algorithm>

#include "core/nearest.h"
#include "scenarios/decimal_text.h"
#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

constexpr std::size_t most_dimensions = 16;  // of a domain: digits of a chip number are bits of one mask

/// Which entries are inside the server: as `level` says, else the first one if there are several.
void settle_levels(Node& scale_up, const std::string& path) {
  std::size_t servers = scale_up.items.size() > 1 ? 1 : scale_up.items.size();
  bool said = false;
  for (std::size_t i = 0; i < scale_up.items.size(); ++i) {
    const Field level = Field{&scale_up.items[i], joined(path, i)}["level"];
    if (!level) continue;
    const bool server = level.text() == "server";
    if (!said) servers = server ? i + 1 : i;
    if (said && server && servers < i)
      refuse(level, {"stands outside an ultraserver level", "servers first, from the chip outwards", ""});
    if (server) servers = i + 1;
    said = true;
  }
  for (std::size_t i = 0; i < scale_up.items.size(); ++i) {
    settle(scale_up.items[i], "level", i < servers ? "server" : "ultraserver");
  }
}

std::uint64_t product_of(std::span<const Dimension> dimensions) {
  std::uint64_t product = 1;
  for (const Dimension& dimension : dimensions) {
    product = std::min(product * dimension.size, most_ranks * 2);
  }
  return product;
}

}  // namespace

void resolve_scale_up(Node& root, const std::string& at, ClusterShape& shape) {
  Node* fabric = root.find("fabric");
  Node* scale_up = fabric ? fabric->find("scale_up") : nullptr;
  if (!scale_up) return;
  const Field field{scale_up, joined(at, "fabric.scale_up")};
  settle_levels(*scale_up, field.path);
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::vector<Dimension> more = resolve_dimension(field[i]);
    shape.scale_up.insert(shape.scale_up.end(), more.begin(), more.end());
    if (field[i]["level"].text() == "server")
      shape.server_dimensions = static_cast<std::uint32_t>(shape.scale_up.size());
    if (shape.scale_up.size() > most_dimensions) {
      refuse(field[i]["size"], {fmt::format("makes more than {} dimensions", most_dimensions), "fewer", ""});
    }
    if (chips_per_domain(shape) > most_ranks) {
      refuse(field[i]["size"], {"makes a scale-up domain of more than 2^31 chips", "less than that", ""});
    }
  }
}

/// A site's size in domains, from whichever unit it is given in.
std::uint32_t domains_of(const Field& site, const ClusterShape& shape) {
  const std::uint64_t per_domain = chips_per_domain(shape);
  const std::uint64_t per_server = product_of(std::span(shape.scale_up).first(shape.server_dimensions));
  struct Unit {
    std::string_view key;
    std::uint64_t per_domain;
  };
  Field found;
  std::uint64_t divisor = 1;
  for (const Unit& unit :
       {Unit{"ultraservers", 1}, Unit{"servers", per_domain / per_server}, Unit{"chips", per_domain}}) {
    const Field count = site[unit.key];
    if (!count) continue;
    if (found)
      refuse(count,
             {fmt::format("stands beside '{}'", found.path), "one of ultraservers, servers and chips", ""});
    found = count;
    divisor = unit.per_domain;
  }
  if (!found)
    refuse({site.place(), site.path, "", {"has no size", "one of ultraservers, servers and chips", ""}});
  const std::uint64_t count = read_field(found, read_count);
  if (count % divisor != 0) {
    refuse(found, {fmt::format("is no whole number of scale-up domains, {} each", divisor),
                   fmt::format("a multiple of {}", divisor), ""});
  }
  if (count / divisor * per_domain > most_ranks || count > most_ranks)
    refuse(found, {"makes more than 2^31 chips", "less than that", ""});
  return static_cast<std::uint32_t>(count / divisor);
}

namespace {

void resolve_sites(const Field& sites, const Field& count, ClusterShape& shape) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Field site_name = required(sites[i], "name");
    for (std::size_t j = 0; j < i; ++j) {
      if (shape.sites[j].name != site_name.text()) continue;
      refuse(site_name, {fmt::format("names the site at {} too", to_string(sites[j]["name"].place())),
                         "a name of its own", ""});
    }
    shape.sites.push_back({site_name.text(), domains_of(sites[i], shape)});
    total += shape.sites.back().domains;
  }
  if (count && read_field(count, read_count) != total) {
    refuse(count, {fmt::format("disagrees with the sites, which hold {}", total),
                   "that sum, or no count beside sites", ""});
  }
}

void resolve_places(Node& root, ClusterShape& shape) {
  const Field top{&root, ""};
  const Field sites = top["sites"], count = top["cluster"]["count"];
  std::uint64_t domains = 0;
  if (sites.size() > 0) {
    resolve_sites(sites, count, shape);
    for (const Site& site : shape.sites) domains += site.domains;
  } else {
    domains = count ? read_field(count, read_count) : 1;
  }
  const Field blame = count ? count : sites;
  if (domains > most_ranks || domains * chips_per_domain(shape) > most_ranks / shape.ranks_per_chip) {
    const std::string ranks =
        shape.ranks_per_chip > 1 ? fmt::format(" of {} ranks", shape.ranks_per_chip) : std::string{};
    refuse(blame, {fmt::format("makes more ranks than a chip number holds (2^31): {} domains of {} chips{}",
                               domains, chips_per_domain(shape), ranks),
                   "less than that", ""});
  }
  if (sites.size() == 0) shape.sites.push_back({"", static_cast<std::uint32_t>(domains)});
  settle(root.at_or_insert("cluster", root.place), "count", std::to_string(domains));
}

bool is_switched(const Field& entry) {
  const std::string& kind = required(entry, "kind").text();
  return kind == "clos" || kind == "switch";
}

}  // namespace

void resolve_scale_out(Node& root, const std::string& at, ClusterShape& shape) {
  const Field top{&root, at};
  const Field scale_out = top["fabric"]["scale_out"];
  std::uint64_t domains = 0;
  for (const Site& site : shape.sites) domains += site.domains;
  if (scale_out.size() == 0) {
    if (domains <= 1) return;
    const Field blame = shape.sites.size() > 1 ? top["sites"] : top["cluster"]["count"];
    refuse(blame, {fmt::format("makes {} scale-up domains, and no fabric.scale_out joins them", domains),
                   "a fabric.scale_out, or a count of 1", ""});
  }
  for (std::size_t i = 0; i < scale_out.size(); ++i) {
    if (!is_switched(scale_out[i])) {
      const std::vector<Dimension> more = resolve_dimension(scale_out[i]);
      shape.scale_out.insert(shape.scale_out.end(), more.begin(), more.end());
    } else if (scale_out.size() > 1) {
      refuse(scale_out[i]["kind"], {"stands alone: it joins all domains by itself",
                                    "one clos or switch, or direct dimensions", ""});
    } else {
      Node& entry = root.find("fabric")->find("scale_out")->items[0];
      shape.clos = resolve_clos(entry, scale_out[0].path, shape);
    }
  }
  if (shape.clos) return;
  if (shape.sites.size() > 1)
    refuse(scale_out, {"joins domains of one site only", "a clos for several sites", ""});
  if (product_of(shape.scale_out) != domains) {
    refuse(scale_out[0]["size"],
           {fmt::format("gives room for {} domains, and there are {}", product_of(shape.scale_out), domains),
            "sizes whose product is cluster.count", ""});
  }
}

namespace {

std::uint32_t site_named(const Field& end, const std::vector<Site>& sites) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < sites.size(); ++i) {
    if (sites[i].name == end.text()) return i;
    names.push_back(sites[i].name);
  }
  refuse(end, {"is no site", listed(names), nearest(end.text(), std::span<const std::string>(names))});
}

Duration wan_latency(const Field& wan) {
  const Field latency = wan["latency"], distance = wan["distance"];
  if (latency && distance) refuse(distance, {"stands beside 'latency'", "one of the two", ""});
  if (latency) return read_field(latency, read_time);
  if (!distance) return read_field(required(wan, "latency"), read_time);
  const auto fibre = [](std::string_view text) {
    // Light in fibre: 4.9 us per km.
    const Integral ps = to_integral(scaled(read_quantity(text, Quantity::distance), 4900, 0));
    if (!ps.fits || ps.nearest >= 1ULL << 62) throw BadText{"is too far", "less than a light month", ""};
    return Duration{static_cast<std::int64_t>(ps.nearest)};
  };
  return read_field(distance, fibre);
}

/// The cluster's words for reports: what a count counts and what it is made of.
void settle_names(Node& root, Scenario& scenario, const ClusterShape& shape) {
  const bool one_server = shape.server_dimensions == shape.scale_up.size();
  const std::string unit = scenario.preset.empty() ? "scale-up domain"
                           : one_server            ? "server"
                                                   : "UltraServer";
  Node& cluster = root.at_or_insert("cluster", root.place);
  settle(cluster, "unit", unit);
  if (!scenario.preset.empty()) settle(cluster, "hardware", scenario.preset);
  scenario.unit = cluster.find("unit")->text;
  if (const Node* hardware = cluster.find("hardware")) scenario.preset = hardware->text;
}

}  // namespace

ChipCosts resolve_chip(const Field& chip) {
  ChipCosts costs;
  if (const Field overhead = chip["overhead"]) costs.overhead = read_field(overhead, read_time);
  if (const Field rate = chip["reduction"]["rate"])
    costs.reduction_rate = capacity_of({read_field(rate, read_bandwidth)});
  const Field memory = chip["memory"];
  if (const Field rate = memory["bandwidth"])
    costs.memory.rate = capacity_of({read_field(rate, read_bandwidth)});
  if (const Field ranks = memory["ranks"]) costs.memory.ranks = read_count32(ranks);
  return costs;
}

std::uint64_t chips_per_server(const ClusterShape& shape) {
  return product_of(std::span(shape.scale_up).first(shape.server_dimensions));
}

std::uint64_t chips_per_domain(const ClusterShape& shape) {
  return product_of(shape.scale_up);
}

std::vector<Wan> resolve_wans(const Field& wans, const std::vector<Site>& sites) {
  std::vector<Wan> links;
  for (std::size_t i = 0; i < wans.size(); ++i) {
    const Field wan = wans[i];
    Wan link;
    const Field a = required(wan, "a"), b = required(wan, "b");
    link.a = site_named(a, sites);
    link.b = site_named(b, sites);
    if (link.a == link.b) refuse(b, {"is the site at both ends", "another site", ""});
    link.name = wan["name"] ? wan["name"].text() : a.text() + "-" + b.text();
    for (std::size_t j = 0; j < i; ++j) {
      if (links[j].name == link.name)
        refuse(wan["name"] ? wan["name"] : b,
               {fmt::format("gives a second WAN link the name '{}'", link.name), "a `name` of its own", ""});
    }
    link.bandwidth = read_field(required(wan, "bandwidth"), read_bandwidth);
    link.latency = wan_latency(wan);
    if (const Field window = wan["window"]) link.window = read_field(window, read_bytes);
    if (const Field loss = wan["loss"]; loss && read_field(loss, read_number).mantissa > 0)
      link.loss = read_field(loss, read_number);
    links.push_back(link);
  }
  return links;
}

ClusterShape resolve_cluster(Node& root, Scenario& scenario) {
  ClusterShape shape;
  const Field top{&root, ""};
  if (!top["cluster"] && !top["fabric"] && !top["sites"]) {
    refuse(
        {root.place,
         "cluster",
         "",
         {"is missing: there is nothing to simulate", "a preset in `extends`, or cluster and fabric", ""}});
  }
  resolve_ranks_per_chip(root, shape);
  resolve_scale_up(root, "", shape);
  const std::size_t server = shape.server_dimensions;
  take_nics(root, product_of(std::span(shape.scale_up).first(server)), {});
  resolve_places(root, shape);
  resolve_scale_out(root, "", shape);
  shape.wans = resolve_wans(top["fabric"]["wan"], shape.sites);
  shape.seed = scenario.seed;
  settle_names(root, scenario, shape);
  scenario.chips_per_server =
      static_cast<std::uint32_t>(product_of(std::span(shape.scale_up).first(shape.server_dimensions)));
  return shape;
}

namespace {

[[noreturn]] void refuse_between(const Field& between) {
  throw InfeasibleError(sentence({between.place(),
                                  between.path,
                                  "",
                                  {"is built for sites of different hardware only",
                                   "wan links, or one site with a clos over all domains", ""}}));
}

GraphShape seeded(GraphShape graph, std::uint64_t seed) {
  graph.detours.seed = seed;
  return graph;
}

}  // namespace

void resolve_network(Node& root, Scenario& scenario) {
  const Field top{&root, ""};
  if (!has_several_ranks(top)) drop_inner_fabric(root);
  if (is_mixed(top["sites"])) {
    if (const Field ranks = top["cluster"]["ranks_per_chip"]; has_several_ranks(top))
      throw InfeasibleError(sentence({ranks.place(),
                                      ranks.path,
                                      ranks.text(),
                                      {"is not built for sites of different hardware", "1", ""}}));
    scenario.network = resolve_mixed(root, scenario);
    return;
  }
  if (const Field name = top["cluster"]["chip"]["name"]) scenario.chip = name.text();
  const ChipCosts costs = resolve_chip(top["cluster"]["chip"]);
  scenario.overhead = costs.overhead;
  scenario.memory = costs.memory;
  if (top["cluster"]["chip"]["reduction"]["rate"]) scenario.reduction_rate = costs.reduction_rate;
  if (const Field between = top["fabric"]["between_sites"]) refuse_between(between);
  take_options(root);
  const Field graph = top["fabric"]["graph"];
  if (graph || is_dragonfly(top["fabric"]["scale_out"])) {
    const Field ranks = top["cluster"]["ranks_per_chip"];
    if (has_several_ranks(top))
      refuse(ranks, {"is for networks of dimensions; a graph draws its own ranks", "1", ""});
  }
  if (!graph && is_dragonfly(top["fabric"]["scale_out"])) {
    scenario.network = seeded(dragonfly_cluster(top), scenario.seed);
    return;
  }
  if (!graph) {
    scenario.network = resolve_cluster(root, scenario);
    return;
  }
  const Field scale_out = top["fabric"]["scale_out"];
  const Field count = top["cluster"]["count"];
  for (const Field& other : {top["fabric"]["scale_up"], top["fabric"]["wan"], top["sites"],
                             scale_out ? Field{} : count, scale_out ? Field{} : top["cluster"]["nic"]}) {
    if (other)
      refuse({other.place(),
              other.path,
              "",
              {"stands beside fabric.graph, which is the whole network", "one of the two", ""}});
  }
  const GraphShape server = resolve_graph(graph);
  take_nics(root, 1, nics_in(server));
  scenario.network = scale_out ? seeded(copies_of(server, count, scale_out), scenario.seed) : server;
}

}  // namespace tahoma
