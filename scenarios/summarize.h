// Solution -> rows of the result: percentiles, bandwidths, bound, bottleneck, links by class, fingerprint.
#pragma once

#include <string>
#include <vector>

#include "collectives/bound.h"
#include "collectives/solve/solve.h"
#include "scenarios/result.h"
#include "scenarios/rows.h"

namespace tahoma {

/// The software that a row ran under.
struct Software {
  std::string stack, protocol;
  Duration launch;  // before the program's start
};

/// `program`: which program of the solution is this row. `topology`: the hardware's own. Asserts that nothing
/// beats its lower bound.
CollectiveRow summarize_row(const PlannedRow& row, const Schedule& schedule, const Topology& topology,
                            const Solution& solution, std::size_t program, const Software& software = {});

/// Links of a solution, alike ones together, busiest first. `lasted`: the time that utilization refers to.
std::vector<LinkRow> summarize_links(const Topology& topology, const Solution& solution, Duration lasted,
                                     const std::string& row);

/// Hash of the resolved scenario and all finish times, run-length coded by rank: the same whichever solver
/// ran.
class Fingerprint {
 public:
  explicit Fingerprint(const std::string& resolved_scenario);
  void add(const RankGroups& groups, const Solution& solution, std::size_t program);
  void add_time(Time time) { mix(static_cast<std::uint64_t>(time.ps)); }
  std::string text() const;

 private:
  void mix(std::uint64_t value);
  std::uint64_t state_ = 0;
};

/// "dp: all_reduce 1048576 ring".
std::string row_name(const CollectiveRow& row);

}  // namespace tahoma
