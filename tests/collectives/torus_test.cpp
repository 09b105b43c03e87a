// The torus algorithm: how close to the bound, how shares and chunks are chosen, and that it is proven.
//
//   x: 4 rings of 4        every chip has 6 links, one per axis and direction;
//   y: likewise            an all-reduce of S bytes on n chips must send 2 (n - 1) / n S over them
//   z: half the rate
#include <catch2/catch.hpp>

#include "collectives/verify.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

constexpr Bytes gibibyte{1ULL << 30};
constexpr std::int64_t link_latency_ns = 1500;

Axis ring_axis(std::uint32_t size, unsigned long long gigabytes = 50) {
  return axis_of(size, Axis::Kind::ring, gigabytes, link_latency_ns);
}

/// Bytes that a rank must send over the sum of the rates of its links, by the time that the schedule takes
/// without contention.
double efficiency(Collective collective, const std::vector<Axis>& axes, Bytes size) {
  const Schedule schedule = make_schedule(request_of(collective, axes, "torus", size));
  double links = 0, ranks = 1;
  for (const Axis& axis : axes) {
    links += bytes_per_second(axis.rate) * (axis.size == 2 ? 1 : 2);
    ranks *= axis.size;
  }
  const double passes = collective == Collective::all_reduce ? 2 : 1;
  const double bound = passes * (ranks - 1) / ranks * static_cast<double>(size.count) / links;
  return bound / seconds(estimate(schedule));
}

std::string fault_of(Collective collective, const std::vector<Axis>& axes, Bytes size) {
  return verify(make_schedule(request_of(collective, axes, "torus", size))).fault;
}

std::uint32_t parts_of(const std::vector<Axis>& axes, Bytes size, Duration overhead = {}) {
  ScheduleRequest request = request_of(Collective::all_reduce, axes, "torus", size);
  request.overhead = overhead;
  return make_schedule(request).phases[0].parts;
}

}  // namespace

TEST_CASE("1 GiB on a uniform 4x4x4 torus comes within 2 % of the bound") {
  for (const unsigned long long rate : {50ULL, 113ULL})
    for (const Collective collective :
         {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather}) {
      const double reached =
          efficiency(collective, {ring_axis(4, rate), ring_axis(4, rate), ring_axis(4, rate)}, gibibyte);
      CHECK(reached >= 0.98);
      CHECK(reached <= 1.0);
    }
}

TEST_CASE("1 GiB on a 4x4x4 torus with z at half the rate comes within 5 % of the bound") {
  for (const unsigned long long rate : {50ULL, 112ULL})
    for (const Collective collective :
         {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather}) {
      const double reached =
          efficiency(collective, {ring_axis(4, rate), ring_axis(4, rate), ring_axis(4, rate / 2)}, gibibyte);
      CHECK(reached >= 0.95);
      CHECK(reached <= 1.0);
    }
}

TEST_CASE("other tori at 1 GiB: flat, unequal sides, sides of 2, one ring, four dimensions") {
  CHECK(efficiency(Collective::all_reduce, {ring_axis(4), ring_axis(4)}, gibibyte) >= 0.98);
  CHECK(efficiency(Collective::all_reduce, {ring_axis(4), ring_axis(2), ring_axis(8)}, gibibyte) >= 0.98);
  CHECK(efficiency(Collective::all_reduce, {ring_axis(2), ring_axis(2), ring_axis(2)}, gibibyte) >= 0.98);
  CHECK(efficiency(Collective::all_reduce, {ring_axis(16)}, gibibyte) >= 0.98);
  CHECK(efficiency(Collective::all_reduce, {ring_axis(3), ring_axis(5)}, gibibyte) >= 0.98);
  CHECK(efficiency(Collective::all_reduce, {ring_axis(4), ring_axis(4), ring_axis(4), ring_axis(4)},
                   gibibyte) >= 0.98);
}

TEST_CASE("a dimension's total load is proportional to its rate") {
  // 4 x 4 x 4, z at half the rate: of 63/64 S that a rank sends in a reduce_scatter, 2/5 go along x, 2/5
  // along y and 1/5 along z
  const Schedule schedule = make_schedule(request_of(
      Collective::reduce_scatter, {ring_axis(4), ring_axis(4), ring_axis(4, 25)}, "torus", gibibyte));
  double load[3] = {};
  for (const Lane& lane : schedule.phases[0].roles[0].lanes)
    for (const Send& send : lane.sends) load[send.peer.axis] += static_cast<double>(send.bytes) * send.reps;
  const double all = load[0] + load[1] + load[2];
  CHECK(all == Approx(63.0 / 64 * static_cast<double>(gibibyte.count)).epsilon(1e-4));
  CHECK(load[0] / all == Approx(2.0 / 5).epsilon(1e-3));
  CHECK(load[1] / all == Approx(2.0 / 5).epsilon(1e-3));
  CHECK(load[2] / all == Approx(1.0 / 5).epsilon(1e-3));
}

TEST_CASE("equal rates get equal shards, rounded up to whole elements") {
  // 2 orders x 2 directions on 16 ranks: 1,000,000 B are 500,000 elements; in c chunks, ceil(500,000 / (4 c
  // 16)) each
  const Schedule schedule = make_schedule(
      request_of(Collective::reduce_scatter, {ring_axis(4), ring_axis(4)}, "torus", Bytes{1'000'000}));
  const Phase& phase = schedule.phases[0];
  const std::uint64_t shards = std::uint64_t{phase.parts} * 16;
  for (const std::uint64_t bytes : phase.piece_bytes) CHECK(bytes == (500'000 + shards - 1) / shards * 2);
}

TEST_CASE("small sizes are cut into fewer chunks, and an overhead per message makes it fewer still") {
  const std::vector<Axis> axes{ring_axis(4), ring_axis(4), ring_axis(4)};
  constexpr std::uint32_t kinds = 6 * 2;  // orders and directions
  CHECK(parts_of(axes, Bytes{1024}) == kinds);
  const std::uint32_t free = parts_of(axes, Bytes{1 << 20});
  const std::uint32_t costly = parts_of(axes, Bytes{1 << 20}, Duration{2'000'000});
  CHECK(costly < free);
  CHECK(costly == kinds);
}

TEST_CASE("one lane per axis and direction, one for a side of 2") {
  const auto lanes = [](std::vector<Axis> axes) {
    return make_schedule(request_of(Collective::all_reduce, std::move(axes), "torus"))
        .phases[0]
        .roles[0]
        .lanes.size();
  };
  CHECK(lanes({ring_axis(4), ring_axis(4), ring_axis(4)}) == 6);
  CHECK(lanes({ring_axis(4), ring_axis(2), ring_axis(8)}) == 5);
  CHECK(lanes({ring_axis(2)}) == 1);
  CHECK(lanes({ring_axis(1), ring_axis(5)}) == 2);
}

TEST_CASE("tori of all kinds of sides are proven") {
  const std::vector<std::vector<std::uint32_t>> shapes{
      {2, 2}, {3, 2}, {4, 4}, {5, 3}, {2, 2, 2}, {4, 2, 3}, {3, 3, 3}, {4, 4, 4}, {2, 3, 2, 2}, {1, 4, 1, 3}};
  for (const auto& shape : shapes)
    for (const Collective collective :
         {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather}) {
      std::vector<Axis> axes;
      for (const std::uint32_t side : shape) axes.push_back(ring_axis(side));
      INFO(name_of(collective) << " on " << shape.size() << " rings, the first of " << shape[0]);
      CHECK(fault_of(collective, axes, Bytes{1 << 14}) == "");
      axes.back().rate.q20 /= 3;
      CHECK(fault_of(collective, axes, Bytes{1 << 14}) == "");
    }
}

TEST_CASE("the planned 4x4x4 torus with z at half the rate is proven as it stands at 64 MiB") {
  CHECK(fault_of(Collective::all_reduce, {ring_axis(4), ring_axis(4), ring_axis(4, 25)},
                 Bytes{64ULL << 20}) == "");
}

TEST_CASE("a scatter and the gather that undoes it cut the buffer alike") {
  for (const std::uint64_t size : {1000ULL, 1ULL << 20, 1ULL << 26}) {
    const std::vector<Axis> axes{ring_axis(4), ring_axis(4), ring_axis(4, 25)};
    const Schedule scatter =
        make_schedule(request_of(Collective::reduce_scatter, axes, "torus", Bytes{size}));
    const Schedule gather = make_schedule(request_of(Collective::all_gather, axes, "torus", Bytes{size}));
    CHECK(scatter.phases[0].piece_bytes == gather.phases[0].piece_bytes);
    CHECK(estimate(scatter) == estimate(gather));
  }
}

TEST_CASE("a torus of five rings is refused") {
  ScheduleRequest request =
      request_of(Collective::all_reduce,
                 {ring_axis(2), ring_axis(2), ring_axis(2), ring_axis(2), ring_axis(2)}, "torus");
  PhaseRequest phase;
  phase.all_axes = request.axes;
  phase.axes = request.levels[0].axes;
  CHECK(algorithm_named("torus")->refuses(phase) == "torus serves up to 4 rings at once, and these are 5");
}

}  // namespace tahoma
