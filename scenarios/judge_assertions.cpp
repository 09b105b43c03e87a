#include "scenarios/judge_assertions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"
#include "scenarios/assertion.h"
#include "scenarios/report_training.h"

namespace tahoma {

namespace {

/// A row has the metrics that are read from its kind; null: it has none such.
struct Metric {
  const char* name;
  double (*of)(const CollectiveRow&);
  double (*of_trace)(const TraceRow&);
};

constexpr Metric metrics[] = {
    {"time_s", [](const CollectiveRow& r) { return seconds(r.time); },
     [](const TraceRow& r) { return seconds(r.time); }},
    {"start_s", [](const CollectiveRow& r) { return seconds(r.start - Time{}); },
     [](const TraceRow& r) { return seconds(r.start - Time{}); }},
    {"lower_bound_s", [](const CollectiveRow& r) { return seconds(r.lower_bound); }, nullptr},
    {"efficiency", [](const CollectiveRow& r) { return r.efficiency; }, nullptr},
    {"algbw_GBps", [](const CollectiveRow& r) { return r.algbw_GBps; }, nullptr},
    {"busbw_GBps", [](const CollectiveRow& r) { return r.busbw_GBps; }, nullptr},
    {"bytes", [](const CollectiveRow& r) { return static_cast<double>(r.bytes); }, nullptr},
    {"ranks", [](const CollectiveRow& r) { return static_cast<double>(r.ranks); },
     [](const TraceRow& r) { return static_cast<double>(r.ranks); }},
    {"flows", [](const CollectiveRow& r) { return static_cast<double>(r.flows); },
     [](const TraceRow& r) { return static_cast<double>(r.flows); }},
    {"classes", [](const CollectiveRow& r) { return static_cast<double>(r.classes); }, nullptr},
    {"device_s", nullptr, [](const TraceRow& r) { return seconds(r.device); }},
    {"communication_s", nullptr, [](const TraceRow& r) { return seconds(r.communication); }},
    {"exposed_communication_s", nullptr, [](const TraceRow& r) { return seconds(r.exposed); }},
};

/// Of a training step; false: the metric is another kind of row's.
bool judge_training(const Assertion& assertion, const Result& result, AssertionOutcome& outcome) {
  const std::vector<std::string> names = training_metric_names();
  if (std::find(names.begin(), names.end(), assertion.metric) == names.end()) return false;
  outcome.held = !result.training.empty();
  for (const TrainingRow& row : result.training) {
    for (const auto& [name, value] : training_metrics(row)) {
      if (name != assertion.metric) continue;
      outcome.value = value;
      outcome.held = holds(assertion.relation, value, assertion.value);
      if (!outcome.held) outcome.row = row.model + ", " + row.split;
    }
  }
  return true;
}

}  // namespace

bool holds(Assertion::Relation relation, double value, double limit) {
  switch (relation) {
    case Assertion::Relation::less:
      return value < limit;
    case Assertion::Relation::less_equal:
      return value <= limit;
    case Assertion::Relation::greater:
      return value > limit;
    case Assertion::Relation::greater_equal:
      return value >= limit;
    case Assertion::Relation::equal:
      return value == limit;
  }
  return false;
}

std::vector<std::string> assertion_metrics() {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.emplace_back(metric.name);
  for (std::string& name : training_metric_names()) names.push_back(std::move(name));
  return names;
}

std::vector<AssertionOutcome> judge_assertions(const std::vector<Assertion>& assertions,
                                               const Result& result) {
  std::vector<AssertionOutcome> outcomes;
  for (const Assertion& assertion : assertions) {
    AssertionOutcome outcome;
    outcome.text = assertion.text;
    if (judge_training(assertion, result, outcome)) {
      outcomes.push_back(std::move(outcome));
      continue;
    }
    const Metric* metric = nullptr;
    for (const Metric& m : metrics) {
      if (assertion.metric == m.name) metric = &m;
    }
    TAHOMA_ASSERT(metric != nullptr, "an assertion's metric that resolve let pass: " + assertion.metric);
    bool any = false;
    const auto judge = [&](double value, const auto& name) {
      if (!any) {
        outcome.value = value;
        outcome.held = true;
      }
      any = true;
      if (holds(assertion.relation, value, assertion.value) || !outcome.held) return;
      outcome.held = false;
      outcome.value = value;
      outcome.row = name();
    };
    // Nothing to judge is not a success: a gate on no rows must not open.
    outcome.held = false;
    if (metric->of != nullptr) {
      for (const CollectiveRow& row : result.collectives) {
        judge(metric->of(row), [&] {
          return fmt::format("{}{} of {} bytes, {}", row.job.empty() ? "" : row.job + ": ", row.collective,
                             row.bytes, row.algorithm);
        });
      }
    }
    if (metric->of_trace != nullptr) {
      for (const TraceRow& row : result.traces) {
        judge(metric->of_trace(row), [&] {
          return fmt::format("{}trace of {} ranks", row.job.empty() ? "" : row.job + ": ", row.ranks);
        });
      }
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace tahoma
