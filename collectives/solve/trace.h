// Every message of a run with its times, for a picture of it.
//
// Idea: the engine already notes what let each message start (solve/chain.h); with the end of each that is
// the whole history. Under a fold one message stands for those of all ranks alike.
//
// Limit: a list of messages is of the size of the run, so it is refused past most_drawn of them.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/solve/engine.h"
#include "collectives/solve/instance.h"

namespace tahoma {

inline constexpr std::uint64_t most_drawn = 200'000;

struct TracedMessage {
  std::uint32_t program, phase;
  ChipId from, to;
  std::uint16_t channel;
  std::uint64_t bytes;
  Time start;
  Time left, end;       // its last byte; received, and reduced where that costs time
  std::uint32_t cause;  // its number in the list, or EngineTrace::none
};

/// The links of one tier that the run uses, and what they carry per slice of time.
struct TracedTier {
  std::uint32_t tier;
  std::vector<double> busy;  // by slice: share of the links' capacity, a message's bytes spread over its time
};

struct Trace {
  std::vector<TracedMessage> messages;  // by start
  std::vector<TracedTier> tiers;        // ascending
  Duration slice;
  std::uint64_t alike = 1;  // ranks that one stands for
};

/// Runs the engine, folded where that is possible. Throws InfeasibleError past most_drawn messages.
Trace trace_of(const Problem& problem, std::uint32_t slices);

}  // namespace tahoma
