#include "scenarios/sweep/best.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "scenarios/sweep/tables.h"

namespace tahoma {

namespace {

struct RatedPoint {
  std::uint64_t point = 0;
  std::vector<double> costs;  // by objective, smaller is better
};

bool is_considered(const SweepPlan& plan, const PointRecord& record) {
  return record.status == "ok" && record.held && meets_constraints(plan, record);
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better |= a[i] < b[i];
  }
  return better;
}

}  // namespace

std::vector<Objective> objectives_of(const SweepPlan& plan) {
  if (!plan.spec.objectives.empty()) return plan.spec.objectives;
  return {{"time_s", true}};
}

PointValue value_of(const PointRecord& record, const std::string& metric) {
  if (record.rows.empty()) return {};
  for (std::size_t i = 0; i < row_columns().size(); ++i) {
    if (row_columns()[i].name != metric || record.rows.back()[i].empty()) continue;
    return {true, std::strtod(record.rows.back()[i].c_str(), nullptr)};
  }
  return {};
}

std::vector<std::uint64_t> pareto_front(const SweepPlan& plan, const std::vector<PointRecord>& records) {
  std::vector<RatedPoint> candidates;
  for (const PointRecord& record : records) {
    if (!is_considered(plan, record)) continue;
    RatedPoint candidate{record.point, {}};
    bool known = true;
    for (const Objective& objective : objectives_of(plan)) {
      const PointValue value = value_of(record, objective.metric);
      known &= value.known;
      candidate.costs.push_back(objective.minimize ? value.value : -value.value);
    }
    if (known) candidates.push_back(std::move(candidate));
  }
  std::sort(candidates.begin(), candidates.end(), [](const RatedPoint& a, const RatedPoint& b) {
    return a.costs != b.costs ? a.costs < b.costs : a.point < b.point;
  });
  // In this order only an earlier one can be better, and one of the front always is if any is.
  std::vector<RatedPoint> front;
  for (RatedPoint& candidate : candidates) {
    const bool beaten = std::any_of(front.begin(), front.end(), [&](const RatedPoint& other) {
      return dominates(other.costs, candidate.costs);
    });
    if (!beaten) front.push_back(std::move(candidate));
  }
  std::vector<std::uint64_t> points;
  for (const RatedPoint& candidate : front) points.push_back(candidate.point);
  return points;
}

std::vector<AxisEffect> effects(const SweepPlan& plan, const std::vector<PointRecord>& records) {
  const std::string metric = objectives_of(plan).front().metric;
  std::vector<AxisEffect> all;
  for (std::size_t a = 0; a < plan.spec.axes.size(); ++a) {
    const std::size_t values = plan.spec.axes[a].values.size();
    if (values < 2) continue;
    std::vector<double> sums(values, 0);
    std::vector<std::uint64_t> counts(values, 0);
    double sum = 0;
    std::uint64_t count = 0;
    for (const PointRecord& record : records) {
      const PointValue value = record.status == "ok" ? value_of(record, metric) : PointValue{};
      if (!value.known || !(value.value > 0)) continue;
      const std::uint32_t at = plan.choices[record.point * plan.spec.axes.size() + a];
      sums[at] += std::log(value.value);
      ++counts[at];
      sum += std::log(value.value);
      ++count;
    }
    AxisEffect effect{a, std::vector<double>(values, 0), 1};
    double least = 0, most = 0;
    for (std::size_t v = 0; v < values; ++v) {
      if (counts[v] == 0) continue;
      const double relative =
          std::exp(sums[v] / static_cast<double>(counts[v]) - sum / static_cast<double>(count));
      effect.relative[v] = relative;
      least = least == 0 ? relative : std::min(least, relative);
      most = std::max(most, relative);
    }
    if (least > 0) effect.spread = most / least;
    all.push_back(std::move(effect));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const AxisEffect& a, const AxisEffect& b) { return a.spread > b.spread; });
  return all;
}

}  // namespace tahoma
