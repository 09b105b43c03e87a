// A ring per NIC: that it does what it should, its time with a pencil, and its fold.
#include <catch2/catch.hpp>

#include <algorithm>

#include "collectives/choose.h"
#include "collectives/solve/solve.h"
#include "collectives/verify.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

/// `domains` servers of `chips` on a switch of 400 GB/s; NICs of 50 GB/s on one switch of all; no latency.
ClusterShape servers_of(std::uint32_t chips, std::uint32_t domains) {
  Dimension inside;
  inside.kind = DimensionKind::switched;
  inside.size = chips;
  inside.bandwidth = {400, 9};
  ClusterShape shape;
  shape.scale_up = {inside};
  Clos clos;
  clos.rails = chips;
  clos.tiers = 2;
  clos.bandwidth = {50, 9};
  clos.latency = {{0}};
  shape.clos = clos;
  shape.sites = {{"", domains}};
  return shape;
}

struct Solved {
  Schedule schedule;
  Solution solution;
  std::vector<Time> finishes;
};

Solved solved(const ClusterShape& shape, Collective collective, const std::string& algorithm, Bytes size,
              const std::string& solver = "auto") {
  const auto topology = make_topology(shape);
  const RankGroups groups = RankGroups::all(*topology);
  ScheduleRequest request = request_of(collective, groups.axes(), algorithm, size);
  Solved result{make_schedule(request), {}, {}};
  Program program;
  program.schedule = &result.schedule;
  program.groups = &groups;
  Problem problem;
  problem.topology = topology.get();
  problem.programs = {program};
  result.solution = solve(problem, solver);
  for (ChipId chip = 0; chip < topology->chips(); ++chip)
    result.finishes.push_back(result.solution.finish(0, chip));
  return result;
}

std::vector<Axis> axes_of_servers(std::uint32_t chips, std::uint32_t domains) {
  const auto topology = make_topology(servers_of(chips, domains));
  return RankGroups::all(*topology).axes();
}

}  // namespace

TEST_CASE("rail rings do what their collective promises on every mix of chips and domains") {
  for (const std::uint32_t chips : {2u, 3u, 4u, 8u}) {
    for (const std::uint32_t domains : {2u, 3u, 5u}) {
      for (const Collective collective :
           {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter}) {
        for (const std::uint64_t bytes : {std::uint64_t{2}, std::uint64_t{1'000'002}}) {
          const Verdict verdict = verify(make_schedule(
              request_of(collective, axes_of_servers(chips, domains), "rail_rings", Bytes{bytes})));
          INFO(chips << " chips, " << domains << " domains, " << bytes << " B: " << verdict.fault);
          CHECK(verdict.ok);
        }
      }
    }
  }
}

TEST_CASE("all NICs of a domain carry an equal part of the buffer") {
  // 2 servers of 4: 14 steps of 8 MB / 4 rings / 8 ranks = 250 kB at 50 GB/s = 5 us; three rings on a link
  // inside take 750 kB at 400 GB/s, less than 2 us
  const Bytes size{8'000'000};
  const Solved rails = solved(servers_of(4, 2), Collective::all_reduce, "rail_rings", size);
  CHECK(rails.solution.programs[0].finish == Time{14 * 5'000'000});
  // one ring uses one NIC in four: 14 steps of 1 MB at 50 GB/s = 20 us
  const Solved ring = solved(servers_of(4, 2), Collective::all_reduce, "ring", size);
  CHECK(ring.solution.programs[0].finish == Time{14 * 20'000'000});
}

TEST_CASE("rail rings go through whole domains where ranks are scattered over them") {
  // four lanes of the same speed as in a packed placement: 14 steps of 250 kB at 50 GB/s
  const auto topology = make_topology(servers_of(4, 2));
  const RankGroups groups = RankGroups::lists(*topology, {{0, 4, 1, 5, 2, 6, 3, 7}});
  const Schedule schedule =
      make_schedule(request_of(Collective::all_reduce, groups.axes(), "rail_rings", Bytes{8'000'000}));
  CHECK(verify(schedule).ok);
  Program program;
  program.schedule = &schedule;
  program.groups = &groups;
  Problem problem;
  problem.topology = topology.get();
  problem.programs = {program};
  CHECK(foldable_digits(problem) == 3);  // turning chips or servers by one is a symmetry here too
  CHECK(solve(problem).programs[0].finish == Time{14 * 5'000'000});
  CHECK(solve(problem, "engine").programs[0].finish == Time{14 * 5'000'000});
}

TEST_CASE("rail rings fold over chips and domains and give every rank the engine's finish") {
  for (const Collective collective :
       {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter}) {
    const Solved folded = solved(servers_of(4, 6), collective, "rail_rings", Bytes{3'000'000});
    const Solved judge = solved(servers_of(4, 6), collective, "rail_rings", Bytes{3'000'000}, "engine");
    CHECK(folded.solution.solver == "quotient");
    CHECK(folded.solution.classes.orbit == 24);  // turning all chips by one turns the rings into each other
    CHECK(judge.solution.classes.orbit == 1);
    CHECK(std::find(judge.finishes.begin(), judge.finishes.end(), Time::never()) == judge.finishes.end());
    CHECK(folded.finishes == judge.finishes);
  }
}

TEST_CASE("where chips of a domain have two axes rail rings fold over the domains alone") {
  ClusterShape shape = servers_of(2, 3);
  shape.scale_up.push_back(shape.scale_up[0]);
  shape.clos->rails = 4;
  const Bytes size{3'000'000};
  for (const Collective collective :
       {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter}) {
    const Solved folded = solved(shape, collective, "rail_rings", size);
    const Solved judge = solved(shape, collective, "rail_rings", size, "engine");
    CHECK(verify(folded.schedule).ok);
    CHECK(folded.solution.classes.orbit == 3);
    CHECK(std::find(judge.finishes.begin(), judge.finishes.end(), Time::never()) == judge.finishes.end());
    CHECK(folded.finishes == judge.finishes);
  }
}

TEST_CASE("rail rings say which ranks they serve") {
  const Algorithm& rows = *algorithm_named("rail_rings");
  PhaseRequest request;
  request.all_axes = {axis_of(8, Axis::Kind::switched)};
  request.axes = {0};
  request.elements = 1024;
  CHECK(rows.refuses(request).find("two domains of two chips or more") != std::string::npos);
  request.goal = PhaseGoal::all_to_all;
  CHECK(rows.refuses(request).find("does not do all_to_all") != std::string::npos);
}

}  // namespace tahoma
