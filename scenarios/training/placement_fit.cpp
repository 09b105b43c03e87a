#include "scenarios/training/placement_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tahoma {

namespace {

constexpr std::uint32_t most_looked_at = 4096;  // ranks; beyond, groups repeat

struct VendorRow {
  std::string_view chip;
  std::uint32_t server_ranks, degree;
  std::string_view says;
};
// NeuronX Distributed, parallel_state.py.
constexpr VendorRow vendor_rows[] = {
    {"trainium1", 32, 4, "offered on ranks {0, 8, 16, 24} and their like"},
    {"trainium2", 64, 4, "offered on ranks that follow one another"},
    {"trainium2", 64, 8, "not supported; nearest: 4 or 16"},
    {"trainium2", 64, 16, "offered on ranks that follow one another"},
    {"trainium2", 64, 32, "offered on the folded rows {0-15, 48-63} and {16-47}"},
    {"trainium2", 64, 64, "offered on ranks that follow one another"},
};

bool is_port(const Topology& topology, LinkId link) {
  return topology.ranks_per_chip() > 1 && topology.tier(link) == 0;
}

// Of the chips' network; a rank's own port is no hop.
std::vector<LinkId> hops_between(const Topology& topology, ChipId from, ChipId to) {
  std::vector<LinkId> hops;
  if (from == to) return hops;
  Route route;
  topology.route(from, to, 0, route);
  for (const LinkId link : route.path[0].links) {
    if (!is_port(topology, link)) hops.push_back(link);
  }
  return hops;
}

std::string part_text(const Digit& digit, const RankGroups::DigitAxis& part) {
  if (part.whole)
    return fmt::format("the whole {} {}", digit.name, digit.kind == Digit::Kind::ring ? "ring" : "digit");
  return fmt::format("{} of {} along {}", part.size, digit.size, digit.name);
}

bool closes(const Digit& digit, const RankGroups::DigitAxis& part) {
  if (digit.kind != Digit::Kind::ring && digit.kind != Digit::Kind::line) return true;
  if (digit.kind == Digit::Kind::ring && part.whole) return true;
  const auto apart = [&](std::size_t i) { return part.values[i] - part.values[i - 1]; };
  return part.size == 2 && (part.values.empty() || apart(1) == 1 || apart(1) == digit.size - 1);
}

// The steps of one group: from each member to the next along each of its axes, and back from the last.
template <class Do>
void each_step(const Topology& topology, const RankGroups& groups, std::uint32_t group, Do&& look) {
  std::uint32_t place = 1;
  std::vector<std::uint32_t> sizes;
  for (const RankGroups::DigitAxis& part : groups.axis_parts()) sizes.push_back(part.size);
  if (sizes.empty()) sizes.push_back(groups.size());
  for (const std::uint32_t size : sizes) {
    for (std::uint32_t position = 0; position < groups.size(); ++position) {
      const std::uint32_t coordinate = position / place % size;
      const std::uint32_t next = position - coordinate * place + (coordinate + 1) % size * place;
      look(hops_between(topology, groups.chip(group, position), groups.chip(group, next)));
    }
    place *= size;
  }
}

// A group of as many members out of whole rings and switches, the innermost that will do.
std::string other_ranks(const Topology& topology, std::uint32_t members) {
  const auto digits = topology.digits();
  std::vector<std::uint32_t> inside;
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    if (digits[d].level <= Level::ultraserver && digits[d].size > 1) inside.push_back(d);
  }
  std::set<std::uint32_t> degrees;
  for (std::uint64_t set = 1; set < std::uint64_t{1} << std::min<std::size_t>(inside.size(), 16); ++set) {
    std::vector<ChipId> ranks{0};
    std::string names;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      const Digit& digit = digits[inside[i]];
      const std::size_t before = ranks.size();
      for (std::uint32_t k = 1; k < digit.size; ++k)
        for (std::size_t r = 0; r < before; ++r) ranks.push_back(ranks[r] + k * digit.stride);
      names += (names.empty() ? "" : " x ") + digit.name;
    }
    degrees.insert(static_cast<std::uint32_t>(ranks.size()));
    if (ranks.size() == members)
      return fmt::format("ranks {{{}}} and their like: all of {}", rank_list(ranks), names);
  }
  std::string nearest;
  const auto above = degrees.lower_bound(members);
  if (above != degrees.begin()) nearest = std::to_string(*std::prev(above));
  if (above != degrees.end()) nearest += (nearest.empty() ? "" : " or ") + std::to_string(*above);
  return "no whole rings have so many ranks; nearest degree: " + nearest;
}

GroupFit fit_of(const Topology& topology, const RankGroups& groups, StepGroup group) {
  GroupFit fit;
  fit.group = group;
  fit.members = groups.size();
  std::vector<ChipId> first;
  for (std::uint32_t position = 0; position < groups.size(); ++position)
    first.push_back(groups.chip(0, position));
  std::sort(first.begin(), first.end());
  fit.example = rank_list(first);
  std::map<LinkId, std::set<std::uint32_t>> on_link;
  for (std::uint32_t g = 0; g < groups.groups(); ++g) {
    if (g > 0 && groups.chip(g, 0) >= most_looked_at) continue;
    each_step(topology, groups, g, [&](const std::vector<LinkId>& hops) {
      fit.hops = std::max(fit.hops, static_cast<std::uint32_t>(hops.size()));
      for (const LinkId link : hops) on_link[link].insert(g);
    });
  }
  for (const auto& [link, crossing] : on_link)
    fit.shared = std::max(fit.shared, static_cast<std::uint32_t>(crossing.size()));
  if (groups.is_list()) {
    fit.closes = fit.hops <= 1;
    fit.why = fit.closes ? "neighbours all round" : "it cuts a dimension where it does not divide";
  }
  for (const RankGroups::DigitAxis& part : groups.axis_parts()) {
    const Digit& digit = topology.digits()[part.digit];
    fit.closes = fit.closes && closes(digit, part);
    fit.why += (fit.why.empty() ? "" : " x ") + part_text(digit, part);
  }
  if (!fit.closes) fit.alternative = other_ranks(topology, fit.members);
  return fit;
}

std::string vendor_says(const Topology& topology, std::string_view chip, std::uint32_t degree) {
  std::uint32_t server = 1;
  for (const Digit& digit : topology.digits()) {
    if (digit.level <= Level::server) server *= digit.size;
  }
  for (const VendorRow& row : vendor_rows) {
    if (row.chip == chip && row.server_ranks == server && row.degree == degree) return std::string(row.says);
  }
  return "";
}

}  // namespace

std::string rank_list(const std::vector<ChipId>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (last == i + 1) last = i;  // a pair is no stretch
    text += (text.empty() ? "" : ", ") + std::to_string(ranks[i]);
    if (last > i) text += fmt::format("-{}", ranks[last]);
    i = last + 1;
  }
  return text;
}

std::vector<GroupFit> fits_of(const Topology& topology, const Parallel& parallel, std::string_view chip) {
  const StepPlacement placement(topology, parallel);
  std::vector<GroupFit> fits;
  for (const StepGroup group : {StepGroup::tp, StepGroup::cp, StepGroup::ep}) {
    if (placement.size_of(group) == 1) continue;
    fits.push_back(fit_of(topology, placement.groups_of_all_stages(group), group));
    if (group == StepGroup::tp) fits.back().vendor = vendor_says(topology, chip, parallel.tp);
  }
  return fits;
}

}  // namespace tahoma
