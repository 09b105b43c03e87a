// Sites of different hardware in one scenario: what they are made of, who holds the others up, what is
// refused.
#include <catch2/catch.hpp>

#include "scenarios/result_json.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_dump.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

/// One server of 8 GPUs of each of four makes; a GPU's share of the NICs is 50 Gbps on the first, 400 on the
/// others.
const std::string four_unlike_sites =
    "sites:\n"
    "  - {name: old, preset: p4d, servers: 1}\n"
    "  - {name: mid, preset: p5, servers: 1}\n"
    "  - {name: late, preset: p5e, servers: 1}\n"
    "  - {name: new, preset: p5en, servers: 1}\n"
    "fabric: {between_sites: {latency: 0s}}\n"
    "workload: {collective: all_reduce, sizes: 1GiB, algorithm: {intra: direct, inter: direct}}\n";

const std::string two_unlike_sites =
    "sites:\n"
    "  - {name: a, preset: trn2-ultraserver, ultraservers: 1}\n"
    "  - {name: b, preset: trn3-gen2-ultraserver, ultraservers: 1}\n"
    "fabric: {wan: [{a: a, b: b, bandwidth: 1Tbps, latency: 1ms}]}\n";
const std::string work_by_halves =
    "workload: {collective: all_reduce, sizes: 1MiB, algorithm: {intra: direct, inter: direct}}\n";

std::uint32_t chips_at_site(const ClusterShape& site) {
  std::uint32_t chips = site.sites.at(0).domains;
  for (const Dimension& dimension : site.scale_up) chips *= dimension.size;
  return chips;
}

Result unlike_result(const std::string& text, const std::vector<std::string>& sets = {}) {
  RunOptions options;
  options.advise = false;
  return run(load(text_request(text, sets)), options);
}

}  // namespace

TEST_CASE(
    "in an all-reduce over four unlike sites the slow one is the bottleneck and its NICs set the time") {
  const Result result = unlike_result(four_unlike_sites);
  const CollectiveRow& row = result.collectives.at(0);
  CHECK(row.ranks == 32);
  CHECK(row.exact);
  CHECK(row.bottleneck.find("NIC of site.old") == 0);

  // At the slow site, S = 1 GiB over 8 GPUs, shards of 2^27 bytes:
  //   inside    7 shards out of each port of 6 x 50 GB/s x 0.85 = 255 GB/s: 3684.3 us, then two links of
  //             0.3 us; once to scatter and once to gather
  //   between   each site adds up a quarter of each shard: a quarter goes to each of three others, by NICs of
  //             50 Gbps x 0.95 = 5.9375 GB/s: 3/4 x 2^27 / 5.9375e9 = 16953.8 us; once there and once back
  //   latency   8.65 + 0.675 + 0.675 us up or down, 1 us less on p5en. So its answers begin 19 us after the
  //             last byte has left here, and from then on these NICs are busy with what comes back; the last
  //             of it is from a p5, 20 us on the way
  // The others have scattered sooner: what they send here has come before this site has sent its own.
  const double inside = 7.0 * (1 << 27) / 255e9 + 0.6e-6;
  const double between = 0.75 * (1 << 27) / 5.9375e9;
  CHECK(seconds(row.time) == Approx(2 * (inside + between) + 19e-6 + 20e-6).epsilon(1e-8));
  // Of 41.3 ms its NICs are busy for twice 16.95 ms: 82 %.
  CHECK(row.bottleneck == "NIC of site.old (82.1 % busy)");

  // Twice the NICs of the slow site: its two exchanges take half as long. Other sites' NICs change nothing.
  const Result faster =
      unlike_result(four_unlike_sites, {"sites.0.cluster={nic: {count: 8, bandwidth: 100Gbps}}"});
  CHECK(seconds(row.time) - seconds(faster.collectives.at(0).time) == Approx(between).epsilon(1e-4));
  const Result other =
      unlike_result(four_unlike_sites, {"sites.1.cluster={nic: {count: 32, bandwidth: 200Gbps}}"});
  CHECK(other.collectives.at(0).time == row.time);
}

TEST_CASE("each site has the figures of its own preset and the resolved scenario runs to the same bytes") {
  const Scenario scenario = load(text_request(two_unlike_sites + work_by_halves));
  const auto& mixed = std::get<MixedShape>(scenario.network);
  REQUIRE(mixed.sites.size() == 2);
  CHECK(mixed.sites[0].scale_up.at(0).bandwidth == Decimal{128, 9});
  CHECK(chips_at_site(mixed.sites[0]) == 64);
  CHECK(chips_at_site(mixed.sites[1]) == 144);
  const Scenario again = load(text_request(scenario.resolved_yaml));
  CHECK(again.resolved_yaml == scenario.resolved_yaml);
  CHECK(dump(again) == dump(scenario));
  CHECK(to_json(unlike_result(two_unlike_sites + work_by_halves), false) ==
        to_json(unlike_result(scenario.resolved_yaml), false));

  bool from_trn2 = false, from_trn3 = false;
  for (const Explained& row : explain(text_request(two_unlike_sites + work_by_halves))) {
    from_trn2 |=
        row.path == "sites.0.fabric.scale_out.0.bandwidth" && row.origin == "preset trn2-ultraserver";
    from_trn3 |=
        row.path == "sites.1.fabric.scale_out.0.bandwidth" && row.origin == "preset trn3-gen2-ultraserver";
  }
  CHECK(from_trn2);
  CHECK(from_trn3);
}

TEST_CASE("a site that names no preset is of the hardware that the file gives for all") {
  const Scenario scenario = load(
      text_request("extends: trn2-server\nsites: [{name: a, servers: 1}, {name: b, preset: p5, servers: 1}]\n"
                   "fabric: {wan: [{a: a, b: b, bandwidth: 1Tbps, latency: 1ms}]}\n" +
                   work_by_halves));
  const auto& mixed = std::get<MixedShape>(scenario.network);
  CHECK(chips_at_site(mixed.sites.at(0)) == 16);
  CHECK(chips_at_site(mixed.sites.at(1)) == 8);
}

TEST_CASE("sites that name one preset are of one kind of hardware as before") {
  const Scenario scenario = load(text_request(
      "sites: [{name: a, preset: trn2-server, servers: 1}, {name: b, preset: trn2-server, servers: 2}]\n"
      "fabric: {wan: [{a: a, b: b, bandwidth: 1Tbps, latency: 1ms}]}\n" +
      one_all_reduce));
  CHECK(std::holds_alternative<ClusterShape>(scenario.network));
}

TEST_CASE("any one algorithm and any collective runs over all ranks of unlike sites") {
  for (const char* const collective : {"all_gather", "all_to_all", "broadcast", "reduce_scatter"}) {
    INFO(collective);
    const Result result = unlike_result(
        "sites: [{name: a, preset: trn2-server, servers: 1}, {name: b, preset: p5, servers: 1}]\n"
        "fabric: {wan: [{a: a, b: b, bandwidth: 1Tbps, latency: 1ms}]}\n"
        "workload: {collective: " +
        std::string(collective) + ", sizes: 1MiB}\n");
    CHECK(result.collectives.at(0).ranks == 24);
    CHECK(result.collectives.at(0).time >= result.collectives.at(0).lower_bound);
  }
}

TEST_CASE("faults and stragglers are named by site") {
  const double healthy = seconds(unlike_result(two_unlike_sites + work_by_halves).collectives.at(0).time);
  const auto with = [&](const std::string& faults) {
    return seconds(
        unlike_result(two_unlike_sites + work_by_halves + "faults: " + faults + "\n").collectives.at(0).time);
  };
  CHECK(with("{stragglers: [{chips: \"site.b.us0.s0.c0\", delay: 1ms}]}") > healthy + 0.9e-3);
  CHECK(with("{events: [{degrade: \"site.a->site.b\", factor: 0.01}]}") > healthy);
  CHECK(with("{events: [{fail: \"site.a.us0.s0.c0.nic\"}]}") > healthy);
  CHECK(with("{random: {fail: {nics: 3}, seed: 4}}") > healthy);
  const Refusal cut = refusal_of(
      text_request(two_unlike_sites + work_by_halves + "faults: {events: [{fail: \"site.a<->site.c\"}]}\n"));
  CHECK(cut.exit_code == 2);
  CHECK(cut.message.find("site.a->site.b") != std::string::npos);
}

TEST_CASE("what unlike sites cannot do is refused by key") {
  struct Row {
    std::string setting, key, says;
    int exit_code;
  };
  const Row rows[] = {
      {"sites.1.preset=trn3-gen2-ultrasever", "sites.1.preset", "did you mean 'trn3-gen2-ultraserver'", 2},
      {"sites.1.preset=rainier", "sites.1.preset", "whole cluster of sites", 2},
      {"sites.1.name=a", "sites.1.name", "a name of its own", 2},
      {"fabric={wan: []}", "sites.1", "is not joined to site 'a'", 2},
      {"fabric.between_sites={latency: 1us}", "fabric.between_sites", "one of the two", 2},
      {"fabric.scale_up=[]\nfabric.scale_up=[{kind: ring, size: 2, bandwidth: 1GB/s, latency: 1us}]",
       "fabric.scale_up", "sites.*.fabric", 2},
      {"cluster.count=3", "cluster", "hardware of their own", 2},
      {"sites.0.fabric={scale_out: []}", "sites.0.fabric.scale_out", "without NICs", 2},
      {"sites.0.fabric={wan: []}", "sites.0.fabric.wan", "is not known", 2},
      {"sites.0.fabric={scale_out: [{kind: clos, bandwidth: 100Gbps, latency: 1us, routing: ecmp}]}",
       "sites.0.fabric.scale_out.0.routing", "spray", 3},
      {"sites.0.fabric={scale_out: [{kind: ring, size: 1, bandwidth: 100Gbps, latency: 1us}]}",
       "sites.0.fabric.scale_out.0.kind", "clos or switch", 3},
      {"workload.algorithm={ultraserver: direct, cluster: direct}", "workload.algorithm.ultraserver",
       "unequal groups", 2},
      {"workload.algorithm={intra: direct, site: direct, cluster: direct}", "workload.algorithm.site",
       "unequal groups", 2},
      {"workload.algorithm={intra: direct}", "workload.algorithm", "reaches 144 of the 208 ranks", 2},
      {"workload.ranks={by: site}", "workload.ranks.by", "unequal groups", 2},
  };
  for (const Row& row : rows) {
    std::vector<std::string> sets;
    for (std::size_t start = 0; start < row.setting.size();) {
      const std::size_t end = std::min(row.setting.find('\n', start), row.setting.size());
      sets.push_back(row.setting.substr(start, end - start));
      start = end + 1;
    }
    INFO(row.setting);
    const Refusal refusal = refusal_of(text_request(two_unlike_sites + work_by_halves, sets));
    INFO(refusal.message);
    CHECK(refusal.exit_code == row.exit_code);
    CHECK(refusal.message.find("'" + row.key + "'") != std::string::npos);
    CHECK(refusal.message.find(row.says) != std::string::npos);
  }
}

TEST_CASE("over levels only an all-reduce of all ranks is built for unlike sites") {
  const std::string levels = "algorithm: {intra: direct, inter: direct}}\n";
  for (const std::string& work : {"workload: {collective: all_gather, sizes: 1MiB, " + levels,
                                  "workload: {collective: all_reduce, sizes: 1MiB, ranks: 100, " + levels}) {
    INFO(work);
    CHECK_THROWS_AS(unlike_result(two_unlike_sites + work), InfeasibleError);
  }
}
