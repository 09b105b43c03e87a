// A chip's memory as a limit of its own, beside its links.
#pragma once

#include <cstdint>

#include "collectives/schedule.h"

namespace tahoma {

/// A chip's memory: every message into it moves its bytes there and back some times (`touches`). A link of
/// its own, shared as all links are.
struct ChipMemory {
  Capacity rate;            // 0: not looked at
  std::uint32_t ranks = 1;  // that share the chip, each with a copy of what it holds
};
/// Touches of a chip's memory per received byte. Each rank writes and reads what it passes on, and reads its
/// own part to add to it; in pairs 3 for two ranks in place of 4, and 4 in place of 6.
inline std::uint32_t touches(const ChipMemory& memory, Op op, bool paired_ranks) {
  const std::uint32_t for_one = op == Op::copy ? 2 : 3;
  if (!paired_ranks || memory.ranks % 2 != 0) return for_one * memory.ranks;
  return (op == Op::copy ? 3 : 4) * (memory.ranks / 2);
}

/// What a message costs at its ends, where chips of different make stand in one cluster.
struct ChipCosts {
  Duration overhead;  // per message, of the sender
  ChipMemory memory;
  Capacity reduction_rate;  // 0: reducing costs nothing
};

}  // namespace tahoma
