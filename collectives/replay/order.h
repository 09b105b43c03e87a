// In which order can the messages of a phase be sent, without a clock, and what is each rank sure to have
// seen?
//
// All groups of a phase run the same program, so positions are enough. Lanes advance whenever their waits
// hold; the result does not depend on who is asked first, since counters only grow. `late` tells when a
// message must have become visible: at the first wait that cannot hold without it. A wait for m of a tag's T
// messages guarantees only the first m - (T - T_s) of a sending lane with T_s of them.
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
  std::uint16_t channel = 0;
  std::uint32_t send_index = 0, rep = 0;
  std::vector<std::uint32_t> pieces;
};

struct Event {
  enum class Kind : std::uint8_t { sent, visible };
  Kind kind = Kind::sent;
  std::uint32_t message = 0;
};

struct ReplayOrder {
  std::vector<Message> messages;  // in the order of sending
  std::vector<Event> late;        // every message sent once and visible once
  std::string fault;              // not empty: a message out of range, or lanes that can never go on;
  std::uint32_t fault_at = 0;     // the position in question
};

ReplayOrder replay_order(const Phase& phase, std::span<const Axis> axes);

/// "channel 0, send 1, repetition 4".
std::string to_string(const Message& message);

}  // namespace tahoma
