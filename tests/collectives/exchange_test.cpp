// Exchanges by levels and by the star against the engine: identical picoseconds on every rank.
#include "collectives/solve/exchange.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "collectives/choose.h"
#include "collectives/solve/earliest.h"
#include "collectives/solve/engine.h"
#include "collectives/solve/exchange_levels.h"
#include "collectives/solve/star.h"
#include "core/errors.h"
#include "core/random.h"

using namespace tahoma;

namespace {

std::uint32_t between(Random& random, std::uint32_t low, std::uint32_t high) {
  return low + static_cast<std::uint32_t>(random.below(high - low + 1));
}

// One chip per domain, so that all there is are NICs and the switches above them: 1 to 3 tiers, leaves of 2
// to 8 chips, 1:1 or oversubscribed; sometimes a second site behind a WAN link of any width.
//
//   core ── spine ── leaf ── o o o o        o: a chip with its NIC
//     │       └───── leaf ── o o o o
//     └──── spine ── leaf ── o o
ClusterShape fabric_of_chips(Random& random, std::uint32_t chips) {
  ClusterShape shape;
  Clos clos;
  clos.tiers = between(random, 1, 3);
  if (clos.tiers > 1) clos.leaf_width = between(random, 2, 8);
  if (clos.tiers > 2) clos.leaves_per_pod = between(random, 2, 3);
  clos.bandwidth = {25, 9};
  clos.efficiency = {static_cast<std::int64_t>(between(random, 90, 100)), -2};
  clos.latency = {Duration{static_cast<std::int64_t>(random.below(3) * 2'000'000)},
                  Duration{static_cast<std::int64_t>(random.below(2'000'000))}, Duration{675'000}};
  clos.spines_per_pod = 4;
  clos.cores = 2;
  if (clos.tiers > 1 && random.below(4) == 0) clos.oversubscription = {{2, 0}};
  shape.clos = clos;
  const std::uint32_t second = chips > 3 && random.below(4) == 0 ? between(random, 1, chips - 1) : 0;
  shape.sites.push_back({second == 0 ? "" : "a", chips - second});
  if (second != 0) {
    shape.sites.push_back({"b", second});
    shape.wans = {{"", 0, 1, {static_cast<std::int64_t>(between(random, 10, 400)), 9}, {10'000'000}, {}, {}}};
    if (random.below(2) == 0) shape.wans[0].window = Bytes{100'000};
  }
  return shape;
}

// Slow NICs by different factors, dead and slow uplinks.
Faults faults_of_fabric(Random& random, const Topology& healthy) {
  Faults faults;
  const auto draw = [&](const char* kind) {
    const auto candidates = random_fault_candidates(healthy, kind);
    return candidates.empty() ? std::vector<LinkId>{} : candidates[random.below(candidates.size())];
  };
  const std::uint64_t slow_nics = random.below(4), uplinks = random.below(3);
  for (std::uint64_t i = 0; i < slow_nics; ++i) {
    const Decimal factor{static_cast<std::int64_t>(between(random, 1, 9)), -1};
    for (const LinkId link : draw("nics")) {
      if (random.below(3) > 0) faults.degraded_links.push_back({link, factor});
    }
  }
  for (std::uint64_t i = 0; i < uplinks; ++i) {
    for (const LinkId link : draw("uplinks")) {
      if (random.below(2) == 0) {
        faults.failed_links.push_back(link);
      } else {
        faults.degraded_links.push_back({link, {3, -1}});
      }
    }
  }
  return faults;
}

std::vector<Time> ready_times(Random& random, std::uint32_t ranks) {
  std::vector<Time> ready(ranks);
  const std::uint64_t late = random.below(4);
  for (Time& time : ready) {
    if (late == 3 || random.below(ranks) < late)
      time = {static_cast<std::int64_t>(random.below(random.below(2) == 0 ? 1000 : 300'000'000))};
  }
  return ready;
}

struct Outcome {
  std::vector<Time> engine, star, levels;
  bool certified = false, has_trunks = false, shares = false;
};

// Nothing if there is no exchange to be had, or no way between two chips.
std::optional<Outcome> solve_all_ways(Random& random, std::uint32_t chips) {
  const ClusterShape shape = fabric_of_chips(random, chips);
  const auto healthy = make_topology(shape);
  const auto topology = make_topology(shape, faults_of_fabric(random, *healthy));
  const RankGroups groups = RankGroups::all(*healthy);
  ScheduleRequest request;
  constexpr Collective kinds[] = {Collective::all_reduce, Collective::all_reduce, Collective::all_gather,
                                  Collective::reduce_scatter};
  request.collective = kinds[random.below(4)];
  request.size =
      Bytes{random.below(4) == 0 ? 2 + 2 * random.below(40) : std::uint64_t{1} << between(random, 10, 24)};
  request.axes = groups.axes();
  Outcome outcome;
  try {
    request.levels = plan_single(request.axes, "halving_doubling");
    const Schedule schedule = make_schedule(request);
    const auto program = exchange_program(schedule);
    REQUIRE(program);
    const auto network = exchange_network(*program, *topology, groups);
    if (!network) return std::nullopt;
    const Duration overhead{random.below(3) == 0 ? 1'300'000 : 0};
    const std::vector<Time> ready = ready_times(random, chips);

    Problem problem;
    problem.topology = topology.get();
    problem.overhead = overhead;
    Program whole;
    whole.schedule = &schedule;
    whole.groups = &groups;
    problem.programs = {whole};
    const Instance instance = expand(problem, 0);
    std::vector<Duration> delays;
    for (const Time time : ready) delays.push_back(time - Time{});
    const EngineResult engine = run_engine(instance, *topology, delays);
    outcome.engine.assign(chips, Time::never());
    for (std::size_t n = 0; n < instance.nodes.size(); ++n)
      outcome.engine[groups.chip(0, static_cast<std::uint32_t>(n))] = engine.node_finish[n];

    outcome.star.resize(chips);
    outcome.levels.resize(chips);
    LevelScratch scratch;
    StarCost cost;
    outcome.certified = evaluate_levels(*program, *network, overhead, ready, outcome.levels, scratch);
    simulate_star(*program, *network, overhead, ready, outcome.star, scratch.arrival, cost);
    outcome.has_trunks = !network->trunks.empty();
    outcome.shares = cost.solves > 0;
  } catch (const ScenarioError&) {
    return std::nullopt;  // reduce-scatter and all-gather need a power of two
  } catch (const InfeasibleError&) {
    return std::nullopt;  // the faults cut a chip off
  }
  return outcome;
}

}  // namespace

TEST_CASE("an exchange by the star equals the engine on every rank, and by levels where certified") {
  Random random(20261201);
  int solved = 0, certified = 0, shared = 0, over_trunks = 0, folded = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::uint32_t chips = between(random, 2, 40);
    const std::uint32_t power = 1u << between(random, 1, 6);
    const std::uint32_t ranks = random.below(2) == 0 ? chips : power;
    const auto outcome = solve_all_ways(random, ranks);
    if (!outcome) continue;
    INFO("round " << round << ", " << ranks << " ranks" << (outcome->has_trunks ? ", trunks" : ""));
    ++solved;
    certified += outcome->certified;
    shared += outcome->shares && !outcome->has_trunks;
    over_trunks += outcome->has_trunks;
    folded += (ranks & (ranks - 1)) != 0;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      REQUIRE(outcome->engine[r] != Time::never());
      REQUIRE(outcome->star[r] == outcome->engine[r]);
      if (outcome->certified) REQUIRE(outcome->levels[r] == outcome->engine[r]);
    }
  }
  CHECK(solved >= 1000);
  CHECK(certified >= 150);
  CHECK(shared >= 300);
  CHECK(over_trunks >= 150);
  CHECK(folded >= 150);
}

namespace {

bool has_exchange_network(const Topology& topology) {
  const RankGroups groups = RankGroups::all(topology);
  ScheduleRequest request;
  request.collective = Collective::all_reduce;
  request.size = Bytes{1 << 20};
  request.axes = groups.axes();
  request.levels = plan_single(request.axes, "halving_doubling");
  const auto program = exchange_program(make_schedule(request));
  REQUIRE(program);
  return exchange_network(*program, topology, groups).has_value();
}

ClusterShape eight_chips(DimensionKind kind) {
  ClusterShape shape;
  Dimension dimension;
  dimension.kind = kind;
  dimension.size = 8;
  dimension.bandwidth = {50, 9};
  shape.scale_up = {dimension};
  shape.sites = {{"", 1}};
  return shape;
}

}  // namespace

TEST_CASE("an exchange needs a port for each chip: a switch has them, a ring has not") {
  CHECK(has_exchange_network(*make_topology(eight_chips(DimensionKind::switched))));
  CHECK_FALSE(has_exchange_network(*make_topology(eight_chips(DimensionKind::ring))));
}

TEST_CASE("an exchange is declined where all of a chip's messages use one link that others pass through") {
  //   b, c, d --> x --> a --> s --> b, c, d
  // All that a sends leaves over a->s, all that it gets comes over x->a; and so does what b sends to c.
  GraphShape graph;
  for (const char* chip : {"a", "b", "c", "d"}) graph.vertices.push_back({chip, VertexKind::chip});
  for (const char* other : {"s", "x"}) graph.vertices.push_back({other, VertexKind::switch_});
  constexpr std::uint32_t a = 0, s = 4, x = 5;
  const auto link = [&](std::uint32_t from, std::uint32_t to) {
    GraphLink one;
    one.name = graph.vertices[from].name + "->" + graph.vertices[to].name;
    one.from = from;
    one.to = to;
    one.bandwidth = {25, 9};
    one.latency = {1'000'000};
    graph.links.push_back(one);
  };
  link(a, s);
  link(x, a);
  for (std::uint32_t chip = 1; chip < 4; ++chip) link(chip, x), link(s, chip);
  CHECK_FALSE(has_exchange_network(*make_topology(graph)));
}

TEST_CASE("the earliest of many times, and all that share it, follow every change") {
  Random random(5);
  for (const std::uint32_t subjects : {1u, 7u, 8u, 9u, 64u, 65u, 1000u}) {
    Earliest earliest(subjects);
    std::vector<std::int64_t> times(subjects, Earliest::never);
    for (int round = 0; round < 300; ++round) {
      for (std::uint64_t changes = random.below(6); changes > 0; --changes) {
        const auto subject = static_cast<std::uint32_t>(random.below(subjects));
        times[subject] = random.below(5) == 0 ? Earliest::never : static_cast<std::int64_t>(random.below(20));
        earliest.set(subject, times[subject]);
      }
      const std::int64_t least = *std::min_element(times.begin(), times.end());
      REQUIRE(earliest.refresh() == least);
      if (least == Earliest::never) continue;
      std::vector<std::uint32_t> found, expected;
      earliest.collect(found);
      for (std::uint32_t s = 0; s < subjects; ++s) {
        if (times[s] == least) expected.push_back(s);
      }
      REQUIRE(found == expected);
    }
  }
}
