// What the keys become: shapes, work, faults, assertions; and resolved.yaml, which reads back to the same.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scenarios/assertion.h"
#include "scenarios/complaint.h"
#include "tests/scenarios/reader_dump.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;
namespace fs = std::filesystem;

namespace {

Scenario read(const std::string& text) {
  return load(text_request(text));
}

ClusterShape shape(const std::string& fabric_and_cluster) {
  return std::get<ClusterShape>(read(fabric_and_cluster + one_all_reduce).network);
}

CollectiveWork work(const std::string& more) {
  return std::get<CollectiveWork>(
      read(ring_and + "workload: {collective: all_reduce, sizes: 1MiB" + more + "}\n").jobs.at(0).work);
}

Clos clos(const std::string& keys, int count) {
  return *shape("cluster: {count: " + std::to_string(count) +
                "}\nfabric: {scale_out: [{kind: clos, bandwidth: 1GB/s, latency: 1us, " + keys + "}]}\n")
              .clos;
}

const std::string many_scenarios[] = {
    ring_of_eight,
    "extends: trn2-ultraserver\ncluster: {count: 4}\nworkload:\n  jobs:\n    - {name: dp, collective: "
    "[all_reduce, all_gather], sizes: [1GiB, \"1KiB..1MiB *4\"], ranks: {stride: 64}, algorithm: "
    "{ultraserver: torus, cluster: ring}}\n"
    "    - {name: tp, collective: all_gather, sizes: \"1MiB..64MiB *4\", ranks: {by: server}, algorithm: "
    "[auto, ring], start: 3us, repeat: 2}\n"
    "faults:\n  events: [{at: 0s, fail: \"us0.s1.c5<->us0.s1.c6\"}, {degrade: \"us1.s0.c3.nic\", factor: "
    "50%}]\n  random: {fail: {links: 34}, degrade: {links: 33, nics: 33}}\n"
    "  stragglers: [{chips: \"us2.s[0-1].c*\", delay: 50us}]\nassert: [\"time_s < 20ms\", \"efficiency > "
    "0.5\"]\nseed: 9\n",
    "extends: rainier\nworkload: {collective: all_reduce, sizes: 1GiB, algorithm: {intra: torus, inter: "
    "halving_doubling}, pipeline: 4}\n",
    "extends: trn3-gen2-ultraserver@aws_doc_literal\nworkload: {collective: broadcast, root: 3, sizes: 1MiB, "
    "ranks: 12}\n",
    "fabric:\n  graph:\n    vertices: [{name: w, kind: switch}]\n    links: [{a: x, b: w, bandwidth: 1GB/s, "
    "two_way: true}, {name: q, a: w, b: y, bandwidth: 2GB/s, latency: 3us, two_way: true}]\n"
    "workload: {flows: [{path: [\"x->w\", \"q:w->y\"], bytes: 5MB, rate_cap: 100MB/s, start: 2ms}, {from: x, "
    "to: y, bytes: 1kB, id: \"odd \\\" id\"}]}\n",
    four_domains_and +
        "workload: {collective: permute, pattern: shift(-3), sizes: 2MiB, ranks: [\"us0.c*\", \"us3.c*\"], "
        "root: "
        "1, channels: 2}\nname: \"null\"\ndescription: \"a: b # c\"\n",
    "cluster: {count: 6, chip: {name: big, overhead: 2us, reduction: {rate: 100GB/s}}}\nfabric: {scale_out: "
    "[{kind: torus, size: [2, 3], bandwidth: [1GB/s, 2GB/s], latency: 1us, both_directions: true}]}\n" +
        one_all_reduce,
};

}  // namespace

TEST_CASE("a torus is a ring per size, with figures of its own") {
  const ClusterShape made = shape(
      "fabric: {scale_up: [{kind: torus, size: [4, 2, 1, 3], bandwidth: [1GB/s, 2GB/s, 3GB/s, 4GB/s], "
      "latency: [1us, 2us, 3us, 4us], efficiency: 90%}]}\n");
  REQUIRE(made.scale_up.size() == 3);  // a side of 1 is no dimension
  CHECK(made.scale_up[1].kind == DimensionKind::ring);
  CHECK(made.scale_up[1].size == 2);
  CHECK(made.scale_up[1].bandwidth == Decimal{2, 9});
  CHECK(made.scale_up[2].latency.ps == 4'000'000);
  CHECK(made.scale_up[2].efficiency == Decimal{9, -1});
  CHECK(made.server_dimensions == 3);
}

TEST_CASE("each kind of dimension becomes what it says") {
  const auto kind = [](const std::string& name, const std::string& size, const std::string& more = "") {
    return shape("fabric: {scale_up: [{kind: " + name + ", size: " + size +
                 ", bandwidth: 8GB/s, latency: 1us" + more + "}]}\n")
        .scale_up.at(0);
  };
  CHECK(kind("ring", "4").kind == DimensionKind::ring);
  CHECK(kind("mesh", "[4]").kind == DimensionKind::line);
  CHECK(kind("full", "4").kind == DimensionKind::full);
  CHECK(kind("direct", "2", ", links: 2").links == 2);
  CHECK(kind("direct", "2").kind == DimensionKind::full);
  CHECK(kind("switch", "18", ", planes: 8").planes == 8);
  CHECK(kind("switch", "18").kind == DimensionKind::switched);
  CHECK(kind("ring", "4", ", both_directions: true").bandwidth ==
        Decimal{4, 9});  // 8 GB/s of both = 4 each way
}

TEST_CASE("the server is the first of several dimensions unless level says otherwise") {
  const std::string a = "{kind: ring, size: 4, bandwidth: 1GB/s, latency: 1us";
  const auto servers = [](const std::string& dims) {
    return shape("fabric: {scale_up: [" + dims + "]}\n").server_dimensions;
  };
  CHECK(servers(a + "}") == 1);
  CHECK(servers(a + "}, " + a + "}, " + a + "}") == 1);
  CHECK(servers(a + "}, " + a + ", level: server}, " + a + "}") == 2);
  CHECK(servers(a + ", level: ultraserver}, " + a + "}") == 0);
  CHECK(refusal_of(text_request("fabric: {scale_up: [" + a + ", level: ultraserver}, " + a +
                                ", level: server}]}\n" + one_all_reduce))
            .exit_code == 2);
}

TEST_CASE("a clos has the tiers its size or its radix suggest") {
  CHECK(clos("rails: 1", 9).tiers == 1);
  CHECK(clos("size: 4", 9).tiers == 2);
  CHECK(clos("size: 4", 9).leaf_width == 4);
  CHECK(clos("size: 4", 9).spines_per_pod == 4);                       // an uplink per NIC of a leaf
  CHECK(clos("size: 8, oversubscription: 4", 9).spines_per_pod == 2);  // 8 / 4
  CHECK(clos("size: [4, 2]", 9).tiers == 3);
  CHECK(clos("size: [4, 2]", 9).leaves_per_pod == 2);
  CHECK(clos("size: [4, 6], oversubscription: [1, 3]", 9).cores == 2);  // 6 leaves / 3
  CHECK(clos("radix: 16", 9).tiers == 1);                               // all 9 on one switch
  CHECK(clos("radix: 8", 9).tiers == 2);                                // 3 leaves of 8 / 2 = 4 ports down
  CHECK(clos("radix: 8", 9).leaf_width == 4);
  CHECK(clos("radix: 8, oversubscription: 3", 9).leaf_width == 6);  // 8 x 3 / 4
  CHECK(clos("radix: 8", 40).tiers == 3);                           // 10 leaves, and a spine has 8 ports
  CHECK(clos("radix: 8", 40).leaves_per_pod == 4);                  // 8 / 2 ports down
  CHECK(clos("size: 4", 9).routing == Routing::spray);
}

TEST_CASE("sites count domains in any unit, and a fibre has 4.9 us per km") {
  const ClusterShape made = shape(
      "extends: trn2-ultraserver\nsites: [{name: a, ultraservers: 2}, {name: b, servers: 12}, {name: c, "
      "chips: 64}]\n"
      "fabric: {wan: [{a: a, b: c, bandwidth: 100Gbps, distance: 400km, loss: 1e-7}, {name: w, a: b, b: c, "
      "bandwidth: 1Tbps, latency: 2ms, window: 64MiB}]}\n");
  CHECK(made.sites.at(0).domains == 2);
  CHECK(made.sites.at(1).domains == 3);  // 12 servers of 4 per UltraServer
  CHECK(made.sites.at(2).domains == 1);
  CHECK(made.wans.at(0).name == "a-c");
  CHECK(made.wans.at(0).latency.ps == 1'960'000'000);  // 400 km x 4.9 us
  CHECK(made.wans.at(0).loss == Decimal{1, -7});
  CHECK(made.wans.at(1).window == Bytes{64ULL << 20});
}

TEST_CASE("ranks have many forms") {
  CHECK(std::holds_alternative<RanksAll>(work("").ranks.value));
  CHECK(std::get<RanksFirst>(work(", ranks: 5").ranks.value).count == 5);
  CHECK(std::get<RanksSelected>(work(", ranks: \"c[2-4]\"").ranks.value).selector == "c[2-4]");
  CHECK(std::get<RanksBy>(work(", ranks: {by: server}").ranks.value).level == Level::server);
  CHECK(std::get<RanksStride>(work(", ranks: {stride: 4}").ranks.value).stride == 4);
  CHECK(std::get<RanksSize>(work(", ranks: {size: 2}").ranks.value).size == 2);
  const auto groups = std::get<RanksGroups>(work(", ranks: [[c0, c3], \"c[4-5]\"]").ranks.value).groups;
  CHECK(groups == std::vector<std::vector<std::string>>{{"c0", "c3"}, {"c[4-5]"}});
}

TEST_CASE("algorithms are auto, one, several, or one per level from the inside out") {
  CHECK(work("").algorithms.at(0).automatic);
  CHECK(work(", algorithm: [ring, direct]").algorithms.at(1).name == "direct");
  const AlgorithmChoice levels = work(", algorithm: {inter: ring, server: direct}").algorithms.at(0);
  CHECK(!levels.automatic);
  CHECK(levels.levels ==
        std::vector<std::pair<std::string, std::string>>{{"server", "direct"}, {"inter", "ring"}});
}

TEST_CASE("the smaller keys of a collective arrive") {
  CHECK(work(", dtype: fp32").element_bytes == 4);
  CHECK(work("").element_bytes == 2);
  CHECK(work(", channels: 4").channels == 4);
  CHECK(work(", channel_rule: eager").channel_rule == ChannelRule::eager);
  CHECK(work(", pipeline: 8").pipeline == 8);
  CHECK(work("").pipeline == 0);
  CHECK(work(", pattern: shift(-3)").pattern->shift == -3);
  CHECK(work(", pattern: random").pattern->kind == PermutePattern::Kind::random);
  CHECK(work(", pattern: [1, 0, 3, 2, 5, 4, 7, 6]").pattern->destinations.at(2) == 3);
}

TEST_CASE("flows and patterns come from files beside the scenario") {
  const fs::path folder = fs::temp_directory_path() / ("tahoma-files-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "m.csv") << "# matrix\nfrom,to,bytes,start\nc0,c1,1000,\n\nc2, c3 ,2MiB,5us\r\n";
  std::ofstream(folder / "p.txt") << "# destinations\n1\n2\n3\n4\n5\n6\n7\n0\n";
  std::ofstream(folder / "bad.csv") << "from,to,bites\nc0,c1,1\n";
  std::ofstream(folder / "worse.csv") << "from,to,bytes,start\nc0,c1,1,7\n";
  LoadRequest request = text_request(ring_and + "workload: {file: m.csv}\n");
  request.file = (folder / "x.yaml").string();
  const Scenario scenario = load(request);
  const FlowWork& flows = std::get<FlowWork>(scenario.jobs.at(0).work);
  REQUIRE(flows.flows.size() == 2);
  CHECK(flows.flows[0].bytes.count == 1000);
  CHECK(flows.flows[1].bytes.count == 2ULL << 20);
  CHECK(flows.flows[1].start.ps == 5'000'000);
  CHECK(flows.flows[1].ends->second == "c3");
  CHECK(scenario.resolved_yaml.find("m.csv") == std::string::npos);  // it stands alone
  request.text = ring_and + "workload: {collective: permute, sizes: 1MiB, pattern: p.txt}\n";
  CHECK(std::get<CollectiveWork>(load(request).jobs.at(0).work).pattern->destinations ==
        std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 0});
  request.text = ring_and + "workload: {file: bad.csv}\n";
  CHECK(refusal_of(request).message.find("bad.csv:1:9: key 'workload.file': value 'bites' is no column") !=
        std::string::npos);
  request.text = ring_and + "workload: {file: worse.csv}\n";
  CHECK(refusal_of(request).message.find(
            "worse.csv:2:9: key 'workload.flows.0.start': value '7' has no unit") != std::string::npos);
  fs::remove_all(folder);
}

TEST_CASE("a two-way link of a graph is two links that know each other") {
  const GraphShape graph = std::get<GraphShape>(read(many_scenarios[4]).network);
  REQUIRE(graph.links.size() == 4);
  CHECK(graph.vertices.at(0).name == "w");
  CHECK(graph.vertices.at(0).kind == VertexKind::switch_);
  CHECK(graph.vertices.at(1).kind == VertexKind::chip);
  CHECK(graph.links[0].name == "x->w");
  CHECK(graph.links[1].name == "w->x");
  CHECK(graph.links[3].name == "q:y->w");
  CHECK(graph.links[3].reverse == 2);
  CHECK(graph.links[2].latency.ps == 3'000'000);
}

TEST_CASE("assertions compare in the metric's unit") {
  CHECK(parse_assertion("time_s < 20ms").value == 0.02);
  CHECK(parse_assertion("busbw_GBps >= 800Gbps").value == 100);
  CHECK(parse_assertion("efficiency > 95%").value == 0.95);
  CHECK(parse_assertion("bytes == 1KiB").value == 1024);
  CHECK(parse_assertion("busbw_GBps>=100").relation == Assertion::Relation::greater_equal);
  CHECK(parse_assertion("ranks <= 64").relation == Assertion::Relation::less_equal);
}

TEST_CASE("a key that cannot change the result is warned about, unless a preset wrote it") {
  const auto warnings = [](const std::string& text) {
    std::string all;
    for (const std::string& warning : read(text).warnings) all += warning + "\n";
    return all;
  };
  CHECK(warnings(ring_of_eight).empty());
  CHECK(warnings("extends: trn2-ultraserver\n" + one_all_reduce).empty());
  CHECK(warnings(ring_of_eight + "seed: 3\n") == "key 'seed' cannot change the result: nothing is random\n");
  CHECK(warnings(ring_and + "workload: {collective: all_reduce, sizes: 1MiB, root: 1}\n") ==
        "key 'workload.root' cannot change the result: it counts only with collective: broadcast gather "
        "scatter reduce\n");
  CHECK(
      warnings(ring_and + "workload: {collective: all_gather, sizes: 1MiB, algorithm: direct, channels: 2}\n")
          .find("workload.channels") != std::string::npos);
  CHECK(
      warnings(
          "cluster: {chip: {reduction: {rate: 1GB/s}}}\nfabric: {scale_up: [{kind: ring, size: 8, bandwidth: "
          "1GB/s, latency: 1us, planes: 2}]}\nworkload: {collective: all_gather, sizes: 1MiB}\n") ==
      "key 'fabric.scale_up.0.planes' cannot change the result: it counts only with kind: switch clos\n"
      "key 'cluster.chip.reduction' cannot change the result: nothing is reduced\n");
  CHECK(warnings("cluster: {count: 2}\nfabric: {scale_out: [{kind: clos, oversubscription: 2, bandwidth: "
                 "1GB/s, latency: 1us}]}\n" +
                 one_all_reduce) ==
        "key 'fabric.scale_out.0.oversubscription' cannot change the result: a clos of one tier has no "
        "uplinks\n");
}

TEST_CASE("resolved.yaml reads back to the same scenario and the same text") {
  for (const std::string& text : many_scenarios) {
    const Scenario first = read(text);
    INFO(first.resolved_yaml);
    const Scenario again = read(first.resolved_yaml);
    CHECK(again.resolved_yaml == first.resolved_yaml);
    CHECK(dump(again) == dump(first));
  }
}

TEST_CASE("a scenario without work can be read for its network alone") {
  LoadRequest request = text_request("extends: trn2-server\n");
  CHECK(refusal_of(request).exit_code == 2);
  request.needs_workload = false;
  CHECK(load(request).jobs.empty());
}
