// The catalogue's figures, recomputed from their parts and from the graph they make.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "tests/topology/preset_shape.h"
#include "topology/max_flow.h"
#include "topology/summary.h"

namespace tahoma {
namespace {

using namespace tahoma::literals;
using test::PresetShape;

std::unique_ptr<Topology> preset(const char* name, std::uint32_t count = 1) {
  return make_topology(PresetShape(name).shape(count));
}

// Raw capacity of the links that leave a chip inside its domain.
u128 raw_out_of_chip(const char* name) {
  const auto topology = preset(name);
  for (const Cut& cut : topology->cuts()) {
    if (cut.name == "one chip") return cut.raw_out.q20;
  }
  return 0;
}

u128 gigabytes(std::uint64_t n) {
  return u128{n} * 1'000'000'000 << 20;
}

std::uint32_t hops(const Topology& topology, ChipId a, ChipId b) {
  Route route;
  topology.route(a, b, 0, route);
  return static_cast<std::uint32_t>(route.path[0].links.size()) - 1;
}

}  // namespace

TEST_CASE("a Trn2 server is a 4x4 torus: 32 edges, degree 4") {
  const auto topology = preset("trn2-server");
  const TopologySummary summary = summarize(*topology);
  CHECK(summary.chips == 16);
  CHECK(summary.chip_edges == 32);
  CHECK(summary.degree_min == 4);
  CHECK(summary.degree_max == 4);
  CHECK(summary.distances.diameter_links == 4);
  CHECK(summary.distances.diameter_latency == 6_us);
  // Adjacency of the Neuron tools: device 0 has 12, 3, 4, 1; 5 has 1, 4, 9, 6; 15 has 11, 14, 3, 12.
  const auto neighbours = [&](ChipId chip) {
    std::vector<Edge> edges;
    topology->out_edges(chip, edges);
    std::set<VertexId> found;
    for (const Edge& edge : edges) found.insert(edge.to);
    return found;
  };
  CHECK(neighbours(0) == std::set<VertexId>{12, 3, 4, 1});
  CHECK(neighbours(5) == std::set<VertexId>{1, 4, 9, 6});
  CHECK(neighbours(15) == std::set<VertexId>{11, 14, 3, 12});
}

TEST_CASE("a Trn2 UltraServer has 128 + 64 edges and 2,048 GB/s through its weakest bisection") {
  const auto topology = preset("trn2-ultraserver");
  const TopologySummary summary = summarize(*topology);
  REQUIRE(summary.dimensions.size() == 3);
  CHECK(summary.dimensions[0].edges + summary.dimensions[1].edges == 128);
  CHECK(summary.dimensions[2].edges == 64);
  CHECK(summary.servers == 4);
  CHECK(summary.degree_min == 6);
  REQUIRE(summary.weakest >= 0);
  const Cut& weakest = summary.cuts[static_cast<std::size_t>(summary.weakest)];
  CHECK(weakest.name == "half of z");
  CHECK(weakest.raw_out.q20 == gigabytes(2048));  // 32 x 64
  CHECK(weakest.out.q20 == gigabytes(2048) * 88 / 100);
  CHECK(weakest.out == max_flow(*topology, chips_inside(*topology, weakest)));
  // 1.28 TB/s both directions per chip: 4 x 128 + 2 x 64 = 640 each way.
  CHECK(raw_out_of_chip("trn2-ultraserver") == gigabytes(640));
  CHECK(raw_out_of_chip("trn2-server") == gigabytes(512));
}

TEST_CASE("hops in a Trn3 Gen2 UltraServer are those of the datasheet") {
  // chip = position p of sled s in rack R: p + 4 s + 72 R
  const auto topology = preset("trn3-gen2-ultraserver");
  REQUIRE(topology->chips() == 144);
  CHECK(hops(*topology, 0, 4) == 1);   // same position, other sled: one plane switch
  CHECK(hops(*topology, 0, 1) == 1);   // same sled: one sled switch
  CHECK(hops(*topology, 0, 5) == 3);   // sled switch, chip, plane switch
  CHECK(hops(*topology, 0, 72) == 0);  // straight to the other rack
  CHECK(hops(*topology, 0, 72 + 4) == 2);
  CHECK(hops(*topology, 0, 72 + 5) == 4);
  CHECK(distances(*topology).diameter_hops == 4);
  // 16 + 2 links of 64 GB/s are AWS's 1.2 TB/s active; the two levels of switches make its 2,048 GB/s both
  // ways.
  CHECK(raw_out_of_chip("trn3-gen2-ultraserver") == gigabytes(16 * 64 + 128));
  CHECK(raw_out_of_chip("trn3-gen2-ultraserver@aws_doc_literal") == gigabytes(256 + 320 + 128));
  const TopologySummary summary = summarize(*topology);
  CHECK(summary.chip_edges == 72);
  CHECK(summary.switches.at(0).count == 36 * 8);
  CHECK(summary.switches.at(1).count == 8 * 8);  // active planes
}

TEST_CASE("EFA takes 12.3 us through one switch and 15 us through five") {
  const auto topology = preset("trn2-ultraserver", 1024);
  Route route;
  const std::uint32_t next_us = 64, last_us = 64 * 1023;
  topology->route(0, next_us, 0, route);
  CHECK(route.path[0].latency == Duration{12'300'000});
  topology->route(0, last_us, 0, route);
  CHECK(route.path[0].latency == 15_us);
  CHECK(topology->capacity(route.path[0].links[0]) == Capacity{gigabytes(25) * 95 / 100});
  for (const LinkId link : route.path[0].links) {
    if (link != route.path[0].links.front() && link != route.path[0].links.back())
      CHECK(topology->never_binds(link));
  }
}

TEST_CASE("Rainier is 524,288 chips on four equal sites, UltraCluster 3 has 1,179,648 chips") {
  const auto rainier = preset("rainier");
  CHECK(rainier->chips() == 524'288);
  std::string names;
  for (const Digit& digit : rainier->digits()) names += digit.name + " " + std::to_string(digit.size) + ", ";
  CHECK(names == "x 4, y 4, z 4, pos 32, leaf 16, pod 4, site 4, ");
  const auto count = PresetShape("ultracluster3").number("cluster.count");
  const auto cluster = preset("ultracluster3", count);
  CHECK(cluster->chips() == 1'179'648);
  Route route;
  rainier->route(0, 524'287, 0, route);
  // 15 us up and down, 2 x 4.9 us of fibre
  CHECK(route.path[0].latency == Duration{15'000'000 + 9'800'000});
}

TEST_CASE("every row of the catalogue is complete, and its source is known") {
  std::set<std::string_view> sources;
  for (const PresetSource& source : preset_sources()) CHECK(sources.insert(source.key).second);
  std::set<std::string> seen;
  for (const PresetRow& row : preset_rows()) {
    INFO(row.preset << " " << row.path);
    CHECK(sources.count(row.source) == 1);
    CHECK_FALSE(row.value.empty());
    CHECK(seen.insert(std::string(row.preset) + " " + std::string(row.path) + "@" + std::string(row.variant))
              .second);
  }
  for (const std::string& name : preset_names()) {
    INFO(name);
    CHECK(preset_value(name, "describes").has_value());
    CHECK(preset_value(name, "cluster.chip.name").has_value());
  }
}

TEST_CASE("a variant replaces the plain rows of its paths, through extends too") {
  CHECK(preset_value("trn3-gen2-ultraserver", "fabric.scale_up.0.planes") == "8");
  CHECK(preset_value("trn3-gen2-ultraserver@aws_doc_literal", "fabric.scale_up.0.planes") == "4");
  CHECK(preset_value("ultracluster3@aws_doc_literal", "fabric.scale_up.0.planes") == "4");
  CHECK(preset_value("ultracluster3@aws_doc_literal", "cluster.count") == "8192");
  CHECK(preset_value("trn2-ultraserver", "facts.fp8_dense") == "1299TFLOPS");
  CHECK(preset_value("trn2-ultraserver", "cluster.unit") == "UltraServer");
  CHECK(rows_of_preset("trn3-gen2-ultraserver@no_such").empty());
  CHECK(rows_of_preset("no-such-preset").empty());
  const auto names = preset_names_with_variants();
  CHECK(std::count(names.begin(), names.end(), "trn3-gen2-ultraserver@aws_doc_literal") == 1);
}

}  // namespace tahoma
