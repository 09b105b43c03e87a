// Queues to compare the event queue with: the standard library's and Boost's, all by (time, sequence).
//
// Each has push(event) and pop(), and asserts nothing: they are what a queue costs without our checks.
#pragma once

#include <boost/heap/binomial_heap.hpp>
#include <boost/heap/d_ary_heap.hpp>
#include <boost/heap/pairing_heap.hpp>
#include <cstdint>
#include <map>
#include <queue>
#include <set>
#include <vector>

namespace tahoma::bench {

struct BareEvent {
  std::int64_t time;
  std::uint64_t sequence;
  std::uint64_t payload;
};

struct Later {
  bool operator()(const BareEvent& a, const BareEvent& b) const {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  }
};

struct Earlier {
  bool operator()(const BareEvent& a, const BareEvent& b) const { return Later{}(b, a); }
};

/// std::priority_queue and Boost's heaps: push, top, pop.
template <class Heap>
class HeapQueue {
 public:
  void push(const BareEvent& event) { heap_.push(event); }
  BareEvent pop() {
    const BareEvent event = heap_.top();
    heap_.pop();
    return event;
  }

 private:
  Heap heap_;
};

using BinaryHeap = HeapQueue<std::priority_queue<BareEvent, std::vector<BareEvent>, Later>>;
using DaryHeap =
    HeapQueue<boost::heap::d_ary_heap<BareEvent, boost::heap::arity<4>, boost::heap::mutable_<false>,
                                      boost::heap::compare<Later>>>;
using PairingHeap = HeapQueue<boost::heap::pairing_heap<BareEvent, boost::heap::compare<Later>>>;
using BinomialHeap = HeapQueue<boost::heap::binomial_heap<BareEvent, boost::heap::compare<Later>>>;

class SetQueue {
 public:
  void push(const BareEvent& event) { set_.insert(event); }
  BareEvent pop() { return set_.extract(set_.begin()).value(); }

 private:
  std::set<BareEvent, Earlier> set_;
};

/// Equal keys of a multimap keep the order of insertion, which is that of the sequence.
class MultimapQueue {
 public:
  void push(const BareEvent& event) { map_.emplace(event.time, event.payload); }
  BareEvent pop() {
    const auto first = map_.begin();
    const BareEvent event{first->first, 0, first->second};
    map_.erase(first);
    return event;
  }

 private:
  std::multimap<std::int64_t, std::uint64_t> map_;
};

}  // namespace tahoma::bench
