// Collectives under communication software: what is added, which way is chosen, and what is refused.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "scenarios/result_csv.h"
#include "scenarios/result_json.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

/// Eight chips on one switch, 100 GB/s each, no latency: figures of a stack stand alone.
std::string on_switch(const std::string& workload) {
  return "cluster: {count: 1, chip: {name: h100}}\n"
         "fabric: {scale_up: [{kind: switch, size: 8, bandwidth: 100GB/s, latency: 0s}]}\n"
         "workload: " +
         workload + "\n";
}

/// Two such servers on a switch of NICs of 10 GB/s.
std::string two_servers(const std::string& workload) {
  return "cluster: {count: 2, chip: {name: h100}}\n"
         "fabric:\n"
         "  scale_up: [{kind: switch, size: 4, bandwidth: 100GB/s, latency: 0s}]\n"
         "  scale_out: [{kind: clos, rails: 4, bandwidth: 10GB/s, latency: 1us}]\n"
         "workload: " +
         workload + "\n";
}

Result stacked_result(const std::string& text, const std::string& solver = "auto") {
  RunOptions options;
  options.advise = false;
  options.solver = solver;
  return run(load(text_request(text)), options);
}

CollectiveRow only_row(const std::string& text) {
  return stacked_result(text).collectives.at(0);
}

// All figures of ring simple, said by the test.
const std::string plain_ring =
    "simple: {floor: 0s, step_up: 0s}, ring: {simple: {floor: 0s, step_up: 0s, factor_up: 1}}";

std::string nccl_ring(const std::string& size, const std::string& parameters) {
  return on_switch(
      fmt::format("{{collective: all_reduce, sizes: {}, algorithm: ring, stack: {{name: nccl, protocol: "
                  "simple, parameters: {{{}}}}}}}",
                  size, parameters));
}

}  // namespace

TEST_CASE("a stack whose figures are all nothing leaves the ideal time") {
  const CollectiveRow ideal = only_row(on_switch("{collective: all_reduce, sizes: 8MB, algorithm: ring}"));
  const CollectiveRow row = only_row(nccl_ring("8MB", plain_ring));
  CHECK(row.time == ideal.time);
  CHECK(row.stack == "nccl");
  CHECK(row.protocol == "simple");
  CHECK(row.algorithm == "ring");
  CHECK(ideal.stack.empty());
}

TEST_CASE("a floor is added exactly and moves every rank") {
  const CollectiveRow without = only_row(nccl_ring("8MB", plain_ring));
  const CollectiveRow with = only_row(nccl_ring("8MB",
                                                "simple: {step_up: 0s}, ring: {simple: {floor: 7us, step_up: "
                                                "0s, factor_up: 1, floor_per_doubling: 1us}}"));
  // 7 us, and 1 us for each of three doublings to 8 ranks
  CHECK(with.time - without.time == Duration{10'000'000});
  CHECK(with.p0 - without.p0 == Duration{10'000'000});
  CHECK(with.launch == Duration{10'000'000});
  CHECK(with.lower_bound == without.lower_bound);
  CHECK(with.critical_phases.at(0).phase == "launch");
  CHECK(with.critical_phases.at(0).time == Duration{10'000'000});
}

TEST_CASE("a step is added to every step of a ring and a ceiling to its bytes") {
  // 14 steps of 1 MB at 100 GB/s = 10 us each
  CHECK(only_row(nccl_ring("8MB", plain_ring)).time == Duration{14 * 10'000'000});
  // + 2 us each, half on each of the two links of a hop
  CHECK(only_row(nccl_ring("8MB", "ring: {simple: {floor: 0s, step_up: 2us, factor_up: 1}}")).time ==
        Duration{14 * 12'000'000});
  // the same bytes at a quarter of the rate
  CHECK(only_row(nccl_ring("8MB", "ring: {simple: {floor: 0s, step_up: 0s, factor_up: 0.25}}")).time ==
        Duration{14 * 40'000'000});
  // overhead holds the lane of every message
  CHECK(only_row(nccl_ring("8MB", plain_ring + ", overhead: 3us")).time == Duration{14 * 13'000'000});
}

TEST_CASE("the library changes its protocol once as sizes grow and never for a slower one") {
  const auto sweep = [](const std::string& protocol) {
    return stacked_result(on_switch("{collective: all_reduce, sizes: \"1KiB..256MiB *4\", algorithm: ring, "
                                    "stack: {name: nccl, protocol: " +
                                    protocol + "}}"))
        .collectives;
  };
  const auto best = sweep("auto"), ll = sweep("ll"), ll128 = sweep("ll128"), simple = sweep("simple");
  int changes = 0;
  for (std::size_t r = 0; r < best.size(); ++r) {
    CHECK(best[r].time == std::min({ll[r].time, ll128[r].time, simple[r].time}));
    if (r == 0) continue;
    CHECK(best[r].time >= best[r - 1].time);
    changes += best[r].protocol != best[r - 1].protocol ? 1 : 0;
    CHECK((best[r].protocol == best[r - 1].protocol || best[r - 1].protocol != "simple"));
  }
  CHECK(best.front().protocol == "ll");
  CHECK(best.back().protocol == "simple");
  CHECK(changes <= 2);  // ll, ll128, simple
}

TEST_CASE("the switch adds for large buffers where the chip has one that can") {
  const std::string work = "{collective: all_reduce, sizes: 1GiB, stack: nccl}";
  const CollectiveRow row = only_row(on_switch(work));
  CHECK(row.algorithm == "in_switch");
  CHECK(row.why.find("nvls simple, the fastest of") == 0);
  std::string older = on_switch(work);
  older.replace(older.find("h100"), 4, "a100");
  CHECK(only_row(older).algorithm != "in_switch");
  CHECK(only_row(on_switch("{collective: all_reduce, sizes: 1GiB, stack: {name: nccl, version: 2.10}}"))
            .algorithm != "in_switch");
}

TEST_CASE("over several domains a way has an algorithm per level") {
  const CollectiveRow row = only_row(
      two_servers("{collective: all_reduce, sizes: 64MiB, algorithm: {intra: in_switch, inter: ring}, "
                  "stack: {name: nccl, parameters: {nvls_ring: {offered: yes}}}}"));
  CHECK(row.algorithm == "intra: in_switch, inter: ring");
  CHECK(row.time >= row.lower_bound);
}

TEST_CASE("every solver has the same answer under a stack") {
  for (const std::string& text : {on_switch("{collective: all_reduce, sizes: 3MB, stack: nccl}"),
                                  two_servers("{collective: all_reduce, sizes: 3MB, stack: nccl}"),
                                  two_servers("{collective: all_gather, sizes: 3MB, stack: msccl}"),
                                  two_servers("{collective: all_to_all, sizes: 3MB, stack: nccl}")}) {
    INFO(text);
    const Result by_auto = stacked_result(text), by_engine = stacked_result(text, "engine");
    CHECK(by_auto.fingerprint == by_engine.fingerprint);
    CHECK(by_auto.collectives[0].time == by_engine.collectives[0].time);
    CHECK(by_engine.collectives[0].solver == "engine");
  }
}

TEST_CASE("a repeated job launches each time") {
  const auto jobs = [](const std::string& floor) {
    return on_switch(
        "{jobs: [{name: a, repeat: 3, collective: all_reduce, sizes: 8MB, algorithm: ring, stack: {name: "
        "nccl, protocol: simple, parameters: {ring: {simple: {step_up: 0s, factor_up: 1, floor: " +
        floor + "}}}}}]}");
  };
  const Result result = stacked_result(jobs("5us"));
  REQUIRE(result.collectives.size() == 3);
  // 14 steps of 10 us each time, and the launch
  for (std::int64_t turn = 0; turn < 3; ++turn) {
    CHECK(result.collectives[static_cast<std::size_t>(turn)].time == Duration{145'000'000});
    CHECK(result.collectives[static_cast<std::size_t>(turn)].start == Time{turn * 145'000'000});
  }
}

TEST_CASE("jobs that would leave different things of one network are refused") {
  const std::string text = on_switch(
      "{jobs: [{name: a, collective: all_reduce, sizes: 8MB, algorithm: ring, stack: {name: nccl, protocol: "
      "ll}}, "
      "{name: b, collective: all_reduce, sizes: 8MB, algorithm: ring, stack: {name: nccl, protocol: "
      "simple}}]}");
  CHECK_THROWS_WITH(stacked_result(text), Catch::Contains("give all jobs one stack, protocol and algorithm"));
}

TEST_CASE("names of a stack and its parts are told with the nearest one") {
  const auto refused = [](const std::string& stack) {
    return refusal_of(text_request(on_switch("{collective: all_reduce, sizes: 1MB, stack: " + stack + "}")));
  };
  const auto says = [](const Refusal& refusal, const std::string& text) {
    INFO(refusal.message);
    CHECK(refusal.exit_code == 2);
    CHECK(refusal.message.find(text) != std::string::npos);
  };
  says(refused("ncll"), "did you mean 'nccl'?");
  says(refused("{name: nccl, protocol: ll12}"), "did you mean 'll128'?");
  says(refused("{name: nccl, version: new}"), "is no version");
  says(refused("{name: neuron}"), "does not run on h100");
  says(refused("{name: nccl, parameters: {ring: {l: {floor: 1us}}}}"), "did you mean 'll'?");
  says(refused("{name: nccl, parameters: {ring: {flor: 1us}}}"), "did you mean 'floor'?");
  says(refused("{name: nccl, parameters: {ring: {floor: 1}}}"), "has no unit");
  says(refused("{name: nccl, parameters: {ring: {factor_up: 2}}}"), "is more than 1");
  says(refused("{name: nccl, parameters: {ll: {ring: {floor: 1us}}}}"), "is no part of a parameter's name");
  says(refused("{protocol: ll}"), "workload.stack.name");
}

TEST_CASE("a stack without protocols has none to choose") {
  const Refusal refusal = refusal_of(
      text_request("cluster: {count: 1, chip: {name: trainium2}}\n"
                   "fabric: {scale_up: [{kind: torus, size: [4, 4], bandwidth: 50GB/s, latency: 1us}]}\n"
                   "workload: {collective: all_reduce, sizes: 1MB, stack: {name: neuron, protocol: ll}}\n"));
  CHECK(refusal.exit_code == 2);
  CHECK(refusal.message.find("it has no choice of protocols") != std::string::npos);
}

TEST_CASE("an algorithm that the library does not have is refused with those it has") {
  const std::string text = on_switch("{collective: all_reduce, sizes: 1MB, algorithm: bruck, stack: nccl}");
  CHECK_THROWS_WITH(stacked_result(text), Catch::Contains("'ring' is done by ring"));
  CHECK_THROWS_AS(stacked_result(on_switch("{collective: barrier, stack: nccl}")), ScenarioError);
}

TEST_CASE("the resolved scenario keeps the parameters and gives the same answer") {
  const Scenario scenario =
      load(text_request(nccl_ring("8MB", "ring: {ll: {floor: 1us}, simple: {floor: 9us}}")));
  LoadRequest again = text_request(scenario.resolved_yaml);
  const Scenario second = load(again);
  CHECK(second.resolved_yaml == scenario.resolved_yaml);
  CHECK(run(scenario).fingerprint == run(second).fingerprint);
}

TEST_CASE("a parameter can be set from the command line") {
  const std::string text = nccl_ring("8MB", "ring: {simple: {floor: 1us, step_up: 0s}}");
  RunOptions options;
  options.advise = false;
  const Result result =
      run(load(text_request(text, {"workload.stack.parameters.ring.simple.floor=4us"})), options);
  CHECK(result.collectives.at(0).launch == Duration{4'000'000});
}

TEST_CASE("software is named in results where it was asked for") {
  const Result with = stacked_result(nccl_ring("8MB", plain_ring));
  CHECK(to_json(with, false).find("\"protocol\": \"simple\"") != std::string::npos);
  CHECK(collectives_csv(with).find(",stack,protocol,launch_s\n") != std::string::npos);
  const Result without = stacked_result(on_switch("{collective: all_reduce, sizes: 8MB}"));
  CHECK(to_json(without, false).find("protocol") == std::string::npos);
  CHECK(collectives_csv(without).find("launch_s") == std::string::npos);
}
