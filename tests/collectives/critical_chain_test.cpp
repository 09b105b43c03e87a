// The critical chain: without a gap from a rank's beginning to the last finish, and really its cause.
#include "collectives/solve/chain.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

#include "collectives/choose.h"
#include "collectives/solve/ring_chain.h"
#include "collectives/solve/solve.h"
#include "core/errors.h"
#include "tests/collectives/random_cluster.h"

using namespace tahoma;

namespace {

void check_gapless(const CriticalChain& chain, const Problem& problem, Time finish) {
  REQUIRE(chain.known);
  Time end = finish;
  for (const ChainPart& part : chain.parts) {
    REQUIRE(part.end == end);
    REQUIRE(part.begin < part.end);
    REQUIRE(part.messages >= 1);
    end = part.begin;
  }
  REQUIRE(chain.origin_start == end);
  Duration delay{};
  for (const ChipDelay& late : problem.delays) delay = late.chip == chain.origin ? late.delay : delay;
  REQUIRE(chain.origin_start == problem.programs[0].start + delay);
}

std::uint64_t messages_of(const CriticalChain& chain) {
  std::uint64_t messages = 0;
  for (const ChainPart& part : chain.parts) messages += part.messages;
  return messages;
}

// A collective over all chips of a cluster, with what it refers to.
struct Case {
  std::unique_ptr<Topology> healthy, broken;
  RankGroups groups;
  Schedule schedule;
  Problem problem;
};

std::optional<Case> make_case(const ClusterShape& shape, const Faults& faults, const std::string& inner,
                              const std::string& outer, Bytes size) {
  Case made;
  made.healthy = make_topology(shape);
  try {
    made.broken = make_topology(shape, faults);
    made.groups = RankGroups::all(*made.healthy);
    ScheduleRequest request;
    request.collective = Collective::all_reduce;
    request.size = size;
    request.axes = made.groups.axes();
    request.levels = plan_levels(request.axes, {{"intra", inner}, {"inter", outer}});
    made.schedule = make_schedule(request);
  } catch (const ScenarioError&) {
    return std::nullopt;  // an algorithm that does not fit
  } catch (const InfeasibleError&) {
    return std::nullopt;  // the faults cut a chip off
  }
  return made;
}

void refer(Case& made) {
  made.problem.topology = made.broken.get();
  made.problem.healthy = made.healthy.get();
  Program program;
  program.schedule = &made.schedule;
  program.groups = &made.groups;
  made.problem.programs = {program};
}

}  // namespace

TEST_CASE("the critical chain has no gap and ends at a rank that waited for nothing, whichever solver ran") {
  Random random(20261201);
  int by_phases = 0, by_quotient = 0, by_engine = 0;
  for (int round = 0; round < 300; ++round) {
    const ClusterShape shape = random_cluster(random);
    const auto healthy = make_topology(shape);
    const Faults faults = random_faults(random, *healthy);
    const char* const inner[] = {"torus_sequential", "ring", "direct", "halving_doubling", "torus"};
    const char* const outer[] = {"ring", "halving_doubling", "direct", "bidirectional_ring"};
    const char* const inside = inner[random.below(5)];  // in this order with every compiler
    const char* const outside = outer[random.below(4)];
    auto made = make_case(shape, faults, inside, outside, Bytes{std::uint64_t{1} << (10 + random.below(14))});
    if (!made) continue;
    refer(*made);
    made->problem.delays = random_delays(random, healthy->chips());
    if (random.below(3) == 0) made->problem.overhead = Duration{1'000'000};
    if (random.below(4) == 0) made->problem.reduction_rate = made->schedule.axes[0].rate;
    INFO("round " << round);
    for (const char* solver : {"engine", "phases", "quotient"}) {
      Solution solution;
      try {
        solution = solve(made->problem, solver);
      } catch (const InfeasibleError&) {
        continue;  // it does not apply
      }
      INFO(solver);
      if (solver == std::string("engine") && expansion_size(made->problem, 0).messages > most_traced) {
        CHECK_FALSE(solution.programs[0].chain.known);
        continue;
      }
      check_gapless(solution.programs[0].chain, made->problem, solution.programs[0].finish);
      by_phases += solution.solver == "phases";
      by_quotient += solution.solver == "quotient";
      by_engine += solution.solver == "engine";
    }
  }
  CHECK(by_engine >= 100);
  CHECK(by_phases >= 100);
  CHECK(by_quotient >= 20);
}

TEST_CASE("where nothing is shared, delaying the rank in which the chain begins delays the last finish") {
  //   us0: c0-c1-c2-c3-(c0)      us1 ... us5, a rail per chip, a ring between UltraServers
  Random random(3);
  int delayed = 0;
  for (int round = 0; round < 40; ++round) {
    ClusterShape shape;
    Dimension ring;
    ring.kind = DimensionKind::ring;
    ring.size = 4;
    ring.bandwidth = {100, 9};
    ring.latency = {1'500'000};
    shape.scale_up.push_back(ring);
    shape.server_dimensions = 1;
    Clos clos;
    clos.tiers = 1;
    clos.rails = 4;
    clos.bandwidth = {25, 9};
    clos.latency = {Duration{6'150'000}};
    shape.clos = clos;
    shape.sites.push_back({"", 6});
    auto made = make_case(shape, {}, "ring", "ring", Bytes{1 << 20});
    REQUIRE(made);
    refer(*made);
    made->problem.delays = random_delays(random, 24);
    for (const char* solver : {"engine", "phases"}) {
      const Solution before = solve(made->problem, solver);
      const CriticalChain& chain = before.programs[0].chain;
      const auto saved = made->problem.delays;
      auto& delays = made->problem.delays;
      const Duration more{1'000'000};
      const auto at = std::lower_bound(delays.begin(), delays.end(), chain.origin,
                                       [](const ChipDelay& d, ChipId chip) { return d.chip < chip; });
      if (at != delays.end() && at->chip == chain.origin) {
        at->delay += more;
      } else {
        delays.insert(at, {chain.origin, more});
      }
      const Solution after = solve(made->problem, solver);
      CHECK(after.programs[0].finish >= before.programs[0].finish + more);
      ++delayed;
      made->problem.delays = saved;
    }
  }
  CHECK(delayed == 80);
}

TEST_CASE("a straggler in a ring of 8 is where its chain begins, and all 14 messages are passed on from it") {
  //   0 - 1 - 2 - 3 - 4 - 5 - 6 - 7 - (0)      100 GB/s, 1 us; rank 5 is 1 ms late
  ClusterShape shape;
  Dimension ring;
  ring.kind = DimensionKind::ring;
  ring.size = 8;
  ring.bandwidth = {100, 9};
  ring.latency = {1'000'000};
  shape.scale_up.push_back(ring);
  shape.server_dimensions = 1;
  shape.sites.push_back({"", 1});
  const auto topology = make_topology(shape);
  const RankGroups groups = RankGroups::all(*topology);
  ScheduleRequest request;
  request.collective = Collective::all_reduce;
  request.size = Bytes{8'000'000};
  request.axes = groups.axes();
  request.levels = plan_levels(request.axes, {{"intra", "ring"}});
  const Schedule schedule = make_schedule(request);
  Program program;
  program.schedule = &schedule;
  program.groups = &groups;
  Problem problem;
  problem.topology = topology.get();
  problem.programs = {program};
  problem.delays = {{5, Duration{1'000'000'000}}};
  for (const char* solver : {"engine", "phases"}) {
    const Solution solution = solve(problem, solver);
    const CriticalChain& chain = solution.programs[0].chain;
    INFO(solver);
    CHECK(chain.origin == 5);
    CHECK(chain.origin_start == Time{1'000'000'000});
    CHECK(messages_of(chain) == 14);
    CHECK(chain.parts.back().from == 5);
    // 14 hops of 1 MB at 100 GB/s and 1 us: the last ends at rank 5 + 14 = 19 = 3 (mod 8).
    CHECK(chain.parts.front().to == 3);
    CHECK(solution.programs[0].finish == Time{1'000'000'000 + 14 * (10'000'000 + 1'000'000)});
  }
}

TEST_CASE("the chain of a ring adds up to its streams' finish on every rank, and says where messages queue") {
  Random random(11);
  int queued = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 2 + random.below(20);
    const std::uint64_t sends = 1 + random.below(3 * n);
    std::vector<RingRank> kinds(1 + random.below(3));
    for (RingRank& kind : kinds) {
      kind.hold = {static_cast<std::int64_t>(1 + random.below(20))};
      kind.reach = {kind.hold.ps + static_cast<std::int64_t>(random.below(10))};
    }
    std::vector<std::uint32_t> kind_of(n);
    for (std::uint32_t& kind : kind_of) kind = static_cast<std::uint32_t>(random.below(kinds.size()));
    std::vector<Time> ready(n), finish(n);
    ready[random.below(n)] = {static_cast<std::int64_t>(random.below(200))};
    solve_ring(kinds, kind_of, ready, sends, finish);
    for (std::uint32_t r = 0; r < n; ++r) {
      const RingCause cause = cause_in_ring(kinds, kind_of, ready, sends, r);
      REQUIRE(cause.finish == finish[r]);
      REQUIRE(cause.hops_before + cause.queued + cause.hops_after == sends);
      REQUIRE((cause.origin + cause.hops_before) % n == cause.queue);
      REQUIRE((cause.queue + cause.hops_after) % n == r);
      REQUIRE(cause.queue_end - cause.queue_begin ==
              kinds[kind_of[cause.queue]].hold * static_cast<std::int64_t>(cause.queued));
      queued += cause.queued > 0;
    }
  }
  CHECK(queued >= 1000);
}
