// What the program promises in numbers, from scenario text to picoseconds, with the arithmetic beside it.
#include <catch2/catch.hpp>

#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;
using namespace tahoma::literals;

namespace {

Result answer(const std::string& text, const std::vector<std::string>& sets = {},
              const std::string& solver = "auto") {
  RunOptions options;
  options.advise = false;
  options.solver = solver;
  return run(load(text_request("apiVersion: tahoma/v1\nname: x\n" + text, sets)), options);
}

const std::string ring_of_64 =
    "cluster: {chip: generic, count: 1}\n"
    "fabric: {scale_up: [{kind: ring, size: 64, bandwidth: 50GB/s, latency: 500ns}]}\n";
const std::string switch_of_64 =
    "cluster: {chip: generic, count: 1}\n"
    "fabric: {scale_up: [{kind: switch, size: 64, bandwidth: 50GB/s, latency: 500ns}]}\n";

}  // namespace

TEST_CASE("a one-way ring of 64 chips takes 126 steps of a shard and a latency, to the picosecond") {
  const Result result =
      answer(ring_of_64 + "workload: {collective: all_reduce, sizes: 64MiB, algorithm: ring}\n");
  // 64 MiB / 64 = 2^20 B; 2^20 B / 50 GB/s = 20.97152 us exactly; + 0.5 us; x 2 (64 - 1)
  CHECK(result.collectives.at(0).time == Duration{126 * (std::int64_t{20'971'520} + 500'000)});
}

TEST_CASE("a direct all-to-all over a switch takes 63 shards of one port and two latencies") {
  const Result result =
      answer(switch_of_64 + "workload: {collective: all_to_all, sizes: 64MiB, algorithm: direct}\n");
  // 63 flows share the port: 63 x 2^20 B / 50 GB/s = 1,321.20576 us; two links of 0.5 us. The share is
  // floored to 2^-20 B/s, which may cost a picosecond.
  const std::int64_t pencil = 63 * std::int64_t{20'971'520} + 2 * 500'000;
  CHECK(result.collectives.at(0).time.ps >= pencil);
  CHECK(result.collectives.at(0).time.ps <= pencil + 1);
}

TEST_CASE("direct all-to-all of 1 GiB per chip on a Trn2 UltraServer at raw rates is bound by Z: 8.4 ms") {
  const Result result = answer(
      "extends: [trn2-ultraserver]\n"
      "workload: {collective: all_to_all, sizes: 1GiB, algorithm: direct}\n",
      {"fabric.scale_up.0.efficiency=1", "fabric.scale_up.1.efficiency=1"});
  // Half of z: 32 x 32 pairs x 2^30/64 B each way over 32 links of 64 GB/s = 8.389 ms; ties are split in two.
  const double pencil = 32.0 * 32.0 * (1073741824.0 / 64) / (32 * 64e9);
  CHECK(seconds(result.collectives.at(0).time) >= pencil);
  CHECK(seconds(result.collectives.at(0).time) <= pencil * 1.001);
}

TEST_CASE("the torus all-reduce of 1 GiB reaches 0.98 of the bound on equal rates and 0.95 on Trn2's") {
  const Result equal = answer(
      "cluster: {chip: generic, count: 1}\n"
      "fabric: {scale_up: [{kind: torus, size: [4, 4, 4], bandwidth: 50GB/s, latency: 1.5us}]}\n"
      "workload: {collective: all_reduce, sizes: 1GiB, algorithm: torus}\n");
  CHECK(equal.collectives.at(0).efficiency >= 0.98);
  const Result trn2 = answer(
      "extends: [trn2-ultraserver]\nworkload: {collective: all_reduce, sizes: 1GiB, algorithm: torus}\n");
  CHECK(trn2.collectives.at(0).efficiency >= 0.95);
}

TEST_CASE(
    "two equal jobs on the same saturated links take twice the bandwidth term, alone on others nothing "
    "more") {
  const std::string job = "collective: all_reduce, sizes: 64MiB, algorithm: ring";
  const Result alone = answer(ring_of_64 + "workload: {" + job + "}\n");
  const Result both =
      answer(ring_of_64 + "workload: {jobs: [{name: a, " + job + "}, {name: b, " + job + "}]}\n");
  REQUIRE(both.collectives.size() == 2);
  const std::int64_t doubled = 126 * (2 * std::int64_t{20'971'520} + 500'000);
  for (const CollectiveRow& row : both.collectives) {
    CHECK(row.time.ps >= doubled);
    CHECK(row.time.ps <= doubled + 126);  // 1 ps per step
  }
  const std::string halves =
      "cluster: {chip: generic, count: 2}\n"
      "fabric: {scale_up: [{kind: ring, size: 64, bandwidth: 50GB/s, latency: 500ns}], "
      "scale_out: [{kind: ring, size: 2, bandwidth: 1GB/s, latency: 1us}]}\n"
      "workload: {jobs: [{name: a, ranks: \"us0.s*.c*\", " +
      job + "}, {name: b, ranks: \"us1.s*.c*\", " + job + "}]}\n";
  const Result apart = answer(halves);
  REQUIRE(apart.collectives.size() == 2);
  CHECK(apart.collectives[0].time == alone.collectives.at(0).time);
  CHECK(apart.collectives[1].time == alone.collectives.at(0).time);
}

TEST_CASE("Rainier, shrunk in its counts only, is the same unfolded: every rank's picosecond", "[slow]") {
  const std::string rainier =
      "extends: [rainier]\n"
      "workload: {collective: all_reduce, sizes: \"1MiB..64MiB *8\", ranks: all, "
      "algorithm: {ultraserver: torus, site: halving_doubling, cluster: ring}}\n";
  const std::vector<std::string> small{"cluster.count=16",
                                       "sites=[{name: a, ultraservers: 4}, {name: b, ultraservers: 4}, "
                                       "{name: c, ultraservers: 4}, {name: d, ultraservers: 4}]",
                                       "fabric.wan=[{a: a, b: b, bandwidth: 100Tbps, latency: 10us}, "
                                       "{a: b, b: c, bandwidth: 100Tbps, latency: 10us}, "
                                       "{a: c, b: d, bandwidth: 100Tbps, latency: 10us}, "
                                       "{a: d, b: a, bandwidth: 100Tbps, latency: 10us}]"};
  const Result folded = answer(rainier, small);
  const Result engine = answer(rainier, small, "engine");
  REQUIRE(folded.collectives.size() == 3);
  CHECK(folded.cluster.chips == 1024);
  CHECK(folded.collectives[0].solver == "quotient");
  CHECK(engine.collectives[0].solver == "engine");
  CHECK(folded.fingerprint == engine.fingerprint);  // hash of all ranks' finish times, and of the scenario
  for (std::size_t r = 0; r < 3; ++r) CHECK(folded.collectives[r].time == engine.collectives[r].time);
}

TEST_CASE("the symmetric hierarchical all-reduce is the pencil sum of its phases") {
  //  4 domains, each a ring of 4 (100 GB/s, 1 us), one NIC of 25 GB/s per chip on its own rail's single leaf
  //  (2 us)
  const Result result = answer(
      "cluster: {chip: generic, count: 4}\n"
      "fabric: {scale_up: [{kind: ring, size: 4, bandwidth: 100GB/s, latency: 1us}], "
      "scale_out: [{kind: clos, tiers: 1, rails: 4, bandwidth: 25GB/s, latency: 2us}]}\n"
      "workload: {collective: all_reduce, sizes: 16MB, ranks: all, algorithm: {intra: ring, inter: "
      "halving_doubling}}\n");
  // reduce-scatter: 3 x (4 MB / 100 GB/s + 1 us)              = 3 x 41 us
  // halving-doubling of 4 MB over 4: 2 MB, 1 MB, 1 MB, 2 MB   = 6 MB / 25 GB/s + 4 x (2 + 2) us = 240 + 16 us
  // all-gather: as the reduce-scatter                         = 3 x 41 us
  CHECK(result.collectives.at(0).time == 123_us + 256_us + 123_us);
}

TEST_CASE("a dead link, a slow NIC and a straggler each cost time, and what is healthy is not touched") {
  const std::string base =
      "extends: [trn2-ultraserver]\ncluster: {count: 4}\n"
      "workload: {collective: all_reduce, sizes: 64MiB, ranks: all, algorithm: {intra: torus, inter: "
      "ring}}\n";
  const Duration healthy = answer(base).collectives.at(0).time;
  for (const char* fault : {"faults: {events: [{at: 0s, fail: \"us0.s1.c5<->us0.s1.c6\"}]}\n",
                            "faults: {events: [{at: 0s, degrade: \"us1.s0.c3.nic\", factor: 0.5}]}\n",
                            "faults: {stragglers: [{chips: \"us2.s1.c0\", delay: 50us}]}\n"}) {
    CHECK(answer(base + fault).collectives.at(0).time > healthy);
  }
}

TEST_CASE("the critical chain of a late rank names it, and its stretches add up to the time of the row") {
  // A ring of 64: 126 messages, each of 21.47152 us; chip 9 is 1 ms late, so the last ends at 9 + 126 = 7
  // (mod 64).
  const std::string late = "faults: {stragglers: [{chips: \"us0.s0.c9\", delay: 1ms}]}\n";
  for (const std::string solver : {"engine", "phases"}) {
    const Result result =
        answer(ring_of_64 + "workload: {collective: all_reduce, sizes: 64MiB, algorithm: ring}\n" + late, {},
               solver);
    CHECK(result.collectives.at(0).time ==
          Duration{1'000'000'000 + 126 * (std::int64_t{20'971'520} + 500'000)});
    CHECK(result.collectives.at(0).critical_chain ==
          std::vector<std::string>{
              "2.705 ms in all_reduce, ring: 126 messages passed on, us0.s0.c9 to us0.s0.c7",
              "1.000 ms before us0.s0.c9 begins, a straggler"});
  }
}
