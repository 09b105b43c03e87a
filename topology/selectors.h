// What a name or a selector means in a product topology: patterns to terminals, terminals to links.
//
// A selector is [site.NAME.][usN.][sN.]cN with N a number, a set [0-3,8] or *. Leading components may be left
// out where that is unambiguous: where there is one site, one domain, one server per domain. Where a domain
// is one server, sN and usN mean the same. Nothing is clipped: a number that does not exist is an error.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/product.h"

namespace tahoma {

enum class TerminalKind : std::uint8_t {
  chip,
  nic,
  dimension_switch,
  plane,
  leaf,
  leaf_switch,
  pod,
  spine,
  core_stage,
  core,
  fabric_plane,
  site
};

/// A thing with a name that links end at. `leaf_switch` is one of those that a leaf's NICs are bonded over,
/// `fabric_plane` one of the equal fabrics side by side. `pod` and `core_stage` are all spines of a pod, all
/// cores of a site.
struct Terminal {
  TerminalKind kind = TerminalKind::chip;
  std::uint32_t owner = 0;      // chip; group; leaf; pod; site
  std::uint32_t index = 0;      // spine, core, plane, switch of the leaf
  std::uint32_t dimension = 0;  // dimension_switch, plane
  auto operator<=>(const Terminal&) const = default;
};

/// Ascending and without repeats; throws SelectorError if there is none.
std::vector<Terminal> find_terminals(const ProductTopology& topology, std::string_view pattern);
std::string name_of(const ProductTopology& topology, const Terminal& terminal);

/// A link out of a terminal, dead or alive, single links and trunks alike.
struct TerminalLink {
  Terminal to;
  LinkId link;
};
std::vector<TerminalLink> links_out_of(const ProductTopology& topology, const Terminal& terminal);

}  // namespace tahoma
