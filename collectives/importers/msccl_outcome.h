// Whether a listed program leaves in memory what its collective promises.
//
// Contribution of rank r to chunk c of the collective's buffer is number c x ranks + r. The program is played
// with these (collectives/program/data_replay.h), and the output compared, chunk by chunk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectives/importers/msccl.h"
#include "collectives/importers/msccl_memory.h"
#include "collectives/program/data_replay.h"
#include "collectives/program/rank_program.h"

namespace tahoma {

/// A program and, beside its operations, what each does to memory and which chain of needs it belongs to.
struct MovingProgram {
  RankProgram program;
  std::vector<DataMove> moves;
  std::vector<std::uint32_t> lanes;
};

/// Of `algorithm` its collective, its number of chunks and its buffers are looked at. Throws ScenarioError if
/// a chunk of the output does not hold exactly what it should, or might not. The result names what was left
/// open, "" if nothing.
std::string prove_outcome(const Msccl& algorithm, const MscclMemory& memory, const MovingProgram& played);

}  // namespace tahoma
