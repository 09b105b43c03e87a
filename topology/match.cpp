// Names and selectors in, elements out: the free functions of topology.h, for either kind of topology.
//
//   link      "A->B" or "A<->B" (both directions); "#2" at the end picks one of several parallel links
//   element   a chip, "CHIP.nic" (both directions of its NIC link), a switch, a WAN link's name, a graph's
//   link
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/errors.h"
#include "core/natural_order.h"
#include "core/nearest.h"
#include "topology/graph.h"
#include "topology/link_key.h"
#include "topology/mixed.h"
#include "topology/number_set.h"
#include "topology/rank_topology.h"
#include "topology/selectors.h"

namespace tahoma {

namespace {

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 80;
  return fmt::format("'{}{}'", text.substr(0, most), text.size() > most ? "..." : "");
}

struct LinkText {
  std::string_view from, to;
  bool both = false;
  std::optional<std::uint32_t> parallel;  // 1-based
};

std::optional<LinkText> parse_link(std::string_view text) {
  LinkText link;
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  link.both = arrow > 0 && text[arrow - 1] == '<';
  link.from = text.substr(0, arrow - (link.both ? 1 : 0));
  link.to = text.substr(arrow + 2);
  if (const std::size_t hash = link.to.rfind('#'); hash != std::string_view::npos) {
    const std::string_view digits = link.to.substr(hash + 1);
    std::uint32_t parallel = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parallel);
    if (error != std::errc{} || end != digits.data() + digits.size() || parallel == 0) {
      throw SelectorError{fmt::format("{}: a number from 1 on belongs after '#'", quoted(text))};
    }
    link.parallel = parallel;
    link.to = link.to.substr(0, hash);
  }
  if (link.from.empty() || link.to.empty()) {
    throw SelectorError{
        fmt::format("{}: a link is written A->B, or A<->B for both directions", quoted(text))};
  }
  return link;
}

// ---- product ----

void append_links_between(const ProductTopology& topology, const std::vector<Terminal>& from,
                          const std::vector<Terminal>& to, std::optional<std::uint32_t> parallel,
                          std::vector<LinkId>& links) {
  for (const Terminal& terminal : from) {
    for (const TerminalLink& link : links_out_of(topology, terminal)) {
      if (!std::binary_search(to.begin(), to.end(), link.to)) continue;
      const std::string suffix = parallel ? fmt::format("#{}", *parallel) : std::string{};
      const std::string name = parallel ? topology.link_name(link.link) : std::string{};
      const bool has_suffix = name.find('#') != std::string::npos;
      if (parallel && (has_suffix ? !name.ends_with(suffix) : *parallel != 1)) continue;
      links.push_back(link.link);
    }
  }
}

[[noreturn]] void refuse_unlinked(const ProductTopology& topology, std::string_view text,
                                  const Terminal& from, std::string_view to) {
  std::vector<std::string> neighbours;
  for (const TerminalLink& link : links_out_of(topology, from))
    neighbours.push_back(name_of(topology, link.to));
  const std::string meant = nearest(to, neighbours);
  if (neighbours.size() > 8) neighbours.resize(8), neighbours.push_back("...");
  throw SelectorError{fmt::format("{}: no such link; {} has links to {}{}", quoted(text),
                                  name_of(topology, from), fmt::join(neighbours, ", "),
                                  meant.empty() ? "" : "; did you mean " + meant + "?")};
}

Elements match_product_link(const ProductTopology& topology, const LinkText& link, std::string_view text) {
  Elements elements;
  const std::vector<Terminal> from = find_terminals(topology, link.from),
                              to = find_terminals(topology, link.to);
  append_links_between(topology, from, to, link.parallel, elements.links);
  if (link.both) append_links_between(topology, to, from, link.parallel, elements.links);
  std::set<LinkId> seen;
  std::erase_if(elements.links, [&](LinkId id) { return !seen.insert(id).second; });
  if (elements.links.empty()) refuse_unlinked(topology, text, from.front(), link.to);
  return elements;
}

Elements match_product(const ProductTopology& topology, std::string_view text) {
  if (const auto link = parse_link(text)) return match_product_link(topology, *link, text);
  Elements elements;
  const Geometry& g = topology.geometry();
  for (std::uint32_t w = 0; w < g.wans.size(); ++w) {
    if (g.wans[w].name.empty() || g.wans[w].name != text) continue;
    elements.links = {fabric_link(LinkKind::wan, w, 0), fabric_link(LinkKind::wan, w, 1)};
    return elements;
  }
  for (const Terminal& terminal : find_terminals(topology, text)) {
    switch (terminal.kind) {
      case TerminalKind::chip:
        elements.chips.push_back(terminal.owner);
        break;
      case TerminalKind::nic:
        elements.links.push_back(fabric_link(LinkKind::nic, terminal.owner, up_port));
        elements.links.push_back(fabric_link(LinkKind::nic, terminal.owner, down_port));
        break;
      case TerminalKind::site:
        throw SelectorError{fmt::format("{}: a whole site is no element", quoted(text))};
      default:
        elements.switches.push_back(name_of(topology, terminal));
    }
  }
  return elements;
}

std::vector<ChipId> match_product_chips(const ProductTopology& topology, std::string_view selector) {
  std::vector<ChipId> chips;
  for (const Terminal& terminal : find_terminals(topology, selector)) {
    if (terminal.kind != TerminalKind::chip) {
      throw SelectorError{
          fmt::format("{}: it names no chips; a chip is named {}", quoted(selector), topology.chip_name(0))};
    }
    chips.push_back(terminal.owner);
  }
  return chips;
}

// ---- graph ----

std::vector<std::uint32_t> match_vertices(const GraphTopology& topology, std::string_view pattern) {
  std::vector<std::uint32_t> found;
  const auto& names = topology.names();
  const auto exact = std::find(names.begin(), names.end(), pattern);
  if (exact != names.end()) return {static_cast<std::uint32_t>(exact - names.begin())};
  check_pattern(pattern);
  for (std::uint32_t v = 0; v < names.size(); ++v) {
    if (matches_name(pattern, names[v])) found.push_back(v);
  }
  if (found.empty()) {
    const std::string meant = nearest(pattern, names);
    throw SelectorError{fmt::format("{}: no vertex of the graph has this name{}", quoted(pattern),
                                    meant.empty() ? "" : "; did you mean '" + meant + "'?")};
  }
  return found;
}

Elements match_graph(const GraphTopology& topology, std::string_view text) {
  Elements elements;
  const auto& links = topology.links();
  for (std::uint64_t i = 0; i < links.size(); ++i) {
    if (links[i].name == text) elements.links.push_back({i});
  }
  if (!elements.links.empty()) return elements;
  if (const auto link = parse_link(text)) {
    const auto from = match_vertices(topology, link->from), to = match_vertices(topology, link->to);
    const auto in = [](const std::vector<std::uint32_t>& set, std::uint32_t v) {
      return std::binary_search(set.begin(), set.end(), v);
    };
    for (std::uint64_t i = 0; i < links.size(); ++i) {
      const bool forth = in(from, links[i].from) && in(to, links[i].to);
      const bool back = link->both && in(to, links[i].from) && in(from, links[i].to);
      if (forth || back) elements.links.push_back({i});
    }
    if (elements.links.empty())
      throw SelectorError{fmt::format("{}: the graph has no such link", quoted(text))};
    return elements;
  }
  std::vector<std::string> known;
  for (const auto& link : links) known.push_back(link.name);
  try {
    for (const std::uint32_t vertex : match_vertices(topology, text)) {
      if (vertex < topology.chips()) {
        elements.chips.push_back(vertex);
      } else {
        elements.switches.push_back(topology.names()[vertex]);
      }
    }
  } catch (const SelectorError&) {
    known.insert(known.end(), topology.names().begin(), topology.names().end());
    const std::string meant = nearest(text, known);
    throw SelectorError{fmt::format("{}: no link or vertex of the graph has this name{}", quoted(text),
                                    meant.empty() ? "" : "; did you mean '" + meant + "'?")};
  }
  return elements;
}

std::vector<ChipId> match_graph_chips(const GraphTopology& topology, std::string_view selector) {
  std::vector<ChipId> chips;
  for (const std::uint32_t vertex : match_vertices(topology, selector)) {
    if (vertex < topology.chips()) chips.push_back(vertex);
  }
  if (chips.empty())
    throw SelectorError{fmt::format("{}: only switches and NICs have this name", quoted(selector))};
  return chips;
}

[[noreturn]] void refuse_topology() {
  throw SelectorError{"this kind of topology has no selectors"};
}

}  // namespace

std::vector<ChipId> match_chips(const Topology& topology, std::string_view selector) {
  if (const auto* product = dynamic_cast<const ProductTopology*>(&topology)) {
    return match_product_chips(*product, selector);
  }
  if (const auto* graph = dynamic_cast<const GraphTopology*>(&topology))
    return match_graph_chips(*graph, selector);
  if (const auto* ranks = dynamic_cast<const RankTopology*>(&topology)) return match_ranks(*ranks, selector);
  if (const auto* mixed = dynamic_cast<const MixedTopology*>(&topology))
    return match_mixed_chips(*mixed, selector);
  refuse_topology();
}

Elements match_elements(const Topology& topology, std::string_view text) {
  if (const auto* product = dynamic_cast<const ProductTopology*>(&topology))
    return match_product(*product, text);
  if (const auto* graph = dynamic_cast<const GraphTopology*>(&topology)) return match_graph(*graph, text);
  if (const auto* ranks = dynamic_cast<const RankTopology*>(&topology))
    return match_rank_elements(*ranks, text);
  if (const auto* mixed = dynamic_cast<const MixedTopology*>(&topology)) return match_mixed(*mixed, text);
  refuse_topology();
}

}  // namespace tahoma
