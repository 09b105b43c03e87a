// A schedule cut into runs of phases, and the blocks of ranks that each run falls into.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collectives/groups.h"
#include "collectives/schedule.h"
#include "collectives/solve/exchange.h"
#include "topology/topology.h"

namespace tahoma {

// Consecutive phases that are solved together, on the axes they work on.
struct PhaseRun {
  Schedule schedule;                                // of one block
  std::vector<std::uint8_t> axes;                   // of the whole schedule
  std::uint32_t first_phase = 0;                    // of the whole schedule
  bool inside = false;                              // all axes within the scale-up domain
  std::vector<ChipId> offsets;                      // of a block's ranks from its base, by position
  std::vector<ChipId> bases;                        // of all blocks, ascending
  DigitMask other_digits = 0;                       // digits along which the blocks lie
  std::shared_ptr<const ExchangeProgram> exchange;  // if the schedule is one
};

std::vector<PhaseRun> runs_of(const Schedule& schedule, const RankGroups& groups);

/// The part of the network that all links of the run must be of; none if its axes span both.
std::optional<NetworkPart> part_of(const PhaseRun& run);

/// In the first phase; then a rank is done with it after its delay in any case.
bool all_ranks_send(const Schedule& schedule);
bool reduces(const Schedule& schedule);

}  // namespace tahoma
