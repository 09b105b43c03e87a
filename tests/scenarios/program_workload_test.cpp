// `workload: {program: FILE}`: a listed schedule as a scenario's work.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "scenarios/import/import.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

/// Two ranks exchange one chunk each over ports of 10 GB/s and links of 1 us.
const std::string exchange = content_of(TAHOMA_SOURCE_DIR "/tests/fuzz/import/gather_of_two.xml");
const std::string two_on_a_switch =
    "fabric: {scale_up: [{kind: switch, size: 2, bandwidth: 10GB/s, latency: 1us}]}\n";

std::string quoted(const std::string& xml) {
  std::string text = "\"";
  for (const char c : xml) text += c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
  return text + "\"";
}

std::string with_program(const std::string& more, const std::string& xml = exchange) {
  return "cluster: {count: 1}\n" + two_on_a_switch + "workload: {program: " + quoted(xml) + more + "}\n";
}

Result result_of(const std::string& yaml) {
  return run(load(text_request(yaml)), {});
}

std::string refused(const std::string& yaml) {
  try {
    run(load(text_request(yaml)), {});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a listed program is a row of the result like any collective") {
  const Result result = result_of(with_program(", sizes: [20kB, 40kB]"));
  REQUIRE(result.collectives.size() == 2);
  const CollectiveRow& row = result.collectives[0];
  CHECK(row.collective == "all_gather");
  CHECK(row.algorithm == "g");
  CHECK(row.solver == "program");
  // A chunk of 10,000 bytes leaves in 1 us and crosses two links of 1 us.
  CHECK(row.time == Duration{3'000'000});
  CHECK(result.collectives[1].time == Duration{4'000'000});
  CHECK(row.flows == 2);
  CHECK(row.efficiency <= 1);
}

TEST_CASE("software runs a listed program with its launch and the rate of its thread blocks") {
  const auto under = [](const std::string& parameters, const std::string& stack = "rccl") {
    return with_program(", sizes: 20kB, stack: {name: " + stack + ", parameters: {program: {" + parameters +
                        "}}}");
  };
  // 7 us; 10,000 bytes at 2 GB/s = 5 us; two links of 1 us
  const CollectiveRow slow =
      result_of(under("floor: 7us, channel_rate: 2GB/s, factor_up: 1, step_up: 0s")).collectives.at(0);
  CHECK(slow.time == Duration{14'000'000});
  CHECK(slow.launch == Duration{7'000'000});
  CHECK(slow.stack == "rccl");
  CHECK(slow.protocol == "simple");
  // a thread block that could move more is as fast as its link: 1 us at 10 GB/s, and half of that by protocol
  CHECK(
      result_of(under("floor: 0s, channel_rate: 90GB/s, factor_up: 1, step_up: 0s")).collectives.at(0).time ==
      Duration{3'000'000});
  CHECK(result_of(under("floor: 0s, factor_up: 0.5, step_up: 0s")).collectives.at(0).time ==
        Duration{4'000'000});
  CHECK_THAT(refused(with_program(", sizes: 20kB, stack: nccl")),
             Contains("it runs no listed programs with protocol simple"));
  CHECK_THAT(refused(with_program(", sizes: 20kB, stack: {name: rccl, protocol: ll}")),
             Contains("the program says protocol simple"));
}

TEST_CASE("what a program's scenario resolves to runs to the same bytes") {
  const Scenario scenario = load(text_request(with_program(", sizes: 20kB")));
  const Scenario again = load(text_request(scenario.resolved_yaml));
  CHECK(again.resolved_yaml == scenario.resolved_yaml);
  CHECK(run(again, {}).fingerprint == run(scenario, {}).fingerprint);
}

TEST_CASE(
    "a program is read from a file beside the scenario and its mistakes are told with that file's lines") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "tahoma-program-test";
  fs::create_directories(folder);
  std::ofstream(folder / "g.xml") << exchange;
  std::ofstream(folder / "g.yaml") << "cluster: {count: 1}\n" + two_on_a_switch +
                                          "workload: {program: g.xml, sizes: 20kB}\n";
  LoadRequest request;
  request.file = (folder / "g.yaml").string();
  CHECK(run(load(request), {}).collectives.at(0).time == Duration{3'000'000});
  std::ofstream(folder / "g.xml") << exchange.substr(0, exchange.find("<gpu")) + "<cpu/></algo>";
  CHECK_THAT(refusal_of(request).message, Contains("g.xml:2:4: element 'cpu' is not known inside 'algo'"));
  fs::remove_all(folder);
}

TEST_CASE("a program on another number of ranks or beside other jobs is refused") {
  const std::string of_four =
      "cluster: {count: 1}\nfabric: {scale_up: [{kind: switch, size: 4, bandwidth: 10GB/s, "
      "latency: 1us}]}\n";
  const std::string work = "workload: {program: " + quoted(exchange) + ", sizes: 20kB";
  CHECK_THAT(refused(of_four + work + "}\n"), Contains("is for 2 ranks, and there are 4"));
  CHECK(refused(of_four + work + ", ranks: {size: 2}}\n").empty());
  CHECK_THAT(refused("cluster: {count: 1}\n" + two_on_a_switch +
                     "workload: {jobs: [{name: a, program: " + quoted(exchange) + ", sizes: 20kB}]}\n"),
             !Contains("fault"));
  CHECK_THAT(refused("cluster: {count: 1}\n" + two_on_a_switch +
                     "workload: {jobs: [{name: b, collective: all_reduce, sizes: 1MB}, {name: a, program: " +
                     quoted(exchange) + ", sizes: 20kB}]}\n"),
             Contains("cannot run beside other jobs"));
  CHECK_THAT(refused(with_program("")), Contains("workload.sizes") && Contains("is missing"));
  CHECK_THAT(refused(with_program(", sizes: 1kB, collective: all_reduce")), Contains("stands beside"));
  CHECK_THAT(refused(with_program(", sizes: 1kB", "words")), Contains("does not exist"));
}

TEST_CASE("a program tells what its file claims that is not looked at") {
  std::string made_for_less = exchange;
  made_for_less.replace(made_for_less.find("maxBytes=\"0\""), 12, "maxBytes=\"9\"");
  made_for_less.replace(made_for_less.find("Simple"), 6, "LL128");
  const Scenario scenario = load(text_request(with_program(", sizes: 20kB, algorithm: ring", made_for_less)));
  const std::string told = [&] {
    std::string all;
    for (const std::string& warning : scenario.warnings) all += warning + "\n";
    return all;
  }();
  CHECK_THAT(told, Contains("made for 0 to 9 bytes") && Contains("protocol LL128") &&
                       Contains("'workload.algorithm' cannot change the result"));
}

TEST_CASE("rounds of a program are its pipeline") {
  const Result result = result_of(with_program(", sizes: 20kB, pipeline: 4"));
  CHECK(result.collectives.at(0).pipeline == 4);
  // 4 rounds of 2,500 bytes follow each other in the block that sends; a round's send waits for its receive
  // of the round before: 4 x (250 ns + 2 us).
  CHECK(result.collectives.at(0).time == Duration{4 * 2'250'000});
}

TEST_CASE("every stored MSCCL algorithm is imported as a scenario that runs") {
  if (!has_inputs()) return;
  std::vector<std::string> files = input_files("msccl", ".xml");
  for (const std::string& file : input_files("teccl", ".xml")) files.push_back(file);
  std::size_t ran = 0;
  for (const std::string& file : files) {
    INFO(file);
    const std::string yaml = import_scenario(import_kinds()[0], {file, file, ""});
    CHECK_THAT(yaml, Contains("proven by replay") && Contains("assumed"));
    const Result result = result_of(yaml);
    ran += result.collectives.size();
    CHECK(result.collectives.at(0).time.ps > 0);
  }
  CHECK(files.size() >= 11);
  CHECK(ran == files.size());
}

TEST_CASE(
    "the schedule that TE-CCL found for two MI250X servers beats a ring on them as it was measured to") {
  if (!has_inputs()) return;
  const std::string file = (inputs_folder() / "teccl" / "amd_32.xml").string();
  const std::string yaml = import_scenario(import_kinds()[0], {file, file, "mi250x-server"});
  const Result found = result_of(yaml);
  const Result ring = result_of(
      "extends: [mi250x-server]\ncluster: {count: 2}\nworkload: {collective: all_gather, sizes: 1GiB, "
      "algorithm: "
      "ring, channels: 2}\n");
  CHECK(found.collectives.at(0).bytes == std::uint64_t{1} << 30);
  CHECK(found.collectives.at(0).ranks == 32);
  // Measured (row G08): 63.1 ms against 127.8 ms for RCCL's own ring, 2.03 times as fast. Both are limited
  // there by how much a thread block moves, which is not modelled; so the times here are shorter and only
  // their ratio is compared.
  const double times = seconds(ring.collectives.at(0).time) / seconds(found.collectives.at(0).time);
  CHECK(times > 2.03 * 0.8);
  CHECK(times < 2.03 * 1.2);
  CHECK(seconds(found.collectives.at(0).time) < 0.0631);
}
