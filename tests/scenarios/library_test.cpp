// Every shipped scenario is a golden: the numbers of its rows and of its variants', written down. A change of
// one is a change of the model and needs a reason; TAHOMA_BLESS=1 writes the files anew.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/load.h"
#include "scenarios/result_csv.h"
#include "scenarios/run.h"

using namespace tahoma;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void check_rows(const Result& result) {
  for (const CollectiveRow& row : result.collectives) {
    CHECK(row.exact);
    CHECK(row.time >= row.lower_bound);
    CHECK(row.time.ps > 0);
  }
  for (const TrainingRow& row : result.training) {
    CHECK(row.step.ps > 0);
    // Several splits, and several counts, are compared in closed form.
    CHECK(row.exact == (row.legal == 1 && row.counts.empty()));
  }
  for (const AssertionOutcome& assertion : result.assertions) {
    INFO(assertion.text << " " << assertion.row);
    CHECK(assertion.held);
  }
}

}  // namespace

TEST_CASE("every library scenario gives its golden rows, is exact, and never beats a bound", "[slow]") {
  const std::filesystem::path root = TAHOMA_SOURCE_DIR;
  std::size_t scenarios = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "scenarios/library")) {
    if (entry.path().extension() != ".yaml") continue;
    ++scenarios;
    const std::string name = entry.path().stem().string();
    INFO(name);
    LoadRequest request;
    request.file = entry.path().string();
    const Scenario scenario = load(request);
    CHECK(scenario.name == name);
    CHECK_FALSE(scenario.description.empty());
    RunOptions options;
    options.advise = false;
    Result result = run(scenario, options);
    check_rows(result);
    for (const std::string& variant : scenario.variants) {
      INFO(variant);
      request.variant = variant;
      result.variants.push_back(run(load(request), options));
      result.variants.back().name = variant;
      check_rows(result.variants.back());
    }
    const std::string rows =
        collectives_csv(result) + flows_csv(result) + (result.training.empty() ? "" : training_csv(result));
    const auto golden = root / "tests/golden" / (name + ".csv");
    if (std::getenv("TAHOMA_BLESS") != nullptr) std::ofstream(golden) << rows;
    CHECK(rows == text_of(golden));
  }
  CHECK(scenarios >= 24);
}
