// Which points of a sweep are worth a look: the Pareto front of the objectives, and what each axis does.
//
// A point counts by its last row (the largest size, the last job), if it is ok, holds its assertions and
// meets the constraints. Without objectives the shortest time is sought.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/sweep/record.h"

namespace tahoma {

/// The objectives of the plan, or time_s.
std::vector<Objective> objectives_of(const SweepPlan& plan);

/// The metric of a point's last row; no value: nan is never one, has_value says so.
struct PointValue {
  bool known = false;
  double value = 0;
};
PointValue value_of(const PointRecord& record, const std::string& metric);

/// Points that no other one is at least as good as in every objective and better in one; in order of the
/// first objective.
std::vector<std::uint64_t> pareto_front(const SweepPlan& plan, const std::vector<PointRecord>& records);

/// How the first objective goes with the values of an axis: its mean (of logarithms) over the points with
/// each value, relative to the mean of all.
struct AxisEffect {
  std::size_t axis = 0;
  std::vector<double> relative;  // by value; 0: no point with it
  double spread = 1;             // largest / smallest
};
/// Largest spread first.
std::vector<AxisEffect> effects(const SweepPlan& plan, const std::vector<PointRecord>& records);

}  // namespace tahoma
