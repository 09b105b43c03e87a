// The tables of communication software, and what a way of working makes of a network.
#include <catch2/catch.hpp>

#include <set>

#include "collectives/algorithms.h"
#include "collectives/stack/on_network.h"

namespace tahoma {

namespace {

const StackWay& way_named(std::string_view stack, std::string_view name) {
  for (const StackWay& way : stack_ways())
    if (way.stack == stack && way.name == name) return way;
  throw std::runtime_error("no such way");
}

Dimension dimension_of(DimensionKind kind, std::uint32_t size) {
  Dimension dimension;
  dimension.kind = kind;
  dimension.size = size;
  dimension.bandwidth = {50, 9};
  dimension.efficiency = {8, -1};
  dimension.latency = {1000};
  return dimension;
}

}  // namespace

TEST_CASE("every way of a stack names algorithms that exist and is found for its collectives") {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const StackWay& way : stack_ways()) {
    INFO(way.stack << " " << way.name);
    CHECK(stack_named(way.stack) != nullptr);
    CHECK(names.insert({way.stack, way.name}).second);
    CHECK((way.algorithm == listed_program || algorithm_named(way.algorithm) != nullptr));
    CHECK((way.between.empty() || algorithm_named(way.between) != nullptr));
    for (const std::string_view collective : words_of(way.collectives))
      CHECK(collective_named(collective).has_value());
  }
}

TEST_CASE("every parameter names a way and a protocol and a figure of its stack") {
  for (const Stack& stack : stacks()) {
    std::set<std::string> known;
    for (const StackWay& way : stack_ways()) {
      if (way.stack != stack.name) continue;
      for (const std::string_view collective : words_of(way.collectives)) {
        for (const StackCase& of : stack_cases(stack.name, *collective_named(collective), way.spread)) {
          for (const StackFigure& figure : stack_figures())
            for (std::string& name : parameter_names(of, figure.name)) known.insert(std::move(name));
        }
      }
    }
    for (const StackParameter& row : stack_parameters(stack.name)) {
      INFO(stack.name << " " << row.name);
      CHECK(known.count(std::string(row.name)) == 1);
      CHECK(!row.source.empty());
      CHECK((row.since.empty() || is_version(row.since)));
    }
  }
}

TEST_CASE("names of a parameter go from the most particular to the figure alone") {
  const StackCase of{&way_named("nccl", "ring"), "ll", Collective::all_reduce};
  CHECK(parameter_names(of, "floor") ==
        std::vector<std::string>{"all_reduce.ring.ll.floor", "all_reduce.ring.floor", "all_reduce.ll.floor",
                                 "all_reduce.floor", "ring.ll.floor", "ring.floor", "ll.floor", "floor"});
  const StackCase plain{&way_named("neuron", "ring"), "", Collective::all_gather};
  CHECK(parameter_names(plain, "floor") ==
        std::vector<std::string>{"all_gather.ring.floor", "all_gather.floor", "ring.floor", "floor"});
}

TEST_CASE(
    "of several rows the one of the preset wins before the one of the chip and the newest that is not too "
    "new") {
  const StackCase of{&way_named("nccl", "ring"), "ll", Collective::all_reduce};
  const std::vector<StackParameter> rows{
      {"nccl", "", "", "ll.floor", "1us", Provenance::assumed, "x"},
      {"nccl", "", "h100", "ll.floor", "2us", Provenance::assumed, "x"},
      {"nccl", "2.9", "h100", "ll.floor", "3us", Provenance::assumed, "x"},
      {"nccl", "2.18", "h100", "ll.floor", "4us", Provenance::assumed, "x"},
      {"nccl", "", "p5", "ll.floor", "5us", Provenance::assumed, "x"},
      {"nccl", "", "p5", "floor", "6us", Provenance::assumed, "x"},
  };
  const auto value = [&](const StackPlatform& platform) {
    return deciding_row(rows, of, "floor", platform)->value;
  };
  CHECK(value({"a100", "hgx-a100", ""}) == "1us");
  CHECK(value({"h100", "hgx-h100", "2.4"}) == "2us");
  CHECK(value({"h100", "hgx-h100", "2.10"}) == "3us");  // 2.9 < 2.10 < 2.18
  CHECK(value({"h100", "hgx-h100", ""}) == "4us");
  CHECK(value({"h100", "p5", ""}) == "5us");
  CHECK(deciding_row(rows, of, "step_up", {}) == nullptr);
}

TEST_CASE("versions are numbers with dots") {
  CHECK(is_version("2"));
  CHECK(is_version("2.18.5"));
  for (const std::string_view text : {"", ".", "2.", ".5", "2..5", "v2", "2.x", "1234567"})
    CHECK(!is_version(text));
}

TEST_CASE("a stack refuses chips of another maker only") {
  CHECK(runs_on(*stack_named("nccl"), "h100"));
  CHECK(!runs_on(*stack_named("nccl"), "trainium2"));
  CHECK(!runs_on(*stack_named("neuron"), "h100"));
  CHECK(runs_on(*stack_named("rccl"), "mi300x"));
  CHECK(runs_on(*stack_named("neuron"), "somebodys"));
  CHECK(runs_on(*stack_named("xla"), ""));
}

TEST_CASE("a stack takes its factor off every link and adds a step to every message") {
  ClusterShape shape;
  shape.scale_up = {dimension_of(DimensionKind::switched, 8), dimension_of(DimensionKind::ring, 2)};
  shape.clos = Clos{};
  shape.clos->bandwidth = {25, 9};
  shape.clos->latency = {{500}};
  shape.clos->tiers = 2;
  shape.sites = {{"", 4}};
  StackFigures figures;
  figures.factor_up = {5, -1};
  figures.factor_out = {25, -2};
  figures.step_up = {301};
  figures.step_out = {40};
  const auto changed = std::get<ClusterShape>(under_stack(shape, figures));
  // 0.8 x 0.5; a switched hop is two links: 1000 + ceil(301 / 2) each; on a ring it is one
  CHECK(changed.scale_up[0].efficiency == Decimal{4, -1});
  CHECK(changed.scale_up[0].latency == Duration{1151});
  CHECK(changed.scale_up[1].latency == Duration{1301});
  // only the links next to the NICs get the step: the tiers above keep their 500
  CHECK(changed.clos->efficiency == Decimal{25, -2});
  CHECK(changed.clos->latency == std::vector<Duration>{{520}, {500}});
}

TEST_CASE("no link carries more than the thread blocks of all channels move") {
  ClusterShape shape;
  shape.scale_up = {dimension_of(DimensionKind::switched, 8)};
  shape.inner.efficiency = {5, -1};
  StackFigures figures;
  figures.channel_rate = capacity_of({{4, 9}});
  figures.channels = 2;
  figures.factor_up = {5, -1};
  figures.factor_chip = {8, -1};
  auto changed = std::get<ClusterShape>(under_stack(shape, figures));
  // 2 x 4 GB/s in place of 50 x 0.8; what the protocol takes comes off that
  CHECK(capacity_of({changed.scale_up[0].bandwidth, changed.scale_up[0].efficiency}) ==
        capacity_of({{4, 9}}));
  CHECK(changed.inner.efficiency == Decimal{4, -1});
  // 20 channels move 80 GB/s: the link's own 40 GB/s are less
  figures.channels = 20;
  figures.factor_up = {1, 0};
  changed = std::get<ClusterShape>(under_stack(shape, figures));
  CHECK(changed.scale_up[0].bandwidth == shape.scale_up[0].bandwidth);
  CHECK(changed.scale_up[0].efficiency == shape.scale_up[0].efficiency);
}

TEST_CASE("in a graph the links between NICs and switches are those between domains") {
  //  a -- b    two chips joined, each with a NIC on the bus, and the NICs on a switch
  GraphShape graph;
  graph.vertices = {{"a", VertexKind::chip}, {"b", VertexKind::chip}, {"c", VertexKind::chip},
                    {"n", VertexKind::nic},  {"m", VertexKind::nic},  {"w", VertexKind::switch_}};
  const auto link = [](std::uint32_t from, std::uint32_t to) {
    GraphLink result;
    result.from = from;
    result.to = to;
    result.bandwidth = {1, 9};
    result.latency = {100};
    return result;
  };
  graph.links = {link(0, 1), link(1, 3), link(3, 5), link(2, 4), link(4, 5)};
  StackFigures figures;
  figures.factor_up = {5, -1};
  figures.factor_out = {25, -2};
  figures.step_up = {10};
  figures.step_out = {30};
  const auto changed = std::get<GraphShape>(under_stack(graph, figures));
  CHECK(changed.links[0].efficiency == Decimal{5, -1});
  CHECK(changed.links[0].latency == Duration{110});
  CHECK(changed.links[1].efficiency == Decimal{1, 0});  // the bus
  CHECK(changed.links[1].latency == Duration{100});
  CHECK(changed.links[2].efficiency == Decimal{25, -2});
  CHECK(changed.links[2].latency == Duration{115});

  const ScaleUpDomains domains{NetworkShape(graph)};
  CHECK(domains.of(0) == 0);
  CHECK(domains.of(1) == 0);
  CHECK(domains.of(2) == 1);
}

TEST_CASE("a launch grows with the doublings of the ranks and with the domains") {
  StackFigures figures;
  figures.floor = {100};
  figures.floor_per_doubling = {10};
  figures.floor_per_domain = {1};
  CHECK(launch_of(figures, 1, 1, Bytes{}) == Duration{100});
  CHECK(launch_of(figures, 8, 1, Bytes{}) == Duration{130});
  CHECK(launch_of(figures, 9, 2, Bytes{}) == Duration{141});  // four doublings, rounded up; one more domain
}

TEST_CASE("a buffer is cut into the chunks that it fills") {
  StackFigures figures;
  CHECK(chunks_of(figures, Bytes{1 << 20}) == 0);  // the algorithm's own choice
  figures.chunks = 8;
  CHECK(chunks_of(figures, Bytes{1}) == 8);
  figures.chunk = Bytes{1 << 18};
  CHECK(chunks_of(figures, Bytes{1 << 20}) == 4);
  CHECK(chunks_of(figures, Bytes{1 << 30}) == 8);
  CHECK(chunks_of(figures, Bytes{1 << 18}) == 0);
}

}  // namespace tahoma
