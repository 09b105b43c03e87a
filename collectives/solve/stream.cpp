#include "collectives/solve/stream.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include "core/errors.h"

namespace tahoma {

namespace {

using i64 = std::int64_t;
constexpr i64 no_gap = std::numeric_limits<i64>::max();

// first, first + step, ... (count entries), all to be shifted by the stream's offset.
struct Run {
  i64 first, step;
  i64 count;
  i64 last() const { return first + step * (count - 1); }
};

class Stream {
 public:
  static Stream single(i64 value) {
    Stream s;
    s.runs_.push_back({value, 0, 1});
    s.length_ = 1;
    return s;
  }

  i64 length() const { return length_; }
  i64 front() const { return runs_.front().first + offset_; }
  i64 back() const { return runs_.back().last() + offset_; }
  const std::deque<Run>& runs() const { return runs_; }
  i64 offset() const { return offset_; }
  i64 least_gap() const { return least_gap_; }

  void shift(i64 by) { offset_ += by; }

  // Entries value, value + step, ... in front. The spacing inside and at the joint enters the least gap.
  void prepend(i64 value, i64 step, i64 count) {
    if (count <= 0) return;
    const i64 last = value + step * (count - 1);
    if (count > 1) least_gap_ = std::min(least_gap_, step);
    if (length_ > 0) least_gap_ = std::min(least_gap_, front() - last);
    push_front_run({value - offset_, step, count});
    length_ += count;
  }

  void truncate(i64 most) {
    while (length_ > most) {
      Run& tail = runs_.back();
      const i64 drop = std::min(length_ - most, tail.count);
      tail.count -= drop;
      length_ -= drop;
      if (tail.count == 0) runs_.pop_back();
    }
  }

  // out(0) = ready, out(k) = max(in(k-1), out(k-1) + hold); `in` is this stream, already shifted by the
  // reach.
  void pass(i64 ready, i64 hold, i64 most, RingCost& cost) {
    ++cost.operations;
    if (least_gap_ >= hold && (length_ == 0 || front() >= ready + hold)) {
      prepend(ready, 0, 1);
      truncate(most);
      return;
    }
    Stream out;
    out.append(ready, 0, 1);
    i64 previous = ready;
    for (const Run& run : runs_) {
      if (out.length_ >= most) break;
      ++cost.runs;
      previous = out.append_limited(run.first + offset_, run.step, run.count, hold, previous);
    }
    out.truncate(most);
    *this = std::move(out);
  }

 private:
  void push_front_run(Run run) {
    if (!runs_.empty()) {
      Run& head = runs_.front();
      if (run.count == 1 && (head.count == 1 || head.first - run.first == head.step)) {
        head = {run.first, head.first - run.first, head.count + 1};
        return;
      }
      if (run.count > 1 && head.count > 1 && run.step == head.step && head.first - run.last() == head.step) {
        head = {run.first, run.step, head.count + run.count};
        return;
      }
    }
    runs_.push_front(run);
  }

  void append(i64 first, i64 step, i64 count) {
    if (count <= 0) return;
    if (count > 1) least_gap_ = std::min(least_gap_, step);
    if (length_ > 0) least_gap_ = std::min(least_gap_, first - back());
    length_ += count;
    if (!runs_.empty()) {
      Run& tail = runs_.back();
      const i64 gap = first - offset_ - tail.last();
      if ((count == 1 || step == gap) && (tail.count == 1 || tail.step == gap)) {
        tail = {tail.first, gap, tail.count + count};
        return;
      }
    }
    runs_.push_back({first - offset_, step, count});
  }

  // Appends max(entry, previous + hold) for each entry of a run, in at most two runs; returns the last value.
  i64 append_limited(i64 first, i64 step, i64 count, i64 hold, i64 previous) {
    if (first >= previous + hold && (step >= hold || count == 1)) {
      append(first, step, count);
      return first + step * (count - 1);
    }
    if (step < hold) {
      const i64 begin = std::max(first, previous + hold);
      append(begin, hold, count);
      return begin + hold * (count - 1);
    }
    // The run starts below the limit and, spaced wider than hold, may overtake it: entry j is at the limit
    // while first + j step < previous + (j + 1) hold.
    const i64 behind = previous + hold - first;
    const i64 at_limit = step == hold ? count : std::min(count, (behind + (step - hold) - 1) / (step - hold));
    append(previous + hold, hold, at_limit);
    append(first + step * at_limit, step, count - at_limit);
    return back();
  }

  std::deque<Run> runs_;
  i64 offset_ = 0;
  i64 length_ = 0;
  i64 least_gap_ = no_gap;  // a lower bound of the spacing of consecutive entries
};

// Reads entries from the back, each index at most once and in falling order.
class Backwards {
 public:
  explicit Backwards(const Stream& stream)
      : stream_(stream), at_(stream.runs().size()), end_(stream.length()) {}

  i64 entry(i64 index) {
    while (index < begin_of_run()) {
      end_ = begin_of_run();
      --at_;
    }
    const Run& run = stream_.runs()[at_ - 1];
    return run.first + run.step * (index - begin_of_run()) + stream_.offset();
  }

 private:
  i64 begin_of_run() const { return end_ - stream_.runs()[at_ - 1].count; }
  const Stream& stream_;
  std::size_t at_;  // one past the current run
  i64 end_;         // index one past its last entry
};

// Ranks in a row that are alike.
struct Segment {
  std::uint32_t first, count;
};

std::vector<Segment> segments_of(std::span<const std::uint32_t> kind_of, std::span<const Time> ready) {
  const auto begins = [&](std::size_t r) {
    return r == 0 || kind_of[r] != kind_of[r - 1] || ready[r] != ready[r - 1];
  };
  std::size_t count = 0;
  for (std::size_t r = 0; r < kind_of.size(); ++r) count += begins(r);
  std::vector<Segment> segments;
  segments.reserve(count);
  for (std::uint32_t r = 0; r < kind_of.size(); ++r) {
    if (begins(r)) segments.push_back({r, 0});
    ++segments.back().count;
  }
  return segments;
}

}  // namespace

void solve_ring(std::span<const RingRank> kinds, std::span<const std::uint32_t> kind_of,
                std::span<const Time> ready_at, std::uint64_t sends, std::span<Time> finish, RingCost* cost) {
  const std::size_t n = kind_of.size();
  const auto rank_at = [&](std::size_t r) -> const RingRank& { return kinds[kind_of[r]]; };
  const auto most = static_cast<i64>(sends);
  TAHOMA_ASSERT(n >= 2 && most >= 1, "a ring needs two ranks and one send");
  RingCost counted;
  const std::vector<Segment> segments = segments_of(kind_of, ready_at);

  // Stream of rank 0: entry 0 is known; each lap, n more.
  Stream stream = Stream::single(ready_at[0].ps);
  for (bool complete = false; !complete;) {
    // `stream` holds what is known of rank 0. Complete when that is all of it: then this lap is read.
    complete = stream.length() >= most;
    for (const Segment& segment : segments) {
      const RingRank& rank = rank_at(segment.first);
      const i64 hold = rank.hold.ps, reach = rank.reach.ps, ready = ready_at[segment.first].ps;
      TAHOMA_ASSERT(reach >= hold, "a message arrives before it has left");
      if (segment.first > 0) {
        stream.shift(rank_at(segment.first - 1).reach.ps);
        stream.pass(ready, hold, most, counted);
      }
      if (complete) {
        Backwards entries(stream);
        for (std::size_t i = 0; i < segment.count; ++i) {
          const i64 index = most - 1 - static_cast<i64>(i);
          const i64 last =
              index >= 0 ? entries.entry(index) + static_cast<i64>(i) * reach : ready + reach * (most - 1);
          finish[segment.first + i] = Time{last};  // for now: the start of its last send
        }
      }
      // The other ranks of the segment only shift: the first one has spaced its starts by `hold` at least,
      // and what they prepend is spaced by reach >= hold.
      if (segment.count > 1) {
        ++counted.operations;
        const i64 rest = static_cast<i64>(segment.count) - 1;
        stream.shift(rest * reach);
        stream.prepend(ready, reach, std::min(rest, most));
        stream.truncate(most);
      }
    }
    if (complete) break;
    // Back at rank 0.
    stream.shift(rank_at(n - 1).reach.ps);
    stream.pass(ready_at[0].ps, rank_at(0).hold.ps, most, counted);
  }

  const Time last_of_all = finish[n - 1];
  for (std::size_t r = n; r-- > 0;) {
    const std::size_t before = (r + n - 1) % n;
    const Time last_before = r == 0 ? last_of_all : finish[before];
    finish[r] = std::max(last_before + rank_at(before).reach, finish[r] + rank_at(r).hold);
  }
  if (cost != nullptr) *cost = counted;
}

}  // namespace tahoma
