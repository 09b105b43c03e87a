#include "scenarios/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/errors.h"
#include "core/random.h"
#include "scenarios/placement.h"
#include "topology/fault_candidates.h"

namespace tahoma {

namespace {

[[noreturn]] void complain(const Place& place, const std::string& message) {
  throw ScenarioError(to_string(place) + ": " + message);
}

template <class Function>
auto at_place(const Place& place, Function&& function) {
  try {
    return function();
  } catch (const SelectorError& error) {
    complain(place, error.message);
  }
}

void add_event(const Topology& healthy, const FaultEvent& event, Faults& faults) {
  const Elements elements = at_place(event.place, [&] { return match_elements(healthy, event.element); });
  if (event.fail) {
    faults.failed_links.insert(faults.failed_links.end(), elements.links.begin(), elements.links.end());
    faults.failed_chips.insert(faults.failed_chips.end(), elements.chips.begin(), elements.chips.end());
    faults.failed_switches.insert(faults.failed_switches.end(), elements.switches.begin(),
                                  elements.switches.end());
    return;
  }
  if (!elements.chips.empty() || !elements.switches.empty()) {
    complain(event.place, "'" + event.element +
                              "' is a chip or a switch; only links and NICs can be degraded "
                              "(accepted: \"A<->B\", \"A->B\", \"A.nic\")");
  }
  for (const LinkId link : elements.links) faults.degraded_links.push_back({link, event.factor});
}

// One stream of random numbers per kind, so that asking for another NIC does not move the failed links.
void add_random(const Topology& healthy, const RandomFaults& random, Faults& faults) {
  struct Kind {
    const char* name;
    std::uint32_t fail, degrade;
    std::uint64_t stream;
  };
  const Kind kinds[] = {{"links", random.fail_links, random.degrade_links, 1},
                        {"nics", random.fail_nics, random.degrade_nics, 2},
                        {"uplinks", random.fail_uplinks, random.degrade_uplinks, 3}};
  for (const Kind& kind : kinds) {
    const std::uint64_t wanted = std::uint64_t{kind.fail} + kind.degrade;
    if (wanted == 0) continue;
    const FaultCandidates candidates(healthy, kind.name);
    if (wanted > candidates.size()) {
      complain(random.place,
               fmt::format("{} random faults wanted on {} {}", wanted, candidates.size(), kind.name));
    }
    Random generator(mix64(random.seed) ^ kind.stream);
    const auto drawn = draw_without_replacement(generator, static_cast<std::uint32_t>(candidates.size()),
                                                static_cast<std::uint32_t>(wanted));
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      for (const LinkId link : candidates.at(drawn[i])) {
        if (i < kind.fail) {
          faults.failed_links.push_back(link);
        } else {
          faults.degraded_links.push_back({link, random.factor});
        }
      }
    }
  }
}

std::vector<ChipDelay> delays_of(const Topology& topology, const std::vector<Straggler>& stragglers) {
  std::map<ChipId, Duration> delays;
  for (const Straggler& straggler : stragglers) {
    for (const ChipId chip :
         at_place(straggler.place, [&] { return match_chips(topology, straggler.chips); })) {
      delays[chip] += straggler.delay;
    }
  }
  std::vector<ChipDelay> result;
  for (const auto& [chip, delay] : delays) {
    if (delay.ps > 0) result.push_back({chip, delay});
  }
  return result;
}

std::unique_ptr<Topology> build(const Scenario& scenario, const Faults& faults) {
  return std::visit([&](const auto& shape) { return make_topology(shape, faults); }, scenario.network);
}

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

RankGroups selected(const Topology& topology, const std::vector<std::vector<std::string>>& selectors,
                    const Place& place) {
  std::vector<std::vector<ChipId>> groups;
  for (const auto& group : selectors) {
    std::vector<ChipId> chips;
    for (const std::string& selector : group) {
      const auto matched = at_place(place, [&] { return match_chips(topology, selector); });
      chips.insert(chips.end(), matched.begin(), matched.end());
    }
    groups.push_back(std::move(chips));
  }
  std::vector<ChipId> seen;
  for (const auto& group : groups) {
    if (group.size() != groups[0].size()) {
      complain(place, fmt::format("the groups have {} and {} ranks; they must be equal", groups[0].size(),
                                  group.size()));
    }
    seen.insert(seen.end(), group.begin(), group.end());
  }
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice != seen.end()) complain(place, "rank " + topology.chip_name(*twice) + " is named twice");
  return RankGroups::lists(topology, std::move(groups));
}

// Of a mixed network: the groups of each site, one site after another. The reader has seen that they are
// equal.
RankGroups grouped_by_level(const Topology& topology, Level level) {
  if (topology.parts().empty() || level == Level::cluster) return RankGroups::by_level(topology, level);
  std::vector<std::vector<ChipId>> groups;
  for (const TopologyPart& part : topology.parts()) {
    const RankGroups own = RankGroups::by_level(*part.inside, level);
    for (std::uint32_t g = 0; g < own.groups(); ++g) {
      groups.emplace_back();
      for (std::uint32_t p = 0; p < own.size(); ++p) groups.back().push_back(part.first + own.chip(g, p));
    }
  }
  return RankGroups::lists(topology, std::move(groups));
}

// `ranks` by position in the order instead of by chip number.
RankGroups placed_groups(const Topology& topology, const CollectiveWork& work, std::uint64_t seed) {
  const Place& place = work.placement.place;
  const std::vector<ChipId> order =
      at_place(place, [&] { return order_of(topology, work.placement.value, seed); });
  const auto whole = static_cast<std::uint32_t>(order.size());
  const auto part = [&](std::uint64_t size, const char* what) {
    if (size == 0 || size > whole || whole % size != 0)
      complain(work.ranks.place, fmt::format("{} {} does not divide the {} chips placed", what, size, whole));
    return static_cast<std::uint32_t>(size);
  };
  std::vector<std::vector<ChipId>> groups;
  const auto cut = [&](std::uint32_t count, auto group_of) {
    groups.resize(count);
    for (std::uint32_t p = 0; p < whole; ++p) groups[group_of(p)].push_back(order[p]);
  };
  std::visit(
      Overloaded{[&](const RanksAll&) { groups = {order}; },
                 [&](const RanksFirst& first) {
                   if (first.count == 0 || first.count > whole)
                     complain(work.ranks.place,
                              fmt::format("{} ranks wanted, {} chips are placed", first.count, whole));
                   groups = {{order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first.count)}};
                 },
                 [&](const RanksStride& s) {
                   const std::uint32_t stride = part(s.stride, "a stride of");
                   cut(stride, [&](std::uint32_t p) { return p % stride; });
                 },
                 [&](const RanksSize& s) {
                   const std::uint32_t size = part(s.size, "a group size of");
                   cut(whole / size, [&](std::uint32_t p) { return p / size; });
                 },
                 [&](const auto&) {
                   complain(place,
                            "placement says in which order chips are taken, and `ranks` names the chips "
                            "itself; accepted beside it: ranks all, the first N, {stride: N} or {size: N}");
                 }},
      work.ranks.value);
  return RankGroups::lists(topology, std::move(groups));
}

}  // namespace

Network make_network(const Scenario& scenario) {
  Network network;
  network.topology = build(scenario, {});
  Faults faults;
  for (const FaultEvent& event : scenario.faults.events) add_event(*network.topology, event, faults);
  if (scenario.faults.random) add_random(*network.topology, *scenario.faults.random, faults);
  network.delays = delays_of(*network.topology, scenario.faults.stragglers);
  if (!faults.empty()) {
    network.topology = build(scenario, faults);
    network.healthy =
        std::visit([&](const auto& shape) { return make_healthy(shape, faults); }, scenario.network);
  }
  return network;
}

RankGroups make_groups(const Topology& topology, const CollectiveWork& work, std::uint64_t seed) {
  if (work.placement.value.kind != Placement::Kind::packed) return placed_groups(topology, work, seed);
  const Placed<Ranks>& ranks = work.ranks;
  const Place& place = ranks.place;
  const auto divides = [&](std::uint64_t part, const char* what) {
    if (part == 0 || part > topology.chips() || topology.chips() % part != 0) {
      complain(place,
               fmt::format("{} {} does not divide the cluster's {} chips", what, part, topology.chips()));
    }
    return static_cast<std::uint32_t>(part);
  };
  return std::visit(
      Overloaded{[&](const RanksAll&) { return RankGroups::all(topology); },
                 [&](const RanksFirst& first) {
                   if (first.count == 0 || first.count > topology.chips()) {
                     complain(place, fmt::format("{} ranks wanted, the cluster has {}", first.count,
                                                 topology.chips()));
                   }
                   return RankGroups::first(topology, static_cast<std::uint32_t>(first.count));
                 },
                 [&](const RanksSelected& s) { return selected(topology, {{s.selector}}, place); },
                 [&](const RanksGroups& g) { return selected(topology, g.groups, place); },
                 [&](const RanksBy& by) { return grouped_by_level(topology, by.level); },
                 [&](const RanksStride& s) {
                   return RankGroups::with_stride(topology, divides(s.stride, "a stride of"));
                 },
                 [&](const RanksSize& s) {
                   return RankGroups::of_size(topology, divides(s.size, "a group size of"));
                 }},
      ranks.value);
}

}  // namespace tahoma
