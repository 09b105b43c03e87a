// The discrete-event engine: runs an Instance to the end.
//
// Rules (docs/model.md): a lane does its sends in order; the next one starts when its stage is open, its
// waits hold and the previous one has drained (fifo) or started (eager). A message holds all links of its
// path at its fair share; it has drained when its last byte has left, and is delivered one path latency
// later. Reductions are served by the receiving chip one after another.
//
// Everything that happens at one instant, zero-latency consequences included, is one batch; rates are solved
// once, at its end. Nothing depends on the order within a batch, except the reducer's queue, whose
// simultaneous arrivals go by (job, source relative to the receiver, channel, program position).
//
// What bounds it (docs/performance.md): where nothing is shared, memory, which is why the rows of a step lie
// side by side (instance.h); where links are shared, how many rates an end changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/solve/instance.h"
#include "core/units.h"

namespace tahoma {

struct EngineResult {
  std::vector<Time> node_finish;  // per Instance node
  std::vector<Time> program_start, program_finish;
  std::vector<Time> flow_finish;          // delivery, per Instance flow
  std::vector<std::uint64_t> link_bytes;  // per Instance link: bytes that one link of the orbit carried
  std::uint64_t messages = 0, events = 0, solves = 0;
};

/// What let each message start, in order of starts; for the critical chain.
struct EngineTrace {
  static constexpr std::uint32_t none = ~0u;
  struct Cause {
    std::uint32_t message = none;  // whose end it was; none: no message's
    bool by_arrival = false;       // when it was received and reduced; else when it had left
  };
  struct Message {
    std::uint32_t lane, row;
    Cause cause;  // what let it start
    Time start;
    Time left, end;  // its last byte; received and reduced
  };
  std::vector<Message> messages;
  std::vector<Cause> node_cause;  // what finished each Instance node
};

/// Throws InternalError if links or clocks break physics, InfeasibleError naming who waits for what if the
/// program cannot finish.
/// `delays`, if given, replaces the nodes' own (one per node): a block is expanded once and run many times.
/// `trace`, if given, keeps 40 bytes per message.
EngineResult run_engine(const Instance& instance, const Topology& topology,
                        std::span<const Duration> delays = {}, EngineTrace* trace = nullptr);

}  // namespace tahoma
