// The judge: a second simulator, slow and plain, that the engine must equal to the picosecond.
//
// Problem: the engine folds, batches, skips links and counts in 128 bits. Each of these could be wrong in a
// way that looks right.
// Idea: list every message of every rank, keep every counter in a map, solve all flows again after every
// instant, in unbounded fractions. Nothing here is shared with core's flow network or collectives/solve; the
// topology is only asked for routes, capacities and latencies.
// Limit: meant for up to 64 ranks and a few thousand messages.
//
// The rules, as the model's text has them:
//   lane      (job, rank, channel of a phase): messages in program order, one at a time. The first unsent one
//             begins when its waits hold, its phase has begun at its rank, and the one before has drained
//             (`eager`: has entered the network). Overhead then holds the lane; after it the message enters.
//   message   drained when the last byte of each of its ways has left; received when each way's latency has
//             passed after that, and, if it is to be reduced and that costs, when it was reduced.
//   stored    at a link that stores a message waits for those before it: by arrival; at one instant as at a
//             reducer, its source seen from the link's chip digit by digit. One is served at a time, and goes
//             on when it and the latency are through. It has drained where its first stretch is behind it.
//   memory    one per chip, a link that a received byte crosses 2 times per rank of the chip, 3 times if it
//   is to
//             be reduced; in pairs (kangaring) 3 and 4 times for two ranks. A step between chips is followed
//             there by one inside per further pair, an overhead each.
//   switch    what it gets crosses the sender's first link, what it sends the receiver's last one.
//   reducer   one per chip: by arrival; at one instant by (job, source relative to the receiver axis by
//             axis, channel, chunk, phase, place in the lane).
//   phase     begins at a rank when the one before has had all receives and drained all sends there.
//   straggler sends nothing before the job's start + its delay.
//   instant   everything that follows at one instant happens before rates are shared out again.
#pragma once

#include <map>
#include <stdexcept>
#include <vector>

#include "collectives/schedule.h"
#include "tests/support/judge_fluid.h"
#include "topology/topology.h"

namespace tahoma::judge {

enum class LaneRule { fifo, eager };

struct Job {
  Schedule schedule;
  std::vector<std::vector<ChipId>> groups;  // group, position -> chip; each group runs the schedule
  Time start;
  std::map<ChipId, Duration> delays;  // stragglers
  Duration overhead;                  // per message
  Capacity reduction_rate;            // 0: reducing costs nothing
  Capacity memory_rate;               // of a chip; 0: not looked at
  std::uint32_t chip_ranks = 1;       // that share its memory
  LaneRule rule = LaneRule::fifo;
};

/// A flow of its own, outside of any schedule.
struct PlainFlow {
  Path path;
  Bytes bytes;
  Time start;
};

struct Question {
  const Topology* topology = nullptr;     // may be absent if there are plain flows only
  std::map<LinkId, Capacity> capacities;  // of links that `topology` does not know
  std::vector<Job> jobs;
  std::vector<PlainFlow> flows;
};

struct Answer {
  std::vector<std::vector<std::vector<Number>>> rank_finish;  // [job][group][position], ps
  std::vector<Number> delivered;                              // of each plain flow, ps
  std::map<LinkId, Integer> link_bytes;
};

/// The run cannot finish: says who waits for what.
struct Deadlock : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Answer judge(const Question& question, Arithmetic arithmetic);

/// A time that must be a whole number of picoseconds, as all are in `rounded`.
std::int64_t picoseconds(const Number& time);

}  // namespace tahoma::judge
