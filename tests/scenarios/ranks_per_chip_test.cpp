// Several ranks on a chip, with a pencil: what they get of the inner fabric, of the chip's links and of its
// memory; and how a wrong number of them is refused.
//
//     c0: r0 r1 r2 r3 ══ 40 GB/s, 1 us ══ c1: r0 r1 r2 r3      a rank has 2 cores of 8: a port of 20 GB/s
#include <catch2/catch.hpp>

#include "scenarios/run.h"
#include "tests/scenarios/reader_bad_input.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

const std::string two_chips =
    "cluster: {ranks_per_chip: 4, chip: {inner: {cores: 8, bandwidth: 10GB/s, latency: 100ns}}}\n"
    "fabric: {scale_up: [{kind: ring, size: 2, bandwidth: 40GB/s, latency: 1us}]}\n";

Result answer_of(const std::string& text, const std::vector<std::string>& sets = {},
                 const std::string& solver = "auto") {
  RunOptions options;
  options.advise = false;
  options.solver = solver;
  return run(load(text_request(text, sets)), options);
}

Duration time_of(const std::string& workload, const std::vector<std::string>& sets = {}) {
  return answer_of(two_chips + "workload: {" + workload + "}\n", sets).collectives.at(0).time;
}

}  // namespace

TEST_CASE("two ranks of one chip reach each other through the chip's own fabric") {
  const Result result =
      answer_of(two_chips +
                "workload: {flows: [{id: near, from: c0.r0, to: c0.r1, bytes: 1MB}, {id: far, from: c1.r0, "
                "to: c0.r3, bytes: 1MB}]}\n");
  REQUIRE(result.flows.size() == 2);
  // 1 MB / 20 GB/s = 50 us; two links inside of 0.1 us, and 1 us between the chips.
  CHECK(result.flows[0].finish == Time{50'200'000});
  CHECK(result.flows[1].finish == Time{51'200'000});
  CHECK(result.cluster.chips == 2);
}

TEST_CASE("all ranks of a chip that send out share the chip's link") {
  // 4 x 1 MB over one link of 40 GB/s: 10 GB/s each, 100 us; 1.2 us of latency.
  CHECK(time_of("collective: permute, pattern: shift(4), sizes: 1MB") == Duration{101'200'000});
  // By one rank alone: its port, 20 GB/s.
  CHECK(
      answer_of(two_chips + "workload: {flows: [{from: c0.r2, to: c1.r2, bytes: 1MB}]}\n").flows[0].finish ==
      Time{51'200'000});
}

TEST_CASE("the groups of {by: chip} work side by side inside their chips") {
  // A ring of 4 over the chip's switch: 3 steps of 1 MB / 20 GB/s + 0.2 us.
  const std::string rows = "collective: all_gather, sizes: 4MB, algorithm: ring, ranks: {by: chip}";
  CHECK(time_of(rows) == Duration{3 * 50'200'000});
  CHECK(answer_of(two_chips + "workload: {" + rows + "}\n").collectives.at(0).groups == 2);
}

TEST_CASE("a level chip stands inside the server") {
  // 8 MB: reduce-scatter in the chip 3 x (2 MB / 20 GB/s + 0.2 us) = 300.6 us; all-reduce of 2 MB between the
  // chips, four at a time: 2 x (1 MB / 10 GB/s + 1.2 us) = 202.4 us; all-gather as the first, 300.6 us.
  CHECK(time_of("collective: all_reduce, sizes: 8MB, algorithm: {chip: ring, server: ring}") ==
        Duration{803'600'000});
}

TEST_CASE("ranks of a chip share its memory") {
  // Each byte that a rank receives is written and read; four at once on 60 GB/s have 60 / 4 / 2 = 7.5 GB/s.
  // 3 steps of 1 MB / 7.5 GB/s = 133.333334 us + 0.2 us, rounded up to whole picoseconds.
  const Duration time = time_of("collective: all_gather, sizes: 4MB, algorithm: ring, ranks: {by: chip}",
                                {"cluster.chip.memory.bandwidth=60GB/s"});
  CHECK(time >= Duration{3 * 133'533'333});
  CHECK(time <= Duration{3 * 133'533'335});
}

TEST_CASE("the quotient of ranks on chips is the engine on all of them") {
  const std::string rows =
      two_chips +
      "workload: {collective: [all_reduce, all_gather], sizes: 3MB, algorithm: [ring, direct, "
      "halving_doubling, {chip: direct, server: ring}]}\n";
  const Result folded = answer_of(rows), engine = answer_of(rows, {}, "engine");
  REQUIRE(folded.collectives.size() == 8);
  CHECK(folded.fingerprint == engine.fingerprint);
  CHECK(std::count_if(folded.collectives.begin(), folded.collectives.end(),
                      [](const CollectiveRow& row) { return row.solver == "quotient"; }) == 8);
  for (const CollectiveRow& row : folded.collectives) CHECK(row.time >= row.lower_bound);
}

TEST_CASE("ranks of Trainium chips are their cores or pairs of them") {
  const auto time = [](const std::string& ranks, const std::string& algorithm) {
    return answer_of("extends: trn2-chip\ncluster: {ranks_per_chip: " + ranks +
                     "}\nworkload: {collective: all_gather, sizes: 32MiB, algorithm: " + algorithm + "}\n")
        .collectives.at(0)
        .time;
  };
  // 8 ranks: 7 steps of 4 MiB / 104 GB/s + 0.5 us. 4 ranks: 3 steps of 8 MiB / 208 GB/s + 0.5 us.
  const double eight = 7 * (4 * 1048576 / 104e9 + 0.5e-6), four = 3 * (8 * 1048576 / 208e9 + 0.5e-6);
  CHECK(static_cast<double>(time("8", "ring").ps) * 1e-12 == Approx(eight).epsilon(1e-7));
  CHECK(static_cast<double>(time("4", "ring").ps) * 1e-12 == Approx(four).epsilon(1e-7));
}

TEST_CASE("a number of ranks that a chip cannot have is refused") {
  const std::vector<BadInput> table = {
      {"no divisor of the cores",
       "extends: trn2-server\ncluster: {ranks_per_chip: ^3}\n" + one_all_reduce,
       2,
       "key 'cluster.ranks_per_chip': value '3'",
       {"does not divide the 8 cores"}},
      {"a GPU",
       "extends: p5\ncluster: {ranks_per_chip: ^2}\n" + one_all_reduce,
       3,
       "key 'cluster.ranks_per_chip'",
       {"h100", "inner"}},
      {"chips of one rank by chip",
       ring_and + "workload: {collective: all_reduce, sizes: 1MiB, ranks: {by: ^chip}}\n",
       2,
       "key 'workload.ranks.by'",
       {"one rank each"}},
      {"a level inside chips of one rank",
       ring_and + "workload: {collective: all_reduce, sizes: 1MiB, algorithm: {chip: ^ring, server: ring}}\n",
       2,
       "key 'workload.algorithm.chip'",
       {"cluster.ranks_per_chip is 1"}},
      {"copies beside ranks",
       "cluster: {ranks_per_chip: 2, chip: {inner: {cores: 2, bandwidth: 1GB/s, latency: 1us}, memory: "
       "{bandwidth: 1GB/s, ranks: ^2}}}\n" +
           one_all_reduce,
       2,
       "key 'cluster.chip.memory.ranks'",
       {"simulates each of the ranks"}},
      {"a graph",
       "cluster: {ranks_per_chip: ^2}\nfabric: {graph: {links: [{a: x, b: y, bandwidth: 1GB/s}]}}\nworkload: "
       "{flows: [{from: x, to: y, bytes: 1MB}]}\n",
       2,
       "key 'cluster.ranks_per_chip'",
       {"graph"}},
  };
  for (const BadInput& bad : table) check(bad);
}
