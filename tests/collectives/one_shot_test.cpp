// Whole buffers to all: proof, time with a pencil, and the exchange of shards it competes with.
#include <catch2/catch.hpp>

#include "collectives/choose.h"
#include "collectives/solve/solve.h"
#include "collectives/verify.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

/// Eight chips on a switch of 50 GB/s (20 ps a byte), 500 ns a link, so 1 us a message.
Time finish_on_switch(const std::string& algorithm, std::uint64_t bytes, const std::string& solver) {
  Dimension inside;
  inside.kind = DimensionKind::switched;
  inside.size = 8;
  inside.bandwidth = {50, 9};
  inside.latency = {500'000};
  ClusterShape shape;
  shape.scale_up = {inside};
  shape.sites = {{"", 1}};
  const auto topology = make_topology(shape);
  const RankGroups groups = RankGroups::all(*topology);
  const Schedule schedule =
      make_schedule(request_of(Collective::all_reduce, groups.axes(), algorithm, Bytes{bytes}));
  Program program;
  program.schedule = &schedule;
  program.groups = &groups;
  Problem problem;
  problem.topology = topology.get();
  problem.programs = {program};
  return solve(problem, solver).programs[0].finish;
}

}  // namespace

TEST_CASE("one shot adds up all buffers whatever the order of arrival") {
  for (const std::uint32_t ranks : {2u, 3u, 8u, 13u}) {
    const Verdict verdict =
        verify(make_schedule(request_of(Collective::all_reduce, {axis_of(ranks)}, "one_shot", Bytes{1000})));
    INFO(ranks << " ranks: " << verdict.fault);
    CHECK(verdict.ok);
  }
}

TEST_CASE("a message that would carry what its sender received is told from one that does not") {
  Schedule schedule =
      make_schedule(request_of(Collective::all_reduce, {axis_of(4)}, "one_shot", Bytes{1000}));
  schedule.phases[0].sends_own = false;
  CHECK(!verify(schedule).ok);
}

TEST_CASE("one shot takes seven buffers and one latency and two shots take two buffers and two latencies") {
  // A seventh of the link is rounded down, which costs the last byte a picosecond.
  for (const char* const solver : {"engine", "auto"}) {
    // 7 x 8000 B x 20 ps + 1 us
    CHECK(finish_on_switch("one_shot", 8'000, solver).ps == 7 * 160'000 + 1 + 1'000'000);
    // 2 x (7 x 1000 B x 20 ps + 1 us)
    CHECK(finish_on_switch("direct", 8'000, solver).ps == 2 * (7 * 20'000 + 1 + 1'000'000));
  }
  CHECK(finish_on_switch("one_shot", 800, "auto") < finish_on_switch("direct", 800, "auto"));
}

}  // namespace tahoma
