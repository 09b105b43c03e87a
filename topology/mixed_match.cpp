// Names and selectors of a mixed network. All but what lies between the sites begins with `site.NAME.`, and
// the rest is the site's own affair: the site is asked with the whole text.
//
//   site.a.us[0-3].s0.c*       chips; `site.*.` asks every site
//   site.a<->site.b            a WAN link, `site.a<->fabric` a trunk to the fabric above the sites
#include <algorithm>

#include <fmt/format.h>

#include "core/nearest.h"
#include "topology/link_key.h"
#include "topology/mixed.h"
#include "topology/number_set.h"

namespace tahoma {

namespace {

std::vector<std::string> names_of_sites(const MixedTopology& topology) {
  std::vector<std::string> names;
  for (const auto& site : topology.sites()) names.push_back(site.name);
  return names;
}

[[noreturn]] void refuse_name(std::string_view text, const std::string& why) {
  constexpr std::size_t most = 80;
  throw SelectorError{fmt::format("'{}{}': {}", text.substr(0, most), text.size() > most ? "..." : "", why)};
}

/// The sites that the first two components of a name speak of.
std::vector<std::uint32_t> sites_named(const MixedTopology& topology, std::string_view text) {
  const std::vector<std::string> names = names_of_sites(topology);
  const auto parts = split_components(text);
  if (parts.empty() || parts.front() != "site" || parts.size() < 2) {
    refuse_name(text, fmt::format("names begin with a site here, such as site.{}.{}; sites are {}", names[0],
                                  parts.empty() || parts.front() == "site" ? "us0.s0.c0" : text,
                                  fmt::join(names, ", ")));
  }
  check_pattern(parts[1]);
  std::vector<std::uint32_t> found;
  for (std::uint32_t s = 0; s < names.size(); ++s) {
    if (matches_name(parts[1], names[s])) found.push_back(s);
  }
  if (!found.empty()) return found;
  const std::string meant = nearest(parts[1], std::span<const std::string>(names));
  refuse_name(text, meant.empty() ? fmt::format("no such site; sites are {}", fmt::join(names, ", "))
                                  : fmt::format("no such site; did you mean site.{}?", meant));
}

struct Ends {
  std::string_view from, to;
  bool both = false;
};

std::optional<Ends> ends_of(std::string_view text) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  const bool both = arrow > 0 && text[arrow - 1] == '<';
  return Ends{text.substr(0, arrow - (both ? 1 : 0)), text.substr(arrow + 2), both};
}

bool is_bare_site(std::string_view name) {
  return name == "fabric" || (name.starts_with("site.") && split_components(name).size() == 2);
}

/// Links between the sites whose name the text is, "#1" left out or not.
std::vector<LinkId> links_between_sites(const MixedTopology& topology, std::string_view text) {
  std::vector<LinkId> links;
  std::vector<std::string> names;
  const auto ends = ends_of(text);
  const std::size_t sites = topology.sites().size(), wans = topology.wans().size();
  const std::size_t joints = wans + (topology.has_fabric_between() ? sites : 0);
  for (std::uint32_t j = 0; j < joints; ++j) {
    for (const std::uint32_t port : {0U, 1U}) {
      const LinkId link = fabric_link(LinkKind::wan, j, port);
      const std::string name = topology.link_name(link);
      names.push_back(name);
      const std::string plain = name.substr(0, name.find('#'));
      const std::string_view wanted = ends->to.substr(0, ends->to.find('#'));
      const std::string there = fmt::format("{}->{}", ends->from, wanted);
      const std::string back = fmt::format("{}->{}", wanted, ends->from);
      if (plain != there && !(ends->both && plain == back)) continue;
      const bool numbered = wanted.size() != ends->to.size();
      if (numbered && !name.ends_with(ends->to.substr(wanted.size()))) continue;
      links.push_back(link);
    }
  }
  if (!links.empty()) return links;
  const std::string meant = nearest(text, std::span<const std::string>(names));
  refuse_name(text, fmt::format("no such link between sites; there are {}{}", fmt::join(names, ", "),
                                meant.empty() ? "" : "; did you mean " + meant + "?"));
}

}  // namespace

std::vector<ChipId> match_mixed_chips(const MixedTopology& topology, std::string_view selector) {
  std::vector<ChipId> chips;
  for (const std::uint32_t s : sites_named(topology, selector)) {
    const auto& site = topology.sites()[s];
    for (const ChipId chip : match_chips(*site.inside, selector)) chips.push_back(site.first_chip + chip);
  }
  return chips;
}

Elements match_mixed(const MixedTopology& topology, std::string_view text) {
  Elements elements;
  for (std::uint32_t w = 0; w < topology.wans().size(); ++w) {
    if (topology.wans()[w].name.empty() || topology.wans()[w].name != text) continue;
    elements.links = {fabric_link(LinkKind::wan, w, 0), fabric_link(LinkKind::wan, w, 1)};
    return elements;
  }
  const auto ends = ends_of(text);
  if (ends && (is_bare_site(ends->from) || is_bare_site(ends->to))) {
    elements.links = links_between_sites(topology, text);
    return elements;
  }
  for (const std::uint32_t s : sites_named(topology, ends ? ends->from : text)) {
    const auto& site = topology.sites()[s];
    const Elements own = match_elements(*site.inside, text);
    for (const LinkId link : own.links) elements.links.push_back(topology.outward(s, link));
    for (const ChipId chip : own.chips) elements.chips.push_back(site.first_chip + chip);
    for (const std::string& name : own.switches)
      elements.switches.push_back(name.starts_with("plane") ? "site." + site.name + "." + name : name);
  }
  return elements;
}

}  // namespace tahoma
