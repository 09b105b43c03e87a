// Each algorithm's time with a pencil, on one switch, one ring or one torus of 50 GB/s (20 ps per byte) and
// 500 ns per link. A way through the switch is two links: 1 us.
#include <catch2/catch.hpp>

#include "collectives/algorithms.h"
#include "collectives/bound.h"
#include "collectives/choose.h"
#include "collectives/solve/solve.h"

namespace tahoma {

namespace {

struct Asked {
  Collective collective;
  const char* algorithm;
  std::uint64_t bytes;
  std::uint32_t root = 0;
  std::uint32_t pipeline = 1;
};

struct Chip {
  Duration overhead;
  ChipMemory memory;
};

ClusterShape fifty_gigabytes(DimensionKind kind, const std::vector<std::uint32_t>& sizes) {
  ClusterShape shape;
  for (const std::uint32_t size : sizes) {
    Dimension dimension;
    dimension.kind = kind;
    dimension.size = size;
    dimension.bandwidth = {50, 9};
    dimension.latency = {500'000};
    shape.scale_up.push_back(dimension);
  }
  shape.sites = {{"", 1}};
  return shape;
}

Schedule schedule_asked(const RankGroups& groups, const Asked& asked) {
  ScheduleRequest request;
  request.collective = asked.collective;
  request.size = Bytes{asked.bytes};
  request.root = asked.root;
  request.pipeline = asked.pipeline;
  request.axes = groups.axes();
  request.levels = plan_single(request.axes, asked.algorithm);
  return make_schedule(request);
}

double microseconds(const ClusterShape& shape, const Asked& asked, const Chip& chip = {}) {
  const auto topology = make_topology(shape);
  const RankGroups groups = RankGroups::all(*topology);
  const Schedule schedule = schedule_asked(groups, asked);
  Program program;
  program.schedule = &schedule;
  program.groups = &groups;
  Problem problem;
  problem.topology = topology.get();
  problem.programs = {program};
  problem.overhead = chip.overhead;
  problem.memory = chip.memory;
  return static_cast<double>(solve(problem).programs[0].finish.ps) / 1e6;
}

double on_switch(std::uint32_t n, const Asked& asked) {
  return microseconds(fifty_gigabytes(DimensionKind::switched, {n}), asked);
}
double on_ring(std::uint32_t n, const Asked& asked) {
  return microseconds(fifty_gigabytes(DimensionKind::ring, {n}), asked);
}
double on_torus(const Asked& asked, const Chip& chip = {}) {
  return microseconds(fifty_gigabytes(DimensionKind::ring, {4, 4}), asked, chip);
}

constexpr std::uint64_t megabyte = 1'000'000;

/// Where a link is shared by three, its share is rounded down: a picosecond more.
Approx about(double microseconds_asked) {
  return Approx(microseconds_asked).margin(2e-6);
}

}  // namespace

TEST_CASE("closed form: bruck sends what is missing in log2 n steps, on any number of ranks") {
  // 6 ranks, pieces of 1 MB = 20 us: 1, 2 and 2 of them, three latencies
  CHECK(on_switch(6, {Collective::all_gather, "bruck", 6 * megabyte}) == 5 * 20 + 3 * 1);
  CHECK(on_switch(6, {Collective::reduce_scatter, "bruck", 6 * megabyte}) == 5 * 20 + 3 * 1);
  CHECK(on_switch(6, {Collective::all_reduce, "bruck", 6 * megabyte}) == 2 * (5 * 20 + 3 * 1));
  // all_to_all of 5: places 1 and 3 have bit 0, 2 and 3 bit 1, 4 bit 2
  CHECK(on_switch(5, {Collective::all_to_all, "bruck", 5 * megabyte}) == (2 + 2 + 1) * 20 + 3 * 1);
}

TEST_CASE("closed form: two trees carry half of the buffer each") {
  // 2 ranks: each is the root of one tree; half up, half down
  CHECK(on_switch(2, {Collective::all_reduce, "double_binary_tree", 2 * megabyte}) == 2 * (20 + 1));
  // 3 ranks: the root serves both trees over one port, then each of the two others passes its half on
  CHECK(on_switch(3, {Collective::broadcast, "double_binary_tree", 2 * megabyte}) == 40 + 1 + 20 + 1);
  CHECK(on_switch(3, {Collective::reduce, "double_binary_tree", 2 * megabyte, 1}) == 20 + 1 + 40 + 1);
}

TEST_CASE("closed form: two trees in chunks come near twice the buffer over a port") {
  // 64 MB over 32 ranks: an inner rank sends half of it up, half to each of two children, and half up as a
  // leaf of the other tree: 4 x 32 MB over its port, 2,560 us
  const double time = on_switch(32, {Collective::all_reduce, "double_binary_tree", 64 * megabyte, 0, 0});
  CHECK(time > 2560);
  CHECK(time < 2560 * 1.2);
}

TEST_CASE("closed form: swing's partners are 1, 1 and 3 steps away on a ring of 8") {
  // Gathering goes backwards. Half a buffer each way, pieces of 0.5 MB = 10 us. Partners 3 steps away: each
  // link carries three messages. Then 2 pieces and 4 pieces to neighbours.
  CHECK(on_ring(8, {Collective::all_gather, "swing", 8 * megabyte}) ==
        about((3 * 10 + 3 * 0.5) + (2 * 10 + 0.5) + (4 * 10 + 0.5)));
}

TEST_CASE("closed form: on a 4x4 torus swing has neighbours only, and four links each") {
  // A quarter of 16 MB for each part, pieces of 0.25 MB = 5 us: 1, 2, 4 and 8 of them
  CHECK(on_torus({Collective::all_gather, "swing", 16 * megabyte}) == (1 + 2 + 4 + 8) * 5 + 4 * 0.5);
}

TEST_CASE("closed form: two disjoint cycles both ways are four rings of 15 steps") {
  // the same pieces of 5 us
  CHECK(on_torus({Collective::all_gather, "disjoint_rings", 16 * megabyte}) == 15 * (5 + 0.5));
  CHECK(on_torus({Collective::all_reduce, "disjoint_rings", 16 * megabyte}) == 2 * 15 * (5 + 0.5));
  CHECK(on_torus({Collective::all_gather, "kangaring", 16 * megabyte}) == 15 * (5 + 0.5));
}

TEST_CASE("closed form: ranks in pairs touch the chip's memory three times in place of four") {
  // 4 ranks on a chip, memory of 240 GB/s. Four messages arrive at once and cross it 6 times: 240 / 24 = 10
  // GB/s each, 25 us for 0.25 MB; before it 1 us of overhead, after it 500 ns and a step inside of the same
  // 1 us + 500 ns.
  const Chip four_ranks{{1'000'000}, {Capacity{u128{240'000'000'000} << 20}, 4}};
  CHECK(on_torus({Collective::all_gather, "kangaring", 16 * megabyte}, four_ranks) ==
        15 * (1 + 25 + 0.5 + 1.5));
  // reduced: 8 times in place of 12; 240 / 32 = 7.5 GB/s, 33 1/3 us, rounded up to a picosecond each
  const double scattered = on_torus({Collective::reduce_scatter, "kangaring", 16 * megabyte}, four_ranks);
  CHECK(scattered == Approx(15 * (1 + 100.0 / 3 + 0.5 + 1.5)).epsilon(1e-6));
  // alone on its chip a rank writes and reads: twice for each of four messages, 240 / 8 = 30 GB/s
  const Chip one_rank{{}, {Capacity{u128{240'000'000'000} << 20}, 1}};
  CHECK(on_torus({Collective::all_gather, "disjoint_rings", 16 * megabyte}, one_rank) ==
        Approx(15 * (0.25 * 1e6 / 30e3 + 0.5)).epsilon(1e-6));
}

TEST_CASE("closed form: in the switch each rank sends once and receives once") {
  // 1 MB = 20 us up, 20 us down, 500 ns each; in 4 chunks of 5 us the last one goes down alone
  CHECK(on_switch(8, {Collective::all_reduce, "in_switch", megabyte}) == 2 * (20 + 0.5));
  CHECK(on_switch(8, {Collective::all_reduce, "in_switch", megabyte, 0, 4}) == 5 * 5 + 2 * 0.5);
  CHECK(on_switch(8, {Collective::broadcast, "in_switch", megabyte, 3}) == 2 * (20 + 0.5));
  CHECK(on_switch(8, {Collective::reduce, "in_switch", megabyte, 3}) == 2 * (20 + 0.5));
  // 7 pieces up, one down; one up, 7 down
  CHECK(on_switch(8, {Collective::reduce_scatter, "in_switch", megabyte}) == 8 * 2.5 + 2 * 0.5);
  CHECK(on_switch(8, {Collective::all_gather, "in_switch", megabyte}) == 8 * 2.5 + 2 * 0.5);
}

TEST_CASE("with sums in the switch the bound is that of the plain data") {
  const auto topology = make_topology(fifty_gigabytes(DimensionKind::switched, {8}));
  const RankGroups groups = RankGroups::all(*topology);
  const auto bound = [&](AddedBy added_by) {
    return lower_bound(*topology, groups, Collective::all_reduce, Bytes{megabyte}, 0, {}, added_by).time.ps;
  };
  CHECK(bound(AddedBy::hosts) == 35'000'000);     // 2 x 7/8 x 20 us
  CHECK(bound(AddedBy::switches) == 20'000'000);  // the buffer over one port
}

TEST_CASE("closed form: gather and scatter at once, along a chain and up or down a tree") {
  // 4 ranks, pieces of 1 MB = 20 us
  CHECK(on_switch(4, {Collective::gather, "direct", 4 * megabyte, 2}) == about(3 * 20 + 1));
  CHECK(on_switch(4, {Collective::scatter, "direct", 4 * megabyte, 2}) == about(3 * 20 + 1));
  CHECK(on_ring(4, {Collective::gather, "ring", 4 * megabyte, 2}) == 3 * (20 + 0.5));
  CHECK(on_ring(4, {Collective::scatter, "ring", 4 * megabyte, 2}) == 3 * (20 + 0.5));
  // pieces 1 and 3 to 0 and 2, then two of them to 0; the other way round for scatter
  CHECK(on_switch(4, {Collective::gather, "halving_doubling", 4 * megabyte}) == (20 + 1) + (40 + 1));
  CHECK(on_switch(4, {Collective::scatter, "halving_doubling", 4 * megabyte}) == (40 + 1) + (20 + 1));
}

TEST_CASE("closed form: reduce along a chain and up a tree") {
  CHECK(on_ring(4, {Collective::reduce, "ring", megabyte, 1}) == 3 * (20 + 0.5));
  CHECK(on_switch(4, {Collective::reduce, "halving_doubling", megabyte, 1}) == 2 * (20 + 1));
  // three buffers into one port
  CHECK(on_switch(4, {Collective::reduce, "direct", megabyte, 1}) == about(3 * 20 + 1));
}

TEST_CASE("closed form: a barrier is latencies") {
  // 2 bytes: 40 ps
  CHECK(on_switch(5, {Collective::barrier, "bruck", 2}) == 3 * 1.00004);
  CHECK(on_switch(8, {Collective::barrier, "halving_doubling", 2}) == 3 * 1.00004);
  CHECK(on_ring(5, {Collective::barrier, "ring", 2}) == 4 * 0.50004);
  // four words at once over a port
  CHECK(on_switch(5, {Collective::barrier, "direct", 2}) == 1.00016);
}

}  // namespace tahoma
