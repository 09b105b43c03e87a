// A ring's hops with like domains routed once are those of every hop routed by itself.
#include "collectives/solve/ring_network.h"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <tuple>

#include "collectives/choose.h"
#include "collectives/solve/solve.h"
#include "core/errors.h"
#include "core/random.h"
#include "tests/collectives/random_cluster.h"

using namespace tahoma;

namespace {

void shuffle(Random& random, std::vector<ChipId>& chips, std::size_t first, std::size_t count) {
  for (std::size_t i = count; i > 1; --i) std::swap(chips[first + i - 1], chips[first + random.below(i)]);
}

// All chips in their order; the first ones, which may end within a domain; domain after domain, but each in
// an order of its own up to the last chip; or chips in any order at all.
RankGroups random_ring(Random& random, const Topology& topology) {
  const std::uint32_t chips = topology.chips();
  std::uint32_t domain = 1;
  for (const Digit& digit : topology.digits()) domain *= digit.level <= Level::ultraserver ? digit.size : 1;
  std::vector<ChipId> listed(chips);
  std::iota(listed.begin(), listed.end(), 0u);
  switch (random.below(6)) {
    case 0:
      listed.resize(2 + random.below(chips - 1));
      break;
    case 1:
      for (std::uint32_t first = 0; first < chips; first += domain)
        shuffle(random, listed, first, domain - 1);
      break;
    case 2:
      shuffle(random, listed, 0, chips);
      break;
    default:
      return RankGroups::all(topology);
  }
  return RankGroups::lists(topology, {listed});
}

std::vector<RingRank> ranks_of(const RingNetwork& network) {
  std::vector<RingRank> ranks;
  for (const std::uint32_t kind : network.kind_of) ranks.push_back(network.kinds[kind]);
  return ranks;
}

using Classes = std::map<std::tuple<std::uint32_t, std::uint64_t, Capacity>, std::uint64_t>;

Classes link_classes(const Topology& topology, const RingNetwork& network) {
  Classes classes;
  for (const RingNetwork::Link& link : network.links)
    classes[{topology.tier(link.id), link.bytes, link.capacity}] += link.copies;
  return classes;
}

}  // namespace

TEST_CASE("a ring's holds, reaches and links are the same whether like domains are routed once or each") {
  Random random(31);
  int rings = 0, declined = 0, repeated = 0;
  for (int round = 0; round < 2000; ++round) {
    const ClusterShape shape = random_cluster(random);
    const auto healthy = make_topology(shape);
    const auto topology = make_topology(shape, random_faults(random, *healthy));
    std::optional<RingNetwork> together, each;
    try {
      const RankGroups groups = random_ring(random, *healthy);
      const auto ask = [&](LikeDomains domains) {
        return ring_network(*topology, groups, Bytes{1001}, 7, Duration{1'000'000}, domains);
      };
      together = ask(LikeDomains::together);
      each = ask(LikeDomains::one_by_one);
    } catch (const InfeasibleError&) {
      continue;  // two chips that nothing joins
    }
    INFO("round " << round);
    REQUIRE(together.has_value() == each.has_value());
    if (!each) {
      ++declined;
      continue;
    }
    ++rings;
    REQUIRE(ranks_of(*together) == ranks_of(*each));
    REQUIRE(link_classes(*topology, *together) == link_classes(*topology, *each));
    repeated += together->links.size() < each->links.size();
  }
  CHECK(rings >= 500);
  CHECK(declined >= 50);
  CHECK(repeated >= 200);
}

TEST_CASE("a flat ring by streams equals the engine on every rank, faults and stragglers or not") {
  Random random(32);
  int same = 0;
  for (int round = 0; round < 150; ++round) {
    const ClusterShape shape = random_cluster(random);
    const auto healthy = make_topology(shape);
    const auto topology = make_topology(shape, random_faults(random, *healthy));
    const RankGroups groups = RankGroups::all(*healthy);
    Problem problem;
    problem.topology = topology.get();
    problem.healthy = healthy.get();
    if (random.below(2) == 0)
      problem.delays = {{static_cast<ChipId>(random.below(healthy->chips())), Duration{40'000'000}}};
    ScheduleRequest request;
    request.size = Bytes{std::uint64_t{1} << (10 + random.below(10))};
    request.axes = groups.axes();
    request.levels = plan_single(request.axes, "ring");
    const Schedule schedule = make_schedule(request);
    Program program;
    program.schedule = &schedule;
    program.groups = &groups;
    problem.programs = {program};
    Solution phases;
    try {
      phases = solve(problem, "phases");
    } catch (const InfeasibleError&) {
      continue;  // links are shared, or a chip is cut off
    }
    if (phases.why.find("stream") == std::string::npos) continue;
    ++same;
    const Solution engine = solve(problem, "engine");
    for (ChipId chip = 0; chip < healthy->chips(); ++chip) {
      REQUIRE(engine.finish(0, chip) != Time::never());
      REQUIRE(phases.finish(0, chip) == engine.finish(0, chip));
    }
  }
  CHECK(same >= 40);
}
