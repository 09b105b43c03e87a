#include "collectives/solve/exchange_levels.h"

#include <algorithm>
#include <limits>

namespace tahoma {

namespace {

constexpr std::int64_t far_future = std::numeric_limits<std::int64_t>::max() / 4096;

class LevelPass {
 public:
  LevelPass(const ExchangeProgram& program, const ExchangeNetwork& network, Duration overhead,
            LevelScratch& scratch)
      : program_(program), network_(network), overhead_(overhead.ps), s_(scratch) {}

  bool evaluate(std::span<const Time> ready, std::span<Time> finish) {
    const std::uint32_t n = program_.ranks;
    const std::size_t ways = network_.ways.size();
    s_.arrival.assign(program_.levels.size() * n, std::numeric_limits<std::int64_t>::min());
    s_.free.resize(n);
    s_.busy_until.assign(n, std::numeric_limits<std::int64_t>::min());
    s_.crossed.clear();
    s_.hold.resize(program_.levels.size() * ways);
    for (std::uint32_t r = 0; r < n; ++r) {
      s_.free[r] = ready[r].ps;
      finish[r] = ready[r];
    }
    for (std::uint32_t level = 0; level < program_.levels.size(); ++level) {
      const Work work = work_of(Bytes{program_.levels[level].bytes});
      for (std::size_t w = 0; w < ways; ++w) {
        const Duration alone = time_to_move(work, Rate{network_.ways[w].solo});
        if (alone.ps > far_future) return false;  // the engine says what is wrong with it
        s_.hold[level * ways + w] = overhead_ + alone.ps;
      }
      pass(level, finish);
    }
    for (std::uint32_t r = 0; r < n; ++r) finish[r] = std::max(finish[r], Time{s_.free[r]});
    std::sort(s_.crossed.begin(), s_.crossed.end());
    s_.crossed.erase(std::unique(s_.crossed.begin(), s_.crossed.end()), s_.crossed.end());
    return std::all_of(s_.crossed.begin(), s_.crossed.end(), [&](std::uint32_t r) { return fits(r); });
  }

 private:
  void pass(std::uint32_t level, std::span<Time> finish) {
    const std::uint32_t n = program_.ranks;
    const std::uint32_t wait = program_.levels[level].wait;
    const std::uint32_t* to = program_.patterns[program_.levels[level].pattern].to.data();
    const std::uint16_t* way = network_.way[program_.levels[level].pattern].data();
    const std::int64_t* hold = s_.hold.data() + level * network_.ways.size();
    const std::int64_t* input = wait == ExchangeProgram::nobody ? nullptr : s_.arrival.data() + wait * n;
    std::int64_t* output = s_.arrival.data() + level * n;
    for (std::uint32_t r = 0; r < n; ++r) {
      const std::uint32_t q = to[r];
      if (q == ExchangeProgram::nobody) continue;
      const std::int64_t begin = input == nullptr ? s_.free[r] : std::max(s_.free[r], input[r]);
      const std::int64_t drained = begin + hold[way[r]];
      const std::int64_t arrives = drained + network_.ways[way[r]].latency.ps;
      s_.free[r] = drained;
      output[q] = arrives;
      finish[q] = std::max(finish[q], Time{arrives});
      if (begin + overhead_ < s_.busy_until[q]) s_.crossed.push_back(q);
      s_.busy_until[q] = std::max(s_.busy_until[q], drained);
    }
  }

  struct Interval {
    std::int64_t begin, end;
    std::uint64_t rate;
  };

  // All that arrives at `r`, in whatever order: at no time more than its link carries.
  bool fits(std::uint32_t r) {
    intervals_.clear();
    for (std::uint32_t level = 0; level < program_.levels.size(); ++level) {
      const std::uint32_t sender = program_.from(level, r);
      if (sender == ExchangeProgram::nobody) continue;
      const std::uint16_t w = network_.way[program_.levels[level].pattern][sender];
      const ExchangeNetwork::Way& way = network_.ways[w];
      const std::int64_t end = s_.arrival[std::size_t{level} * program_.ranks + r] - way.latency.ps;
      const std::int64_t lasts = s_.hold[level * network_.ways.size() + w] - overhead_;
      intervals_.push_back({end - lasts, end, way.solo});
    }
    std::sort(intervals_.begin(), intervals_.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      u128 together = 0;
      for (std::size_t j = 0; j <= i; ++j) {
        if (intervals_[j].end > intervals_[i].begin) together += intervals_[j].rate;
      }
      if (together > network_.arrivals[r].q20) return false;
    }
    return true;
  }

  const ExchangeProgram& program_;
  const ExchangeNetwork& network_;
  const std::int64_t overhead_;
  LevelScratch& s_;
  std::vector<Interval> intervals_;
};

}  // namespace

bool evaluate_levels(const ExchangeProgram& program, const ExchangeNetwork& network, Duration overhead,
                     std::span<const Time> ready, std::span<Time> finish, LevelScratch& scratch) {
  if (!network.trunks.empty()) return false;
  return LevelPass(program, network, overhead, scratch).evaluate(ready, finish);
}

}  // namespace tahoma
