// The program of a block as straight-line (max,+) arithmetic: no clock, no queue, no network.
//
// Problem: after one straggler, 16,384 UltraServers gather with 16,384 different start vectors; an engine run
// for each is most of the cost. Idea: if no two messages ever hold a link at the same time beyond what it can
// carry, every message runs at the rate it has alone, and all times follow by maxima and sums in an order
// that does not depend on the start vector. That order is compiled once; each start vector costs one pass.
//
// Certificate. Links whose users are messages of one rank in program order are safe whatever the start
// vector. On all other links the intervals of one evaluation are checked: at no time may the rates add up to
// more than the capacity. By uniqueness of the trajectory (docs/decisions/0006-solvers.md) a schedule that
// obeys all local rules is *the* schedule, so a certified evaluation equals the engine's to the picosecond. A
// failed certificate says nothing; the caller takes the engine.
//
// Limit: fifo lanes, no reduction cost, waits on messages of one lane or on all messages of a tag.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectives/solve/instance.h"

namespace tahoma {

class Uncontended {
 public:
  /// Nothing if the program is not static enough (eager lanes, reductions, waits that depend on arrival
  /// order).
  static std::optional<Uncontended> compile(const Instance& instance);

  /// `ready` and `finish`: per node of the instance, whose own delays are ignored. False if links are shared:
  /// then `finish` is meaningless. Thread-safe: state lives in `scratch`.
  struct Scratch {
    std::vector<std::int64_t> lane, open, done, start, delivered;
    std::vector<std::uint32_t> order;
  };
  bool evaluate(std::span<const Time> ready, std::span<Time> finish, Scratch& scratch) const;

  std::size_t messages() const { return operations_.size(); }

 private:
  // A message, or (lane == opens) the opening of stage `stage` when stage `target_stage` is done.
  struct Operation {
    std::uint32_t lane, stage, target_stage;
    std::uint32_t first_input, inputs;
    std::int64_t hold;   // lane occupied
    std::int64_t reach;  // start to delivery
  };
  static constexpr std::uint32_t opens = ~0u;
  // One way of a message on a link that needs checking.
  struct Use {
    std::uint32_t message;
    std::int64_t hold;
    std::uint64_t rate;
  };
  struct SharedLink {
    std::uint32_t first, count;
    u128 capacity;
  };
  friend class Compiler;
  bool certified(const SharedLink& link, Scratch& scratch) const;

  std::vector<Operation> operations_;
  std::vector<std::uint32_t> inputs_;  // messages that must be delivered first
  std::vector<SharedLink> shared_;
  std::vector<Use> uses_;
  std::vector<std::uint32_t> first_stages_, last_stages_;  // stage -> node below
  std::vector<std::uint32_t> node_of_first_, node_of_last_;
  std::int64_t overhead_ = 0;
  std::uint32_t lanes_ = 0, stages_ = 0, nodes_ = 0;
};

}  // namespace tahoma
