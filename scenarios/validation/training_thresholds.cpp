// What is asked of the model of training steps, as a table of named limits.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/quantity.h"
#include "scenarios/training/chip_calibration.h"
#include "scenarios/validation/training_validation.h"

namespace tahoma {

namespace {

struct StepFound {
  double value = 0;
  std::size_t rows = 0;
  std::string worst;
};

StepFound step_mape(const TrainingValidation& v) {
  return {v.all.mape, v.all.rows, v.all.worst_id};
}

StepFound step_worst(const TrainingValidation& v) {
  return {std::abs(v.all.worst), v.all.rows, v.all.worst_id};
}

/// The table of steps with full and selective recomputation, 22B to 1T.
StepFound recompute_mape(const TrainingValidation& v) {
  for (const StepErrors& source : v.sources) {
    if (source.name == "RECOMP") return {source.mape, source.rows, source.worst_id};
  }
  return {};
}

StepFound failed_steps(const TrainingValidation& v) {
  return {static_cast<double>(v.failed), v.rows.size(), ""};
}

StepFound excluded_steps(const TrainingValidation& v) {
  if (v.rows.empty()) return {};
  return {static_cast<double>(v.excluded) / static_cast<double>(v.rows.size()), v.rows.size(), ""};
}

StepFound badly_ranked_sweeps(const TrainingValidation& v) {
  StepFound found;
  std::size_t disordered = 0;
  double least = 1;
  for (const StepSweep& sweep : v.sweeps) {
    found.rows += sweep.rows;
    if (sweep.correlation < 0.9) ++disordered;
    if (sweep.correlation >= least) continue;
    least = sweep.correlation;
    found.worst = sweep.first_id;
  }
  if (!v.sweeps.empty()) found.value = static_cast<double>(disordered) / static_cast<double>(v.sweeps.size());
  return found;
}

struct StepRule {
  std::string_view name;
  bool percent;
  double limit;
  StepFound (*find)(const TrainingValidation&);
  std::string_view meaning;
};

constexpr StepRule step_rules[] = {
    {"step_mape", true, 0.08, step_mape, "mean error of a step's time"},
    {"step_worst", true, 0.25, step_worst, "the step that is furthest off"},
    {"recompute_mape", true, 0.04, recompute_mape,
     "mean error of 22B to 1T with full and selective recomputation"},
    {"badly_ranked_sweeps", true, 0, badly_ranked_sweeps,
     "sweeps of one column whose rank correlation is below 0.9"},
    {"failed_rows", false, 0, failed_steps, "counted rows without a prediction"},
    {"excluded_share", true, 0.05, excluded_steps, "rows that are left out"},
};

}  // namespace

AccuracyLimit read_step_limit(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name(text.substr(0, equals));
  std::vector<std::string> names;
  for (const StepRule& rule : step_rules) names.emplace_back(rule.name);
  const auto rule = std::find_if(std::begin(step_rules), std::end(step_rules),
                                 [&](const StepRule& r) { return r.name == name; });
  if (rule == std::end(step_rules))
    throw BadText{"names no threshold", "NAME=VALUE with a NAME of " + listed(names), nearest(name, names)};
  if (equals == text.size()) throw BadText{"has no value", name + (rule->percent ? "=8%" : "=0"), ""};
  const std::string_view value = text.substr(equals + 1);
  if (value.ends_with('%') != rule->percent)
    throw BadText{rule->percent ? "needs a percent sign" : "is a plain number, no share",
                  name + (rule->percent ? "=8%" : "=0"), ""};
  return {name, to_double(read_number(value))};
}

std::vector<AccuracyOutcome> judge_steps(const TrainingValidation& validation,
                                         const std::vector<AccuracyLimit>& others) {
  std::vector<AccuracyOutcome> outcomes;
  for (const StepRule& rule : step_rules) {
    const StepFound found = rule.find(validation);
    AccuracyOutcome outcome{std::string(rule.name),
                            std::string(rule.meaning),
                            rule.percent,
                            rule.limit,
                            found.value,
                            found.rows,
                            found.worst};
    for (const AccuracyLimit& other : others) {
      if (other.name == outcome.name) outcome.limit = other.limit;
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace tahoma
