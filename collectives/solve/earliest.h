// The least of many times that change: a tournament, eight to a round.
//
// Problem: a heap moves entries about in memory for each change, and pops equal times one by one. Idea: each
// subject has a fixed place; above every eight places stands their minimum, and so on up. A change marks its
// eight as stale; `refresh` plays the stale rounds again, once each, however many of their places changed.
// All subjects of the least time are found by walking down, in ascending order: ties cost nothing and have an
// order.
//
// 16,384 subjects are 128 KB of times and 18 KB of rounds: all of it stays in the second-level cache.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace tahoma {

class Earliest {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  explicit Earliest(std::size_t subjects) {
    std::size_t size = subjects;
    do {
      size = (size + width - 1) / width;
      rounds_.push_back(
          {std::vector<std::int64_t>(size * width, never), {}, std::vector<std::uint8_t>(size, 0)});
    } while (size > 1);
  }

  void set(std::uint32_t subject, std::int64_t time) {
    rounds_[0].times[subject] = time;
    mark(rounds_[0], subject / width);
  }
  std::int64_t time(std::uint32_t subject) const { return rounds_[0].times[subject]; }

  /// Least time of all; never if none is set.
  std::int64_t refresh() {
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      Round& round = rounds_[r];
      for (const std::uint32_t eight : round.stale) {
        round.is_stale[eight] = 0;
        const std::int64_t* from = round.times.data() + std::size_t{eight} * width;
        std::int64_t least = from[0];
        for (std::size_t i = 1; i < width; ++i) least = std::min(least, from[i]);
        if (r + 1 == rounds_.size()) {
          least_ = least;
        } else if (rounds_[r + 1].times[eight] != least) {
          rounds_[r + 1].times[eight] = least;
          mark(rounds_[r + 1], eight / width);
        }
      }
      round.stale.clear();
    }
    return least_;
  }

  /// All subjects whose time is the least, ascending. Valid after refresh().
  void collect(std::vector<std::uint32_t>& subjects) {
    subjects.assign(1, 0);
    for (std::size_t r = rounds_.size(); r-- > 0;) {
      below_.clear();
      for (const std::uint32_t eight : subjects) {
        const std::int64_t* from = rounds_[r].times.data() + std::size_t{eight} * width;
        unsigned hits = 0;  // without branches: where the hits are cannot be foreseen
        for (unsigned i = 0; i < width; ++i) hits |= static_cast<unsigned>(from[i] == least_) << i;
        for (; hits != 0; hits &= hits - 1)
          below_.push_back(eight * width + static_cast<std::uint32_t>(std::countr_zero(hits)));
      }
      std::swap(subjects, below_);
    }
  }

 private:
  static constexpr std::uint32_t width = 8;  // times in a cache line
  struct Round {
    std::vector<std::int64_t> times;
    std::vector<std::uint32_t> stale;
    std::vector<std::uint8_t> is_stale;  // by eight
  };
  static void mark(Round& round, std::uint32_t eight) {
    if (round.is_stale[eight] != 0) return;
    round.is_stale[eight] = 1;
    round.stale.push_back(eight);
  }

  std::vector<Round> rounds_;
  std::vector<std::uint32_t> below_;
  std::int64_t least_ = never;
};

}  // namespace tahoma
