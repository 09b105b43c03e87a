// A sweep for people: the plan before it runs, how far it is, and what came out.
#pragma once

#include <string>
#include <vector>

#include "scenarios/report_text.h"
#include "scenarios/sweep/record.h"

namespace tahoma {

/// Axes, values, number of points, first and last point.
std::string plan_summary(const SweepPlan& plan);
/// Points by status.
std::string status_summary(const SweepPlan& plan, const std::vector<PointRecord>& records);
/// Points by status with reasons, the best points, and what each axis does.
std::string sweep_summary(const SweepPlan& plan, const std::vector<PointRecord>& records,
                          const TextStyle& style);

}  // namespace tahoma
