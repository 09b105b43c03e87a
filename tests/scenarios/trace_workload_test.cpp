// `workload: {trace: FILE}`: recorded traces as a scenario's work.
#include <catch2/catch.hpp>

#include "scenarios/import/import.h"
#include "scenarios/result_json.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

const std::string trace_file = TAHOMA_SOURCE_DIR "/tests/fuzz/import/trace.json";

std::string on_ring(std::uint32_t ranks, const std::string& work) {
  return "cluster: {count: 1}\nfabric: {scale_up: [{kind: ring, size: " + std::to_string(ranks) +
         ", bandwidth: 10GB/s, latency: 1us}]}\nworkload: {" + work + "}\n";
}

Result run_text(const std::string& yaml) {
  return run(load(text_request(yaml)), {});
}

std::string refused(const std::string& yaml) {
  try {
    run_text(yaml);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a trace for all ranks is its computations and our own collectives among them") {
  const Result result = run_text(on_ring(4, "trace: " + trace_file + ", algorithm: ring"));
  REQUIRE(result.traces.size() == 1);
  const TraceRow& row = result.traces[0];
  // A ring all-reduce of 64 KiB on 4 ranks is 6 steps of 16 KiB: 6 x (1.6384 us + 1 us) = 15.8304 us. It
  // begins after 7 us on the host and 20 us on the device; 1 us of computing lies beside it, 5 us follow.
  CHECK(row.time == Duration{47'830'400});
  CHECK(row.device == Duration{26'000'000});
  CHECK(row.communication == Duration{15'830'400});
  CHECK(row.exposed == Duration{14'830'400});
  CHECK(row.ranks == 4);
  CHECK(row.nodes == 20);
  CHECK(row.collectives == 1);
  CHECK(row.flows == 24);
  CHECK_THAT(to_json(result, false), Contains("\"exposed_communication_s\": 0.0000148304"));
}

TEST_CASE("what a trace's scenario resolves to runs to the same bytes") {
  const Scenario scenario = load(text_request(on_ring(4, "trace: " + trace_file)));
  const Scenario again = load(text_request(scenario.resolved_yaml));
  CHECK(again.resolved_yaml == scenario.resolved_yaml);
  CHECK(run(again, {}).fingerprint == run(scenario, {}).fingerprint);
}

TEST_CASE("traces that do not fit their ranks or work are refused") {
  CHECK_THAT(refused(on_ring(4, "trace: [" + trace_file + ", " + trace_file + "]")),
             Contains("2 traces for 4 ranks"));
  CHECK_THAT(refused(on_ring(4, "trace: \"x.{rank}.et\"")), Contains("ranks: N beside it"));
  CHECK_THAT(refused(on_ring(4, "trace: absent.et")), Contains("does not exist"));
  CHECK_THAT(refused(on_ring(4, "trace: " + trace_file + ", ranks: {size: 2}")),
             Contains("one group of ranks"));
  CHECK_THAT(refused(on_ring(4, "trace: " + trace_file + ", algorithm: [ring, direct]")),
             Contains("one name, or auto"));
  CHECK_THAT(refused(on_ring(
                 4, "jobs: [{name: a, trace: " + trace_file + "}, {name: b, trace: " + trace_file + "}]")),
             Contains("cannot run beside other jobs"));
}

TEST_CASE("ASTRA-sim's own traces take the closed forms of a ring") {
  if (!has_inputs()) return;
  struct Case {
    const char* name;
    std::uint64_t steps, bytes;  // of a step
  };
  // 16 ranks, 1 MiB, 50 x 2^30 B/s and 500 ns per link, as their network file means its GB/s: each step is
  // 500 ns + ceil(bytes / bandwidth). An all-gather's size there is one rank's share.
  for (const Case& c : {Case{"all_reduce", 30, 65'536}, Case{"reduce_scatter", 15, 65'536},
                        Case{"all_gather", 15, 1'048'576}}) {
    INFO(c.name);
    const std::string files =
        (inputs_folder() / "astra-sim" / "micro" / c.name / (std::string(c.name) + ".{rank}.et")).string();
    const Result result = run_text(
        "cluster: {count: 1}\nfabric: {scale_up: [{kind: ring, size: 16, bandwidth: 50GiB/s, latency: "
        "500ns}]}\n"
        "workload: {trace: \"" +
        files + "\", ranks: 16, algorithm: ring}\n");
    const auto step =
        static_cast<std::int64_t>(ceil_div(u128{c.bytes} * 1'000'000'000'000ULL, u128{50} << 30));
    CHECK(result.traces.at(0).time == Duration{(500'000 + step) * static_cast<std::int64_t>(c.steps)});
  }
}

TEST_CASE("every stored trace runs") {
  if (!has_inputs()) return;
  const std::filesystem::path astra = inputs_folder() / "astra-sim";
  std::size_t ran = 0;
  for (const char* name : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"}) {
    const std::string files = (astra / "micro" / name / (std::string(name) + ".{rank}.et")).string();
    CHECK(run_text(on_ring(16, "trace: \"" + files + "\", ranks: 16")).traces.at(0).time.ps > 0);
    ran += 16;
  }
  const std::string custom =
      (astra / "custom_ring_allreduce_8npus_1MB" / "custom_allreduce.{rank}.et").string();
  const Result by_hand = run_text(on_ring(8, "trace: \"" + custom + "\", ranks: 8"));
  CHECK(by_hand.traces.at(0).flows == 8 * 14);
  ran += 8;
  const std::string real = (inputs_folder() / "chakra" / "chakra.0.et.gz").string();
  for (const std::uint32_t ranks : {8u, 64u}) {
    const Result result = run_text(on_ring(ranks, "trace: " + real));
    const TraceRow& row = result.traces.at(0);
    CHECK(row.collectives == 7);
    CHECK(row.nodes == 3664 * ranks);
    CHECK(row.exposed <= row.communication);
    CHECK(row.time >= row.device);
  }
  for (const char* name : {"chakra.0.json.gz", "small_chakra.0.json"}) {
    CHECK(
        run_text(on_ring(8, "trace: " + (inputs_folder() / "chakra" / name).string())).traces.at(0).time.ps >
        0);
    ++ran;
  }
  CHECK(++ran == 75);
}

TEST_CASE("an imported trace says what it holds and runs") {
  const auto kind = std::find_if(import_kinds().begin(), import_kinds().end(),
                                 [](const ImportKind& k) { return k.name == "chakra"; });
  REQUIRE(kind != import_kinds().end());
  const std::string yaml = import_scenario(*kind, {trace_file, trace_file, "", 8});
  CHECK_THAT(yaml, Contains("1 collectives of 65536 bytes") &&
                       Contains("# 3 nodes on the device, recorded as 26 us"));
  CHECK(run_text(yaml).traces.at(0).ranks == 8);
  CHECK_THROWS_WITH(import_scenario(*kind, {trace_file, trace_file, "", 0}), Contains("--ranks"));
}

TEST_CASE("assertions judge the rows of traces by what they have") {
  const Result result =
      run_text(on_ring(4, "trace: " + trace_file + ", algorithm: ring") +
               "assert: [\"time_s < 47.9us\", \"exposed_communication_s > 14us\", \"device_s == "
               "26us\", \"ranks > 4\", \"busbw_GBps > 0\"]\n");
  REQUIRE(result.assertions.size() == 5);
  CHECK(result.assertions[0].held);
  CHECK(result.assertions[1].held);
  CHECK(result.assertions[2].held);
  CHECK_FALSE(result.assertions[3].held);
  CHECK(result.assertions[3].row == "trace of 4 ranks");
  CHECK_FALSE(result.assertions[4].held);  // a trace has none, and nothing to judge is no success
  const Result other =
      run_text(on_ring(4, "collective: all_reduce, sizes: 1MiB") + "assert: [\"device_s >= 0s\"]\n");
  CHECK_FALSE(other.assertions.at(0).held);
}
