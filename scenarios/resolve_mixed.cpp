// Sites of different hardware into a MixedShape: each site is read as a cluster by itself, with its own
// chips' costs, and what joins the sites is read at the top.
#include <fmt/format.h>

#include "scenarios/decimal_text.h"
#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

void refuse_top_hardware(const Field& top) {
  for (const std::string_view key : {"scale_up", "scale_out", "graph"}) {
    if (const Field field = top["fabric"][key])
      refuse({field.place(),
              field.path,
              "",
              {"stands beside sites that each have a fabric of their own", "sites.*.fabric", ""}});
  }
  if (const Field cluster = top["cluster"])
    refuse({cluster.place(),
            cluster.path,
            "",
            {"stands beside sites that each have hardware of their own", "sites.*.cluster", ""}});
}

[[noreturn]] void not_built(const Field& field, const std::string& what, const std::string& accepted) {
  throw InfeasibleError(sentence({field.place(), field.path, "", {what, accepted, ""}}));
}

void refuse_what_no_site_has(const Field& site) {
  if (const Field graph = site["fabric"]["graph"])
    not_built(graph, "is a graph, and sites of different hardware are built of dimensions only",
              "scale_up and a clos as scale_out");
  if (const Field ranks = site["cluster"]["ranks_per_chip"]; ranks && read_field(ranks, read_count) != 1)
    not_built(ranks, "is known but not supported yet", "1");
  const Field scale_out = site["fabric"]["scale_out"];
  if (scale_out.size() == 0) {
    refuse({site.place(),
            joined(site.path, "fabric.scale_out"),
            "",
            {"is missing: without NICs nothing joins the site to the others",
             "a clos, or a preset that has one", ""}});
  }
  for (std::size_t i = 0; i < scale_out.size(); ++i) {
    const Field kind = required(scale_out[i], "kind");
    if (kind.text() != "clos" && kind.text() != "switch")
      not_built(kind, fmt::format("'{}' has no top to which other sites could be joined", kind.text()),
                "clos or switch");
    if (const Field routing = scale_out[i]["routing"]; routing && routing.text() != "spray")
      not_built(routing,
                fmt::format("'{}' is not built where sites are of different hardware", routing.text()),
                "spray");
  }
}

void refuse_links_that_store(const Field& scale_up) {
  for (std::size_t i = 0; i < scale_up.size(); ++i) {
    const Field stores = scale_up[i]["store_and_forward"];
    if (stores && stores.text() == "true")
      not_built(stores, "is not built where sites are of different hardware", "false");
  }
}

ClusterShape resolve_site(Node& site, const std::string& at, std::uint64_t seed) {
  ClusterShape shape;
  const Field field{&site, at};
  const Field name = required(field, "name");
  refuse_what_no_site_has(field);
  take_options(site);
  refuse_links_that_store(field["fabric"]["scale_up"]);
  resolve_scale_up(site, at, shape);
  take_nics(site, chips_per_server(shape), {});
  shape.sites.push_back({name.text(), domains_of(field, shape)});
  shape.leads_out = true;
  resolve_scale_out(site, at, shape);
  shape.seed = seed;
  Node& cluster = site.at_or_insert("cluster", site.place);
  const bool has_preset = cluster.find("hardware") != nullptr;
  settle(cluster, "unit",
         !has_preset                                        ? "scale-up domain"
         : shape.server_dimensions == shape.scale_up.size() ? "server"
                                                            : "UltraServer");
  return shape;
}

void check_names(const Field& sites) {
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Field name = sites[i]["name"], other = sites[j]["name"];
      if (name && other && name.text() == other.text())
        refuse(name,
               {fmt::format("names the site at {} too", to_string(other.place())), "a name of its own", ""});
    }
  }
}

std::optional<BetweenSites> resolve_between(const Field& field, const Field& wan) {
  if (!field) return std::nullopt;
  if (wan.size() > 0)
    refuse({field.place(),
            field.path,
            "",
            {"stands beside fabric.wan: sites are joined by the one or the other", "one of the two", ""}});
  BetweenSites between;
  between.latency = read_field(required(field, "latency"), read_time);
  const Field ratio = field["oversubscription"];
  between.oversubscription = read_field(ratio, read_number);
  if (compare(between.oversubscription, {1, -3}) < 0 || compare(between.oversubscription, {1, 6}) > 0)
    refuse(ratio, {"is no ratio of a real switch", "from 0.001 to 1000000; 1 is non-blocking", ""});
  return between;
}

/// All sites reach each other over the links given.
void check_joined(const Field& top, const MixedShape& shape, const std::vector<Site>& sites) {
  if (shape.between) return;
  std::vector<bool> reached(sites.size(), false);
  reached[0] = true;
  for (std::size_t round = 0; round < sites.size(); ++round) {
    for (const Wan& wan : shape.wans) {
      if (reached[wan.a] || reached[wan.b]) reached[wan.a] = reached[wan.b] = true;
    }
  }
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (reached[i]) continue;
    const Field site = top["sites"][i];
    refuse({site.place(),
            site.path,
            sites[i].name,
            {fmt::format("is not joined to site '{}'", sites[0].name),
             "fabric.wan links that lead there, or fabric.between_sites", ""}});
  }
}

}  // namespace

bool is_mixed(const Field& sites) {
  for (const Field& site : each(sites)) {
    if (site["cluster"] || site["fabric"]) return true;
  }
  return false;
}

MixedShape resolve_mixed(Node& root, Scenario& scenario) {
  const Field top{&root, ""};
  refuse_top_hardware(top);
  const Field sites = top["sites"];
  if (sites.size() < 2)
    refuse({sites.place(),
            sites.path,
            "",
            {"has one site: hardware of its own is for several", "cluster and fabric at the top", ""}});
  check_names(sites);
  MixedShape shape;
  std::vector<Site> names;
  std::uint64_t chips = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    Node& site = root.find("sites")->items[i];
    shape.sites.push_back(resolve_site(site, joined("sites", i), scenario.seed));
    names.push_back(shape.sites.back().sites[0]);
    chips += names.back().domains * chips_per_domain(shape.sites.back());
    scenario.site_costs.push_back(resolve_chip(Field{&site, joined("sites", i)}["cluster"]["chip"]));
    const Node* hardware = site.find("cluster")->find("hardware");
    if (hardware != nullptr) scenario.preset += (scenario.preset.empty() ? "" : " + ") + hardware->text;
  }
  if (chips > most_ranks)
    refuse({sites.place(), sites.path, "", {"make more than 2^31 chips", "less than that", ""}});
  shape.wans = resolve_wans(top["fabric"]["wan"], names);
  shape.between = resolve_between(top["fabric"]["between_sites"], top["fabric"]["wan"]);
  check_joined(top, shape, names);
  scenario.unit = "scale-up domain";
  scenario.chips_per_server = static_cast<std::uint32_t>(chips_per_server(shape.sites[0]));
  return shape;
}

}  // namespace tahoma
