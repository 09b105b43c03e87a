// Flows in flight over links they share max-min fairly.
//
// Problem: when one flow ends, which rates change? Re-solving everything costs flows x links per event, and
// even the connected component of what ended may be the whole network, though a handful of rates change.
//
// Idea: three ways to the same rates, from cheap to thorough.
//   alone     a flow that meets no other has the rate of its path; its links are not looked at
//   repair    few starts and ends in an instant: the shares of the links they touch are corrected, lowest
//             first, and what that disturbs after them (flow_repair.cpp)
//   solve     many: the connected components are solved whole (fair_share.h)
// Max-min is unique, exact fractions included, so it does not matter which way was taken.
//
// Time: the caller pops the finishes of an instant, starts what follows from them, and settles once: all
// consequences of one instant are one batch. Remaining work is never rounded, so re-rating a flow at the same
// rate leaves its finish untouched, whoever asked.
//
// A finish that moves later leaves its old place in the queue of finishes, where it is found too early and
// put back: contended flows are mostly slowed down, and this makes that free.
//
// Memory: what sharing needs is made when flows first share. A network in which they never do touches a path,
// its links' counts and the flow, each once when it starts and once when it ends.
//
// Links and flows are numbers; chips and ranks are unknown here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/event_queue.h"
#include "core/fair_share.h"
#include "core/units.h"

namespace tahoma {

class FlowNetwork {
 public:
  /// Of `paths` paths. The caller keeps the links' capacities and the paths' crossings.
  FlowNetwork(std::span<const Capacity> links, std::span<const Crossing> crossings, std::size_t paths);

  /// A reusable path, the next by number: `count` crossings from `first` on, which name each link once.
  /// `cap` 0 = none.
  void add_path(std::uint32_t first, std::uint32_t count, Rate cap);

  /// A flow of `bytes` > 0 on `path` from `now`; it gets a rate at the next settle(now).
  void start(std::uint32_t path, Bytes bytes, std::uint32_t owner, Time now);

  /// No flow's last byte leaves before this; Time::never() if none is in flight. Valid after settle().
  /// Nothing need finish then: pop_finished and settle at this time, and ask again.
  Time next_finish() const { return finishes_.next(); }

  /// Removes one flow that finishes at `now` and gives its owner; false if there is no more.
  bool pop_finished(Time now, std::uint32_t& owner);

  /// Gives rates to everything that this instant's starts and finishes disturbed.
  void settle(Time now);

  /// Components solved whole.
  std::uint64_t solves() const { return solves_; }

 private:
  static constexpr std::uint32_t no_hop = ~0u;
  static constexpr std::int64_t not_queued = std::numeric_limits<std::int64_t>::max();

  struct Path {
    std::uint32_t first, count;
    Rate solo;  // rate of a flow alone on all links
    Rate cap;
  };
  struct Flow {
    u128 remaining;
    std::int64_t since;  // `remaining` holds at this time
    std::uint64_t rate;  // 0: not rated yet, or gone
    std::int64_t finish;
    std::int64_t queued;  // its earliest entry in finishes_; never after `finish`
    std::uint32_t path;
    std::uint32_t owner;
    std::uint32_t hops;  // first of path.count entries of hops_
    std::uint32_t generation;
  };
  struct Hop {  // a flow on a link; a list per link
    std::uint32_t next, previous, flow;
  };
  struct OnLink {
    std::uint32_t first_hop = no_hop;
    std::uint32_t flows = 0;
  };
  // What a link knows of its sharing; kept for links of shared flows only, "none" and zero elsewhere.
  struct Sharing {
    Share share;
    u128 load = 0;             // rate x multiplicity of its flows
    std::uint64_t weight = 0;  // multiplicities of its flows
    std::uint32_t version = 0;
    bool marked = false;  // to be looked at in this repair
  };
  // What a shared flow knows: the least of its links' shares and its cap.
  struct Level {
    Share share;
    bool touched = false;  // in touched_
  };
  struct Finish {
    std::uint32_t flow, generation;
  };
  struct Cap {
    Share share;
    std::uint64_t multiplicity;
  };
  struct Repair {
    Share key;  // the least share at which something changes
    Share share;
    std::uint32_t link, version;
    std::uint64_t seen;  // repairs when it was looked at
  };

  std::span<const Crossing> crossings_of(const Flow& flow) const {
    const Path& path = paths_[flow.path];
    return crossings_.subspan(path.first, path.count);
  }
  std::uint32_t new_hops(std::uint32_t count);
  void link_in(std::uint32_t flow);
  void link_out(std::uint32_t flow);
  bool alone(const Flow& flow) const;
  void mark_dirty(std::uint32_t link);
  void set_rate(std::uint32_t flow, Rate rate, Time now);
  Duration lasts(u128 remaining, Rate rate);
  void make_sharing();

  void solve_dirty(Time now);
  void solve_component(std::uint32_t link, Time now);
  void gather_component(std::uint32_t link);
  void keep_shares();

  void repair_dirty(Time now);
  void make_shared(std::uint32_t flow);
  void let_in(std::uint32_t flow);
  void look_at_marked();
  void mark(std::uint32_t link);
  void set_share(std::uint32_t link, Share share);
  void set_level(std::uint32_t flow, Share level, std::uint32_t cause);
  Share level_of(const Flow& flow, std::uint32_t without) const;
  Share share_of(std::uint32_t link);

  std::span<const Capacity> capacity_;
  std::span<const Crossing> crossings_;
  std::vector<Path> paths_;
  std::vector<Flow> flows_;
  std::vector<std::uint8_t> shared_;  // by flow; false: alone, and its links do not know it
  std::vector<std::uint32_t> free_flows_;
  std::vector<OnLink> on_link_;
  std::vector<Level> levels_;     // by flow; see make_sharing
  std::vector<Sharing> sharing_;  // by link; likewise
  std::vector<Hop> hops_;
  std::vector<std::vector<std::uint32_t>> free_hops_;  // by count
  EventQueue<Finish> finishes_;
  std::uint32_t in_flight_ = 0;
  struct {
    u128 work = 0;
    Rate rate;
    Duration lasts;
  } latest_;  // like flows have like times, and a division of 128 bits is worth a comparison

  // What this instant disturbed.
  std::vector<std::uint32_t> started_;
  std::vector<std::uint32_t> dirty_links_;
  std::vector<std::uint8_t> link_dirty_;
  std::uint32_t ended_ = 0;  // shared flows

  // The component under solution, in local numbers.
  FairShare fair_share_;
  std::vector<std::uint32_t> link_epoch_, flow_epoch_;
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> link_local_;
  std::vector<std::uint32_t> component_links_, component_flows_;
  std::vector<Capacity> local_capacity_;
  std::vector<std::uint32_t> local_first_;
  std::vector<Crossing> local_crossings_;
  std::vector<Rate> local_caps_, local_rates_;
  std::vector<Share> local_shares_;
  std::uint64_t solves_ = 0;

  // The repair in progress.
  std::vector<std::uint32_t> marked_, touched_;
  std::vector<Repair> repair_heap_;
  std::vector<Cap> caps_;
  std::uint64_t repairs_ = 0;  // links whose share was corrected
};

}  // namespace tahoma
