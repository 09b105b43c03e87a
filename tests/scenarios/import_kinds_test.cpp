// Other tools' files as scenarios that run: the small ones kept with the tests, and all that are kept beside
// the repository, counted.
#include <catch2/catch.hpp>

#include "core/errors.h"
#include "scenarios/import/import.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

const ImportKind& kind_called(const std::string& name) {
  const auto at = std::find_if(import_kinds().begin(), import_kinds().end(),
                               [&](const ImportKind& kind) { return kind.name == name; });
  REQUIRE(at != import_kinds().end());
  return *at;
}

/// The result, or why there is none.
struct Outcome {
  Result result;
  std::string refused;
  bool ran() const { return refused.empty(); }
};

Outcome imported(const std::string& kind, const std::string& file, std::uint32_t ranks = 0,
                 const std::string& system = "", const std::string& preset = "") {
  Outcome outcome;
  ImportRequest request;
  request.file = request.name_in_scenario = file;
  request.ranks = ranks;
  request.system = system;
  request.preset = preset;
  try {
    outcome.result = run(load(text_request(import_scenario(kind_called(kind), request))), {});
  } catch (const std::exception& error) {
    outcome.refused = error.what();
  }
  return outcome;
}

std::string kept(const std::string& name) {
  return std::string(TAHOMA_SOURCE_DIR) + "/tests/fuzz/import/" + name;
}

}  // namespace

TEST_CASE("a small file of every kind becomes a scenario that runs") {
  for (const char* name :
       {"halves_of_two.mscclpp.json", "packets_of_two.mscclpp.json", "gather_of_two.mscclpp.json"})
    CHECK(imported("mscclpp", kept(name)).refused.empty());
  for (const char* name : {"line_of_three.teccl.json", "exchange_of_three.teccl.json"})
    CHECK(imported("teccl", kept(name)).refused.empty());
  for (const char* name : {"ring_of_three.taccl.json", "reduce_of_three.taccl.json"})
    CHECK(imported("taccl", kept(name)).refused.empty());
  CHECK(imported("goal", kept("three_ranks.goal")).refused.empty());
  CHECK(imported("simai", kept("two_layers.simai.txt")).refused.empty());
  CHECK(imported("astra-sim", kept("ring.astra.yml"), 0, kept("system.astra.json")).refused.empty());
  CHECK_THAT(imported("teccl", kept("ring_of_three.taccl.json")).refused,
             Contains("of another kind: TACCL JSON"));
  CHECK_THAT(imported("goal", kept("three_ranks.goal"), 4).refused,
             Contains("is for 3 ranks, and --ranks says 4"));
  CHECK_THAT(imported("goal", kept("three_ranks.goal"), 0, "x").refused,
             Contains("belong to the kind astra-sim"));
}

TEST_CASE("a GOAL schedule takes the time of its chain") {
  // On assumed ports of 100 GB/s, a message takes 40.96 ns and two links of 1 us: computing 1 us, then two
  // messages. Rank 1's short one to rank 0 begins with the long one it goes beside, and ends before it.
  const Outcome outcome = imported("goal", kept("three_ranks.goal"));
  REQUIRE(outcome.ran());
  CHECK(outcome.result.traces.at(0).time == Duration{1'000'000 + 2 * (40'960 + 2'000'000) + 160});
  CHECK(outcome.result.traces.at(0).flows == 3);
}

TEST_CASE("layers take their computing and their collectives one after another") {
  // Eight ranks on one switch: computing 1000 + 2000 + 3000 + 4000 + 1 + 1 ns; collectives of the two layers
  // and 100 ns after each: tensor 2, experts 2 of 2, data 4, the rest of data 2.
  const Outcome outcome = imported("simai", kept("two_layers.simai.txt"));
  REQUIRE(outcome.ran());
  const TraceRow& row = outcome.result.traces.at(0);
  CHECK(row.device == Duration{10'002'000});
  CHECK(row.collectives == 5);
  CHECK(row.ranks == 8);
  CHECK(row.time == row.device + row.communication);
  CHECK(row.exposed == row.communication);
  // Each collective alone, as a workload of its own.
  Duration sum{};
  for (const char* alone :
       {"collective: all_reduce, sizes: 1MiB, ranks: {size: 2}",
        "collective: all_to_all, sizes: 64KiB, ranks: [[c0, c2], "
        "[c1, c3], [c4, c6], [c5, c7]]",
        "collective: all_to_all, sizes: 64KiB, ranks: [[c0, c2], [c1, c3], [c4, c6], [c5, c7]]",
        "collective: reduce_scatter, sizes: 128KiB, ranks: [[c0, c4], [c1, c5], [c2, c6], [c3, c7]]",
        "collective: all_reduce, sizes: 2MiB, ranks: {stride: 2}"}) {
    const Result result =
        run(load(text_request(
                "cluster: {count: 1}\nfabric: {scale_up: [{kind: switch, size: 8, bandwidth: 100GB/s, "
                "latency: 1us}]}\nworkload: {" +
                std::string(alone) + "}\n")),
            {});
    sum += result.collectives.at(0).time + Duration{100'000};
  }
  CHECK(row.communication == sum);
}

TEST_CASE("layers of one group take as long as the trace of the same work run message by message") {
  // Two collectives of 64 KiB on a ring of four, computing before, between and behind them.
  const std::string ring_of_four =
      "cluster: {count: 1}\nfabric: {scale_up: [{kind: ring, size: 4, bandwidth: 10GB/s, latency: 1us}]}\n";
  const std::string layers =
      "HYBRID_TRANSFORMER model_parallel_NPU_group: 4\\n1\\na -1 7000 ALLREDUCE 65536 20000 ALLREDUCE 65536 "
      "5000 "
      "NONE 0 0\\n";
  const std::string trace =
      R"({\"schema\": \"1\", \"workload_graph\": [{\"Id\": 1, \"NodeType\": 4, \"runtime\": 7},)"
      R"({\"Id\": 2, \"NodeType\": 7, \"comm_type\": 0, \"comm_size\": 65536, \"data_deps\": [1]},)"
      R"({\"Id\": 3, \"NodeType\": 4, \"runtime\": 20, \"data_deps\": [2]},)"
      R"({\"Id\": 4, \"NodeType\": 7, \"comm_type\": 0, \"comm_size\": 65536, \"data_deps\": [3]},)"
      R"({\"Id\": 5, \"NodeType\": 4, \"runtime\": 5, \"data_deps\": [4]}]})";
  for (const char* algorithm : {"ring", "halving_doubling", "direct"}) {
    INFO(algorithm);
    const auto time_of = [&](const std::string& text) {
      const Result result = run(load(text_request(ring_of_four + "workload: {trace: \"" + text +
                                                  "\", algorithm: " + algorithm + "}\n")),
                                {});
      return result.traces.at(0);
    };
    const TraceRow in_step = time_of(layers), by_message = time_of(trace);
    CHECK(in_step.time == by_message.time);
    CHECK(in_step.device == by_message.device);
    CHECK(in_step.communication == by_message.communication);
    CHECK(in_step.flows == by_message.flows);
  }
}

TEST_CASE("what texts resolve to runs to the same bytes") {
  for (const char* name : {"three_ranks.goal", "two_layers.simai.txt"}) {
    const std::string ranks = std::string(name).ends_with("goal") ? "3" : "8";
    const std::string yaml = "cluster: {count: 1}\nfabric: {scale_up: [{kind: switch, size: " + ranks +
                             ", bandwidth: 10GB/s, latency: 1us}]}\nworkload: {trace: " + kept(name) + "}\n";
    const Scenario scenario = load(text_request(yaml));
    const Scenario again = load(text_request(scenario.resolved_yaml));
    CHECK(again.resolved_yaml == scenario.resolved_yaml);
    CHECK(run(again, {}).fingerprint == run(scenario, {}).fingerprint);
  }
}

TEST_CASE(
    "the files of other tools that are kept beside the repository run or are refused for what they are") {
  if (!has_inputs()) return;
  const std::string inputs = inputs_folder().string() + "/";
  struct Refused {
    std::string file, why;
  };
  struct Count {
    std::size_t ran = 0;
    std::vector<Refused> refused;
    void add(const std::string& file, const Outcome& outcome) {
      if (outcome.ran()) {
        ++ran;
      } else {
        refused.push_back({file, outcome.refused});
      }
    }
  };
  Count plans;
  for (const std::string& file : input_files("mscclpp", ".json")) plans.add(file, imported("mscclpp", file));
  CHECK(plans.ran == 2);
  CHECK(plans.refused.empty());

  Count found;
  for (const std::string& file : input_files("teccl", ".json")) found.add(file, imported("teccl", file));
  CHECK(found.ran == 2);
  CHECK(found.refused.empty());

  // No algorithm of TACCL is kept: what is there says what its solver starts from.
  Count sketches;
  for (const std::string& file : input_files("taccl", ".json")) sketches.add(file, imported("taccl", file));
  CHECK(sketches.ran == 0);
  CHECK(sketches.refused.size() == 10);
  for (const Refused& one : sketches.refused) CHECK_THAT(one.why, Contains("this JSON is no schedule"));

  Count goal;
  for (const std::string& file : input_files("goal", ".goal")) goal.add(file, imported("goal", file));
  CHECK(goal.ran == 1);
  CHECK(goal.refused.empty());

  Count layers;
  for (const char* folder : {"aicb", "simai"}) {
    for (const std::string& file : input_files(folder, ".txt")) {
      const bool says = file.find("simai/") != std::string::npos;
      layers.add(file, imported("simai", file, says ? 0 : 128));
    }
  }
  CHECK(layers.ran == 8);
  // One is no workload but a table of times; the other says 839 layers and holds 33.
  REQUIRE(layers.refused.size() == 2);
  CHECK_THAT(layers.refused[0].why, Contains("Example.txt:1:1: 'train_iter:10' is no workload of layers"));
  CHECK_THAT(layers.refused[1].why, Contains("L65B-M1-C05") && Contains("the file holds 33"));

  Count astra;
  for (const std::string& file : input_files("astra-sim/network", ".yml")) {
    astra.add(file, imported("astra-sim", file));
    for (const std::string& system : input_files("astra-sim/system", ".json")) {
      // The custom collective is one of 8 NPUs.
      if (system.find("custom") != std::string::npos && file.find("Ring_8npus") == std::string::npos)
        continue;
      astra.add(file, imported("astra-sim", file, 0, system));
    }
  }
  CHECK(astra.ran == 4 + 4 * 2 + 1);
  for (const Refused& one : astra.refused) CHECK(one.why.empty());
  CHECK_THAT(imported("astra-sim", inputs + "astra-sim/network/8nodes.topo").refused,
             Contains("8nodes.topo:"));
}
