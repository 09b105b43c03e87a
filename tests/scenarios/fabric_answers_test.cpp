// What fabrics cost, from scenario text to picoseconds, each with its pencil value: what is lost with a link,
// a NIC, a spine, a plane, a leaf switch; what rails, hashing and distance do.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/errors.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "tests/support/balls_in_bins.h"

using namespace tahoma;
using namespace tahoma::literals;

namespace {

Result fabric_answer(const std::string& text, const std::vector<std::string>& sets = {}) {
  RunOptions options;
  options.advise = false;
  return run(load(text_request("apiVersion: tahoma/v1\nname: x\n" + text, sets)), options);
}

CollectiveRow row_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return fabric_answer(text, sets).collectives.at(0);
}

// Shares are floored to 2^-20 B/s, and ends rounded up to a picosecond.
void check_pencil(Duration time, double pencil_us) {
  CHECK(static_cast<double>(time.ps) >= pencil_us * 1e6 - 1);
  CHECK(static_cast<double>(time.ps) <= pencil_us * 1e6 + 2);
}

void check_close(Duration time, double pencil_us, double tolerance) {
  const double us = static_cast<double>(time.ps) / 1e6;
  INFO(us << " us, by pencil " << pencil_us << " us");
  CHECK(std::abs(us / pencil_us - 1) < tolerance);
}

/// Servers of 4 chips on a switch, leaves of 4 NICs, 4:1 to the spines, 25 GB/s a NIC.
std::string servers_of_four(const std::string& clos) {
  return "cluster: {chip: generic, count: 4}\n"
         "fabric: {scale_up: [{kind: switch, size: 4, bandwidth: 400GB/s, latency: 500ns}], scale_out: "
         "[{kind: "
         "clos, tiers: 2, size: 4, oversubscription: 4, bandwidth: 25GB/s, latency: [2us, 1us], " +
         clos + "}]}\n";
}
std::string shift_of(int by) {
  return "workload: {collective: permute, pattern: shift(" + std::to_string(by) + "), sizes: 25MB}\n";
}

}  // namespace

TEST_CASE("a torus ring that loses one link keeps half of its bandwidth") {
  // 8 chips, both ways round: 14 steps of 64 MB / 2 / 8 = 4 MB at 50 GB/s, 80 us, and 1 us.
  const std::string ring =
      "cluster: {chip: generic, count: 1}\n"
      "fabric: {scale_up: [{kind: torus, size: [8], bandwidth: 50GB/s, latency: 1us}]}\n"
      "workload: {collective: all_reduce, sizes: 64MB, algorithm: bidirectional_ring}\n";
  const CollectiveRow before = row_of(ring);
  check_pencil(before.time, 14 * (80.0 + 1));
  // What went over c3-c4 goes the other way round, over all seven links that are left: each carries two
  // messages, each at half the rate. A message that detours arrives 7 us later instead of 1.
  const CollectiveRow after = row_of(ring + "faults: {events: [{fail: c3<->c4}]}\n");
  check_close(after.time, 14 * (2 * 80.0 + 1), 0.05);
  CHECK(after.time.ps >= std::int64_t{14} * 161'000'000);
  CHECK(after.busbw_GBps / before.busbw_GBps == Approx(0.5).epsilon(0.05));
}

TEST_CASE("a server of 16 that loses one NIC sends for two chips over the one beside it") {
  // 4 servers; between them a ring on each of 16 rails: 6 steps of 64 MB / 16 / 4 = 1 MB at 25 GB/s, 40 us,
  // and 2 x 2 us. Inside, 2 x 15/16 of 64 MB over a switch port of 400 GB/s, all with all: 300 us and 4 x 0.5
  // us.
  const std::string servers =
      "cluster: {chip: generic, count: 4}\n"
      "fabric: {scale_up: [{kind: switch, size: 16, bandwidth: 400GB/s, latency: 500ns}], scale_out: [{kind: "
      "clos, tiers: 1, rails: 16, bandwidth: 25GB/s, latency: 2us}]}\n"
      "workload: {collective: all_reduce, sizes: 64MB, algorithm: {intra: direct, inter: ring}}\n";
  const CollectiveRow before = row_of(servers);
  const double inside = 300 + 2, between = 6 * 44;
  check_close(before.time, inside + between, 1e-6);
  // The rails of chip 0 and of its neighbour share one NIC: their six steps take 80 us and 4 us, and up to
  // four steps through the switch of 0.5 us.
  const CollectiveRow after = row_of(servers + "faults: {events: [{fail: us0.s0.c0.nic}]}\n");
  check_close(after.time, inside + 6 * (80 + 4 + 1), 0.03);
  CHECK(after.busbw_GBps / before.busbw_GBps == Approx((302 + 264.0) / (302 + 510)).epsilon(0.03));
}

TEST_CASE("a pod that loses one spine of eight keeps 7/8 of what leaves it") {
  const std::string tree =
      "cluster: {chip: generic, count: 16}\n"
      "fabric: {scale_out: [{kind: clos, tiers: 2, size: 8, bandwidth: 25GB/s, latency: [2us, 1us]}]}\n" +
      shift_of(8);
  // Each chip to one under the other leaf: 25 MB at 25 GB/s, and four links.
  const CollectiveRow before = row_of(tree);
  check_pencil(before.time, 1000 + 6);
  const CollectiveRow after = row_of(tree + "faults: {events: [{fail: pod0.spine3}]}\n");
  check_pencil(after.time, 1000 * 8.0 / 7 + 6);
  CHECK(after.busbw_GBps / before.busbw_GBps == Approx(1006 / (1000 * 8.0 / 7 + 6)));
}

TEST_CASE(
    "rails keep equal places of all servers off the spines, without them, servers stand alone on a leaf") {
  // shift(4): to the same place in the next server. With rails, the leaf's 4 NICs are those of that place.
  for (const char* rails : {"rails: 4", "rails: 4, between_rails: relay", "rails: 4, between_rails: none"}) {
    check_pencil(row_of(servers_of_four(rails) + shift_of(4)).time, 1000 + 4);
  }
  // Without rails a leaf is one server: its 4 flows share 100 GB/s / 4 upwards.
  check_pencil(row_of(servers_of_four("rails: 1") + shift_of(4)).time, 4000 + 6);
}

TEST_CASE("to another place, rails meet in the spines, rail-only goes through the switch of the server") {
  // shift(5): to the next place of the next server (or of the one after it). With rails, all 4 flows of a
  // leaf go up at once; rail-only hands each to the chip of its rail, whose own flow uses another NIC.
  check_pencil(row_of(servers_of_four("rails: 4") + shift_of(5)).time, 4000 + 6);
  check_pencil(row_of(servers_of_four("rails: 4, between_rails: relay") + shift_of(5)).time, 1000 + 4 + 1);
  CHECK_THROWS_WITH(row_of(servers_of_four("rails: 4, between_rails: none") + shift_of(5)),
                    Catch::Contains("us0.s0.c0 cannot reach us1.s0.c1"));
}

TEST_CASE("three of four planes carry three quarters, and the network still folds") {
  const std::string planes =
      "cluster: {chip: generic, count: 4}\n"
      "fabric: {scale_up: [{kind: switch, size: 4, bandwidth: 400GB/s, latency: 500ns}], scale_out: [{kind: "
      "clos, rails: 4, planes: 4, bandwidth: 25GB/s, latency: 2us}]}\n" +
      shift_of(4);
  check_pencil(row_of(planes).time, 250 + 4);
  const CollectiveRow after = row_of(planes + "faults: {events: [{fail: plane2}]}\n");
  check_pencil(after.time, 250 * 4.0 / 3 + 4);
  CHECK(after.solver == "quotient");
  CHECK_THROWS_AS(row_of(planes + "faults: {events: [{fail: \"plane*\"}]}\n"), InfeasibleError);
}

TEST_CASE("with dual ToR a dead leaf switch halves the NICs under it, with one it sends them round") {
  const auto pair = [](const std::string& ports) {
    return "cluster: {chip: generic, count: 8}\n"
           "fabric: {scale_up: [{kind: switch, size: 2, bandwidth: 400GB/s, latency: 500ns}], scale_out: "
           "[{kind: clos, rails: 2, tiers: 2, size: 4, latency: [2us, 1us], " +
           ports + "}]}\n" + shift_of(8);
  };
  const std::string dual = pair("bandwidth: 12.5GB/s, leaves_per_nic: 2");
  check_pencil(row_of(dual).time, 1000 + 6);
  const CollectiveRow half = row_of(dual + "faults: {events: [{fail: leaf0.switch1}]}\n");
  check_pencil(half.time, 2000 + 6);
  // The only leaf of the rail's first half is dead: its four chips borrow their neighbours' NICs, which then
  // carry two flows each, after a step through the server's switch on the dead side.
  const std::string single = pair("bandwidth: 25GB/s");
  check_pencil(row_of(single).time, 1000 + 6);
  const CollectiveRow round = row_of(single + "faults: {events: [{fail: leaf0}]}\n");
  check_close(round.time, 2000 + 6 + 2, 0.001);
}

TEST_CASE("a uniform all-to-all over a balanced dragonfly takes as long as its global links") {
  // p = 2, a = 4, h = 2: 9 groups, 72 chips. Of 72 MB per chip every pair moves 1 MB; on a global link
  // (a p)^2 = 64 pairs share 10 GB/s: 6.4 ms, more than 71 on a NIC or 68 on a local link of 20 GB/s. The
  // farthest pair is 2 x 1 us from its routers, 2 x 2 us local and 5 us global.
  const CollectiveRow row = row_of(
      "cluster: {chip: generic}\n"
      "fabric: {scale_out: [{kind: dragonfly, size: [2, 4, 9], bandwidth: [20GB/s, 20GB/s, 10GB/s], latency: "
      "[1us, 2us, 5us]}]}\n"
      "workload: {collective: all_to_all, sizes: 72MB, algorithm: direct}\n");
  CHECK(row.ranks == 72);
  check_close(row.time, 6400 + 11, 1e-6);
}

TEST_CASE(
    "group to next group a dragonfly gives 1 / (a p) by minimal routes and up to half by Valiant ones") {
  // p = 2, a = 4, h = 2, all links of 10 GB/s: the 8 chips of a group send 10 MB each to the next group over
  // one global link: 8 ms. Over third groups each flow takes two of the 72 global links, and 72 x 2 crossings
  // make 2 on average, so nobody can do better than 2 ms for all; the fullest link tells, as with ecmp.
  const auto permutation = [](const std::string& routing) {
    return "cluster: {chip: generic}\n"
           "fabric: {scale_out: [{kind: dragonfly, size: [2, 4, 9], bandwidth: 10GB/s, latency: 0s, "
           "routing: " +
           routing + "}]}\nworkload: {collective: permute, pattern: shift(8), sizes: 10MB}\n";
  };
  check_pencil(row_of(permutation("minimal")).time, 8000);
  double sum = 0;
  for (int seed = 0; seed < 50; ++seed) {
    const double ms = seconds(row_of(permutation("valiant"), {"seed=" + std::to_string(seed)}).time) * 1e3;
    CHECK(ms >= 2);
    sum += ms;
  }
  // A link out of a group (but for that to the next, which no detour takes) is drawn by each of the 8 flows
  // from there and by each of the 8 to its end with a chance of 1/7; nobody has less than those on the
  // fullest of the 63, which are independent but for each flow's taking one of 7.
  const auto at_most = [](int flows) {
    double chance = 0, exactly = std::pow(6.0 / 7, 16);
    for (int k = 0; k <= flows; ++k) {
      chance += exactly;
      exactly *= (16.0 - k) / (k + 1) / 6;
    }
    return std::pow(chance, 63);
  };
  double expected = 0;
  for (int flows = 0; flows < 16; ++flows) expected += 1 - at_most(flows);
  INFO("mean " << sum / 50 << " ms of " << expected);
  CHECK(sum / 50 == Approx(expected).epsilon(0.05));
}

TEST_CASE("ecmp: the last flow of a permutation waits for the fullest link, as balls in bins have it") {
  // 128 chips, leaves of 8, pods of 32, no oversubscription; each sends 25 MB to the chip 64 further on. A
  // link carries one NIC's rate, so its L flows have 1/L of it, and nobody has less than those on the fullest
  // link.
  const auto tree = [](const std::string& routing) {
    return "cluster: {chip: generic, count: 128}\n"
           "fabric: {scale_out: [{kind: clos, size: [8, 4], bandwidth: 25GB/s, latency: 1us, routing: " +
           routing + "}]}\n" + shift_of(64);
  };
  const double sprayed = seconds(row_of(tree("spray")).time);
  CHECK(sprayed == Approx(1000e-6 + 6e-6));
  double sum = 0, worst = 0;
  const std::string hashed = tree("ecmp");
  for (int seed = 0; seed < 100; ++seed) {
    const CollectiveRow row = row_of(hashed, {"seed=" + std::to_string(seed)});
    const double flows = (seconds(row.time) - 6e-6) / 1000e-6;
    CHECK(std::abs(flows - std::round(flows)) < 1e-6);
    sum += seconds(row.time) / sprayed;
    worst = std::max(worst, seconds(row.time) / sprayed);
  }
  // The fullest of 16 leaves up and 16 down (8 balls in 8 bins each) and of 4 pods up and 4 down (32 in 32),
  // were they independent: a spine that a leaf's flows crowd is the spine they leave the pod by, which
  // matters little.
  const auto at_most = [](int flows) {
    return std::pow(test::chance_of_at_most(8, 8, flows), 32) *
           std::pow(test::chance_of_at_most(32, 32, flows), 8);
  };
  double expected = 0;
  int least_worst = 0, most_worst = 0;  // of 100 draws, but for a chance of 1 in 1,000 either way
  for (int flows = 0; flows < 32; ++flows) {
    expected += 1 - at_most(flows);
    const double all = std::pow(at_most(flows), 100);
    if (all < 0.001) least_worst = flows + 1;
    if (all < 0.999) most_worst = flows + 1;
  }
  INFO("mean " << sum / 100 << " of " << expected << ", worst " << worst << " of " << least_worst << " to "
               << most_worst);
  CHECK(expected == Approx(4.80).margin(0.005));
  // One draw deviates by 0.75, so the mean of 100 by 1.6 %.
  CHECK(sum / 100 == Approx(expected).epsilon(0.05));
  CHECK(worst > least_worst - 0.1);
  CHECK(worst < most_worst + 0.1);
}

TEST_CASE("a flow over a WAN is capped by its window and by loss, over the round trip of its whole path") {
  const auto wan = [](const std::string& limits) {
    return "sites: [{name: a, chips: 1}, {name: b, chips: 1}]\n"
           "cluster: {chip: generic}\n"
           "fabric: {scale_out: [{kind: switch, bandwidth: 400Gbps, latency: 10us}], wan: [{a: a, b: b, "
           "bandwidth: "
           "400Gbps, distance: 1000km" +
           limits +
           "}]}\n"
           "workload: {flows: [{from: site.a.us0.s0.c0, to: site.b.us0.s0.c0, bytes: 1GB}]}\n";
  };
  const auto seconds_of = [&](const std::string& limits) {
    return seconds(fabric_answer(wan(limits)).flows.at(0).finish - Time{});
  };
  const double one_way = 1000 * 4.9e-6 + 2 * 10e-6;  // 4.9 us per km of fibre, and a NIC link at either end
  CHECK(seconds_of("") == Approx(1e9 / 50e9 + one_way).epsilon(1e-9));
  // 16 MB in flight per round trip of 9.84 ms.
  CHECK(seconds_of(", window: 16MB") == Approx(1e9 / (16e6 / (2 * one_way)) + one_way).epsilon(1e-9));
  // Mathis et al. 1997: MSS / (RTT sqrt(2 p / 3)), MSS = 8 KiB.
  const double mathis = 8192 / (2 * one_way * std::sqrt(2 * 1e-6 / 3));
  CHECK(seconds_of(", loss: 0.0001%") == Approx(1e9 / mathis + one_way).epsilon(1e-9));
  CHECK(seconds_of(", loss: 0.0001%, window: 16MB") == seconds_of(", loss: 0.0001%"));  // the lower cap
}

TEST_CASE(
    "latency per link delays the arrival once, overhead per message is paid by every message of a lane") {
  const std::string tree =
      "cluster: {chip: {name: generic, overhead: 3us}, count: 4}\n"
      "fabric: {scale_out: [{kind: switch, bandwidth: 25GB/s, latency: 2us}]}\n"
      "workload: {collective: all_to_all, sizes: 1MB, algorithm: pairwise}\n";
  // Three messages of 250 kB, 10 us each, in a row: 3 x (3 + 10) us, and two links at the end.
  check_pencil(row_of(tree).time, 3 * 13 + 4);
}

TEST_CASE("a part of the ports of a switched domain is as fast as its first chips alone in the whole one") {
  const auto racks = [](const std::string& shape, const std::string& ranks) {
    return "cluster: {preset: gb200-nvl72, count: 2" + shape +
           "}\nworkload: {collective: all_gather, sizes: 1MiB, algorithm: rail_rings" + ranks + "}\n";
  };
  const Result part = fabric_answer(racks(", shape: [8]", ""));
  CHECK(part.cluster.chips == 16);
  CHECK(part.collectives.at(0).time ==
        fabric_answer(racks("", ", ranks: \"s[0-1].c[0-7]\"")).collectives.at(0).time);
  CHECK_THROWS_WITH(fabric_answer(racks(", shape: [73]", "")), Catch::Contains("from 1 to 72"));
}
