// In which order can the messages of a phase be sent, without a clock, and what is each rank sure to have
// seen?
//
// All groups of a phase run the same program, so positions are enough. Lanes advance whenever their waits
// hold; which messages can be sent does not depend on who is asked first, since counters only grow.
//
// What a send is sure to have seen: what its own waits demand, and those of the sends before it on its lane.
// What other lanes of the rank have waited for does not count, nor what a message implies about its sender: a
// program that is right only by such luck is refused. A wait for m of a tag's T messages guarantees only the
// first m - (T - T_s) of a sending lane with T_s of them.
//
// Pipeline and channels: each chunk runs the whole program with counters of its own, queued behind the chunk
// before on the same lanes. So chunk c can go on when c - 1 could: replaying one is replaying all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collectives/schedule.h"

namespace tahoma {

struct Message {
  const Send* send = nullptr;
  std::uint32_t from = 0, to = 0;  // positions
  std::uint32_t lane = 0;          // number among all lanes of the phase
  std::uint16_t channel = 0;
  std::uint32_t send_index = 0, rep = 0;
  std::vector<std::uint32_t> pieces;
  /// Lanes of the receiver that are sure to have seen this one, and from which message they send on; by lane.
  struct Seen {
    std::uint32_t lane, from_message;
  };
  std::vector<Seen> seen;
};

struct ReplayOrder {
  std::vector<Message> messages;                    // in the order of sending
  std::vector<std::vector<std::uint32_t>> by_part;  // the same by part, as numbers
  std::string fault;           // not empty: a message out of range, or lanes that can never go on;
  std::uint32_t fault_at = 0;  // the position in question
};

/// Positions, the switch included.
inline std::uint32_t places_of(const Phase& phase) {
  return phase.positions + (phase.has_switch ? 1 : 0);
}

/// Is the sender of message `later` sure to have received `earlier`?
bool is_sure(const ReplayOrder& order, std::uint32_t later, std::uint32_t earlier);

ReplayOrder replay_order(const Phase& phase, std::span<const Axis> axes);

/// "channel 0, send 1, repetition 4".
std::string to_string(const Message& message);

}  // namespace tahoma
