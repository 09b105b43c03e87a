// A training step of a scenario, run on its network: one answer whichever solver, and one that faults,
// stragglers and the order of the axes change.
#include <catch2/catch.hpp>

#include "core/errors.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

const std::string on_h100 =
    "cluster: {preset: hgx-h100, count: 4}\n"
    "workload: {training: {model: {layers: 4, hidden: 2048, heads: 16, vocab: 32000}, seq: "
    "4096, global_batch: 8, micro_batch: 1, recompute: full, "
    "parallel: {tp: 8, pp: 2, vp: 1, schedule: 1f1b, zero: 1}}}\n";

Result step_by(const std::string& text, const std::string& solver) {
  RunOptions options;
  options.solver = solver;
  options.advise = false;
  return run(load(text_request(text)), options);
}

Duration step_of(const std::string& text) {
  const Result result = step_by(text, "auto");
  REQUIRE(result.training.front().exact);
  return result.training.front().step;
}

std::string with(std::string text, const std::string& old, const std::string& other) {
  const auto at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), other);
}

}  // namespace

TEST_CASE("a training step has one answer and one fingerprint whichever exact solver ran") {
  const Result quotient = step_by(on_h100, "quotient"), program = step_by(on_h100, "program"),
               colours = step_by(on_h100, "colours");
  CHECK(quotient.training.front().solver == "quotient");
  CHECK(program.training.front().solver == "program");
  CHECK(colours.training.front().solver == "colours");
  CHECK(quotient.fingerprint == program.fingerprint);
  CHECK(colours.fingerprint == program.fingerprint);
  for (const Result* result : {&quotient, &program, &colours}) {
    const TrainingRow& row = result->training.front();
    Duration sum;
    for (const NamedTime& part : row.breakdown) sum += part.time;
    CHECK(sum == row.step);
    CHECK(row.exact);
    CHECK(result->warnings.empty());
    CHECK_FALSE(result->links.empty());
  }
  CHECK_FALSE(step_by(on_h100, "closed_form").training.front().exact);
}

TEST_CASE("a straggler and a slow NIC make a step longer") {
  const Duration healthy = step_of(on_h100);
  CHECK(step_of(on_h100 + "faults: {stragglers: [{chips: \"us0.c0\", delay: 50ms}]}\n") > healthy);
  CHECK(step_of(on_h100 + "faults: {events: [{degrade: us1.c0.nic, factor: 0.01}]}\n") > healthy);
}

TEST_CASE("a step that no exact solver can finish is estimated with a warning or refused") {
  const std::string unbuilt = with(on_h100, "schedule: 1f1b", "schedule: v-half");
  const Result estimated = step_by(unbuilt, "auto");
  CHECK_FALSE(estimated.training.front().exact);
  REQUIRE(estimated.warnings.size() == 1);
  CHECK(estimated.warnings[0].find("its order of passes is not built yet") != std::string::npos);
  CHECK_THROWS_AS(step_by(unbuilt, "program"), InfeasibleError);
  CHECK_THROWS_AS(step_by(on_h100, "phases"), InfeasibleError);
  CHECK(step_of(with(on_h100, "schedule: 1f1b", "schedule: zb-v")) < step_of(on_h100));
}
