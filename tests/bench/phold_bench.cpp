// PHOLD: what one event costs, in the public event queue and in others.
//
// Problem: a queue looks fast when it is small, when it breaks ties by luck, or when it was told the spread
// of times. Idea: the classical hold model. `pending` events are in the queue; each step pops the earliest
// and pushes one at its time + a random increment. All queues get the same increments and order by (time,
// sequence of insertion); a hash over what was popped, in order, must be the same for all, or the program
// fails.
//
// Increments come from a table of 65,536 values, since drawing a logarithm would cost as much as a heap.
// Their mean is 1 ms, so that a million pending events leave 1 ns between two on average.
//
//   phold_bench EVENTS REPEATS [PENDING...]        a line of JSON per queue, spread and number of pending
//   events
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/event_queue.h"
#include "tests/bench/bare_queues.h"
#include "tests/bench/ladder_queue.h"
#include "tests/bench/timing.h"

namespace tahoma::bench {
namespace {

/// The event queue of the program. It numbers its events itself.
class PublicQueue {
 public:
  void push(const BareEvent& event) { queue_.push(Time{event.time}, event.payload); }
  BareEvent pop() {
    const auto event = queue_.pop();
    return {event.time.ps, 0, event.payload};
  }

 private:
  EventQueue<std::uint64_t> queue_;
};

using Increments = std::array<std::int64_t, 65536>;
constexpr double mean_ps = 1e9;

Increments exponential() {
  Increments table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(table.size());
    table[i] = static_cast<std::int64_t>(-std::log(share) * mean_ps);
  }
  return table;
}

Increments uniform() {
  Increments table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::int64_t>(2 * mean_ps * (static_cast<double>(i) + 0.5) /
                                         static_cast<double>(table.size()));
  }
  return table;
}

struct Draw {
  std::uint64_t state = 88172645463325252ULL;
  std::uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
};

struct Outcome {
  double ns_per_event;
  std::uint64_t hash;
};

/// `laps`: how often all pending events are replaced before the timing, beyond the steps that are compared. A
/// queue with buckets is warm only after its first epoch, about 14 laps of exponential increments.
template <class Queue, std::uint64_t laps = 0>
Outcome hold(std::uint64_t pending, std::uint64_t events, const Increments& increments) {
  Queue queue;
  Draw draw;
  std::uint64_t sequence = 0, hash = 14695981039346656037ULL;
  const auto increment = [&] { return increments[draw.next() >> 48]; };
  for (std::uint64_t i = 0; i < pending; ++i, ++sequence) queue.push({increment(), sequence, sequence});
  const auto steps = [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i, ++sequence) {
      const BareEvent event = queue.pop();
      hash = (hash ^ static_cast<std::uint64_t>(event.time) ^ event.payload << 32) * 1099511628211ULL;
      queue.push({event.time + increment(), sequence, sequence});
    }
  };
  steps(pending);  // until the start is forgotten and the memory warm
  double before = cpu_seconds();
  steps(events);
  double taken = cpu_seconds() - before;
  const std::uint64_t compared = hash;
  if (laps > 0) {
    steps(laps * pending);
    before = cpu_seconds();
    steps(events);
    taken = cpu_seconds() - before;
  }
  return {taken / static_cast<double>(events) * 1e9, compared};
}

struct Row {
  const char* name;
  Outcome (*run)(std::uint64_t, std::uint64_t, const Increments&);
  std::uint64_t most = ~std::uint64_t{0};  // pending events beyond which it takes minutes
};

constexpr std::array rows{
    Row{"EventQueue (ours)", hold<PublicQueue, 16>},
    Row{"std::priority_queue", hold<BinaryHeap>},
    Row{"boost d_ary_heap<4>", hold<DaryHeap>},
    Row{"ladder queue", hold<LadderQueue<BareEvent>, 16>},
    Row{"boost pairing_heap", hold<PairingHeap>, 100'000},
    Row{"boost binomial_heap", hold<BinomialHeap>, 100'000},
    Row{"std::set", hold<SetQueue>},
    Row{"std::multimap", hold<MultimapQueue>},
};

bool measure(const char* spread, const Increments& increments, std::uint64_t pending, std::uint64_t events,
             int repeats) {
  std::array<std::vector<double>, rows.size()> ns;
  std::uint64_t expected = 0;
  for (int i = 0; i < repeats; ++i) {  // the queues take turns: a disturbance hits all of them alike
    for (std::size_t q = 0; q < rows.size(); ++q) {
      if (pending > rows[q].most) continue;
      const Outcome outcome = rows[q].run(pending, events, increments);
      ns[q].push_back(outcome.ns_per_event);
      if (expected == 0) expected = outcome.hash;
      if (outcome.hash != expected) {
        fmt::print(stderr, "phold_bench: {} pops another sequence of events ({} pending, {})\n", rows[q].name,
                   pending, spread);
        return false;
      }
    }
  }
  for (std::size_t q = 0; q < rows.size(); ++q) {
    if (ns[q].empty()) continue;
    fmt::print(R"({{"queue":"{}","spread":"{}","pending":{},"ns":{:.2f},"hash":"{:016x}"}})"
               "\n",
               rows[q].name, spread, pending, median(ns[q]), expected);
  }
  std::fflush(stdout);
  return true;
}

int run(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: phold_bench EVENTS REPEATS [PENDING...]\n");
    return 1;
  }
  const std::uint64_t events = std::strtoull(words[1], nullptr, 10);
  const int repeats = std::atoi(words[2]);
  std::vector<std::uint64_t> pending;
  for (int i = 3; i < count; ++i) pending.push_back(std::strtoull(words[i], nullptr, 10));
  if (pending.empty()) pending = {1000, 65536, 1048576};
  const Increments tables[2] = {exponential(), uniform()};
  for (const std::uint64_t n : pending) {
    if (!measure("exponential", tables[0], n, events, repeats)) return 5;
    if (!measure("uniform", tables[1], n, events, repeats)) return 5;
  }
  return 0;
}

}  // namespace
}  // namespace tahoma::bench

int main(int count, char** words) {
  return tahoma::bench::run(count, words);
}
