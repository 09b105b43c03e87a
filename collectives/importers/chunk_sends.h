// Sends of whole chunks in order of time, as synthesizers list them -> an MSCCL algorithm.
//
// TE-CCL, TACCL and their like say which chunk crosses which pair of ranks, and in which order; not which
// thread block does it. Here a rank has one block per rank it sends to and one per rank it receives from, as
// their own converters have it: what crosses one pair goes in order, different pairs side by side. A step
// waits for what its rank did with the same chunk before, where that matters: sent on only after it came,
// overwritten only after it was sent.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "collectives/importers/msccl.h"

namespace tahoma {

struct ChunkSend {
  std::uint32_t chunk = 0, from = 0, to = 0;
  bool adds = false;
  std::uint32_t line = 0;
};

/// Where a rank keeps a chunk: buffer and number in it.
struct ChunkPlace {
  char buffer = 'o';
  std::uint32_t number = 0;
};

/// Adds the steps of `sends` to the ranks of `algorithm`, whose head and buffers are there already.
void add_chunk_sends(Msccl& algorithm, const std::vector<ChunkSend>& sends,
                     const std::function<ChunkPlace(std::uint32_t rank, std::uint32_t chunk)>& place);

}  // namespace tahoma
