// The rows of a sweep's results.csv, for a comparison: matched by swept coordinates, so that an edited preset
// or another version of the program does not unmatch them.
#pragma once

#include <string>
#include <vector>

#include "scenarios/compare.h"

namespace tahoma {

/// Rows of points that were answered; ComparedRow::variant is "cluster.count=64 workload.sizes_bytes=1024".
/// Throws ScenarioError naming `file`.
std::vector<ComparedRow> read_compared_sweep(const std::string& csv, const std::string& file);

}  // namespace tahoma
