// What a sweep varies: paths of a scenario and the values that each takes.
//
// Problem: `sweep: {cluster.count: [64, 128], fabric.scale_out.0.bandwidth: "range(50GB/s, 100GB/s,
// 25GB/s)"}` holds values of every kind, and a table of results wants numbers with one unit per column. Idea:
// a value keeps its text as the scenario reads it, and beside it the number in the column's unit where the
// key's type has one. Every value is checked against the key table before anything runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/merge.h"
#include "scenarios/scenario.h"

namespace tahoma {

struct AxisValue {
  std::string text;     // on one line, as a scenario holds it: "50GB/s", "[4, 4]"
  Node node;            // the same, to lay over the scenario
  std::string number;   // in the unit of SweepAxis::column; "" if it is none
  std::string meaning;  // of a variant: what it changes; for its id
};

struct SweepAxis {
  std::string path;          // "cluster.count"; "variant" for the names of `sweep.variants`
  std::string column;        // the path with its unit: "fabric.scale_out.0.bandwidth_GBps"
  bool numeric = true;       // all its values are numbers
  bool is_interval = false;  // between(a, b): 1,001 values, to draw from
  std::vector<AxisValue> values;
};
inline constexpr std::string_view variant_axis = "variant";

struct Objective {
  std::string metric;
  bool minimize = true;
};

struct SweepSpec {
  enum class Mode : std::uint8_t { grid, zip, random, lhs };
  Mode mode = Mode::grid;
  std::uint64_t samples = 0;  // of random and lhs
  std::uint64_t seed = 0;
  std::vector<SweepAxis> axes;  // in the order of the file, then -m, variants first
  std::vector<Assertion> constraints;
  std::vector<Objective> objectives;
};

/// `sweep` may be empty. `multiplied`: "path=a,b" of -m, each an axis that takes the place of the file's.
/// Throws ScenarioError with place, key and what is accepted.
SweepSpec read_sweep(const Node& sweep, const std::vector<std::string>& multiplied = {});

}  // namespace tahoma
