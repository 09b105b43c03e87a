#include "scenarios/judge_assertions.h"

#include <fmt/format.h>

#include "core/errors.h"

namespace tahoma {

namespace {

struct Metric {
  const char* name;
  double (*of)(const CollectiveRow&);
};

constexpr Metric metrics[] = {
    {"time_s", [](const CollectiveRow& r) { return seconds(r.time); }},
    {"start_s", [](const CollectiveRow& r) { return seconds(r.start - Time{}); }},
    {"lower_bound_s", [](const CollectiveRow& r) { return seconds(r.lower_bound); }},
    {"efficiency", [](const CollectiveRow& r) { return r.efficiency; }},
    {"algbw_GBps", [](const CollectiveRow& r) { return r.algbw_GBps; }},
    {"busbw_GBps", [](const CollectiveRow& r) { return r.busbw_GBps; }},
    {"bytes", [](const CollectiveRow& r) { return static_cast<double>(r.bytes); }},
    {"ranks", [](const CollectiveRow& r) { return static_cast<double>(r.ranks); }},
    {"flows", [](const CollectiveRow& r) { return static_cast<double>(r.flows); }},
    {"classes", [](const CollectiveRow& r) { return static_cast<double>(r.classes); }},
};

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

}  // namespace

std::vector<std::string> assertion_metrics() {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.emplace_back(metric.name);
  return names;
}

std::vector<AssertionOutcome> judge_assertions(const std::vector<Assertion>& assertions,
                                               const Result& result) {
  std::vector<AssertionOutcome> outcomes;
  for (const Assertion& assertion : assertions) {
    const Metric* metric = nullptr;
    for (const Metric& m : metrics) {
      if (assertion.metric == m.name) metric = &m;
    }
    TAHOMA_ASSERT(metric != nullptr, "an assertion's metric that resolve let pass: " + assertion.metric);
    AssertionOutcome outcome;
    outcome.text = assertion.text;
    // Nothing to judge is not a success: a gate on no rows must not open.
    outcome.held = !result.collectives.empty();
    for (const CollectiveRow& row : result.collectives) {
      const double value = metric->of(row);
      if (&row == &result.collectives.front()) outcome.value = value;
      if (holds(assertion.relation, value, assertion.value)) continue;
      if (outcome.held) {
        outcome.held = false;
        outcome.value = value;
        outcome.row = fmt::format("{}{} of {} bytes, {}", row.job.empty() ? "" : row.job + ": ",
                                  row.collective, row.bytes, row.algorithm);
      }
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace tahoma
