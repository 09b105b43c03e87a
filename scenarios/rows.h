// Workload -> rows: which collective, which size, which schedule, on which groups.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "collectives/choose.h"
#include "collectives/program/rank_program.h"
#include "scenarios/network.h"
#include "scenarios/scenario.h"

namespace tahoma {

/// One line of the answer, before it is solved.
struct PlannedRow {
  const Job* job = nullptr;
  const CollectiveWork* work = nullptr;
  const RankGroups* groups = nullptr;
  Collective collective = Collective::all_reduce;
  Bytes size;
  const AlgorithmChoice* algorithm = nullptr;
  std::vector<std::uint32_t> destinations;  // permute
};

/// Collectives x algorithms x sizes of one job, in the order in which they run.
std::vector<PlannedRow> plan_rows(const Job& job, const CollectiveWork& work, const RankGroups& groups,
                                  std::uint64_t seed);

LaneRule lane_rule_of(const CollectiveWork& work);

/// What is asked of the algorithms for a row; its levels are still to be named.
ScheduleRequest request_of(const PlannedRow& row);

/// The problem without programs: network, delays, endpoint costs.
Problem empty_problem(const Scenario& scenario, const Network& network);

/// The program of a row whose work has one. Throws ScenarioError if it is for another number of ranks.
RankProgram program_of_row(const PlannedRow& row);

/// The schedule of a row, chosen alone on the network if it is automatic.
Choice schedule_row(const PlannedRow& row, const Problem& problem, const Network& network);

}  // namespace tahoma
