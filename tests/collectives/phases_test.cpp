// Phases, streams and straight-line arithmetic against the engine: identical picoseconds on every rank.
#include <algorithm>
#include <catch2/catch.hpp>

#include "collectives/choose.h"
#include "collectives/solve/phases.h"
#include "collectives/solve/stream.h"
#include "core/errors.h"
#include "core/random.h"
#include "tests/collectives/random_cluster.h"

using namespace tahoma;

namespace {

template <class T>
T pick(Random& random, std::initializer_list<T> options) {
  return options.begin()[random.below(options.size())];
}

}  // namespace

TEST_CASE("phases equal the engine on every rank, over random clusters, faults, stragglers and algorithms") {
  Random random(20261130);
  int same = 0, not_applicable = 0, streams = 0, arithmetic = 0, stars = 0, engines = 0;
  for (int round = 0; round < 600; ++round) {
    const ClusterShape shape = random_cluster(random);
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

namespace {

// `domains` x 4 chips, each domain a ring or a switch, a rail per chip of one tier.
ClusterShape rails_of_4(DimensionKind inside, std::uint32_t domains, std::int64_t rail_GBps,
                        Duration rail_latency) {
  ClusterShape shape;
  Dimension dimension;
  dimension.kind = inside;
  dimension.size = 4;
  dimension.bandwidth = {100, 9};
  dimension.latency = {1'000'000};
  shape.scale_up.push_back(dimension);
  shape.server_dimensions = 1;
  Clos clos;
  clos.tiers = 1;
  clos.rails = 4;
  clos.bandwidth = {rail_GBps, 9};
  clos.latency = {rail_latency};
  shape.clos = clos;
  shape.sites.push_back({"", domains});
  return shape;
}

Schedule all_reduce_of(const RankGroups& groups, const char* inner, const char* outer) {
  ScheduleRequest request;
  request.collective = Collective::all_reduce;
  request.size = Bytes{1 << 20};
  request.axes = groups.axes();
  request.levels = plan_levels(request.axes, {{"intra", inner}, {"inter", outer}});
  return make_schedule(request);
}

}  // namespace

TEST_CASE("runs of a ring inside may overlap, since each link has one sender: equal to the engine") {
  //   us0: c0-c1-c2-c3-(c0)   us1 ... us11, a rail per chip. Odd counts: some ranks are done early outside
  //   and enter the all-gather while others of their domain still reduce.
  Random random(1);
  int solved = 0;
  for (std::uint32_t domains = 3; domains <= 12; ++domains) {
    for (const auto inside : {DimensionKind::switched, DimensionKind::ring}) {
      for (const bool faulty : {false, true}) {
        const ClusterShape shape = rails_of_4(inside, domains, 400, Duration{100'000});
        const auto healthy = make_topology(shape);
        Faults faults;
        if (faulty) faults.degraded_links.push_back({healthy->all_links()[random.below(8)], {5, -2}});
        const auto broken = make_topology(shape, faults);
        const RankGroups groups = RankGroups::all(*healthy);
        const Schedule schedule = all_reduce_of(groups, "ring", "halving_doubling");
        Program program;
        program.schedule = &schedule;
        program.groups = &groups;
        Problem problem;
        problem.topology = broken.get();
        problem.healthy = healthy.get();
        problem.programs = {program};
        problem.delays = {{1, Duration{static_cast<std::int64_t>(random.below(300'000'000))}}};
        std::string why_not;
        const auto phases = solve_by_phases(problem, why_not);
        INFO(domains << " domains: " << why_not);
        REQUIRE(phases);
        const Solution engine = solve(problem, "engine");
        for (ChipId chip = 0; chip < healthy->chips(); ++chip)
          REQUIRE(phases->finish(0, chip) == engine.finish(0, chip));
        ++solved;
      }
    }
  }
  CHECK(solved == 40);
}

TEST_CASE("runs that overlap on a link with several senders are left to other solvers") {
  //   c0 -> c1 -> c2 -> c3 -> c0, direct: what c0 sends to c2 creeps over the slow link c0 -> c1 and holds a
  //   little of c1 -> c2 long after c1 is done with all of its own and gathers over the same link.
  const ClusterShape shape = rails_of_4(DimensionKind::ring, 3, 400, Duration{100'000});
  const auto healthy = make_topology(shape);
  Faults faults;
  Route route;
  healthy->route(0, 1, 0, route);
  faults.degraded_links.push_back({route.path[0].links[0], {2, -2}});
  const auto broken = make_topology(shape, faults);
  const RankGroups groups = RankGroups::all(*healthy);
  const Schedule schedule = all_reduce_of(groups, "direct", "ring");
  Program program;
  program.schedule = &schedule;
  program.groups = &groups;
  Problem problem;
  problem.topology = broken.get();
  problem.healthy = healthy.get();
  problem.programs = {program};
  std::string why_not;
  CHECK_FALSE(solve_by_phases(problem, why_not));
  CHECK(why_not.find("overlap on the same links") != std::string::npos);
}
