// The tables of a sweep, made from its records: results.csv and results.sqlite.
//
// One row per observation: a point's coordinates beside each row of its result. Units stand in the column's
// name, numbers are numbers, what is not known is empty. Both are written beside their place and renamed; a
// damaged database is simply made again.
#pragma once

#include <string>
#include <vector>

#include "scenarios/sweep/record.h"

namespace tahoma {

/// Records of points that are not done (empty status) have no rows.
std::string sweep_csv(const SweepPlan& plan, const std::vector<PointRecord>& records);

/// Tables `points` (a row per point) and `collectives` (a row per row of a result). Throws MachineError.
void write_sqlite(const SweepPlan& plan, const std::vector<PointRecord>& records, const std::string& file);

/// Whether the assertions under `sweep.constraint` hold in every row of a point that is ok.
bool meets_constraints(const SweepPlan& plan, const PointRecord& record);

/// results.csv and results.sqlite of a folder. Throws MachineError.
void write_tables(const std::string& folder, const SweepPlan& plan, const std::vector<PointRecord>& records);

}  // namespace tahoma
