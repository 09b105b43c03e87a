// The repair of max-min shares after few starts and ends: only what changes is recomputed.
//
// Problem: in a giant component (a random permutation on a torus: one) the end of a flow changes a handful of
// rates out of thousands, and solving the component again costs a thousand times that.
//
// Idea: the solution has a local description. The *level* of a flow is the least of its links' shares and its
// cap. A link's share is where it fills up when each flow on it takes at most its level on the other links:
// those below the share are subtracted, the others divide what is left. Progressive filling gives these
// shares, and nothing else meets all the local conditions: take two assignments that do, and the lowest share
// at which they differ; below it all levels agree, so the link in question fills up at the same point in
// both.
//
// A link whose condition is violated has a key: the smaller of its share and of what it should be. By the
// same argument the least key is exactly the lowest level at which the present assignment differs from the
// solution. So: take the violated link of least key, give it the share it should have, mark the links that
// this disturbs, repeat. What lies below the key never changes again, so it ends; where it ends is the
// solution, and it is the same whatever happened before.
//
// Floors: shares are compared exactly and rates are floors, as everywhere, so a share is always found by the
// whole scan in ascending order of caps. A link with load + (a unit per flow) < capacity holds nobody back
// and needs no scan.
//
// Related: "bottleneck structure" graphs (Ros-Giralt et al., 2021), which propagate real-valued rates.
#include <algorithm>

#include "core/errors.h"
#include "core/flow_network.h"

namespace tahoma {

namespace {
constexpr std::uint32_t all_links = ~0u;
}

// The least share of the flow's links, but for one, and its cap.
Share FlowNetwork::level_of(const Flow& flow, std::uint32_t without) const {
  Share level;
  const Path& path = paths_[flow.path];
  if (path.cap.q20 != 0) level = {path.cap.q20, 1};
  for (const Crossing& c : crossings_of(flow)) {
    if (c.link == without) continue;
    const Share& share = sharing_[c.link].share;
    if (share < level) level = share;
  }
  return level;
}

// Where the link fills up, given the levels of its flows on their other links.
Share FlowNetwork::share_of(std::uint32_t link) {
  const Share present = sharing_[link].share;
  caps_.clear();
  Share share{capacity_[link].q20, 0};
  for (std::uint32_t hop = on_link_[link].first_hop; hop != no_hop; hop = hops_[hop].next) {
    const std::uint32_t id = hops_[hop].flow;
    const Flow& flow = flows_[id];
    const std::uint64_t multiplicity = crossings_of(flow)[hop - flow.hops].multiplicity;
    // Below this link's share it is another link, or the cap, that holds the flow.
    const Share& level = levels_[id].share;
    const Share cap = level < present ? level : level_of(flow, link);
    share.crossings += multiplicity;
    if (!cap.none()) caps_.push_back({cap, multiplicity});
  }
  std::sort(caps_.begin(), caps_.end(), [](const Cap& a, const Cap& b) { return a.share < b.share; });
  for (const Cap& cap : caps_) {
    if (!(cap.share < share)) break;
    share.capacity -= u128{cap.share.floor().q20} * cap.multiplicity;
    share.crossings -= cap.multiplicity;
    if (share.none()) return {};
  }
  return share;
}

void FlowNetwork::mark(std::uint32_t link) {
  if (sharing_[link].marked) return;
  sharing_[link].marked = true;
  marked_.push_back(link);
}

void FlowNetwork::look_at_marked() {
  for (const std::uint32_t link : marked_) {
    Sharing& sharing = sharing_[link];
    sharing.marked = false;
    ++sharing.version;
    if (on_link_[link].flows == 0) continue;
    const Share should = share_of(link);
    if (should == sharing.share) {
      sharing.share = should;  // the same value; later comparisons stay small
      continue;
    }
    repair_heap_.push_back(
        {should < sharing.share ? should : sharing.share, should, link, sharing.version, repairs_});
    std::push_heap(repair_heap_.begin(), repair_heap_.end(),
                   [](const Repair& a, const Repair& b) { return b.key < a.key; });
  }
  marked_.clear();
}

void FlowNetwork::set_share(std::uint32_t link, Share share) {
  const Share before = sharing_[link].share;
  sharing_[link].share = share;
  ++repairs_;
  for (std::uint32_t hop = on_link_[link].first_hop; hop != no_hop; hop = hops_[hop].next) {
    const std::uint32_t id = hops_[hop].flow;
    const Share level = levels_[id].share;
    if (share < level) {
      set_level(id, share, link);
    } else if (!before.none() && level == before) {
      const Share risen = level_of(flows_[id], all_links);
      if (level < risen) set_level(id, risen, link);
    }
  }
}

void FlowNetwork::set_level(std::uint32_t id, Share level, std::uint32_t cause) {
  Level& mine = levels_[id];
  const Share lower = level < mine.share ? level : mine.share;
  const std::uint64_t before = mine.share.none() ? 0 : mine.share.floor().q20;
  const std::uint64_t after = level.none() ? 0 : level.floor().q20;
  mine.share = level;
  if (!mine.touched) {
    mine.touched = true;
    touched_.push_back(id);
  }
  for (const Crossing& c : crossings_of(flows_[id])) {
    Sharing& sharing = sharing_[c.link];
    sharing.load = sharing.load + u128{after} * c.multiplicity - u128{before} * c.multiplicity;
    if (c.link == cause) continue;
    const bool slack =
        sharing.share.none() && !level.none() && sharing.load + sharing.weight < capacity_[c.link].q20;
    if (lower < sharing.share && !slack) mark(c.link);
  }
}

// A flow that was alone tells its links what it takes.
void FlowNetwork::make_shared(std::uint32_t id) {
  const Flow& flow = flows_[id];
  Level& level = levels_[id];
  if (shared_[id] != 0) return;
  shared_[id] = 1;
  level.share = {};
  if (paths_[flow.path].cap.q20 != 0) level.share = {paths_[flow.path].cap.q20, 1};
  for (const Crossing& c : crossings_of(flow)) {
    const Share whole{capacity_[c.link].q20, c.multiplicity};
    if (whole < level.share) level.share = whole;
  }
  for (const Crossing& c : crossings_of(flow)) {
    Sharing& sharing = sharing_[c.link];
    const Share whole{capacity_[c.link].q20, c.multiplicity};
    sharing.share = level.share < whole ? Share{} : whole;
    sharing.load = u128{flow.rate} * c.multiplicity;
    sharing.weight = c.multiplicity;
  }
}

void FlowNetwork::let_in(std::uint32_t id) {
  const Flow& flow = flows_[id];
  for (const Crossing& c : crossings_of(flow)) {
    for (std::uint32_t hop = on_link_[c.link].first_hop; hop != no_hop; hop = hops_[hop].next) {
      // Those started in this instant have no rate yet and are let in after each other.
      if (flows_[hops_[hop].flow].rate != 0) make_shared(hops_[hop].flow);
    }
  }
}

void FlowNetwork::repair_dirty(Time now) {
  for (const std::uint32_t id : started_) let_in(id);
  for (const std::uint32_t id : started_) {
    const Flow& flow = flows_[id];
    shared_[id] = 1;
    levels_[id].share = level_of(flow, all_links);
    const u128 rate = levels_[id].share.none() ? 0 : u128{levels_[id].share.floor().q20};
    levels_[id].touched = true;
    touched_.push_back(id);
    for (const Crossing& c : crossings_of(flow)) {
      sharing_[c.link].load += rate * c.multiplicity;
      sharing_[c.link].weight += c.multiplicity;
      mark(c.link);
    }
  }
  for (const std::uint32_t link : dirty_links_) {
    link_dirty_[link] = 0;
    const OnLink& on = on_link_[link];
    // All have left, perhaps to make room for one that is alone.
    if (on.flows != 0 && shared_[hops_[on.first_hop].flow] != 0) mark(link);
  }
  dirty_links_.clear();
  for (look_at_marked(); !repair_heap_.empty(); look_at_marked()) {
    std::pop_heap(repair_heap_.begin(), repair_heap_.end(),
                  [](const Repair& a, const Repair& b) { return b.key < a.key; });
    const Repair repair = repair_heap_.back();
    repair_heap_.pop_back();
    if (sharing_[repair.link].version != repair.version) continue;  // looked at again since
    if (repairs_ != repair.seen) {
      mark(repair.link);  // a share that changed since may count
      continue;
    }
    set_share(repair.link, repair.share);
  }
  for (const std::uint32_t id : touched_) {
    levels_[id].touched = false;
    TAHOMA_ASSERT(!levels_[id].share.none(), "a flow that crosses no link and has no cap");
    set_rate(id, levels_[id].share.floor(), now);
  }
  touched_.clear();
}

}  // namespace tahoma
