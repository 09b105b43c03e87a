// The future event set: one total order, (time, sequence of insertion).
//
// Problem: a queue that leaves ties to chance makes the outcome depend on the library. Idea: every event gets
// the next sequence number; two events are never equal. Time never goes back: asserted at push and at pop.
//
// A 4-ary heap in one flat array: children of an entry share a cache line, no allocation per event once warm.
// Consumers that need all events of one instant (collectives/solve/engine) pop while next() does not change.
#pragma once

#include <cstdint>
#include <vector>

#include "core/errors.h"
#include "core/units.h"

namespace tahoma {

template <class Payload>
class EventQueue {
 public:
  struct Event {
    Time time;
    std::uint64_t sequence;
    Payload payload;
  };

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  /// Time of the earliest event; Time::never() if there is none.
  Time next() const { return heap_.empty() ? Time::never() : heap_.front().time; }
  /// Time of the last pop.
  Time now() const { return now_; }

  void push(Time time, Payload payload) {
    TAHOMA_ASSERT(time >= now_, "an event in the past");
    std::size_t hole = heap_.size();
    heap_.push_back({});
    const Event event{time, sequence_++, payload};
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!before(event, heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = event;
  }

  Event pop() {
    TAHOMA_ASSERT(!heap_.empty(), "pop of an empty event queue");
    const Event top = heap_.front();
    TAHOMA_ASSERT(top.time >= now_, "time went back");
    now_ = top.time;
    const Event last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return top;
  }

 private:
  static constexpr std::size_t arity = 4;

  static bool before(const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.sequence < b.sequence;
  }

  void sink(const Event& event) {
    const std::size_t size = heap_.size();
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = hole * arity + 1;
      if (first >= size) break;
      const std::size_t last = first + arity < size ? first + arity : size;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < last; ++child) {
        if (before(heap_[child], heap_[least])) least = child;
      }
      if (!before(heap_[least], event)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = event;
  }

  std::vector<Event> heap_;
  std::uint64_t sequence_ = 0;
  Time now_{std::numeric_limits<std::int64_t>::min()};
};

}  // namespace tahoma
