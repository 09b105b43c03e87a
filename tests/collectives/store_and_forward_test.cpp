// Links that store and forward, against pencil sums: a message is a flow per hop, first come, first served.
//
//     c0 ──▶ c1 ──▶ c2 ──▶ ...        ring of 8, 50 GB/s and 500 ns a link, one message at a time on each
//
// u is what 1,000,000 B take on a link: 20 us. The matrix of exactness_test.cpp has such networks too, by
// engine, fold and judge.
#include <catch2/catch.hpp>

#include "collectives/solve/solve.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

constexpr std::int64_t u = 20'000'000, hop = 500'000;  // ps
constexpr Bytes unit{1'000'000};

ClusterShape ring_that(bool stores, std::uint32_t size = 8) {
  ClusterShape shape;
  Dimension ring;
  ring.size = size;
  ring.bandwidth = {50, 9};
  ring.latency = {hop};
  ring.stores = stores;
  shape.scale_up = {ring};
  shape.sites = {{"", 1}};
  return shape;
}

struct Run {
  explicit Run(const ClusterShape& shape)
      : topology(make_topology(shape)), groups(RankGroups::all(*topology)) {}

  /// Every rank's finish when each sends `size` to the rank `by` on.
  Solution shift(std::uint32_t by, Bytes size, std::uint32_t chunks = 1, const std::string& solver = "auto") {
    ScheduleRequest request = request_of(Collective::permute, groups.axes(), "direct", size);
    request.pipeline = chunks;
    for (std::uint32_t p = 0; p < groups.size(); ++p) request.table.push_back((p + by) % groups.size());
    return ask(request, solver);
  }

  Solution ask(const ScheduleRequest& request, const std::string& solver = "auto") {
    schedule = make_schedule(request);
    problem.topology = topology.get();
    problem.programs.resize(1);
    problem.programs[0].schedule = &schedule;
    problem.programs[0].groups = &groups;
    return solve(problem, solver);
  }

  std::unique_ptr<Topology> topology;
  RankGroups groups;
  Schedule schedule;
  Problem problem;
};

/// From one chip to another by the network's route.
PlainFlow flow_of(const Topology& topology, ChipId from, ChipId to, Bytes size) {
  Route route;
  topology.route(from, to, 0, route);
  return {route.path[0].links, route.path[0].latency, {}, size, {}};
}

std::vector<std::int64_t> finishes_of_flows(const ClusterShape& shape,
                                            const std::vector<std::array<std::uint32_t, 3>>& flows) {
  const auto topology = make_topology(shape);
  Problem problem;
  problem.topology = topology.get();
  for (const auto& [from, to, units] : flows)
    problem.flows.push_back(flow_of(*topology, from, to, Bytes{unit.count * units}));
  std::vector<std::int64_t> finishes;
  for (const Time finish : solve(problem).flow_finish) finishes.push_back(finish.ps);
  return finishes;
}

}  // namespace

TEST_CASE("store and forward: a lone message takes its bytes and the latency of every link") {
  CHECK(finishes_of_flows(ring_that(true), {{0, 3, 1}}) == std::vector<std::int64_t>{3 * (u + hop)});
  // Cut through it takes its bytes once.
  CHECK(finishes_of_flows(ring_that(false), {{0, 3, 1}}) == std::vector<std::int64_t>{u + 3 * hop});
}

TEST_CASE("store and forward: links of unlike rates take their own time each") {
  ClusterShape torus = ring_that(true, 4);
  torus.scale_up.push_back(torus.scale_up[0]);
  torus.scale_up[1].bandwidth = {25, 9};
  torus.scale_up[1].size = 3;
  // x once at 50 GB/s and y once at 25.
  CHECK(finishes_of_flows(torus, {{0, 5, 1}}) == std::vector<std::int64_t>{u + hop + 2 * u + hop});
  // Links of y that do not store are crossed as before, after all has arrived on x.
  torus.scale_up[1].stores = false;
  CHECK(finishes_of_flows(torus, {{0, 5, 1}}) == std::vector<std::int64_t>{u + hop + 2 * u + hop});
}

TEST_CASE("store and forward: what came first is across before what came later begins") {
  // Four units on c1->c2 from 0 to 4 u. The other message is at c1 at u + hop, waits, and has the link for
  // itself: 5 u + hop. The large one goes on at 4 u + hop.
  CHECK(finishes_of_flows(ring_that(true), {{0, 2, 1}, {1, 3, 4}}) ==
        std::vector<std::int64_t>{5 * u + hop, 2 * (4 * u + hop)});
}

TEST_CASE("store and forward: of two that come at once the one whose source is nearer goes first") {
  Run run(ring_that(true));
  // Rank 1 is late by just the time that rank 0's message needs to reach it. Its own source is 0 away from
  // the link c1->c2, the other 7 (modulo 8), so rank 0's waits: at c2 after u + hop, 2 u and hop.
  run.problem.delays = {{1, {u + hop}}};
  const Solution solution = run.shift(2, unit);
  CHECK(solution.finish(0, 2).ps == 3 * u + 2 * hop);
  CHECK(solution.finish(0, 3).ps == 3 * (u + hop));
  for (const ChipId other : {0u, 4u, 5u, 6u, 7u}) CHECK(solution.finish(0, other).ps == 2 * (u + hop));
}

TEST_CASE("store and forward: a lane is free when its message has left the first link") {
  Run run(ring_that(true));
  // Every link carries three messages, one after another, whole or in halves. In halves the own two go first
  // (0 to u), then the two of the rank before, then those of the rank before that: no link idles, and only
  // the last latency shows. Whole messages wait for each latency.
  CHECK(run.shift(3, unit).programs[0].finish.ps == 3 * (u + hop));
  CHECK(run.shift(3, unit, 2).programs[0].finish.ps == 3 * u + hop);
}

TEST_CASE("store and forward: between neighbours nothing changes") {
  const ScheduleRequest ring =
      request_of(Collective::all_reduce, Run(ring_that(true)).groups.axes(), "ring", Bytes{8'000'000});
  Run stores(ring_that(true)), cuts(ring_that(false));
  CHECK(stores.ask(ring).programs[0].finish == cuts.ask(ring).programs[0].finish);
}

TEST_CASE("store and forward: it folds by translations and the solvers of fluids stand back") {
  Run run(ring_that(true, 64));
  const Solution folded = run.shift(3, unit, 1, "quotient"), each = run.shift(3, unit, 1, "engine");
  CHECK(folded.rank_classes == 1);
  CHECK(each.rank_classes == 64);
  for (ChipId chip = 0; chip < 64; ++chip) CHECK(folded.finish(0, chip) == each.finish(0, chip));
  for (const std::string solver : {"pairs", "phases"})
    CHECK_THROWS_AS(run.shift(3, unit, 1, solver), InfeasibleError);
}

}  // namespace tahoma
