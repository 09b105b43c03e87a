// Execution traces of all ranks as one program, with our own schedules in place of their collectives.
//
// One trace may stand for every rank: then all of them do the same, and only collectives of all ranks make
// sense in it. What a rank computes is done one at a time, on its host or on its device, the first that
// became ready first. Its collectives follow each other in the order of the trace, which is the order in
// which its nodes could be done, the lowest id first; each begins when all ranks have reached it and are done
// with the one before.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collectives/collective.h"
#include "collectives/importers/chakra.h"
#include "collectives/program/rank_program.h"

namespace tahoma {

/// Adds a collective of all ranks of the program, each of which begins when its entry is done; gives what is
/// done when the rank is.
using AddCollective = std::function<std::vector<std::uint32_t>(
    RankProgram& program, Collective collective, std::uint64_t size, std::span<const std::uint32_t> entry,
    const RankProgram::Origin& origin)>;

struct TraceProgram {
  RankProgram program;
  std::vector<std::uint32_t> on_device;  // operations that compute there
  /// What a rank spends in communication: from when one operation is done until another one is.
  struct Talk {
    std::uint32_t rank, from, until;  // from == until: from when it began
  };
  std::vector<Talk> talks;
  std::uint64_t nodes = 0, collectives = 0, messages = 0, absent_needs = 0;
};

/// One trace, or one per rank. Throws ScenarioError about what cannot be run.
TraceProgram program_of_traces(std::span<const ChakraTrace> traces, std::uint32_t ranks,
                               const AddCollective& add_collective);

}  // namespace tahoma
