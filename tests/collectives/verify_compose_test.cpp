// Composition over levels, proven by replay, and what is refused.
#include <catch2/catch.hpp>

#include "collectives/verify.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

constexpr Collective over_levels[] = {
    Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather, Collective::broadcast,
    Collective::gather,     Collective::scatter,        Collective::reduce,     Collective::barrier};

/// The fault, "" if proven, nothing if refused.
std::optional<std::string> fault_of(const ScheduleRequest& request) {
  try {
    return verify(make_schedule(request)).fault;
  } catch (const ScenarioError&) {
    return std::nullopt;
  }
}

std::string refusal_of(const ScheduleRequest& request) {
  try {
    make_schedule(request);
    return "";
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("two levels of unequal sizes are proven with every pair of algorithms that is offered") {
  std::uint32_t proven = 0;
  for (const Collective collective : over_levels)
    for (const Algorithm& inner : algorithms())
      for (const Algorithm& outer : algorithms())
        for (const auto& [a, b] :
             std::vector<std::pair<std::uint32_t, std::uint32_t>>{{4, 3}, {3, 4}, {2, 8}, {5, 2}}) {
          ScheduleRequest request =
              request_by_level(collective, {axis_of(a), axis_of(b)},
                               {std::string(inner.name), std::string(outer.name)}, Bytes{4096});
          request.root = 1 + a;  // neither first nor last on either level
          const auto fault = fault_of(request);
          INFO(name_of(collective) << ", " << inner.name << " on " << a << ", " << outer.name << " on " << b);
          if (!fault) continue;
          REQUIRE(*fault == "");
          ++proven;
        }
  // Inside is a power of two in (4,3) and (2,8), outside in (3,4), (2,8) and (5,2).
  // all_reduce: inside, 7 algorithms scatter and gather any size, halving_doubling and swing powers of two;
  // outside 10 do any size, swing powers of two: 7 x (10 x 4 + 3) + 2 x (10 + 11) = 343.
  // reduce_scatter, all_gather: 7 x (7 x 4 + 2 x 3) + 2 x (7 + 9) = 270 each.
  // broadcast and reduce: 4 x 4 x 4 each; gather and scatter 3 x 3 x 4 each.
  // barrier: 3 do any size, halving_doubling powers of two: 3 x (3 x 4 + 3) + (3 + 4) = 52.
  CHECK(proven == 343 + 2 * 270 + 2 * 64 + 2 * 36 + 52);
}

TEST_CASE("three levels, a torus inside and odd sizes are proven") {
  const std::vector<Axis> axes{axis_of(3), axis_of(2), axis_of(4), axis_of(3, Axis::Kind::fabric)};
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather}) {
    ScheduleRequest request = request_of(collective, axes, "", Bytes{1 << 14});
    request.levels = {
        {{0, 1}, "server", "torus"}, {{2}, "ultraserver", "halving_doubling"}, {{3}, "cluster", "ring"}};
    CHECK(fault_of(request) == "");
    request.levels = {
        {{0}, "server", "direct"}, {{1, 2}, "ultraserver", "torus_sequential"}, {{3}, "cluster", "pairwise"}};
    CHECK(fault_of(request) == "");
  }
}

TEST_CASE("rooted collectives over levels are proven from every root") {
  for (const Collective collective :
       {Collective::broadcast, Collective::gather, Collective::scatter, Collective::reduce})
    for (std::uint32_t root = 0; root < 24; ++root) {
      ScheduleRequest request = request_by_level(collective, {axis_of(3), axis_of(2), axis_of(4)},
                                                 {"direct", "ring", "halving_doubling"});
      request.root = root;
      INFO(name_of(collective) << ", root " << root);
      CHECK(fault_of(request) == "");
    }
}

TEST_CASE("all_reduce over levels scatters inwards, reduces at the top and gathers back") {
  const Schedule schedule = make_schedule(request_by_level(Collective::all_reduce, {axis_of(4), axis_of(3)},
                                                           {"ring", "halving_doubling"}, Bytes{2400}));
  CHECK(schedule.algorithm == "level0: ring, level1: halving_doubling");
  REQUIRE(schedule.phases.size() == 3);
  CHECK(schedule.phases[0].goal == PhaseGoal::reduce_scatter);
  CHECK(schedule.phases[1].goal == PhaseGoal::all_reduce);
  CHECK(schedule.phases[2].goal == PhaseGoal::all_gather);
  // 1200 elements: a quarter is 300; three ranks fold to two, so shards are 150 elements of 2 bytes
  CHECK(schedule.phases[0].piece_bytes == std::vector<std::uint64_t>{300 * 2});
  CHECK(schedule.phases[1].piece_bytes == std::vector<std::uint64_t>{150 * 2});
  CHECK(schedule.phases[2].piece_bytes == std::vector<std::uint64_t>{300 * 2});
}

TEST_CASE("shards are rounded up to whole elements and the padding is charged") {
  // 1000 B of 4-byte elements are 250; over 7 ranks 35.7, so 36 elements = 144 B; 12 messages of an
  // all_reduce
  ScheduleRequest request = request_of(Collective::all_reduce, {axis_of(7)}, "ring", Bytes{1000});
  request.element_bytes = 4;
  const Schedule schedule = make_schedule(request);
  CHECK(schedule.phases[0].piece_bytes[0] == 144);
  std::uint32_t messages = 0;
  for (const Send& send : schedule.phases[0].roles[0].lanes[0].sends) messages += send.reps;
  CHECK(messages == 2 * (7 - 1));
}

TEST_CASE("pipeline and channels cut the buffer into rounded-up parts") {
  // 1000 elements in 3 channels of 334 and 4 chunks of 84 each; 8 ranks: shards of 11 elements
  ScheduleRequest request = request_of(Collective::all_reduce, {axis_of(8)}, "ring", Bytes{2000});
  request.channels = 3;
  request.pipeline = 4;
  const Schedule schedule = make_schedule(request);
  CHECK(schedule.channels == 3);
  CHECK(schedule.pipeline == 4);
  CHECK(schedule.phases[0].piece_bytes[0] == 11 * 2);
  CHECK(verify(schedule).fault == "");
}

TEST_CASE("one rank has nothing to send and is done") {
  for (const Algorithm& algorithm : algorithms())
    for (const Collective collective : all_collectives) {
      ScheduleRequest request = request_of(collective, {axis_of(1)}, std::string(algorithm.name));
      request.table = {0};
      const Schedule schedule = make_schedule(request);
      CHECK(schedule.phases.empty());
      CHECK(verify(schedule).fault == "");
    }
}

TEST_CASE("a level of one rank is skipped") {
  const Schedule schedule = make_schedule(
      request_by_level(Collective::all_to_all, {axis_of(1), axis_of(6)}, {"ring", "pairwise"}, Bytes{1200}));
  CHECK(schedule.phases.size() == 1);
  CHECK(verify(schedule).fault == "");
}

TEST_CASE("what an algorithm cannot do is refused with its reason") {
  CHECK(refusal_of(request_of(Collective::all_to_all, {axis_of(4)}, "ring")) ==
        "ring does not do all_to_all (it does reduce_scatter, all_gather, all_reduce, broadcast, reduce, "
        "gather, scatter, barrier)");
  CHECK(refusal_of(request_of(Collective::reduce_scatter, {axis_of(6)}, "halving_doubling")) ==
        "halving_doubling does reduce_scatter on a power of two of ranks, and these are 6 (all_reduce works "
        "on any "
        "number)");
  CHECK(refusal_of(request_of(Collective::all_reduce, {axis_of(4), axis_of(4, Axis::Kind::switched)},
                              "torus")) == "torus needs rings, and axis 1 (of 4 ranks) is a switch");
  CHECK(
      refusal_of(request_by_level(Collective::all_to_all, {axis_of(4), axis_of(2)}, {"direct", "direct"})) ==
      "all_to_all is done in one level: give one algorithm for all ranks instead of one for each of level0, "
      "level1");
  CHECK(refusal_of(request_of(Collective::all_reduce, {axis_of(4)}, "rings")) ==
        "there is no algorithm 'rings'");
  ScheduleRequest far_root = request_of(Collective::broadcast, {axis_of(4)}, "ring");
  far_root.root = 4;
  CHECK(refusal_of(far_root) == "root 4 is not a rank: the last one is 3");
}

TEST_CASE("permute wants each rank to be the destination of exactly one") {
  ScheduleRequest request = request_of(Collective::permute, {axis_of(4)}, "direct");
  request.table = {1, 0, 2, 3};  // 2 and 3 keep their own
  CHECK(fault_of(request) == "");
  request.table = {1, 1, 2, 3};
  CHECK(refusal_of(request) == "permute sends two ranks to rank 1; each receives exactly one");
  request.table = {1, 0, 4, 3};
  CHECK(refusal_of(request) == "permute sends rank 2 to rank 4, and the last rank is 3");
  request.table = {1, 0};
  CHECK(refusal_of(request) == "permute needs a destination for each of the 4 ranks, and the pattern has 2");
}

}  // namespace tahoma
