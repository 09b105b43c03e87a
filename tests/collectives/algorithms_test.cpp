// Names, factors, estimates and the text of schedules.
#include <catch2/catch.hpp>

#include <set>

#include "collectives/print_schedule.h"
#include "tests/collectives/requests.h"

namespace tahoma {

TEST_CASE("collectives are found by their names") {
  for (const Collective collective : all_collectives)
    CHECK(collective_named(name_of(collective)) == collective);
  CHECK(!collective_named("allreduce"));
  CHECK(collective_names().size() == 10);
  for (const Collective collective : all_collectives)
    CHECK(name_of(goal_of(collective)) == name_of(collective));
}

TEST_CASE("bus bandwidth factors are those of nccl-tests") {
  CHECK(busbw_factor(Collective::all_reduce, 8) == 2 * 7.0 / 8);
  CHECK(busbw_factor(Collective::all_gather, 8) == 7.0 / 8);
  CHECK(busbw_factor(Collective::reduce_scatter, 8) == 7.0 / 8);
  CHECK(busbw_factor(Collective::all_to_all, 8) == 7.0 / 8);
  CHECK(busbw_factor(Collective::broadcast, 8) == 1);
  CHECK(busbw_factor(Collective::permute, 8) == 1);
  CHECK(busbw_factor(Collective::gather, 8) == 7.0 / 8);
  CHECK(busbw_factor(Collective::scatter, 8) == 7.0 / 8);
  CHECK(busbw_factor(Collective::reduce, 8) == 1);
  CHECK(busbw_factor(Collective::barrier, 8) == 0);
  CHECK(busbw_factor(Collective::all_reduce, 1) == 0);
}

TEST_CASE("every algorithm has a name of its own, a purpose and a place") {
  std::set<std::string_view> names;
  for (const Algorithm& row : algorithms()) {
    CHECK(names.insert(row.name).second);
    CHECK(!row.purpose.empty());
    CHECK(!row.fits_when.empty());
    CHECK(algorithm_named(row.name) == &row);
  }
  CHECK(algorithm_named("rings") == nullptr);
}

TEST_CASE("the estimate of a ring counts the bytes and the latency of every step") {
  // 64 chips, 64 MiB, 50 GB/s, 500 ns: 126 x (2^20 B / 50 GB/s + 500 ns); 2^20 B take 20,971,520 ps
  const Schedule ring =
      make_schedule(request_of(Collective::all_reduce, {axis_of(64)}, "ring", Bytes{64ULL << 20}));
  CHECK(estimate(ring) == Duration{126LL * (20'971'520 + 500'000)});
}

TEST_CASE("the estimates of phases add up") {
  // 8 x 4 ranks, 1 MiB: 7 steps of 128 KiB, 3 of 32 KiB, twice, at 50 GB/s = 20 ps per byte
  const Schedule schedule =
      make_schedule(request_of(Collective::all_reduce, {axis_of(8), axis_of(4)}, "torus_sequential"));
  CHECK(estimate(schedule) == Duration{2LL * (7 * (131'072 * 20 + 500'000) + 3 * (32'768 * 20 + 500'000))});
}

TEST_CASE("the estimate of a tree is its longest lane, of a list of ranks nothing") {
  // binomial tree over 8 from rank 0: the root sends the whole buffer 3 times; a shift of 4 may be a tie on a
  // ring of 8, so each counts at twice the rate but the last one (to the neighbour)
  const Schedule tree =
      make_schedule(request_of(Collective::broadcast, {axis_of(8)}, "halving_doubling", Bytes{1'000'000}));
  CHECK(estimate(tree) == Duration{(1'000'000 * 20) * 2 + 500'000});
  const Schedule list =
      make_schedule(request_of(Collective::all_reduce, {axis_of(8, Axis::Kind::list)}, "ring"));
  CHECK(estimate(list) == Duration{0});
}

TEST_CASE("a ring broadcast is cut into chunks that pay for themselves") {
  // 1 GiB over 16 ranks: unchunked 15 x 21.5 ms; in 256 chunks (14 + 256) / 256 x 21.5 ms
  const Schedule large =
      make_schedule(request_of(Collective::broadcast, {axis_of(16)}, "ring", Bytes{1ULL << 30}));
  CHECK(large.phases[0].parts == 256);
  const Schedule small = make_schedule(request_of(Collective::broadcast, {axis_of(16)}, "ring", Bytes{1024}));
  CHECK(small.phases[0].parts == 1);
  ScheduleRequest explicitly = request_of(Collective::broadcast, {axis_of(16)}, "ring", Bytes{1ULL << 30});
  explicitly.pipeline = 4;
  CHECK(make_schedule(explicitly).phases[0].parts == 1);
}

TEST_CASE("a schedule of a million ranks is a few templates") {
  const std::vector<Axis> axes{axis_of(64), axis_of(1 << 14, Axis::Kind::fabric)};
  const Schedule schedule = make_schedule(
      request_by_level(Collective::all_reduce, axes, {"ring", "halving_doubling"}, Bytes{1ULL << 30}));
  CHECK(schedule.ranks == 1u << 20);
  std::size_t sends = 0;
  for (const Phase& phase : schedule.phases)
    for (const Role& role : phase.roles)
      for (const Lane& lane : role.lanes) sends += lane.sends.size();
  CHECK(sends == 1 + 2 * 14 + 1);
  // a tree over all of them: a role per bit, cut where a child would fall off the end or wrap round it
  ScheduleRequest broadcast = request_of(Collective::broadcast, {axis_of(1'000'000)}, "halving_doubling");
  broadcast.root = 777'777;
  CHECK(make_schedule(broadcast).phases[0].roles.size() < 1000);
}

TEST_CASE("a schedule's text says who sends which pieces to whom after what") {
  CHECK(schedule_text(make_schedule(request_of(Collective::all_reduce, {axis_of(8)}, "ring"))) ==
        "all_reduce by ring: 8 ranks, 1048576 B of 2-byte elements\n"
        "  axis 0: ring of 8, 50 GB/s, 0.5 us\n"
        "  phase 1 of 1: all_reduce, ring; 8 positions along axis 0; 1 part of 8 pieces, 131072 B each\n"
        "    all positions\n"
        "      lane 0\n"
        "        7 x reduce [own-1-k] to +1, 131072 B, tag 0, after k of tag 0\n"
        "        7 x copy [own-k] to +1, 131072 B, tag 0, after 7+k of tag 0\n");
  CHECK(schedule_text(
            make_schedule(request_of(Collective::reduce_scatter, {axis_of(4)}, "halving_doubling"))) ==
        "reduce_scatter by halving_doubling: 4 ranks, 1048576 B of 2-byte elements\n"
        "  axis 0: ring of 4, 50 GB/s, 0.5 us\n"
        "  phase 1 of 1: reduce_scatter, halving_doubling; 4 positions along axis 0; 1 part of 4 pieces, "
        "262144 B each\n"
        "    all positions\n"
        "      lane 0\n"
        "        reduce [2 around peer] to ^2, 524288 B, tag 0\n"
        "        reduce [peer] to ^1, 262144 B, tag 1, after 1 of tag 0\n");
}

TEST_CASE("the text of a torus names axes and parts, that of a long schedule says what it leaves out") {
  const std::string torus = schedule_text(
      make_schedule(request_of(Collective::reduce_scatter, {axis_of(3), axis_of(4)}, "torus", Bytes{480})));
  INFO(torus);
  CHECK(torus.find("2 x reduce [own-1-k, all] of part 0 to +1 along axis 0") != std::string::npos);
  const std::string direct =
      schedule_text(make_schedule(request_of(Collective::all_to_all, {axis_of(64)}, "direct")));
  CHECK(direct.find("... 51 more lanes") != std::string::npos);
  CHECK(schedule_text(make_schedule(request_of(Collective::all_reduce, {axis_of(1)}, "ring")))
            .find("nothing to send") != std::string::npos);
}

}  // namespace tahoma
