// Flows in flight over links they share max-min fairly.
//
// Problem: when one flow ends, which rates change? Re-solving everything costs flows x links per event.
// Idea: only the connected component (flows joined by shared links) of what started or ended can change. A
// flow alone on all its links needs no solving at all: its rate is known from its path.
//
// Time: the caller pops the finishes of an instant, starts what follows from them, and settles once: all
// consequences of one instant are one batch, then one solve. Remaining work is never rounded, so re-rating a
// flow at the same rate leaves its finish untouched, whoever asked.
//
// Limit: a component is re-solved whole. Links and flows are numbers; chips and ranks are unknown here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/fair_share.h"
#include "core/units.h"

namespace tahoma {

class FlowNetwork {
 public:
  explicit FlowNetwork(std::vector<Capacity> links);

  /// A reusable path; `crossings` name each link once. `cap` 0 = none.
  std::uint32_t add_path(std::span<const Crossing> crossings, Rate cap);

  /// A flow of `bytes` > 0 on `path` from `now`; it gets a rate at the next settle(now).
  void start(std::uint32_t path, Bytes bytes, std::uint32_t owner, Time now);

  /// When the next flow's last byte leaves; Time::never() if none is in flight. Valid after settle().
  Time next_finish() const { return heap_.empty() ? Time::never() : Time{heap_.front().time}; }

  /// Removes one flow that finishes at `now` and gives its owner; false if there is no more.
  bool pop_finished(Time now, std::uint32_t& owner);

  /// Gives rates to everything that this instant's starts and finishes disturbed.
  void settle(Time now);

  /// Current rate of the flow with this owner; for tests. O(flows).
  Rate rate_of(std::uint32_t owner) const;
  std::uint64_t solves() const { return solves_; }

 private:
  struct Path {
    std::uint32_t first, count;
    Rate solo;  // rate of a flow alone on all links
    Rate cap;
  };
  struct Flow {
    u128 remaining;
    std::int64_t since;  // `remaining` holds at this time
    std::uint64_t rate;
    std::uint32_t path;
    std::uint32_t owner;
    std::uint32_t hops;  // first of path.count entries of hop_place_
    std::uint32_t heap_place;
  };
  struct OnLink {
    std::uint32_t flow, hop;
  };
  struct Finish {
    std::int64_t time;
    std::uint32_t flow;
  };

  bool alone(const Flow& flow) const;
  void mark_dirty(std::uint32_t link);
  void solve_component(std::uint32_t link, Time now);
  void gather_component(std::uint32_t link);
  void set_rate(std::uint32_t flow, Rate rate, Time now);
  void unlink(std::uint32_t flow);
  std::uint32_t new_hops(std::uint32_t count);
  void heap_put(std::uint32_t place, Finish finish);
  void heap_up(std::uint32_t place, Finish finish);
  void heap_down(std::uint32_t place, Finish finish);
  void heap_remove(std::uint32_t place);

  std::vector<Capacity> capacity_;
  std::vector<Path> paths_;
  std::vector<Crossing> crossings_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_flows_;
  std::vector<std::vector<OnLink>> on_link_;
  std::vector<std::uint32_t> hop_place_;
  std::vector<std::vector<std::uint32_t>> free_hops_;  // by count
  std::vector<Finish> heap_;                           // 4-ary, by time; the order of ties does not matter

  // What this instant disturbed.
  std::vector<std::uint32_t> started_;
  std::vector<std::uint32_t> dirty_links_;
  std::vector<std::uint8_t> link_dirty_;
  std::vector<std::uint32_t> link_epoch_, flow_epoch_;
  std::uint32_t epoch_ = 0;

  // The component under solution, in local numbers.
  FairShare fair_share_;
  std::vector<std::uint32_t> link_local_;
  std::vector<std::uint32_t> component_links_, component_flows_;
  std::vector<Capacity> local_capacity_;
  std::vector<std::uint32_t> local_first_;
  std::vector<Crossing> local_crossings_;
  std::vector<Rate> local_caps_, local_rates_;
  std::uint64_t solves_ = 0;
};

}  // namespace tahoma
