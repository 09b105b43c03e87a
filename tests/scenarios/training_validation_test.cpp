// The open training steps, predicted: the page says what comes out, the bounds hold, the evidence is what it
// is.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/errors.h"
#include "scenarios/training/chip_calibration.h"
#include "scenarios/validation/training_mapping.h"
#include "scenarios/validation/training_validation.h"

using namespace tahoma;

namespace {

const std::filesystem::path training_page_file =
    std::filesystem::path(TAHOMA_SOURCE_DIR) / "docs/validation-training.md";
const std::string training_rule = "\n---\n";

std::string page_text() {
  std::ifstream in(training_page_file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

const TrainingValidation& open_validation() {
  static const TrainingValidation validation = validate_training("open rows", open_steps());
  return validation;
}

constexpr double badly_ranked_today = 0.236;  // of the sweeps

}  // namespace

TEST_CASE("open training steps are predicted within their bounds but for the order in some sweeps") {
  for (const AccuracyOutcome& outcome : judge_steps(open_validation())) {
    CAPTURE(outcome.name, outcome.value, outcome.limit, outcome.worst);
    // The one that is not met: `validate --training` says so and exits with 4. It must not get worse.
    if (outcome.name == "badly_ranked_sweeps") {
      CHECK(outcome.value <= badly_ranked_today);
    } else {
      CHECK(outcome.held());
    }
  }
  // One fitted figure for ten rows at most.
  CHECK(fitted_figures().size() * 10 <= open_validation().rows.size());
}

TEST_CASE("the page of training validation is what the open rows give today") {
  const std::string page = page_text();
  const std::size_t end = page.find(training_rule);
  REQUIRE(end != std::string::npos);
  const std::string head = page.substr(0, end + training_rule.size());
  if (std::getenv("TAHOMA_BLESS") != nullptr)
    std::ofstream(training_page_file) << head << training_validation_page(open_validation());
  INFO("run this test with TAHOMA_BLESS=1 to write the tables anew");
  CHECK(page_text() == head + training_validation_page(open_validation()));
}

TEST_CASE("the evidence of a result is what validation gives") {
  for (const FamilyAccuracy& family : family_accuracies()) {
    bool found = false;
    for (const StepErrors& errors : open_validation().families) {
      if (errors.name != family.family) continue;
      found = true;
      CAPTURE(errors.name, errors.rows, errors.mape, errors.worst);
      CHECK(errors.rows == family.rows);
      CHECK(std::abs(errors.mape * 100 - std::stod(std::string(family.mape_percent))) < 0.06);
      CHECK(std::abs(errors.worst * 100 - std::stod(std::string(family.worst_percent))) < 0.06);
    }
    CHECK(found);
  }
}

TEST_CASE("both sets of columns make the same scenario of the same run") {
  const std::string ours =
      "id,source,model,layers,hidden,heads,kv_heads,ffn,seq,vocab,global_batch,n_accel,tp,pp,dp,cp,ep,vp_"
      "stages,micro_"
      "batch,recompute,dtype,measured_step_s,preset,nic,transport,ranks_per_chip,oversubscription\n"
      "x,S,GPT,48,8192,64,64,32768,2048,51200,1536,512,8,2,32,1,1,1,2,full,fp16,14.6,hgx-a100,8x200Gbps,ib,,"
      "2\n";
  const std::string other =
      "id,source_id,model,params_B,layers,hidden,heads,seq,system,accels,TP,PP,CP,EP,DP,VP,mbs,gbs,precision,"
      "step_time_"
      "s,tokens_per_s_per_accel,preset,nic,transport,ranks_per_chip,oversubscription,notes\n"
      "x,S,GPT,39.1,48,8192,64,2048,A100,512,8,2,,,32,1,2,1536,fp16,14.6,,hgx-a100,8x200Gbps,ib,,2,"
      "activation "
      "checkpointing\n";
  const StepScenario a = step_scenario(read_measured_steps(ours, "a.csv").front());
  const StepScenario b = step_scenario(read_measured_steps(other, "b.csv").front());
  CHECK(a.text == b.text);
  CHECK(a.measured == b.measured);
  CHECK(a.text.find("oversubscription: 2") != std::string::npos);
}

TEST_CASE("a file of steps with a slip is refused at its cell") {
  const std::string head = "id,source,model,n_accel,dtype,preset,measured_step_s\n";
  CHECK_THROWS_WITH(read_measured_steps(head + "a,S,GPT,8,bf16,hgx-h1000,1\n", "f.csv"),
                    Catch::Contains("f.csv:2:16: column 'preset': value 'hgx-h1000' is not known") &&
                        Catch::Contains("did you mean 'hgx-h100'?"));
  CHECK_THROWS_WITH(read_measured_steps(head + "a,S,GPT,8,bf16,hgx-h100,fast\n", "f.csv"),
                    Catch::Contains("is no number"));
  CHECK_THROWS_WITH(read_measured_steps("id,model\na,b\n", "f.csv"), Catch::Contains("two sets of columns"));
}
