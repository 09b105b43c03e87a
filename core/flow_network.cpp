#include "core/flow_network.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {
constexpr std::uint32_t arity = 4;
constexpr std::uint32_t not_in_heap = ~0u;
}  // namespace

FlowNetwork::FlowNetwork(std::vector<Capacity> links)
    : capacity_(std::move(links)),
      on_link_(capacity_.size()),
      link_dirty_(capacity_.size(), 0),
      link_epoch_(capacity_.size(), 0),
      link_local_(capacity_.size(), 0) {}

std::uint32_t FlowNetwork::add_path(std::span<const Crossing> crossings, Rate cap) {
  u128 solo = cap.q20 != 0 ? u128{cap.q20} : ~u128{0};
  for (const Crossing& c : crossings) solo = std::min(solo, capacity_[c.link].q20 / c.multiplicity);
  TAHOMA_ASSERT(solo > 0, "a path without capacity");
  TAHOMA_ASSERT(solo <= ~std::uint64_t{0}, "one flow above 17.5 TB/s");
  paths_.push_back({static_cast<std::uint32_t>(crossings_.size()),
                    static_cast<std::uint32_t>(crossings.size()), Rate{static_cast<std::uint64_t>(solo)},
                    cap});
  crossings_.insert(crossings_.end(), crossings.begin(), crossings.end());
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

std::uint32_t FlowNetwork::new_hops(std::uint32_t count) {
  if (count >= free_hops_.size()) free_hops_.resize(count + 1);
  auto& free = free_hops_[count];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  const auto first = static_cast<std::uint32_t>(hop_place_.size());
  hop_place_.resize(hop_place_.size() + count);
  return first;
}

void FlowNetwork::start(std::uint32_t path, Bytes bytes, std::uint32_t owner, Time now) {
  TAHOMA_ASSERT(bytes.count > 0, "a flow without bytes");
  std::uint32_t id;
  if (free_flows_.empty()) {
    id = static_cast<std::uint32_t>(flows_.size());
    flows_.emplace_back();
    flow_epoch_.push_back(0);
  } else {
    id = free_flows_.back();
    free_flows_.pop_back();
  }
  const Path& p = paths_[path];
  const std::uint32_t hops = new_hops(p.count);
  flows_[id] = {work_of(bytes).units, now.ps, 0, path, owner, hops, not_in_heap};
  for (std::uint32_t h = 0; h < p.count; ++h) {
    auto& list = on_link_[crossings_[p.first + h].link];
    hop_place_[hops + h] = static_cast<std::uint32_t>(list.size());
    list.push_back({id, h});
  }
  started_.push_back(id);
}

bool FlowNetwork::pop_finished(Time now, std::uint32_t& owner) {
  if (heap_.empty() || heap_.front().time > now.ps) return false;
  TAHOMA_ASSERT(heap_.front().time == now.ps, "a finish was passed over");
  const std::uint32_t id = heap_.front().flow;
  heap_remove(0);
  owner = flows_[id].owner;
  unlink(id);
  free_flows_.push_back(id);
  return true;
}

// Swap-remove from each link's list; the flow that moves learns its new place.
void FlowNetwork::unlink(std::uint32_t id) {
  const Flow& flow = flows_[id];
  const Path& p = paths_[flow.path];
  for (std::uint32_t h = 0; h < p.count; ++h) {
    const std::uint32_t link = crossings_[p.first + h].link;
    auto& list = on_link_[link];
    const std::uint32_t place = hop_place_[flow.hops + h];
    const OnLink last = list.back();
    list[place] = last;
    hop_place_[flows_[last.flow].hops + last.hop] = place;
    list.pop_back();
    if (!list.empty()) mark_dirty(link);
  }
  free_hops_[p.count].push_back(flow.hops);
}

void FlowNetwork::mark_dirty(std::uint32_t link) {
  if (link_dirty_[link] != 0) return;
  link_dirty_[link] = 1;
  dirty_links_.push_back(link);
}

bool FlowNetwork::alone(const Flow& flow) const {
  const Path& p = paths_[flow.path];
  for (std::uint32_t h = 0; h < p.count; ++h) {
    if (on_link_[crossings_[p.first + h].link].size() != 1) return false;
  }
  return true;
}

void FlowNetwork::settle(Time now) {
  for (const std::uint32_t id : started_) {
    const Flow& flow = flows_[id];
    const Path& p = paths_[flow.path];
    if (alone(flow)) {
      set_rate(id, p.solo, now);
    } else {
      for (std::uint32_t h = 0; h < p.count; ++h) {
        const std::uint32_t link = crossings_[p.first + h].link;
        if (on_link_[link].size() > 1) mark_dirty(link);
      }
    }
  }
  started_.clear();
  if (dirty_links_.empty()) return;
  ++epoch_;
  for (const std::uint32_t link : dirty_links_) {
    link_dirty_[link] = 0;
    if (link_epoch_[link] != epoch_ && !on_link_[link].empty()) solve_component(link, now);
  }
  dirty_links_.clear();
}

void FlowNetwork::gather_component(std::uint32_t link) {
  component_links_.assign(1, link);
  component_flows_.clear();
  link_epoch_[link] = epoch_;
  for (std::size_t next = 0; next < component_links_.size(); ++next) {
    for (const OnLink& on : on_link_[component_links_[next]]) {
      if (flow_epoch_[on.flow] == epoch_) continue;
      flow_epoch_[on.flow] = epoch_;
      component_flows_.push_back(on.flow);
      const Path& p = paths_[flows_[on.flow].path];
      for (std::uint32_t h = 0; h < p.count; ++h) {
        const std::uint32_t other = crossings_[p.first + h].link;
        if (link_epoch_[other] == epoch_) continue;
        link_epoch_[other] = epoch_;
        component_links_.push_back(other);
      }
    }
  }
}

void FlowNetwork::solve_component(std::uint32_t link, Time now) {
  gather_component(link);
  ++solves_;
  if (component_flows_.size() == 1) {
    set_rate(component_flows_[0], paths_[flows_[component_flows_[0]].path].solo, now);
    return;
  }
  local_capacity_.clear();
  for (const std::uint32_t l : component_links_) {
    link_local_[l] = static_cast<std::uint32_t>(local_capacity_.size());
    local_capacity_.push_back(capacity_[l]);
  }
  local_first_.assign(1, 0);
  local_crossings_.clear();
  local_caps_.clear();
  for (const std::uint32_t id : component_flows_) {
    const Path& p = paths_[flows_[id].path];
    for (std::uint32_t h = 0; h < p.count; ++h) {
      const Crossing& c = crossings_[p.first + h];
      local_crossings_.push_back({link_local_[c.link], c.multiplicity});
    }
    local_first_.push_back(static_cast<std::uint32_t>(local_crossings_.size()));
    local_caps_.push_back(p.cap);
  }
  local_rates_.resize(component_flows_.size());
  fair_share_.solve({local_capacity_, local_first_, local_crossings_, local_caps_}, local_rates_);
  for (std::size_t i = 0; i < component_flows_.size(); ++i)
    set_rate(component_flows_[i], local_rates_[i], now);
}

void FlowNetwork::set_rate(std::uint32_t id, Rate rate, Time now) {
  Flow& flow = flows_[id];
  if (flow.rate == rate.q20) return;
  TAHOMA_ASSERT(rate.q20 > 0, "a flow without a rate");
  flow.remaining -= u128{flow.rate} * static_cast<u128>(now.ps - flow.since);
  flow.since = now.ps;
  flow.rate = rate.q20;
  const Duration left = time_to_move(Work{flow.remaining}, rate);
  TAHOMA_ASSERT(left.ps <= Time::never().ps - now.ps - 1, "a finish past the end of the clock (106 days)");
  const Finish finish{now.ps + left.ps, id};
  if (flow.heap_place == not_in_heap) {
    heap_.emplace_back();
    heap_up(static_cast<std::uint32_t>(heap_.size() - 1), finish);
  } else if (finish.time < heap_[flow.heap_place].time) {
    heap_up(flow.heap_place, finish);
  } else {
    heap_down(flow.heap_place, finish);
  }
}

Rate FlowNetwork::rate_of(std::uint32_t owner) const {
  for (const Finish& finish : heap_) {
    if (flows_[finish.flow].owner == owner) return {flows_[finish.flow].rate};
  }
  return {};
}

void FlowNetwork::heap_put(std::uint32_t place, Finish finish) {
  heap_[place] = finish;
  flows_[finish.flow].heap_place = place;
}

void FlowNetwork::heap_up(std::uint32_t place, Finish finish) {
  while (place > 0) {
    const std::uint32_t parent = (place - 1) / arity;
    if (heap_[parent].time <= finish.time) break;
    heap_put(place, heap_[parent]);
    place = parent;
  }
  heap_put(place, finish);
}

void FlowNetwork::heap_down(std::uint32_t place, Finish finish) {
  const auto size = static_cast<std::uint32_t>(heap_.size());
  for (;;) {
    const std::uint32_t first = place * arity + 1;
    if (first >= size) break;
    const std::uint32_t last = std::min(first + arity, size);
    std::uint32_t least = first;
    for (std::uint32_t child = first + 1; child < last; ++child) {
      if (heap_[child].time < heap_[least].time) least = child;
    }
    if (heap_[least].time >= finish.time) break;
    heap_put(place, heap_[least]);
    place = least;
  }
  heap_put(place, finish);
}

void FlowNetwork::heap_remove(std::uint32_t place) {
  const Finish last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  if (place > 0 && heap_[(place - 1) / arity].time > last.time) {
    heap_up(place, last);
  } else {
    heap_down(place, last);
  }
}

}  // namespace tahoma
