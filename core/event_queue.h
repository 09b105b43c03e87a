// The future event set: one total order, (time, order of insertion).
//
// Problem: a queue that leaves ties to chance makes the outcome depend on the library; a heap that breaks
// ties by a sequence number pays log(n) cache misses per event. Idea: time never goes back, so a radix queue
// does: an event lies in the bucket named by the highest base-64 digit in which its time differs from the
// present one, and by that digit. The earliest events are in the lowest bucket; when the present reaches it,
// its events are dealt out again to lower buckets, in order.
//
//   present 0|03|17   level 0: 0|03|18 .. 63   level 1: 0|04|xx .. 0|63|xx   level 2: 1|xx|xx ..
//
// Ties come out in order of insertion without a sequence number: equal times are always in the same bucket
// (the present decides it), and appending and dealing out both keep order.
//
// Cost: an event moves at most once per digit that separates it from its predecessor, about log64 of the
// number pending, each move sequential in memory. No allocation per event once warm: the memory of a bucket
// that has been emptied goes to the next one that fills, wherever it is, and so stays in the cache. After
// Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path problem" (1990), with wider
// digits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "core/units.h"

namespace tahoma {

template <class Payload>
class EventQueue {
 public:
  struct Event {
    Time time;
    Payload payload;
  };

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Time of the earliest event; Time::never() if there is none.
  Time next() const {
    if (taken_ < present_.size()) return now_;
    if (size_ == 0) return Time::never();
    return Time{time_of(buckets_[first_bucket()].earliest)};
  }
  /// Time of the last pop.
  Time now() const { return now_; }

  void push(Time time, Payload payload) {
    TAHOMA_ASSERT(time >= now_, "an event in the past");
    ++size_;
    put({time, payload});
  }

  Event pop() {
    TAHOMA_ASSERT(size_ > 0, "pop of an empty event queue");
    if (taken_ == present_.size()) advance();
    --size_;
    return present_[taken_++];
  }

 private:
  static constexpr unsigned digit_bits = 6;
  static constexpr unsigned levels = (64 + digit_bits - 1) / digit_bits;

  struct Bucket {
    std::vector<Event> events;
    std::uint64_t earliest = ~std::uint64_t{0};
  };

  // Signed times in unsigned order.
  static std::uint64_t key(Time time) {
    return static_cast<std::uint64_t>(time.ps) ^ (std::uint64_t{1} << 63);
  }
  static std::int64_t time_of(std::uint64_t key) {
    return static_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
  }

  void put(const Event& event) {
    const std::uint64_t k = key(event.time), differs = k ^ key(now_);
    if (differs == 0) {
      present_.push_back(event);
      return;
    }
    const unsigned level = static_cast<unsigned>(63 - std::countl_zero(differs)) / digit_bits;
    const unsigned digit = static_cast<unsigned>(k >> (level * digit_bits)) & 63;
    Bucket& bucket = buckets_[level * 64 + digit];
    if (bucket.events.capacity() == 0 && !spare_.empty()) {
      bucket.events = std::move(spare_.back());
      spare_.pop_back();
    }
    bucket.events.push_back(event);
    bucket.earliest = std::min(bucket.earliest, k);
    digits_[level] |= std::uint64_t{1} << digit;
    levels_ |= 1u << level;
  }

  std::size_t first_bucket() const {
    const auto level = static_cast<unsigned>(std::countr_zero(levels_));
    return level * 64 + static_cast<unsigned>(std::countr_zero(digits_[level]));
  }

  // The present moves to the earliest time pending; its events are then in `present_`.
  void advance() {
    present_.clear();
    taken_ = 0;
    const std::size_t first = first_bucket();
    Bucket& bucket = buckets_[first];
    const std::size_t level = first / 64;
    digits_[level] &= digits_[level] - 1;
    if (digits_[level] == 0) levels_ &= ~(1u << level);
    now_ = Time{time_of(bucket.earliest)};
    bucket.earliest = ~std::uint64_t{0};
    if (level == 0 || bucket.events.size() == 1) {
      std::swap(present_, bucket.events);
      spare(bucket.events);
      return;
    }
    dealt_ = std::move(bucket.events);
    for (const Event& event : dealt_) put(event);
    dealt_.clear();
    spare(dealt_);
  }

  void spare(std::vector<Event>& emptied) {
    if (emptied.capacity() != 0) spare_.push_back(std::move(emptied));
    emptied = {};
  }

  std::vector<Event> present_;  // of the time now_, from taken_ on
  std::size_t taken_ = 0;
  std::vector<Event> dealt_;
  std::vector<std::vector<Event>> spare_;  // empty, with memory; at most one per bucket
  std::array<Bucket, levels * 64> buckets_;
  std::array<std::uint64_t, levels> digits_{};  // which buckets of a level have events
  std::uint32_t levels_ = 0;
  std::size_t size_ = 0;
  Time now_{std::numeric_limits<std::int64_t>::min()};
};

}  // namespace tahoma
