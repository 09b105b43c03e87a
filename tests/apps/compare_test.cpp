// `tahoma compare` and the variants of `tahoma run`, from outside.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;

namespace {

const std::string rings =
    "apiVersion: tahoma/v1\n"
    "name: rings\n"
    "cluster: {chip: generic, count: 1}\n"
    "fabric: {scale_up: [{kind: ring, size: 8, bandwidth: 100GB/s, latency: 1us}]}\n"
    "workload: {collective: all_reduce, sizes: 8MB, algorithm: ring}\n";
const std::string variants =
    "sweep:\n"
    "  variants:\n"
    "    slow: {fabric: {scale_up: [{kind: ring, size: 8, bandwidth: 50GB/s, latency: 1us}]}}\n"
    "    big: {workload: {sizes: 16MB}}\n";

}  // namespace

TEST_CASE("variants run beside the scenario: times, the difference and its cause") {
  const Folder folder;
  const std::string file = folder.file("rings.yaml", rings + variants);
  const Outcome text = run({"run", file});
  CHECK(text.code == 0);
  // 14 steps of 1 MB: 14 x (10 us + 1 us) = 154 us, and at half the bandwidth 14 x 21 us = 294 us.
  CHECK_THAT(text.out, Contains("slow: all_reduce of 8 MB takes 294.000 us instead of 154.000 us (+90.9 %)"));
  CHECK_THAT(text.out, Contains("140.000 us more in"));
  CHECK_THAT(text.out, Contains("big: has no row in common with the scenario itself"));
  const auto json = nlohmann::json::parse(run({"run", file, "--format", "json"}).out);
  CHECK(json["collectives"][0]["time_s"] == 0.000154);
  REQUIRE(json["variants"].size() == 2);
  CHECK(json["variants"][0]["name"] == "slow");
  CHECK(json["variants"][0]["collectives"][0]["time_s"] == 0.000294);
  const Outcome csv = run({"run", file, "--format", "csv"});
  CHECK_THAT(csv.out, Contains("\nrings,") && Contains("\nrings@slow,") && Contains("\nrings@big,"));
}

TEST_CASE("a variant is the same as the scenario with the variant's keys in it") {
  const Folder folder;
  const auto with =
      nlohmann::json::parse(run({"run", folder.file("a.yaml", rings + variants), "--format", "json"}).out);
  const auto alone =
      nlohmann::json::parse(run({"run", folder.file("b.yaml", rings), "--set", "name=rings", "--set",
                                 "fabric.scale_up.0.bandwidth=50GB/s", "--format", "json"})
                                .out);
  CHECK(with["variants"][0]["collectives"] == alone["collectives"]);
}

TEST_CASE("a mistake in a variant is told at its place, and one that cannot be answered names the variant") {
  const Folder folder;
  const Outcome typo =
      run({"run", folder.file("a.yaml", rings + "sweep: {variants: {x: {cluser: {count: 1}}}}\n")});
  CHECK(typo.code == 2);
  CHECK_THAT(typo.err, Contains("a.yaml:6:24") && Contains("did you mean 'cluster'"));
  const Outcome nested =
      run({"run", folder.file("b.yaml", rings + "sweep: {variants: {x: {sweep: {variants: {}}}}}\n")});
  CHECK(nested.code == 2);
  CHECK_THAT(nested.err, Contains("has no place in a variant"));
  const Outcome list = run({"run", folder.file("c.yaml", rings + "sweep: {variants: [1]}\n")});
  CHECK(list.code == 2);
  const Outcome value = run({"run", folder.file("d.yaml", rings + "sweep: {variants: {x: 3}}\n")});
  CHECK(value.code == 2);
  const Outcome clash =
      run({"run", folder.file("e.yaml", rings + "sweep: {variants: {x: {workload: {algorithm: "
                                                "{intra: torus_sequential}, ranks: 3}}}}\n")});
  CHECK(clash.code != 0);
  CHECK_THAT(clash.err, Contains("variant 'x'"));
}

TEST_CASE("an assertion that fails in a variant alone is exit 4") {
  const Folder folder;
  const std::string file = folder.file("a.yaml", rings + variants + "assert: \"time_s < 200us\"\n");
  CHECK(run({"run", file}).code == 4);
  CHECK(run({"run", folder.file("b.yaml", rings + "assert: \"time_s < 200us\"\n")}).code == 0);
}

TEST_CASE("compare matches the rows of two folders and exits 4 past a threshold") {
  const Folder folder;
  const std::string file = folder.file("rings.yaml", rings);
  run({"run", file, "--out", folder.path("a")});
  run({"run", file, "--set", "fabric.scale_up.0.bandwidth=50GB/s", "--out", folder.path("b")});
  const Outcome plain = run({"compare", folder.path("a"), folder.path("b") + "/result.json"});
  CHECK(plain.code == 0);
  CHECK_THAT(plain.out, Contains("294.000 us instead of 154.000 us (+90.9 %)") && Contains("1 row compared"));
  const Outcome crossed = run({"compare", folder.path("a"), folder.path("b"), "--threshold", "time_s=+2%"});
  CHECK(crossed.code == 4);
  CHECK_THAT(crossed.out, Contains("CROSSED time_s=+2%"));
  CHECK(run({"compare", folder.path("b"), folder.path("a"), "--threshold", "time_s=+2%"}).code == 0);
  CHECK(run({"compare", folder.path("a"), folder.path("a"), "--threshold", "time_s=0%"}).code == 0);
  const auto json = nlohmann::json::parse(
      run({"compare", folder.path("a"), folder.path("b"), "--format", "json", "--threshold", "time_s=1%"})
          .out);
  CHECK(json["schema"] == "tahoma.comparison/1");
  CHECK(json["rows"][0]["crossed"][0] == "time_s=1%");
  CHECK(json["rows"][0]["b"]["time_s"] == 0.000294);
  const Outcome csv = run({"compare", folder.path("a"), folder.path("b"), "--format", "csv"});
  CHECK_THAT(csv.out, Contains("time_ratio") && Contains(",all_reduce,8000000,ring,ring,0.000154,0.000294,"));
}

TEST_CASE("compare refuses what is not there, is no result, or a threshold it cannot read") {
  const Folder folder;
  const std::string yaml = folder.file("rings.yaml", rings);
  run({"run", yaml, "--out", folder.path("a")});
  CHECK(run({"compare", folder.path("a"), folder.path("none")}).code == 2);
  const Outcome no_result = run({"compare", folder.path("a"), yaml});
  CHECK(no_result.code == 2);
  CHECK_THAT(no_result.err, Contains("is not a result"));
  const Outcome threshold = run({"compare", folder.path("a"), folder.path("a"), "--threshold", "tim_s=+2%"});
  CHECK(threshold.code == 1);
  CHECK_THAT(threshold.err, Contains("did you mean 'time_s'"));
  CHECK(run({"compare", folder.path("a")}).code == 1);
}
