#include "core/flow_network.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {
// A repair costs some microseconds a flow, a solve some tenths per flow of the component, whose size is not
// known beforehand; measured on tori of 4,096 chips and on rails of 16,384.
constexpr std::uint32_t few_disturbed = 4;
constexpr std::uint32_t repair_below = 64;  // disturbed flows, as a part of those in flight
}  // namespace

FlowNetwork::FlowNetwork(std::span<const Capacity> links, std::span<const Crossing> crossings,
                         std::size_t paths)
    : capacity_(links), crossings_(crossings), on_link_(links.size()) {
  paths_.reserve(paths);
}

void FlowNetwork::add_path(std::uint32_t first, std::uint32_t count, Rate cap) {
  u128 solo = cap.q20 != 0 ? u128{cap.q20} : ~u128{0};
  for (const Crossing& c : crossings_.subspan(first, count)) {
    // Most cross once, and a division of 128 bits is a library call.
    const u128 whole = capacity_[c.link].q20;
    solo = std::min(solo, c.multiplicity == 1 ? whole : whole / c.multiplicity);
  }
  TAHOMA_ASSERT(solo > 0, "a path without capacity");
  TAHOMA_ASSERT(solo <= ~std::uint64_t{0}, "one flow above 17.5 TB/s");
  paths_.push_back({first, count, Rate{static_cast<std::uint64_t>(solo)}, cap});
}

std::uint32_t FlowNetwork::new_hops(std::uint32_t count) {
  if (count >= free_hops_.size()) free_hops_.resize(count + 1);
  auto& free = free_hops_[count];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  const auto first = static_cast<std::uint32_t>(hops_.size());
  hops_.resize(hops_.size() + count);
  return first;
}

void FlowNetwork::start(std::uint32_t path, Bytes bytes, std::uint32_t owner, Time now) {
  TAHOMA_ASSERT(bytes.count > 0, "a flow without bytes");
  std::uint32_t id;
  if (free_flows_.empty()) {
    id = static_cast<std::uint32_t>(flows_.size());
    flows_.emplace_back();
    shared_.push_back(0);
  } else {
    id = free_flows_.back();
    free_flows_.pop_back();
  }
  Flow& flow = flows_[id];
  flow = {work_of(bytes).units,         now.ps,         0, not_queued, not_queued, path, owner,
          new_hops(paths_[path].count), flow.generation};
  link_in(id);
  started_.push_back(id);
  ++in_flight_;
}

void FlowNetwork::link_in(std::uint32_t id) {
  const Flow& flow = flows_[id];
  std::uint32_t hop = flow.hops;
  for (const Crossing& c : crossings_of(flow)) {
    OnLink& on = on_link_[c.link];
    hops_[hop] = {on.first_hop, no_hop, id};
    if (on.first_hop != no_hop) hops_[on.first_hop].previous = hop;
    on.first_hop = hop++;
    ++on.flows;
  }
}

bool FlowNetwork::pop_finished(Time now, std::uint32_t& owner) {
  while (finishes_.next() <= now) {
    TAHOMA_ASSERT(finishes_.next() == now, "a finish was passed over");
    const Finish entry = finishes_.pop().payload;
    Flow& flow = flows_[entry.flow];
    if (flow.generation != entry.generation || flow.queued != now.ps) continue;  // left behind
    if (flow.finish > now.ps) {
      flow.queued = flow.finish;
      finishes_.push(Time{flow.finish}, entry);
      continue;
    }
    owner = flow.owner;
    link_out(entry.flow);
    flow.rate = 0;
    ++flow.generation;
    free_flows_.push_back(entry.flow);
    --in_flight_;
    return true;
  }
  return false;
}

void FlowNetwork::link_out(std::uint32_t id) {
  const Flow& flow = flows_[id];
  const bool shared = shared_[id] != 0;
  std::uint32_t hop = flow.hops;
  for (const Crossing& c : crossings_of(flow)) {
    OnLink& on = on_link_[c.link];
    const Hop& gone = hops_[hop];
    (gone.previous == no_hop ? on.first_hop : hops_[gone.previous].next) = gone.next;
    if (gone.next != no_hop) hops_[gone.next].previous = gone.previous;
    --on.flows;
    ++hop;
    if (!shared) continue;
    Sharing& sharing = sharing_[c.link];
    sharing.load -= u128{flow.rate} * c.multiplicity;
    sharing.weight -= c.multiplicity;
    if (sharing.weight == 0) {  // what has started since does not share yet
      sharing.share = {};
    } else if (!sharing.share.none()) {
      mark_dirty(c.link);  // where nobody is held back, nobody gains
    }
  }
  ended_ += shared ? 1 : 0;
  shared_[id] = 0;
  free_hops_[paths_[flow.path].count].push_back(flow.hops);
}

void FlowNetwork::mark_dirty(std::uint32_t link) {
  if (link_dirty_[link] != 0) return;
  link_dirty_[link] = 1;
  dirty_links_.push_back(link);
}

bool FlowNetwork::alone(const Flow& flow) const {
  for (const Crossing& c : crossings_of(flow)) {
    if (on_link_[c.link].flows != 1) return false;
  }
  return true;
}

void FlowNetwork::make_sharing() {
  if (sharing_.empty()) {
    sharing_.resize(capacity_.size());
    link_dirty_.assign(capacity_.size(), 0);
    link_epoch_.assign(capacity_.size(), 0);
    link_local_.assign(capacity_.size(), 0);
  }
  levels_.resize(flows_.size());
  flow_epoch_.resize(flows_.size(), 0);
}

void FlowNetwork::settle(Time now) {
  std::size_t joining = 0;
  for (const std::uint32_t id : started_) {
    const Flow& flow = flows_[id];
    if (alone(flow)) {
      set_rate(id, paths_[flow.path].solo, now);
    } else {
      started_[joining++] = id;
    }
  }
  started_.resize(joining);
  const std::size_t disturbed = joining + ended_;
  if (joining > 0 || !dirty_links_.empty()) {
    make_sharing();
    if (disturbed <= few_disturbed || disturbed * repair_below <= in_flight_) {
      repair_dirty(now);
    } else {
      solve_dirty(now);
    }
  }
  started_.clear();
  ended_ = 0;
}

void FlowNetwork::solve_dirty(Time now) {
  for (const std::uint32_t id : started_) {
    for (const Crossing& c : crossings_of(flows_[id])) {
      if (on_link_[c.link].flows > 1) mark_dirty(c.link);
    }
  }
  ++epoch_;
  for (const std::uint32_t link : dirty_links_) {
    link_dirty_[link] = 0;
    if (link_epoch_[link] != epoch_ && on_link_[link].flows != 0) solve_component(link, now);
  }
  dirty_links_.clear();
}

void FlowNetwork::gather_component(std::uint32_t link) {
  component_links_.assign(1, link);
  component_flows_.clear();
  link_epoch_[link] = epoch_;
  for (std::size_t next = 0; next < component_links_.size(); ++next) {
    for (std::uint32_t hop = on_link_[component_links_[next]].first_hop; hop != no_hop;
         hop = hops_[hop].next) {
      const std::uint32_t id = hops_[hop].flow;
      if (flow_epoch_[id] == epoch_) continue;
      flow_epoch_[id] = epoch_;
      component_flows_.push_back(id);
      for (const Crossing& c : crossings_of(flows_[id])) {
        if (link_epoch_[c.link] == epoch_) continue;
        link_epoch_[c.link] = epoch_;
        component_links_.push_back(c.link);
      }
    }
  }
}

void FlowNetwork::solve_component(std::uint32_t link, Time now) {
  gather_component(link);
  ++solves_;
  local_capacity_.clear();
  for (const std::uint32_t l : component_links_) {
    link_local_[l] = static_cast<std::uint32_t>(local_capacity_.size());
    local_capacity_.push_back(capacity_[l]);
  }
  local_first_.assign(1, 0);
  local_crossings_.clear();
  local_caps_.clear();
  for (const std::uint32_t id : component_flows_) {
    for (const Crossing& c : crossings_of(flows_[id])) {
      local_crossings_.push_back({link_local_[c.link], c.multiplicity});
    }
    local_first_.push_back(static_cast<std::uint32_t>(local_crossings_.size()));
    local_caps_.push_back(paths_[flows_[id].path].cap);
  }
  local_rates_.resize(component_flows_.size());
  local_shares_.resize(component_links_.size());
  fair_share_.solve({local_capacity_, local_first_, local_crossings_, local_caps_}, local_rates_,
                    local_shares_);
  for (std::size_t i = 0; i < component_flows_.size(); ++i)
    set_rate(component_flows_[i], local_rates_[i], now);
  keep_shares();
}

// So that the next instant can repair what this one has solved.
void FlowNetwork::keep_shares() {
  for (std::size_t i = 0; i < component_links_.size(); ++i) {
    Sharing& sharing = sharing_[component_links_[i]];
    sharing.share = local_shares_[i];
    sharing.load = 0;
    sharing.weight = 0;
  }
  for (const std::uint32_t id : component_flows_) {
    const Flow& flow = flows_[id];
    levels_[id].share = level_of(flow, ~0u);
    shared_[id] = 1;
    for (const Crossing& c : crossings_of(flow)) {
      sharing_[c.link].load += u128{flow.rate} * c.multiplicity;
      sharing_[c.link].weight += c.multiplicity;
    }
  }
}

Duration FlowNetwork::lasts(u128 remaining, Rate rate) {
  if (latest_.work != remaining || latest_.rate != rate) {
    latest_ = {remaining, rate, time_to_move(Work{remaining}, rate)};
  }
  return latest_.lasts;
}

void FlowNetwork::set_rate(std::uint32_t id, Rate rate, Time now) {
  Flow& flow = flows_[id];
  if (flow.rate == rate.q20) return;
  TAHOMA_ASSERT(rate.q20 > 0, "a flow without a rate");
  flow.remaining -= u128{flow.rate} * static_cast<u128>(now.ps - flow.since);
  flow.since = now.ps;
  flow.rate = rate.q20;
  const Duration left = lasts(flow.remaining, rate);
  TAHOMA_ASSERT(left.ps <= Time::never().ps - now.ps - 1, "a finish past the end of the clock (106 days)");
  flow.finish = now.ps + left.ps;
  if (flow.finish < flow.queued) {
    flow.queued = flow.finish;
    finishes_.push(Time{flow.finish}, {id, flow.generation});
  }
}

}  // namespace tahoma
