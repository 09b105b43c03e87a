// Where ranks sit: `placement` orders the chips that `ranks` takes.
#include <catch2/catch.hpp>
#include <set>

#include "scenarios/placement.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "topology/shape.h"

using namespace tahoma;

namespace {

//   us0: c0-c1-c2-(c0)   us1   us2   us3: rings of 3, one NIC per chip, one switch
const std::string four_rings =
    "apiVersion: tahoma/v1\nname: x\ncluster: {chip: generic, count: 4}\n"
    "fabric: {scale_up: [{kind: ring, size: 3, bandwidth: 100GB/s, latency: 1us}], scale_out: [{kind: clos, "
    "tiers: 1, "
    "rails: 3, bandwidth: 10GB/s, latency: 1us}]}\n";

Result answer(const std::string& workload) {
  RunOptions options;
  options.advise = false;
  return run(
      load(text_request(four_rings + "workload: {collective: all_gather, sizes: 1200kB, algorithm: ring, " +
                        workload + "}\n")),
      options);
}

std::vector<ChipId> order(Placement::Kind kind, std::uint64_t seed = 0) {
  ClusterShape shape;
  Dimension x, y;
  x.kind = y.kind = DimensionKind::ring;
  x.size = 2;
  y.size = 3;
  x.bandwidth = y.bandwidth = {1, 9};
  shape.scale_up = {x, y};
  Clos clos;
  clos.bandwidth = {1, 9};
  clos.latency = {Duration{1}};
  shape.clos = clos;
  shape.sites = {{"", 2}};
  const auto topology = make_topology(shape);
  return order_of(*topology, {kind, seed, {}}, 0);
}

}  // namespace

TEST_CASE("each placement is an order of all chips") {
  using enum Placement::Kind;
  // chip = x + 2 y + 6 domain
  CHECK(order(packed) == std::vector<ChipId>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(order(by_rail) == std::vector<ChipId>{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
  CHECK(order(scattered) == std::vector<ChipId>{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11});
  const std::vector<ChipId> drawn = order(random, 7);
  CHECK(std::set<ChipId>(drawn.begin(), drawn.end()).size() == 12);
  CHECK(drawn == order(random, 7));
  CHECK(drawn != order(random, 8));
}

TEST_CASE("the first N ranks of a scattered order share no domain, and pay for it at their NICs") {
  // 3 ranks, shards of 400 kB: packed 2 x (4 us + 1 us); scattered over NICs of 10 GB/s 2 x (40 us + 2 x 1
  // us).
  CHECK(answer("ranks: 3").collectives.at(0).time == Duration{10'000'000});
  CHECK(answer("ranks: 3, placement: scattered").collectives.at(0).time == Duration{84'000'000});
}

TEST_CASE("a placement is the same as the list of its chips, whichever way it is written") {
  const auto time = [](const std::string& workload) { return answer(workload).collectives.at(0).time; };
  const Duration scattered = time("ranks: 6, placement: scattered");
  CHECK(scattered ==
        time("ranks: 6, placement: [us0.s0.c0, us1.s0.c0, us2.s0.c0, us3.s0.c0, us0.s0.c1, us1.s0.c1]"));
  CHECK(scattered == time("ranks: [[us0.s0.c0, us1.s0.c0, us2.s0.c0, us3.s0.c0, us0.s0.c1, us1.s0.c1]]"));
  CHECK(time("ranks: {size: 4}, placement: by_rail") ==
        time("ranks: [[us0.s0.c0, us1.s0.c0, us2.s0.c0, us3.s0.c0], [us0.s0.c1, us1.s0.c1, us2.s0.c1, "
             "us3.s0.c1], "
             "[us0.s0.c2, us1.s0.c2, us2.s0.c2, us3.s0.c2]]"));
}

TEST_CASE("a scattered order of all chips folds, and engine and phases say the same") {
  std::set<std::int64_t> times;
  for (const std::string solver : {"engine", "quotient", "phases"}) {
    RunOptions options;
    options.advise = false;
    options.solver = solver;
    const Result result =
        run(load(text_request(four_rings + "workload: {collective: all_reduce, sizes: 1200kB, "
                                           "algorithm: ring, placement: scattered}\n")),
            options);
    times.insert(result.collectives.at(0).time.ps);
  }
  CHECK(times.size() == 1);
}

TEST_CASE("a placement that cannot be is refused at its place, with what is accepted") {
  const auto refusal = [](const std::string& workload) {
    return refusal_of(
        text_request(four_rings + "workload: {collective: all_gather, sizes: 1MB, " + workload + "}\n"));
  };
  CHECK(refusal("placement: scatered").message.find("did you mean 'scattered'") != std::string::npos);
  CHECK(refusal("placement: random(x)").message.find("random(7)") != std::string::npos);
  CHECK(refusal("placement: [us0.s0.c0, us9.s0.c0]").exit_code == 2);
  CHECK(refusal("placement: [us0.s0.c0, us0.s0.c0]").message.find("twice") != std::string::npos);
  CHECK(refusal("placement: []").exit_code == 2);
  CHECK(refusal("placement: no/such/file").message.find("does not exist") != std::string::npos);
  CHECK(refusal("placement: random, ranks: \"us0.*.*\"").message.find("names the chips itself") !=
        std::string::npos);
  CHECK(refusal("placement: [us0.s0.c0, us0.s0.c1], ranks: 3").message.find("2 chips that are placed") !=
        std::string::npos);
}
