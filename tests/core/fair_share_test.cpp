// The integer max-min solver: systems worked out by hand, and random ones against the judge's fractions.
#include "core/fair_share.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "core/random.h"
#include "tests/support/judge_fluid.h"

using namespace tahoma;

namespace {

struct System {
  std::vector<std::uint64_t> capacity;
  std::vector<std::vector<Crossing>> flows;
  std::vector<std::uint64_t> caps;  // 0: none; may be empty
};

std::vector<std::uint64_t> solve(const System& system) {
  std::vector<Capacity> capacity;
  for (const std::uint64_t c : system.capacity) capacity.push_back({c});
  std::vector<std::uint32_t> first{0};
  std::vector<Crossing> crossings;
  for (const auto& flow : system.flows) {
    crossings.insert(crossings.end(), flow.begin(), flow.end());
    first.push_back(static_cast<std::uint32_t>(crossings.size()));
  }
  std::vector<Rate> caps;
  for (const std::uint64_t cap : system.caps) caps.push_back({cap});
  std::vector<Rate> rates(system.flows.size());
  FairShare{}.solve({capacity, first, crossings, caps}, rates);
  std::vector<std::uint64_t> result;
  for (const Rate rate : rates) result.push_back(rate.q20);
  return result;
}

std::vector<std::uint64_t> solve_by_judge(const System& system) {
  std::vector<judge::Number> capacities(system.capacity.begin(), system.capacity.end());
  std::vector<std::vector<std::size_t>> paths;
  for (std::size_t f = 0; f < system.flows.size(); ++f) {
    auto& path = paths.emplace_back();
    for (const Crossing& c : system.flows[f]) path.insert(path.end(), c.multiplicity, c.link);
    if (system.caps.empty() || system.caps[f] == 0) continue;
    path.push_back(capacities.size());
    capacities.emplace_back(system.caps[f]);
  }
  std::vector<std::uint64_t> result;
  for (const auto& rate : judge::fair_shares(capacities, paths, judge::Arithmetic::rounded)) {
    result.push_back(static_cast<std::uint64_t>(judge::floor_of(rate)));
  }
  return result;
}

std::vector<Crossing> over(std::initializer_list<std::uint32_t> links) {
  std::vector<Crossing> path;
  for (const std::uint32_t link : links) path.push_back({link, 1});
  return path;
}

std::vector<std::uint32_t> shuffled(Random& random, std::size_t n) {
  return draw_without_replacement(random, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n));
}

// Small capacities make exact ties and shares whose floors tie falsely; large ones use the width of the type.
System draw_system(Random& random, bool weighted) {
  System system;
  const bool small = random.below(2) == 0;
  const auto links = static_cast<std::uint32_t>(1 + random.below(12));
  for (std::uint32_t l = 0; l < links; ++l) {
    system.capacity.push_back(small ? 60 + random.below(60) : 1 + random.below(std::uint64_t{1} << 57));
  }
  const std::uint64_t flows = 1 + random.below(weighted ? 8 : 40);
  for (std::uint64_t f = 0; f < flows; ++f) {
    auto& path = system.flows.emplace_back();
    const auto count = static_cast<std::uint32_t>(1 + random.below(std::min(links, 6u)));
    for (const std::uint32_t link : draw_without_replacement(random, links, count)) {
      path.push_back({link, weighted ? static_cast<std::uint32_t>(1 + random.below(3)) : 1});
    }
    const std::uint64_t most = small ? 60 : std::uint64_t{1} << 55;
    system.caps.push_back(random.below(4) == 0 ? 1 + random.below(most) : 0);
  }
  return system;
}

// The same system with links and flows numbered anew; `flow_at[i]` is the old number of new flow i.
System renumbered(const System& system, Random& random, std::vector<std::uint32_t>& flow_at) {
  const std::vector<std::uint32_t> new_link = shuffled(random, system.capacity.size());
  flow_at = shuffled(random, system.flows.size());
  System result;
  result.capacity.resize(system.capacity.size());
  for (std::size_t l = 0; l < new_link.size(); ++l) result.capacity[new_link[l]] = system.capacity[l];
  for (const std::uint32_t old : flow_at) {
    auto& path = result.flows.emplace_back();
    for (const std::uint32_t hop : shuffled(random, system.flows[old].size())) {
      const Crossing& crossing = system.flows[old][hop];
      path.push_back({new_link[crossing.link], crossing.multiplicity});
    }
    result.caps.push_back(system.caps[old]);
  }
  return result;
}

}  // namespace

TEST_CASE("fair share: flows on one link have equal, floored parts") {
  CHECK(solve({{100}, {over({0}), over({0}), over({0})}, {}}) == std::vector<std::uint64_t>{33, 33, 33});
}

TEST_CASE("fair share: what a narrow link leaves goes to the others") {
  //   link 0 (10): A B      link 2 holds D at 3, then link 0 gives A and B 5 each,
  //   link 1 (20): A C D    and C has the rest of link 1: 20 - 3 - 5 = 12.
  //   link 2 ( 3): D
  CHECK(solve({{10, 20, 3}, {over({0, 1}), over({0}), over({1}), over({1, 2})}, {}}) ==
        std::vector<std::uint64_t>{5, 5, 12, 3});
}

TEST_CASE("fair share: a cap below the share frees bandwidth, one above it does nothing") {
  CHECK(solve({{90}, {over({0}), over({0}), over({0})}, {10, 0, 70}}) ==
        std::vector<std::uint64_t>{10, 40, 40});
}

TEST_CASE("fair share: a flow without links runs at its cap") {
  CHECK(solve({{90}, {{}, over({0})}, {7, 0}}) == std::vector<std::uint64_t>{7, 90});
}

TEST_CASE("fair share: fractions are compared, not their floors") {
  // 10/3 and 11/3 have the floor 3 in common. Link 0 fills first; then link 1 has 11 - 3 = 8 for two flows.
  const System system{{10, 11}, {over({0}), over({0}), over({0, 1}), over({1}), over({1})}, {}};
  CHECK(solve(system) == std::vector<std::uint64_t>{3, 3, 3, 4, 4});
}

TEST_CASE("fair share: a flow that crosses a link k times counts k times") {
  // 100 = 3 x + 1 x
  CHECK(solve({{100}, {{{0, 3}}, {{0, 1}}}, {}}) == std::vector<std::uint64_t>{25, 25});
  // The first is held at 10 by link 1 and takes 30 of link 0.
  CHECK(solve({{100, 10}, {{{0, 3}, {1, 1}}, {{0, 1}}}, {}}) == std::vector<std::uint64_t>{10, 70});
}

TEST_CASE("fair share: 2,000 random systems agree with the judge, however links and flows are numbered") {
  Random random(20260101);
  for (int instance = 0; instance < 2000; ++instance) {
    INFO("instance " << instance);
    const System system = draw_system(random, instance % 4 == 3);
    const std::vector<std::uint64_t> rates = solve(system);
    REQUIRE(rates == solve_by_judge(system));
    for (int order = 0; order < 3; ++order) {
      std::vector<std::uint32_t> flow_at;
      const std::vector<std::uint64_t> again = solve(renumbered(system, random, flow_at));
      for (std::size_t i = 0; i < again.size(); ++i) REQUIRE(again[i] == rates[flow_at[i]]);
    }
  }
}

TEST_CASE("fair share: a system of n like parts has the rates of one part with multiplicities") {
  // Flow (c, i) of part i crosses its links at the parts i + o for some offsets o: shifting all parts by one
  // maps the system onto itself. Seen from one part, link c is crossed as often as the flow has offsets on
  // it.
  Random random(7);
  for (int instance = 0; instance < 200; ++instance) {
    INFO("instance " << instance);
    const auto parts = static_cast<std::uint32_t>(2 + random.below(6));
    const System seed = draw_system(random, true);
    System whole, folded = seed;
    for (std::uint32_t i = 0; i < parts; ++i) {
      whole.capacity.insert(whole.capacity.end(), seed.capacity.begin(), seed.capacity.end());
    }
    whole.flows.resize(parts * seed.flows.size());
    whole.caps.resize(whole.flows.size());
    for (std::size_t f = 0; f < seed.flows.size(); ++f) {
      for (std::size_t hop = 0; hop < seed.flows[f].size(); ++hop) {
        const Crossing& crossing = seed.flows[f][hop];
        const std::uint32_t count = std::min(crossing.multiplicity, parts);
        folded.flows[f][hop].multiplicity = count;
        for (const std::uint32_t offset : draw_without_replacement(random, parts, count)) {
          for (std::uint32_t i = 0; i < parts; ++i) {
            const auto links = static_cast<std::uint32_t>(seed.capacity.size());
            whole.flows[i * seed.flows.size() + f].push_back(
                {(i + offset) % parts * links + crossing.link, 1});
          }
        }
      }
      for (std::uint32_t i = 0; i < parts; ++i) whole.caps[i * seed.flows.size() + f] = seed.caps[f];
    }
    const std::vector<std::uint64_t> of_whole = solve(whole), of_folded = solve(folded);
    for (std::size_t f = 0; f < of_whole.size(); ++f) {
      REQUIRE(of_whole[f] == of_folded[f % seed.flows.size()]);
    }
  }
}
