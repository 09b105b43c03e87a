// An MSCCL algorithm as a program: a thread block is a lane, a send and the receive that takes it one flow.
//
// A step that receives and sends on is two operations, one after the other: chunks are stored, then
// forwarded. (The executors forward slices of a chunk while it arrives; `loops` brings that back where it
// matters, since the buffer is then cut into more, smaller rounds, which follow each other in every thread
// block.)
//
// Limit: the protocol (LL, LL128) is known but costs nothing here; its share of the bandwidth belongs into
// the links' `efficiency`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/collective.h"
#include "collectives/importers/msccl.h"
#include "collectives/program/rank_program.h"

namespace tahoma {

/// What the algorithm says it is; nothing for `custom`.
std::optional<Collective> collective_of(const Msccl& algorithm);

/// Bytes of one chunk: of `elements` cut into `loops` rounds of the algorithm's chunks, padding included.
std::uint64_t chunk_bytes(const Msccl& algorithm, std::uint64_t elements, std::uint64_t element_bytes,
                          std::uint32_t loops);

/// Throws ScenarioError where messages have no partner, steps wait for each other, or a step is out of
/// bounds.
RankProgram program_of(const Msccl& algorithm, std::uint64_t chunk_bytes, std::uint32_t loops);

/// Plays the algorithm: in place, out of place, or both, as it claims. Throws ScenarioError if a chunk of the
/// output does not hold exactly what its collective says. The result names what was not proven, "" if
/// nothing.
std::string prove(const Msccl& algorithm);

}  // namespace tahoma
