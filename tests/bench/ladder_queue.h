// A ladder queue that keeps the total order (time, sequence): the well-made rival of the event queue.
//
// Problem: a heap of a million events costs a cache miss per level. Calendar queues cost none, but the usual
// ones need to know the spread of times beforehand, and some pop out of order when a bucket is refilled while
// it is drained. A rival that breaks the order would prove nothing.
//
// Idea (Tang, Goh, Thng, "Ladder queue", ACM TOMACS 15-3, 2005): far events lie unsorted in `top_`. When
// nothing nearer is left, they are dealt into the buckets of a *rung*, whose width follows from their own
// spread; a bucket that is still crowded becomes a rung of narrower buckets; one that is not is sorted and
// becomes `bottom_`, from whose end events are popped.
//
//   bottom_ (sorted) | innermost rung, from its current bucket on | ... | outermost rung | top_ (unsorted)
//   earlier ----------------------------------------------------------------------------------> later
//
// Each stretch ends where the next one begins, so the place of a new event follows from its time alone.
// Widths are powers of two: a bucket's number is a shift.
//
// Limit: a crowd at one and the same time is sorted in one piece, and an insertion into it is linear.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tahoma::bench {

/// `Event` has `time` (std::int64_t) and `sequence`; sequences of pushed events ascend.
template <class Event>
class LadderQueue {
 public:
  void push(const Event& event) {
    if (event.time >= top_start_) {
      top_least_ = std::min(top_least_, event.time);
      top_most_ = std::max(top_most_, event.time);
      top_.push_back(event);
      return;
    }
    for (std::uint32_t r = 0; r < rungs_used_; ++r) {
      Rung& rung = rungs_[r];
      if (event.time >= rung.begin(rung.current)) {
        put(rung, event);
        return;
      }
    }
    insert(event);
  }

  Event pop() {
    if (bottom_.empty()) refill();
    const Event event = bottom_.back();
    bottom_.pop_back();
    return event;
  }

 private:
  static constexpr std::size_t crowd = 64;      // a bucket above it is dealt again
  static constexpr std::size_t per_bucket = 2;  // events that a bucket is meant for
  static constexpr std::uint32_t most_rungs = 8;

  struct Rung {
    std::int64_t start = 0;
    std::uint32_t shift = 0;
    std::size_t current = 0, count = 0;
    std::vector<std::vector<Event>> buckets;
    std::int64_t begin(std::size_t bucket) const {
      return start + (static_cast<std::int64_t>(bucket) << shift);
    }
    std::size_t number(std::int64_t time) const { return static_cast<std::size_t>(time - start) >> shift; }
  };

  static bool later(const Event& a, const Event& b) {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  }

  // Most buckets are empty at any time, and one that was drained just now is still in the cache.
  void put(Rung& rung, const Event& event) {
    std::vector<Event>& bucket = rung.buckets[rung.number(event.time)];
    if (bucket.capacity() == 0 && !spare_.empty()) {
      bucket = std::move(spare_.back());
      spare_.pop_back();
    }
    bucket.push_back(event);
  }

  // The newest event: behind all of its own time.
  void insert(const Event& event) {
    bottom_.push_back(event);
    std::size_t hole = bottom_.size() - 1;
    while (hole > 0 && bottom_[hole - 1].time <= event.time) {
      bottom_[hole] = bottom_[hole - 1];
      --hole;
    }
    bottom_[hole] = event;
    if (bottom_.size() > 2 * crowd && rungs_used_ < most_rungs &&
        bottom_.front().time > bottom_.back().time) {
      const std::int64_t end =
          rungs_used_ == 0 ? top_start_ : rungs_[rungs_used_ - 1].begin(rungs_[rungs_used_ - 1].current);
      deal(bottom_, bottom_.back().time, end);
    }
  }

  // Deals `events`, all of them in [start, end), into a new innermost rung that covers that stretch.
  std::int64_t deal(std::vector<Event>& events, std::int64_t start, std::int64_t end) {
    if (rungs_used_ == rungs_.size()) rungs_.emplace_back();
    Rung& rung = rungs_[rungs_used_++];
    const auto range = static_cast<std::uint64_t>(end - start);
    const std::uint64_t width =
        std::bit_ceil(std::max<std::uint64_t>(1, range / (events.size() / per_bucket + 1)));
    rung.start = start;
    rung.shift = static_cast<std::uint32_t>(std::countr_zero(width));
    rung.current = 0;
    rung.count = static_cast<std::size_t>((range - 1) >> rung.shift) + 1;
    if (rung.buckets.size() < rung.count) rung.buckets.resize(rung.count);
    for (const Event& event : events) put(rung, event);
    events.clear();
    return rung.begin(rung.count);
  }

  // Brings the earliest bucket to the bottom. The queue is not empty.
  void refill() {
    for (;;) {
      if (rungs_used_ == 0) {
        top_start_ = deal(top_, top_least_, top_most_ + 1);
        top_least_ = std::numeric_limits<std::int64_t>::max();
        top_most_ = std::numeric_limits<std::int64_t>::min();
      }
      Rung& rung = rungs_[rungs_used_ - 1];
      while (rung.current < rung.count && rung.buckets[rung.current].empty()) ++rung.current;
      if (rung.current == rung.count) {
        --rungs_used_;
        continue;
      }
      const std::int64_t start = rung.begin(rung.current), end = rung.begin(rung.current + 1);
      std::vector<Event>& bucket = rung.buckets[rung.current++];
      if (bucket.size() > crowd && rung.shift > 0 && rungs_used_ < most_rungs) {
        crowded_.swap(bucket);  // dealing may move the rungs, and the bucket with them
        deal(crowded_, start, end);
        continue;
      }
      bottom_.assign(bucket.begin(), bucket.end());
      bucket.clear();
      spare_.push_back(std::move(bucket));
      std::sort(bottom_.begin(), bottom_.end(), later);
      return;
    }
  }

  std::vector<Event> bottom_;  // latest first
  std::vector<Rung> rungs_;    // outermost first
  std::uint32_t rungs_used_ = 0;
  std::vector<Event> top_, crowded_;
  std::vector<std::vector<Event>> spare_;  // storage of drained buckets
  std::int64_t top_start_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t top_least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t top_most_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace tahoma::bench
