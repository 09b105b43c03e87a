// What is kept of a point: one line of JSON, and the cells of a table made from it.
//
// Problem: the tables must hold the same bytes whether a point was computed just now, read back from a shard
// or brought by another machine. Idea: they are only ever made from lines. A time keeps its integer
// picoseconds through the line as long as it is below two and a half hours (2^53 ps).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result.h"
#include "scenarios/sweep/plan.h"

namespace tahoma {

struct PointRecord {
  std::uint64_t point = 0;
  std::string id;
  std::string status;  // ok, infeasible (exit 3), invalid (exit 2), failed (exit 5)
  std::string reason;  // of all but ok
  std::string fingerprint;
  std::uint64_t chips = 0;
  bool held = true;                            // its assertions
  std::vector<std::vector<std::string>> rows;  // cells in the order of row_columns()
};

/// A column of the rows of a point: a collective and size, the flows of a job, or a trace.
struct RowColumn {
  std::string_view name;
  enum class Kind : std::uint8_t { text, whole, number, seconds, boolean } kind;
};
const std::vector<RowColumn>& row_columns();

/// Runs one point. What goes wrong is in the record; nothing is thrown.
PointRecord run_point(const SweepPlan& plan, const ScenarioFiles& files, std::uint64_t point);

/// With a newline at its end.
std::string line_of(const SweepPlan& plan, const PointRecord& record);

/// Of one line without its newline; false: it is damaged, or of no such point.
bool read_line(const SweepPlan& plan, std::string_view line, PointRecord& record);

}  // namespace tahoma
