// A graph that is one server of several: copies of it, joined by a switch or a dragonfly between their NICs.
//
//     s0.g0 ─ s0.nic0 ─┐            ┌─ s1.nic0 ─ s1.g0
//     s0.g1 ─ s0.nic0 ─┴─ fabric ───┴─ s1.nic0 ─ s1.g1
//
// For servers whose inside is no product of dimensions. What comes out is an explicit graph like any other,
// so nothing folds: a few dozen servers, not a cluster. A server alone has no use for its NICs, and loses
// them.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_vertices = 4096;  // each is a destination with a table of its own

/// "a->b" at the end of a link's name stands for its ends and is renamed with them.
std::string name_in_copy(const GraphShape& server, const GraphLink& link, const std::string& prefix) {
  const std::string &from = server.vertices[link.from].name, &to = server.vertices[link.to].name;
  const std::string ends = from + "->" + to;
  std::string renamed = prefix + from + "->" + prefix + to;
  if (link.name == ends) return renamed;
  if (link.name.ends_with(":" + ends))
    return prefix + link.name.substr(0, link.name.size() - ends.size()) + renamed;
  return prefix + link.name;
}

void append_copy(GraphShape& whole, const GraphShape& server, const std::string& prefix) {
  const auto first = static_cast<std::uint32_t>(whole.vertices.size());
  const auto first_link = static_cast<std::uint32_t>(whole.links.size());
  for (const GraphVertex& vertex : server.vertices)
    whole.vertices.push_back({prefix + vertex.name, vertex.kind});
  for (const GraphLink& link : server.links) {
    GraphLink copy = link;
    copy.name = name_in_copy(server, link, prefix);
    copy.from += first;
    copy.to += first;
    if (copy.reverse != ~0u) copy.reverse += first_link;
    whole.links.push_back(std::move(copy));
  }
}

GraphShape without_nics(const GraphShape& server) {
  GraphShape lone;
  std::vector<std::uint32_t> place(server.vertices.size(), ~0u), link_place(server.links.size(), ~0u);
  for (std::size_t v = 0; v < server.vertices.size(); ++v) {
    if (server.vertices[v].kind == VertexKind::nic) continue;
    place[v] = static_cast<std::uint32_t>(lone.vertices.size());
    lone.vertices.push_back(server.vertices[v]);
  }
  for (std::size_t l = 0; l < server.links.size(); ++l) {
    GraphLink link = server.links[l];
    if (place[link.from] == ~0u || place[link.to] == ~0u) continue;
    link_place[l] = static_cast<std::uint32_t>(lone.links.size());
    link.from = place[link.from];
    link.to = place[link.to];
    lone.links.push_back(std::move(link));
  }
  for (GraphLink& link : lone.links) {
    if (link.reverse != ~0u) link.reverse = link_place[link.reverse];
  }
  return lone;
}

/// A NIC's link to the switch, as the scale-out entry says.
GraphLink nic_link(const Field& scale_out) {
  const Field entry = scale_out[0], kind = required(entry, "kind");
  if (scale_out.size() > 1 || kind.text() != "switch") {
    refuse(kind, {"does not join the NICs of a graph", "one entry of kind switch or dragonfly", ""});
  }
  GraphLink link;
  const bool both = entry["both_directions"] && entry["both_directions"].text() == "true";
  link.bandwidth =
      scaled(read_link_bandwidth(required(entry, "bandwidth"), both), read_count32(entry["planes"]), 0);
  link.efficiency = read_field(entry["efficiency"], read_number);
  const Field latency = required(entry, "latency");
  link.latency = read_field(each(latency)[0], read_time);
  return link;
}

std::vector<std::uint32_t> nics_of(const GraphShape& graph) {
  std::vector<std::uint32_t> nics;
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v) {
    if (graph.vertices[v].kind == VertexKind::nic) nics.push_back(v);
  }
  return nics;
}

void join_nics(GraphShape& whole, const Dragonfly& dragonfly, const Field& blame) {
  const std::vector<std::uint32_t> nics = nics_of(whole);
  if (nics.size() > dragonfly.ends()) {
    refuse(blame, {fmt::format("has room for {} NICs, and there are {}", dragonfly.ends(), nics.size()),
                   "a larger size, or fewer servers", ""});
  }
  join_by_dragonfly(whole, nics, dragonfly);
}

void join_nics(GraphShape& whole, const GraphLink& link) {
  const auto fabric = static_cast<std::uint32_t>(whole.vertices.size());
  whole.vertices.push_back({"fabric", VertexKind::switch_});
  for (const std::uint32_t v : nics_of(whole)) {
    const auto next = static_cast<std::uint32_t>(whole.links.size());
    GraphLink up = link, down = link;
    up.name = whole.vertices[v].name + "->fabric";
    up.from = v;
    up.to = fabric;
    up.reverse = next + 1;
    down.name = "fabric->" + whole.vertices[v].name;
    down.from = fabric;
    down.to = v;
    down.reverse = next;
    whole.links.push_back(std::move(up));
    whole.links.push_back(std::move(down));
  }
}

}  // namespace

std::uint64_t nics_in(const GraphShape& graph) {
  return static_cast<std::uint64_t>(
      std::count_if(graph.vertices.begin(), graph.vertices.end(),
                    [](const GraphVertex& vertex) { return vertex.kind == VertexKind::nic; }));
}

GraphShape copies_of(const GraphShape& server, const Field& count, const Field& scale_out) {
  const std::uint64_t servers = count ? read_field(count, read_count) : 1;
  const bool by_dragonfly = is_dragonfly(scale_out);
  const GraphLink link = by_dragonfly ? GraphLink{} : nic_link(scale_out);
  if (nics_in(server) == 0) {
    refuse({scale_out.place(),
            scale_out.path,
            "",
            {"finds no vertex of kind nic in fabric.graph to join", "such vertices, or no scale_out", ""}});
  }
  if (servers == 1) return without_nics(server);
  if (servers > most_vertices / server.vertices.size()) {
    throw InfeasibleError(sentence(
        {count.place(),
         count.path,
         count.text(),
         {fmt::format("makes a graph of more than {} vertices, and graphs do not fold", most_vertices),
          fmt::format("up to {} such servers", most_vertices / server.vertices.size()), ""}}));
  }
  GraphShape whole;
  for (std::uint64_t i = 0; i < servers; ++i) append_copy(whole, server, fmt::format("s{}.", i));
  if (by_dragonfly) {
    join_nics(whole, resolve_dragonfly(scale_out), scale_out[0]["size"]);
  } else {
    join_nics(whole, link);
  }
  return whole;
}

}  // namespace tahoma
