// The open rows, run: the page and the table of checked cases say what comes out, and few rows are left out.
#include "scenarios/validation/validation_page.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "collectives/stack/stack.h"
#include "scenarios/validation/accuracy_thresholds.h"
#include "scenarios/validation/evidence.h"
#include "scenarios/validation/exclusions.h"
#include "scenarios/validation/mapping.h"
#include "scenarios/validation/sources.h"

using namespace tahoma;

namespace {

const std::filesystem::path page_file = std::filesystem::path(TAHOMA_SOURCE_DIR) / "docs/validation.md";
const std::filesystem::path cases_file =
    std::filesystem::path(TAHOMA_SOURCE_DIR) / "scenarios/validation/checked_cases.csv";
const std::string rule = "\n---\n";  // above it the words, below it the tables

std::string text_in(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the page of validation and the checked cases are what the open rows give today",
          "[validation][slow]") {
  const Validation validation = judge("open rows", open_rows(), predict(open_rows()));
  const std::string page = text_in(page_file);
  const std::size_t end = page.find(rule);
  REQUIRE(end != std::string::npos);
  const std::string head = page.substr(0, end + rule.size());
  if (std::getenv("TAHOMA_BLESS") != nullptr) {
    std::ofstream(page_file) << head << validation_page(validation);
    std::ofstream(cases_file) << checked_cases_csv(validation);
  }
  INFO("run this test with TAHOMA_BLESS=1 to write the tables anew");
  CHECK(text_in(page_file) == head + validation_page(validation));
  CHECK(text_in(cases_file) == checked_cases_csv(validation));

  CHECK(validation.rows.size() == open_rows().size());
  CHECK(validation.counted + validation.excluded + validation.shown_only == validation.rows.size());
  for (const JudgedRow& row : validation.rows) {
    INFO(row.measured.id);
    CHECK((row.compared() || !row.why_not.empty()));
  }
  // A prediction that falls while the message grows would be a fault of ours. (What is measured does fall
  // where sizes do not matter: the rank correlations of the page show it.)
  std::map<std::string, std::map<std::uint64_t, std::pair<Duration, std::string>>> sweeps;
  for (const JudgedRow& row : validation.rows) {
    if (row.compared())
      sweeps[scenario_text(row.measured, "any", {1})][row.measured.bytes] = {*row.prediction.time,
                                                                             row.measured.id};
  }
  CHECK(sweeps.size() > 50);
  for (const auto& [scenario, by_size] : sweeps) {
    Duration smaller{};
    for (const auto& [bytes, predicted] : by_size) {
      INFO(predicted.second);
      CHECK(predicted.first >= smaller);
      smaller = predicted.first;
    }
  }
  // What the decision on stacks promises of its figures.
  std::size_t fitted = 0;
  for (const Stack& stack : stacks()) {
    for (const StackParameter& p : stack_parameters(stack.name))
      fitted += p.provenance == Provenance::fitted || p.provenance == Provenance::measured ? 1u : 0u;
  }
  CHECK(fitted > 0);
  CHECK(fitted * 20 <= validation.counted);
}

TEST_CASE("at most one in twenty of the rows of trust A and B is left out and each for a reason") {
  std::size_t eligible = 0, left_out = 0;
  for (const MeasuredRow& row : open_rows()) {
    if (row.trust == "C" || row.preset.empty()) continue;
    ++eligible;
    left_out += excluded_because(row).empty() ? 0u : 1u;
  }
  CHECK(left_out > 0);
  CHECK(left_out * 20 <= eligible);
  for (const Exclusion& exclusion : exclusions()) CHECK_FALSE(exclusion.reason.empty());
}

TEST_CASE("every source of the open rows is told and no other") {
  std::set<std::string> used, told;
  for (const MeasuredRow& row : open_rows()) used.insert(row.source);
  for (const MeasuredSource& source : measured_sources()) told.emplace(source.id);
  CHECK(used == told);
}

TEST_CASE("predictions do not depend on the number of threads or on the rows beside them") {
  std::vector<MeasuredRow> some;
  for (const MeasuredRow& row : open_rows()) {
    if (row.source == "G02" || row.source == "T01" || row.source == "G08") some.push_back(row);
  }
  PredictOptions alone;
  alone.threads = 1;
  PredictOptions many;
  many.threads = 5;
  const auto one = predict(some, alone), five = predict(some, many);
  REQUIRE(one.size() == some.size());
  for (std::size_t r = 0; r < some.size(); ++r) {
    INFO(some[r].id);
    CHECK(one[r].time == five[r].time);
    CHECK(one[r].why_not == five[r].why_not);
  }
  CHECK(predict({some[3]}, alone)[0].time == one[3].time);
}
