// `tahoma run`: formats, streams and exit codes.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/scenario_texts.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;
using Json = nlohmann::ordered_json;

TEST_CASE("a run prints text, JSON or CSV, and the same bytes each time") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  for (const std::string format : {"text", "json", "csv"}) {
    CAPTURE(format);
    const Outcome once = run({"run", file, "--format", format});
    CHECK(once.code == 0);
    CHECK_FALSE(once.out.empty());
    CHECK(once.out == run({"run", file, "--format", format}).out);
  }
  CHECK(run({"run", file}).out == run({"run", file, "--format", "text"}).out);
}

TEST_CASE("the JSON of a ring all-reduce holds its closed form to the picosecond") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  const Outcome outcome = run({"run", file, "--format", "json"});
  const Json json = Json::parse(outcome.out);
  CHECK(json["schema"] == "tahoma.result/1");
  REQUIRE(json["collectives"].size() == 6);  // 1, 4, 16, 64, 256 KiB, 1 MiB
  // 2 (n - 1) = 6 steps of 1 MiB / 4 = 262,144 B at 50 GB/s = 5.24288 us, and 500 ns each: 34.45728 us
  CHECK_THAT(outcome.out, Contains("\"time_s\": 0.00003445728,"));
  for (const Json& row : json["collectives"]) CHECK(row["time_s"] >= row["lower_bound_s"]);
}

TEST_CASE("the scenario's report format is the default, and the flag wins over it") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four + "report: {format: [json, csv]}\n");
  CHECK(Json::parse(run({"run", file}).out)["name"] == "ring-of-four");
  CHECK_THAT(run({"run", file, "--format", "csv"}).out, Contains("scenario,job,collective"));
}

TEST_CASE("the flag --timings adds `run` to the JSON and nothing else changes") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  Json with = Json::parse(run({"run", file, "--format", "json", "--timings"}).out);
  CHECK(with["run"]["peak_rss_bytes"] > 0);
  CHECK(with["run"]["wall_s"] >= 0);
  with.erase("run");
  CHECK(with == Json::parse(run({"run", file, "--format", "json"}).out));
}

TEST_CASE(
    "an invalid scenario is exit 2 with its place, one that cannot be answered exit 3, and stdout stays "
    "empty") {
  const Folder folder;
  const std::string typo = folder.file("typo.yaml", ring_of_four + "wrkload: {}\n");
  const Outcome invalid = run({"run", typo, "--format", "json"});
  CHECK(invalid.code == 2);
  CHECK(invalid.out.empty());
  CHECK_THAT(invalid.err, Contains("typo.yaml:7:1") && Contains("did you mean 'workload'"));

  const Outcome missing = run({"run", folder.path("nowhere.yaml")});
  CHECK(missing.code == 2);
  CHECK(missing.out.empty());
  CHECK_THAT(missing.err, Contains("nowhere.yaml"));

  const std::string later =
      folder.file("later.yaml", ring_of_four + "faults: {events: [{at: 1s, fail: \"s0.c0<->s0.c1\"}]}\n");
  const Outcome refused = run({"run", later, "--format", "json", "--out", folder.path("none")});
  CHECK(refused.code == 3);
  CHECK(refused.out.empty());
  CHECK_FALSE(std::filesystem::exists(folder.path("none/result.json")));
}

TEST_CASE("a failed assertion is exit 4, and the result is printed all the same") {
  const Folder folder;
  const std::string holds = folder.file("holds.yaml", ring_of_four + "assert: [\"time_s < 1s\"]\n");
  CHECK(run({"run", holds}).code == 0);
  const std::string fails = folder.file("fails.yaml", ring_of_four + "assert: [\"time_s < 10us\"]\n");
  const Outcome outcome = run({"run", fails, "--format", "json"});
  CHECK(outcome.code == 4);
  CHECK(Json::parse(outcome.out)["assertions"][0]["held"] == false);
  CHECK_THAT(outcome.err, Contains("time_s < 10us"));
  CHECK_THAT(run({"run", fails}).out, Contains("FAILED"));
}

TEST_CASE("flows are printed as rows of their own") {
  const Folder folder;
  const std::string file = folder.file("flows.yaml", two_flows);
  const Json json = Json::parse(run({"run", file, "--format", "json"}).out);
  // both share 1 GB/s: 2 MB take 2 ms, and the latency of the link 1 us
  CHECK(json["flows"][0]["finish_s"] == 0.002001);
  CHECK(json["collectives"].empty());
  CHECK_THAT(run({"run", file, "--format", "csv"}).out, Contains("two-flows,,second,1000000,0.0,0.002001"));
  CHECK_THAT(run({"run", file}).out, Contains("second"));
}

TEST_CASE("each solver that can answer gives the same times and the same fingerprint") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  const Json automatic = Json::parse(run({"run", file, "--format", "json"}).out);
  for (const std::string solver : {"quotient", "engine"}) {
    CAPTURE(solver);
    const Outcome outcome = run({"run", file, "--format", "json", "--solver", solver});
    CHECK(outcome.code == 0);
    const Json json = Json::parse(outcome.out);
    CHECK(json["fingerprint"] == automatic["fingerprint"]);
    CHECK(json["collectives"][0]["solver"] == solver);
  }
}
