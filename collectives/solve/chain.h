// The critical chain: from the last finish back to its cause.
//
// Problem: "the collective takes 18 ms" does not say why. Idea: the last rank finished because a message
// arrived or left; that message began because another one arrived, or because its lane was busy with the one
// before it, and so back to a rank that simply began. This is one chain of messages without a gap, so its
// stretches add up to the time of the collective.
//
//   0 ............ 50 us ........................ 12.3 ms ............... 18 ms
//   | straggler     | us3 queues 126 messages      | 15 relayed to us0     | the last rank is done
//
// A chain through a million chips has thousands of messages: those of one phase that follow each other for
// the same reason are one part. Names are of class representatives where ranks are alike.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/solve/engine.h"
#include "collectives/solve/instance.h"

namespace tahoma {

/// A run of more messages keeps none of them.
inline constexpr std::uint64_t most_traced = 1'000'000;

/// Messages of one phase, each begun by the end of the one before it.
struct ChainPart {
  enum class Kind : std::uint8_t {
    single,
    relayed,  // each begun by the arrival of the one before it
    queued    // each begun when the one before it had left the same rank
  };
  Kind kind = Kind::single;
  std::uint32_t phase = 0;  // of the schedule
  std::uint64_t messages = 0;
  ChipId from = 0, to = 0;  // who sent the first of them, who received the last
  Time begin, end;          // end: begin of the next part, or the finish
};

/// One message of a chain, for CriticalChain::add.
struct ChainMessage {
  std::uint32_t phase;
  ChipId from, to;
  Time begin;
  bool delayed_by_arrival;  // what came next waited for its arrival; else for its lane
};

struct CriticalChain {
  std::vector<ChainPart> parts;  // latest first
  ChipId origin = 0;             // the rank that began without waiting for a message
  Time origin_start;
  bool of_classes = false;  // chips are representatives of their symmetry class
  bool known = false;       // false: the solver keeps no messages, or they are too many to keep

  /// The message before the earliest one so far; joins its part if the reason is the same. `end`: when what
  /// it caused began, or the last rank finished.
  void add(const ChainMessage& message, Time end);
  /// Many messages at once; nothing if it has none.
  void add(const ChainPart& part);
};

/// From the finish of `node` back. `phase_offset` is added to the instance's phase numbers. Returns the node
/// in which the chain begins.
std::uint32_t chain_of_trace(const Instance& instance, const EngineTrace& trace, std::uint32_t node,
                             Time finish, std::uint32_t phase_offset, CriticalChain& chain);

}  // namespace tahoma
