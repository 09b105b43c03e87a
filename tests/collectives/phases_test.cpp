// Phases, streams and straight-line arithmetic against the engine: identical picoseconds on every rank.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "collectives/choose.h"
#include "collectives/solve/phases.h"
#include "collectives/solve/stream.h"
#include "core/errors.h"
#include "core/random.h"

using namespace tahoma;

namespace {

template <class T>
T pick(Random& random, std::initializer_list<T> options) {
  return options.begin()[random.below(options.size())];
}

// A random cluster: one to three dimensions, a Clos of one to three tiers, rails or none, sometimes 2:1.
ClusterShape random_shape(Random& random) {
  ClusterShape shape;
  std::uint32_t chips = 1;
  const std::uint64_t dimensions = 1 + random.below(3);
  for (std::uint64_t d = 0; d < dimensions; ++d) {
    Dimension dimension;
    dimension.kind = random.below(4) > 0 ? DimensionKind::ring : DimensionKind::switched;
    dimension.size = static_cast<std::uint32_t>(2 + random.below(3));
    dimension.bandwidth = {static_cast<std::int64_t>(50 + 50 * random.below(3)), 9};
    dimension.latency = {1'500'000};
    chips *= dimension.size;
    shape.scale_up.push_back(dimension);
  }
  shape.server_dimensions = 1;
  Clos clos;
  clos.tiers = static_cast<std::uint32_t>(1 + random.below(3));
  clos.rails = random.below(3) > 0 ? chips : 1;
  if (clos.tiers > 1) clos.leaf_width = chips / clos.rails * static_cast<std::uint32_t>(2 + random.below(3));
  if (clos.tiers > 2) clos.leaves_per_pod = 2;
  clos.bandwidth = {25, 9};
  clos.latency = {Duration{6'150'000}, Duration{675'000}, Duration{675'000}};
  clos.spines_per_pod = 4;
  clos.cores = 2;
  if (clos.tiers > 1 && random.below(3) == 0)
    clos.oversubscription = {{static_cast<std::int64_t>(1 + random.below(3)), 0}};
  shape.clos = clos;
  shape.sites.push_back({"", static_cast<std::uint32_t>(2 + random.below(15))});
  return shape;
}

Faults random_faults(Random& random, const Topology& healthy) {
  Faults faults;
  const auto links = healthy.all_links();
  const std::uint64_t kind = random.below(4);
  if (kind == 1) faults.failed_links.push_back(links[random.below(links.size())]);
  if (kind == 2) {
    for (int i = 0; i < 4; ++i) faults.degraded_links.push_back({links[random.below(links.size())], {5, -1}});
  }
  if (kind == 3) {
    const auto pairs = random_fault_candidates(healthy, "links");
    for (int i = 0; i < 2; ++i) {
      for (const LinkId link : pairs[random.below(pairs.size())]) faults.failed_links.push_back(link);
    }
  }
  return faults;
}

std::vector<ChipDelay> random_delays(Random& random, std::uint32_t chips) {
  std::map<ChipId, Duration> delays;
  const std::uint64_t count = pick<std::uint64_t>(random, {0, 0, 1, 5});
  for (std::uint64_t i = 0; i < count; ++i) {
    delays[static_cast<ChipId>(random.below(chips))] =
        Duration{static_cast<std::int64_t>(random.below(200'000'000))};
  }
  std::vector<ChipDelay> result;
  for (const auto& [chip, delay] : delays) result.push_back({chip, delay});
  return result;
}

}  // namespace

TEST_CASE("phases equal the engine on every rank, over random clusters, faults, stragglers and algorithms") {
  Random random(20261130);
  int same = 0, not_applicable = 0, streams = 0, arithmetic = 0, stars = 0, engines = 0;
  for (int round = 0; round < 600; ++round) {
    const ClusterShape shape = random_shape(random);
    const auto healthy = make_topology(shape);
    const Faults faults = random_faults(random, *healthy);
    const auto broken = make_topology(shape, faults);
    Problem problem;
    problem.topology = broken.get();
    problem.healthy = healthy.get();
    problem.delays = random_delays(random, healthy->chips());
    if (random.below(3) == 0) problem.overhead = Duration{1'000'000};
    const RankGroups groups = RankGroups::all(*healthy);
    ScheduleRequest request;
    request.collective = pick(random, {Collective::all_reduce, Collective::all_reduce, Collective::all_gather,
                                       Collective::reduce_scatter, Collective::broadcast});
    request.size = Bytes{std::uint64_t{1} << (10 + random.below(14))};
    request.axes = groups.axes();
    const auto inner =
        pick<const char*>(random, {"torus_sequential", "ring", "direct", "halving_doubling", "torus"});
    const auto outer =
        pick<const char*>(random, {"ring", "halving_doubling", "direct", "bidirectional_ring"});
    Schedule schedule;
    std::optional<Solution> phases;
    std::string why_not;
    try {
      request.levels = plan_levels(request.axes, {{"intra", inner}, {"inter", outer}});
      schedule = make_schedule(request);
      Program program;
      program.schedule = &schedule;
      program.groups = &groups;
      problem.programs = {program};
      phases = solve_by_phases(problem, why_not);
    } catch (const ScenarioError&) {
      continue;  // an algorithm that does not fit
    } catch (const InfeasibleError&) {
      continue;  // the faults cut a chip off
    }
    if (!phases) {
      CHECK_FALSE(why_not.empty());
      ++not_applicable;
      continue;
    }
    const Solution engine = solve(problem, "engine");
    INFO("round " << round << ": " << inner << " + " << outer << " on " << healthy->chips() << " chips; "
                  << phases->why);
    for (ChipId chip = 0; chip < healthy->chips(); ++chip) {
      REQUIRE(engine.finish(0, chip) != Time::never());
      REQUIRE(phases->finish(0, chip) == engine.finish(0, chip));
    }
    ++same;
    streams += phases->why.find("stream") != std::string::npos;
    arithmetic += phases->why.find("arithmetic") != std::string::npos;
    stars += phases->why.find("star") != std::string::npos;
    engines += phases->why.find("engine") != std::string::npos;
  }
  CHECK(same >= 150);
  CHECK(not_applicable < same);
  CHECK(streams >= 20);
  CHECK(arithmetic >= 50);
  CHECK(stars >= 20);
  CHECK(engines >= 5);
}

TEST_CASE("a ring by streams equals its recurrence on every rank") {
  Random random(7);
  for (int round = 0; round < 5000; ++round) {
    const std::size_t n = 2 + random.below(24);
    const std::uint64_t sends = 1 + random.below(3 * n);
    std::vector<RingRank> kinds(1 + random.below(3));
    for (RingRank& kind : kinds) {
      kind.hold = {static_cast<std::int64_t>(1 + random.below(20))};
      kind.reach = {kind.hold.ps + static_cast<std::int64_t>(random.below(10))};
    }
    std::vector<std::uint32_t> kind_of(n);
    std::vector<RingRank> ranks(n);
    for (std::size_t r = 0; r < n; ++r) {
      kind_of[r] = static_cast<std::uint32_t>(random.below(4) == 0 ? random.below(kinds.size()) : 0);
      ranks[r] = kinds[kind_of[r]];
    }
    std::vector<Time> ready(n);
    for (std::uint64_t late = random.below(3); late > 0; --late)
      ready[random.below(n)] = {static_cast<std::int64_t>(random.below(200))};
    // s_r(k) = max(s_(r-1)(k-1) + D_(r-1), s_r(k-1) + F_r)
    std::vector<std::vector<std::int64_t>> start(n, std::vector<std::int64_t>(sends));
    for (std::uint64_t k = 0; k < sends; ++k) {
      for (std::size_t r = 0; r < n; ++r) {
        const std::size_t before = (r + n - 1) % n;
        start[r][k] = k == 0 ? ready[r].ps
                             : std::max(start[before][k - 1] + ranks[before].reach.ps,
                                        start[r][k - 1] + ranks[r].hold.ps);
      }
    }
    std::vector<Time> finish(n);
    solve_ring(kinds, kind_of, ready, sends, finish);
    for (std::size_t r = 0; r < n; ++r) {
      const std::size_t before = (r + n - 1) % n;
      REQUIRE(finish[r].ps == std::max(start[before][sends - 1] + ranks[before].reach.ps,
                                       start[r][sends - 1] + ranks[r].hold.ps));
    }
  }
}

TEST_CASE("a ring of a million ranks costs operations by what is special, not by ranks times steps") {
  const std::vector<RingRank> kinds{{Duration{1000}, Duration{1500}}, {Duration{1000}, Duration{5000}}};
  std::vector<std::uint32_t> kind_of(1 << 20, 0);
  for (std::size_t r = 31; r < kind_of.size(); r += 32 * 1024) kind_of[r] = 1;  // 32 boundaries
  std::vector<Time> ready(kind_of.size()), finish(kind_of.size());
  ready[12345] = {77'777'777};
  RingCost cost;
  solve_ring(kinds, kind_of, ready, 2 * (kind_of.size() - 1), finish, &cost);
  CHECK(*std::min_element(finish.begin(), finish.end()) > ready[12345]);
  CHECK(cost.operations < 1000);  // 2.2e12 messages
}
