// The points of a sweep, in their order: which value of each axis a point takes, and the id it is known by.
//
// A point's id is the hash of its coordinates and of the scenario's text, so that it does not depend on where
// the folder lies, on who runs the point or on what else is in the plan. A point is made from that text and
// nothing else: an edited file changes no sweep that was planned before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/load.h"
#include "scenarios/sweep/axes.h"

namespace tahoma {

struct SweepPlan {
  std::string name;                           // of the scenario
  std::string text;                           // of the scenario, its `sweep` included: ScenarioFiles::text
  std::string folder;                         // that files named by the scenario lie beside
  std::vector<std::string> sets, multiplied;  // --set and -m
  std::string version;                        // of the program
  std::string base;  // what all points have in common, for their ids: text without `sweep`, and --set
  SweepSpec spec;
  std::uint64_t points = 0;
  std::vector<std::uint32_t> choices;  // of point i and axis a: at i * spec.axes.size() + a
};

struct PlanRequest {
  LoadRequest scenario;
  std::vector<std::string> multiplied;  // -m
  std::uint64_t most_points = 100'000;
  std::string version;
};

/// The scenario that the points are made from.
ScenarioFiles files_of(const SweepPlan& plan);

/// Throws ScenarioError: no axes, too many points, or what the files hold.
SweepPlan plan_sweep(const PlanRequest& request);

const AxisValue& coordinate(const SweepPlan& plan, std::uint64_t point, std::size_t axis);
/// 16 hexadecimal digits.
std::string point_id(const SweepPlan& plan, std::uint64_t point);
/// Of everything that the points depend on.
std::string plan_id(const SweepPlan& plan);

/// plan.jsonl: a line per point, {"point", "id", "coordinates": {path: text}}.
std::string plan_lines(const SweepPlan& plan);
/// sweep.json: from it plan_from_manifest makes the same plan again.
std::string manifest_text(const SweepPlan& plan);
/// Throws ScenarioError naming `file`; one of another version is refused.
SweepPlan plan_from_manifest(const std::string& text, const std::string& file, const std::string& version);

}  // namespace tahoma
