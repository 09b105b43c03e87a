// The commands beside `run`.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/scenario_texts.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;
using Json = nlohmann::ordered_json;

TEST_CASE("check prints a line per valid file, complains about the others, and exits 2 if one is invalid") {
  const Folder folder;
  const std::string good = folder.file("good.yaml", ring_of_four);
  const std::string bad = folder.file("bad.yaml", ring_of_four + "nmae: x\n");
  const std::string flows = folder.file("flows.yaml", two_flows);
  const Outcome all_good = run({"check", good, flows});
  CHECK(all_good.code == 0);
  CHECK(all_good.out == good + ": ok\n" + flows + ": ok\n");
  const Outcome mixed = run({"check", good, bad, flows});
  CHECK(mixed.code == 2);
  CHECK(mixed.out == all_good.out);
  CHECK_THAT(mixed.err, Contains("bad.yaml:7:1"));
  const Outcome alone = run({"check", bad});
  CHECK(alone.code == 2);
  CHECK(alone.out.empty());
}

TEST_CASE("check finds an algorithm that does not fit, as run would") {
  const Folder folder;
  const std::string text = ring_of_four.substr(0, ring_of_four.find("workload:"));
  const std::string file =
      folder.file("misfit.yaml", text + "workload: {collective: all_to_all, sizes: 1KiB, algorithm: ring}\n");
  const Outcome checked = run({"check", file});
  CHECK(checked.code == 2);
  CHECK(checked.out.empty());
  CHECK_THAT(checked.err, Contains("misfit.yaml:6:"));
  CHECK(checked.err == run({"run", file}).err);
}

TEST_CASE("explain says where each value came from, and --path narrows it") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  const Outcome outcome = run({"explain", file, "--set", "seed=3"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("workload.sizes") && Contains("ring.yaml:6:") && Contains("--set"));
  const Outcome narrow = run({"explain", file, "--path", "workload"});
  CHECK_THAT(narrow.out, Contains("workload.algorithm") && !Contains("fabric"));
  const Outcome nothing = run({"explain", file, "--path", "workload.size"});
  CHECK(nothing.code == 1);
  CHECK(nothing.out.empty());
  CHECK_THAT(nothing.err, Contains("did you mean 'workload.sizes'?"));
  CHECK(Json::parse(run({"explain", file, "--format", "json"}).out)["schema"] == "tahoma.explain/1");
}

TEST_CASE("algorithms lists each with its purpose and when it fits") {
  const Outcome outcome = run({"algorithms"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("halving_doubling") && Contains("Fits: "));
  const Json json = Json::parse(run({"algorithms", "--format", "json"}).out);
  CHECK(json["algorithms"].size() >= 7);
}

TEST_CASE("schedule prints the lanes of the first row's schedule, as text or JSON") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  CHECK_THAT(run({"schedule", file}).out, Contains("ring"));
  const Json json = Json::parse(run({"schedule", file, "--format", "json"}).out);
  CHECK(json["ranks"] == 4);
  CHECK(json["bytes"] == 1024);
  CHECK(json["phases"][0]["roles"][0]["lanes"].size() == 1);
  const Outcome xml = run({"schedule", file, "--format", "msccl", "--set", "workload.pipeline=1"});
  CHECK(xml.code == 0);
  CHECK_THAT(xml.out, Contains("<algo name=\"ring\"") && Contains("coll=\"allreduce\""));
  const Outcome cut = run({"schedule", file, "--format", "msccl", "--set", "workload.pipeline=2"});
  CHECK(cut.code == 3);
  CHECK(cut.out.empty());
}

TEST_CASE("presets lists the catalogue, and one preset in full with sources and confidence") {
  const Outcome all = run({"presets"});
  CHECK(all.code == 0);
  CHECK_THAT(all.out, Contains("trn2-ultraserver") && Contains("rainier"));
  const Outcome one = run({"presets", "trn2-ultraserver"});
  CHECK_THAT(one.out, Contains("128GB/s") && Contains("primary"));
  const Outcome typo = run({"presets", "trn2-ultrasever"});
  CHECK(typo.code == 1);
  CHECK_THAT(typo.err, Contains("did you mean 'trn2-ultraserver'?"));
}

TEST_CASE("presets --claims tells what the press gets wrong, and why") {
  const Outcome text = run({"presets", "--claims"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("unit wrong by 1,000") && Contains("1,299 TFLOPS dense"));
  const Outcome json = run({"presets", "--claims", "--format", "json"});
  const auto parsed = nlohmann::json::parse(json.out);
  CHECK(parsed["schema"] == "tahoma.claims/1");
  CHECK(parsed["claims"].size() >= 12);
  CHECK(run({"presets", "rainier", "--claims"}).code == 1);
}

TEST_CASE("topology needs no workload") {
  const Folder folder;
  const std::string file = folder.file("network.yaml", R"(apiVersion: tahoma/v1
name: network
extends: [trn2-server]
)");
  const Outcome summary = run({"topology", file});
  CHECK(summary.code == 0);
  CHECK_THAT(summary.out, Contains("16 chips"));
  CHECK(run({"run", file}).code == 2);
}

TEST_CASE("topology counts the edges of a Trn2 server and draws it") {
  const Folder folder;
  const std::string file = folder.file("server.yaml", R"(apiVersion: tahoma/v1
name: server
extends: [trn2-server]
cluster: {count: 1}
workload: {collective: all_reduce, sizes: 1MiB}
)");
  const Outcome summary = run({"topology", file});
  CHECK(summary.code == 0);
  CHECK_THAT(summary.out, Contains("16 chips") && Contains("32"));  // a 4 x 4 torus: 2 edges a chip
  CHECK_THAT(run({"topology", file, "--format", "dot"}).out, Contains("graph"));
  CHECK_THAT(run({"topology", file, "--format", "graphml"}).out, Contains("<graphml"));
  CHECK(Json::parse(run({"topology", file, "--format", "json"}).out).is_object());
}

TEST_CASE("import writes a scenario that runs and refuses kinds it does not know") {
  const Folder folder;
  const std::string file =
      folder.file("g.xml", content(TAHOMA_SOURCE_DIR "/tests/fuzz/import/gather_of_two.xml"));
  const Outcome printed = run({"import", "msccl", file});
  CHECK(printed.code == 0);
  CHECK_THAT(printed.out, Contains("# proven by replay in place and out of place") && Contains("program: "));
  const std::string scenario = folder.path("g.yaml");
  CHECK(run({"import", "msccl", file, "--preset", "trn2-server", "--out", scenario}).code == 0);
  CHECK_THAT(content(scenario), Contains("program: g.xml") && Contains("extends: [trn2-server]"));
  const Outcome ran = run({"run", scenario, "--format", "json"});
  CHECK(ran.code == 0);
  CHECK(Json::parse(ran.out)["collectives"][0]["collective"] == "all_gather");
  const Outcome unknown = run({"import", "mscl", file});
  CHECK(unknown.code == 1);
  CHECK_THAT(unknown.err, Contains("did you mean 'msccl'?"));
  const Outcome bad = run({"import", "msccl", folder.file("bad.xml", "<algo>")});
  CHECK(bad.code == 2);
  CHECK(bad.out.empty());
  CHECK_THAT(bad.err, Contains("bad.xml:1:"));
  CHECK(run({"import", "msccl", folder.path("absent.xml")}).code == 2);
}
