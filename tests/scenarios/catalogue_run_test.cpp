// Every preset answers: a collective on it, its graph, the closed forms of uniform traffic, and the keys that
// change a preset in few words.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "scenarios/hardware_page.h"
#include "scenarios/network.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "topology/presets.h"
#include "topology/summary.h"

using namespace tahoma;

namespace {

const std::set<std::string> large = {"rainier", "ultracluster3", "meta-24k-h100", "colossus-100k"};

std::string plain_name(const std::string& name) {
  return name.substr(0, name.find('@'));
}

Result run_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  RunOptions options;
  options.advise = false;
  return run(load(text_request(text, sets)), options);
}

void check_row(const std::string& cluster, const std::string& algorithm) {
  INFO(cluster);
  const Result result =
      run_of("cluster: " + cluster +
             "\nworkload: {collective: all_reduce, sizes: 64MiB, algorithm: " + algorithm + "}\n");
  REQUIRE(result.collectives.size() == 1);
  CHECK(result.collectives[0].exact);
  CHECK(result.collectives[0].time.ps > 0);
  CHECK(result.collectives[0].time >= result.collectives[0].lower_bound);
}

/// A lone chip has nothing to send: two of them have.
bool is_lone_chip(const std::string& name) {
  return preset_value(name, "cluster.unit") == "chip";
}

double all_to_all_s(const std::string& cluster, const std::string& fabric = "",
                    const std::vector<std::string>& sets = {}) {
  const Result result =
      run_of(cluster + fabric + "workload: {collective: all_to_all, sizes: 1GiB, algorithm: direct}\n", sets);
  return seconds(result.collectives.at(0).time);
}

std::unique_ptr<Topology> network_of(const std::string& cluster) {
  return std::move(make_network(load(text_request("cluster: " + cluster + "\n" + one_all_reduce))).topology);
}

ChipId chip_named(const Topology& topology, const std::string& name) {
  for (ChipId chip = 0; chip < topology.chips(); ++chip) {
    if (topology.chip_name(chip) == name) return chip;
  }
  FAIL("no chip " << name);
  return 0;
}

/// Effective GB/s out of a chip, as its links have it.
double out_of(const Topology& topology, ChipId chip) {
  std::vector<Edge> edges;
  topology.out_edges(chip, edges);
  double sum = 0;
  for (const Edge& edge : edges) sum += bytes_per_second(topology.capacity(edge.link)) / 1e9;
  return sum;
}

const std::string hardware_file = TAHOMA_SOURCE_DIR "/docs/hardware.md";
constexpr std::string_view table_marker = "a test compares them. -->\n";

std::string text_of_page() {
  std::ifstream stream(hardware_file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("every preset and every variant runs an all_reduce that is exact and beats no bound") {
  for (const std::string& name : preset_names_with_variants()) {
    if (name == "generic" || large.contains(plain_name(name))) continue;
    check_row("{preset: " + name + (is_lone_chip(name) ? ", count: 2}" : "}"), "auto");
  }
}

TEST_CASE("every preset with NICs runs across two of its units") {
  for (const std::string& name : preset_names()) {
    if (large.contains(name) || !preset_value(name, "fabric.scale_out.0.kind")) continue;
    const bool graph = preset_value(name, "fabric.graph.links").has_value();
    const bool chips = is_lone_chip(name);
    check_row("{preset: " + name + ", count: 2}", graph || chips ? "ring" : "{intra: ring, inter: ring}");
  }
}

TEST_CASE("the large presets run whole, a ring inside and a ring across", "[slow]") {
  for (const std::string& name : preset_names_with_variants()) {
    if (large.contains(plain_name(name))) check_row("{preset: " + name + "}", "{intra: ring, inter: ring}");
  }
}

TEST_CASE("every preset's network can be summarized") {
  for (const std::string& name : preset_names()) {
    if (large.contains(name) || name == "generic") continue;
    INFO(name);
    const TopologySummary summary = summarize(*network_of("{preset: " + name + "}"));
    CHECK(summary.chips >= 1);
    if (summary.chips > 1) CHECK(summary.distances.diameter_links >= 1);
  }
}

TEST_CASE("1 GiB per chip from all to all takes 8.4 ms on the Trn2 torus and 1.65 ms through a switch") {
  // Through a Z link goes half of what a chip sends: one hop on average, two directions. 0.5 GiB / 64 GB/s =
  // 8.389 ms; with the protocol's 0.88 of it, 9.532 ms.
  const std::string torus = "extends: [trn2-ultraserver]\n";
  CHECK(all_to_all_s(torus, "", {"fabric.scale_up.0.efficiency=1", "fabric.scale_up.1.efficiency=1"}) ==
        Approx(8.3886e-3).epsilon(2e-3));
  CHECK(all_to_all_s(torus) == Approx(9.5325e-3).epsilon(2e-3));
  // 63/64 GiB through a port of 640 GB/s: 1.6515 ms
  CHECK(all_to_all_s("fabric: {scale_up: [{kind: switch, size: 64, bandwidth: 640GB/s, latency: 0s}]}\n") ==
        Approx(1.6515e-3).epsilon(1e-4));
}

TEST_CASE("all to all on NVSwitch and TPU cubes takes what their closed forms say") {
  // 71/72 GiB / (18 x 50 GB/s x 0.80) = 1.4706 ms; 0.3 us twice
  CHECK(all_to_all_s("extends: [gb200-nvl72]\n") == Approx(1.4706e-3 + 0.6e-6).epsilon(1e-4));
  // 7/8 GiB / (4 x 112.5 GB/s x 0.82) = 2.5461 ms
  CHECK(all_to_all_s("extends: [hgx-h100]\n") == Approx(2.5461e-3 + 0.6e-6).epsilon(1e-4));
  // 1/8 GiB to each over a link of its own: / (64 GB/s x 0.75) = 2.7962 ms
  CHECK(all_to_all_s("extends: [mi300x-server]\n") == Approx(2.7962e-3 + 0.8e-6).epsilon(1e-4));
  // A ring of n in each dimension: a link carries n/8 of what a chip sends. n = 4: 0.5 GiB / (100 GB/s x 0.9)
  // = 5.9652 ms; n = 8: twice as long.
  CHECK(all_to_all_s("extends: [tpu-v5p]\n") == Approx(5.9652e-3).epsilon(2e-3));
  CHECK(all_to_all_s("cluster: {preset: tpu-v7, shape: [8, 8, 8]}\n") == Approx(11.9305e-3).epsilon(2e-3));
}

TEST_CASE("an all-reduce on some of a DGX-1's GPUs is as fast as the rings that fit on their links") {
  // busbw = rings x 25 GB/s x 0.9: 1, 2, 4, 2, 4 and 6 rings. Measured (NVIDIA's test, 1 GiB): 22.6, 45.1,
  // 85.4, 45.7, 87.0, 134.5.
  const std::map<int, double> busbw = {{2, 22.5}, {3, 45}, {4, 90}, {6, 45}, {7, 90}, {8, 135}};
  for (const auto& [ranks, expected] : busbw) {
    const Result result = run_of(
        "cluster: {preset: dgx1-v100}\nworkload: {collective: all_reduce, sizes: 1GiB, "
        "algorithm: graph_rings, dtype: fp32, ranks: " +
        std::to_string(ranks) + "}\n");
    // busbw = 2 (n - 1) / n x size / time, in GB/s
    const double n = ranks, moved = 2 * (n - 1) / n * 1.073741824;
    CHECK(moved / seconds(result.collectives.at(0).time) == Approx(expected).epsilon(0.002));
  }
}

TEST_CASE("a V100's six NVLinks form the hybrid cube mesh") {
  const auto mesh = network_of("{preset: dgx1-v100}");
  const TopologySummary summary = summarize(*mesh);
  CHECK(summary.chips == 8);
  CHECK(mesh->vertex_count() == 8);  // alone, a server has no use for its NICs
  CHECK(mesh->link_count() == 2 * 16);
  CHECK(summary.degree_min == 4);
  CHECK(summary.degree_max == 4);
  CHECK(summary.distances.diameter_links == 2);
  for (ChipId chip = 0; chip < 8; ++chip) CHECK(out_of(*mesh, chip) == Approx(6 * 25 * 0.9));
  // The ranks' order is a ring of NVLinks.
  Route route;
  for (ChipId chip = 0; chip < 8; ++chip) {
    mesh->route(chip, (chip + 1) % 8, 0, route);
    CHECK(route.path[0].links.size() == 1);
  }
}

TEST_CASE("a server of 16 MI250X dies has 4 links within a package and 1 or 2 between") {
  const auto mesh = network_of("{preset: mi250x-server}");
  const TopologySummary summary = summarize(*mesh);
  CHECK(summary.chips == 16);
  CHECK(mesh->link_count() == 2 * 28);
  CHECK(summary.degree_min == 3);
  CHECK(summary.degree_max == 4);
  Route route;
  for (int package = 0; package < 8; ++package) {
    const ChipId a = chip_named(*mesh, "g" + std::to_string(2 * package));
    const ChipId b = chip_named(*mesh, "g" + std::to_string(2 * package + 1));
    mesh->route(a, b, 0, route);
    REQUIRE(route.path[0].links.size() == 1);
    CHECK(bytes_per_second(mesh->capacity(route.path[0].links[0])) == Approx(4 * 50e9 * 0.75));
    CHECK(out_of(*mesh, a) == Approx(7 * 50 * 0.75));
    CHECK(out_of(*mesh, b) == Approx(7 * 50 * 0.75));
  }
  const auto frontier = network_of("{preset: mi250x-server@frontier}");
  CHECK(frontier->chips() == 8);
  CHECK(frontier->link_count() == 2 * 12);
}

TEST_CASE("copies of a graph are joined at their NICs") {
  //   s0.a ── s0.n ──╮          ╭── s1.n ── s1.a
  //   s0.b ── s0.n ──┴─ fabric ─┴── s1.n ── s1.b
  const std::string text =
      "cluster: {count: 2}\n"
      "fabric:\n"
      "  graph:\n"
      "    vertices: [{name: a}, {name: b}, {name: n, kind: nic}]\n"
      "    links:\n"
      "      - {a: a, b: b, bandwidth: 50GB/s, two_way: true}\n"
      "      - {a: a, b: n, bandwidth: 16GB/s, latency: 1us, two_way: true}\n"
      "      - {name: p, a: b, b: n, bandwidth: 16GB/s, latency: 1us, two_way: true}\n"
      "  scale_out: [{kind: switch, bandwidth: 100Gbps, latency: 2us}]\n";
  const std::string across =
      "workload: {flows: [{from: s0.a, to: s1.a, bytes: 1GB}, {from: s0.b, to: s1.b, bytes: 1GB}]}\n";
  // Both share the one NIC of 12.5 GB/s: 2 GB / 12.5 GB/s = 160 ms, and 1 + 2 + 2 + 1 us.
  const Result two = run_of(text + across);
  CHECK(seconds(two.flows.at(0).finish - Time{}) == Approx(0.160006).epsilon(1e-9));
  const Result faster = run_of(text + across, {"cluster.nic.bandwidth=200Gbps"});
  CHECK(seconds(faster.flows.at(0).finish - Time{}) == Approx(0.080006).epsilon(1e-9));
  const Scenario scenario = load(text_request(text + across));
  const auto& graph = std::get<GraphShape>(scenario.network);
  std::set<std::string> names;
  for (const GraphLink& link : graph.links) names.insert(link.name);
  CHECK(names.contains("s1.a->s1.b"));
  CHECK(names.contains("s1.p:s1.n->s1.b"));
  CHECK(names.contains("fabric->s0.n"));
  // One server loses its NIC.
  const Scenario one = load(text_request(text + one_all_reduce, {"cluster.count=1"}));
  CHECK(std::get<GraphShape>(one.network).vertices.size() == 2);
  CHECK(std::get<GraphShape>(one.network).links.size() == 2);
}

TEST_CASE("what copies of a graph cannot be is refused") {
  const std::string v100 = "cluster: {preset: dgx1-v100, count: ";
  CHECK(refusal_of(text_request(v100 + "4096}\n" + one_all_reduce)).exit_code == 3);
  CHECK(refusal_of(text_request(v100 + "2, nic: {count: 3}}\n" + one_all_reduce)).exit_code == 2);
  const Refusal clos = refusal_of(text_request(
      v100 + "2}\nfabric: {scale_out: [{kind: clos, bandwidth: 100Gbps, latency: 1us}]}\n" + one_all_reduce));
  CHECK(clos.exit_code == 2);
  CHECK(clos.message.find("does not join the NICs of a graph") != std::string::npos);
  const Refusal no_nic =
      refusal_of(text_request("cluster: {count: 2}\nfabric: {graph: {links: [{a: x, b: y, bandwidth: "
                              "1GB/s}]}, scale_out: [{kind: switch, "
                              "bandwidth: 100Gbps, latency: 1us}]}\n" +
                              one_all_reduce));
  CHECK(no_nic.message.find("no vertex of kind nic") != std::string::npos);
}

TEST_CASE("a slice closes only in whole cubes, or where an axis spans the pod") {
  const auto kinds = [](const std::string& cluster) {
    std::string text;
    const Scenario scenario = load(text_request("cluster: " + cluster + "\n" + one_all_reduce));
    for (const Dimension& d : std::get<ClusterShape>(scenario.network).scale_up)
      text += d.kind == DimensionKind::ring ? "ring " : "line ";
    return text;
  };
  CHECK(kinds("{preset: tpu-v5p, shape: [4, 4, 8]}") == "ring ring ring ");
  CHECK(kinds("{preset: tpu-v5p, shape: [2, 4, 4]}") == "line line line ");
  CHECK(kinds("{preset: tpu-v5e, shape: [8, 16]}") == "line ring ");
  CHECK(kinds("{preset: tpu-v5e, shape: [4, 8]}") == "line line ");
  CHECK(kinds("{preset: tpu-v6e}") == "ring ring ");
  const Refusal flat =
      refusal_of(text_request("cluster: {preset: tpu-v5p, shape: [4, 4]}\n" + one_all_reduce));
  CHECK(flat.exit_code == 2);
  const Refusal none =
      refusal_of(text_request("cluster: {preset: hgx-h100, shape: [2, 4]}\n" + one_all_reduce));
  CHECK(none.message.find("tpu-v5p") != std::string::npos);
}

TEST_CASE("nic and transport change a preset's scale-out, and give way to the scenario's own figures") {
  const auto clos = [](const std::string& cluster, const std::string& more = "") {
    const Scenario scenario = load(text_request("cluster: " + cluster + "\n" + more + one_all_reduce));
    return *std::get<ClusterShape>(scenario.network).clos;
  };
  // 16 NICs of 8 chips: two each. 4 of 8: half of one each, 25 GB/s / 2.
  CHECK(clos("{preset: hgx-h100, count: 2, nic: {count: 16, bandwidth: 200Gbps}}").planes == 2);
  const Clos half = clos("{preset: hgx-a100, count: 2, nic: {count: 4, bandwidth: 200Gbps}}");
  CHECK(half.planes == 1);
  CHECK(capacity_of({half.bandwidth}) == capacity_of({Decimal{125, 8}}));
  const Clos ib = clos("{preset: p5, count: 2, transport: ib}");
  CHECK(capacity_of({ib.efficiency}) == capacity_of({Decimal{97, -2}}));
  CHECK(ib.latency.at(0) == Duration{1'500'000});
  CHECK(ib.planes == 4);  // NICs stay
  const Clos own = clos("{preset: trn2-server, count: 2, transport: ib}",
                        "fabric: {scale_out: [{kind: clos, rails: 16, bandwidth: 100Gbps, latency: 3us, "
                        "efficiency: 0.5}]}\n");
  CHECK(own.latency.at(0) == Duration{3'000'000});
  CHECK(capacity_of({own.efficiency}) == capacity_of({Decimal{5, -1}}));
  const Refusal inf2 =
      refusal_of(text_request("cluster: {preset: inf2-server, transport: ib}\n" + one_all_reduce));
  CHECK(inf2.message.find("no fabric.scale_out to change") != std::string::npos);
}

TEST_CASE("resolved.yaml of a changed preset runs to the same fingerprint") {
  for (const char* cluster : {"{preset: p4d, count: 2, nic: {count: 8, bandwidth: 200Gbps}, transport: roce}",
                              "{preset: tpu-v5e, shape: [4, 16]}", "{preset: p3dn, count: 2}"}) {
    INFO(cluster);
    const Scenario first = load(text_request(std::string("cluster: ") + cluster + "\n" + one_all_reduce));
    RunOptions options;
    options.advise = false;
    CHECK(run(first, options).fingerprint ==
          run(load(text_request(first.resolved_yaml)), options).fingerprint);
  }
}

TEST_CASE("the hardware page holds the catalogue") {
  const std::string text = text_of_page();
  const std::size_t start = text.find(table_marker);
  REQUIRE(start != std::string::npos);
  const std::string head = text.substr(0, start + table_marker.size());
  if (std::getenv("TAHOMA_BLESS")) std::ofstream(hardware_file) << head << hardware_page();
  INFO("run this test with TAHOMA_BLESS=1 to write the page's tables anew");
  CHECK(text_of_page() == head + hardware_page());
}
