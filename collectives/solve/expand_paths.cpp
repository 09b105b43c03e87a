#include "collectives/solve/expand_paths.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

void PathExpansion::begin_program(std::size_t members) {
  known_.clear();
  count_known_.assign(members, 0);
}

PathExpansion::Found PathExpansion::path_of(std::uint32_t member, const Wanted& wanted) {
  const ChipCosts costs = costs_of(problem_, wanted.target);
  const std::uint32_t memory = costs.memory.rate.q20 == 0 || wanted.leg == Leg::up
                                   ? 0
                                   : touches(costs.memory, wanted.op, wanted.paired_ranks);
  std::uint32_t& count = count_known_[member];
  const auto is_known = [&](std::uint32_t slot) {
    const Known& path = known_[slot][member];
    return path.target == wanted.target && path.lane == wanted.lane && path.source == wanted.source &&
           path.leg == wanted.leg && path.touches == memory && path.paired == wanted.paired_ranks;
  };
  const auto found = [&](std::uint32_t slot) {
    return Found{known_[slot][member].path, known_[slot][member].ways};
  };
  const std::uint32_t slots = std::min(count, most_known);
  // A neighbour's path has most likely been met at the same time.
  if (likely_ < slots && is_known(likely_)) return found(likely_);
  for (std::uint32_t slot = slots; slot-- > 0;) {
    if (!is_known(slot)) continue;
    likely_ = slot;
    return found(slot);
  }
  const std::uint32_t slot = count++ % most_known;
  if (slot == known_.size()) known_.emplace_back(count_known_.size());
  problem_.topology->route(wanted.source, wanted.target, wanted.lane, route_);
  if (wanted.leg != Leg::whole) cut_to(wanted);
  known_[slot][member] = {
      wanted.source, wanted.target, wanted.lane,        memory, static_cast<std::uint32_t>(out_.paths.size()),
      route_.ways,   wanted.leg,    wanted.paired_ranks};
  // Steps inside a chip, after the one between chips, each as long as that one's start and link.
  const std::int64_t inside = wanted.paired_ranks ? std::max(1u, costs.memory.ranks / 2) - 1 : 0;
  const std::uint64_t flows = out_.classes.orbit_of(out_.classes.of(wanted.source));
  for (std::uint32_t way = 0; way < route_.ways; ++way) {
    Path& path = route_.path[way];
    const Duration step = costs.overhead + problem_.topology->latency(path.links.front());
    path.links.insert(path.links.end(), memory, memory_of(wanted.target));
    path.latency += step * inside;
    add_crossings(path.links, path.latency, path.cap, flows);
  }
  for (std::uint32_t way = 0; way < route_.ways; ++way)
    add_hops(found(slot).path + way, route_.path[way], flows, wanted.source);
  return found(slot);
}

std::uint32_t PathExpansion::bundle(const Wanted& wanted, std::uint64_t flows) {
  problem_.topology->route(wanted.source, wanted.target, wanted.lane, route_);
  TAHOMA_ASSERT(route_.ways == 1, "a bundle of messages that each go two ways");
  Path& path = route_.path[0];
  const ChipCosts costs = costs_of(problem_, wanted.target);
  if (costs.memory.rate.q20 != 0)
    path.links.insert(path.links.end(), touches(costs.memory, wanted.op, false), memory_of(wanted.target));
  return add(path, flows, wanted.source);
}

std::uint32_t PathExpansion::add(const Path& path, std::uint64_t flows, ChipId source) {
  const std::uint32_t number = add_crossings(path.links, path.latency, path.cap, flows);
  add_hops(number, path, flows, source);
  return number;
}

// The receiver's memory, after all links, is crossed with the last of them.
void PathExpansion::add_hops(std::uint32_t number, const Path& path, std::uint64_t flows, ChipId source) {
  const Topology& topology = *problem_.topology;
  if (!topology.stores_somewhere()) return;
  const std::span<const LinkId> links = path.links;
  const auto stores = [&](std::size_t i) { return !is_memory(links[i]) && topology.stores(links[i]); };
  bool waits_somewhere = false;
  for (std::size_t i = 0; i < links.size(); ++i) waits_somewhere |= stores(i);
  if (!waits_somewhere) return;
  std::vector<Instance::Hop> hops;
  Duration left = path.latency;
  for (std::size_t first = 0; first < links.size();) {
    std::size_t end = first + 1;
    while (end < links.size() && (is_memory(links[end]) || !(stores(first) || stores(end)))) ++end;
    Duration latency = left;
    if (end < links.size()) {
      latency = {};
      for (std::size_t i = first; i < end; ++i) latency += topology.latency(links[i]);
      left = left - latency;
    }
    const std::uint32_t crossed = add_crossings(links.subspan(first, end - first), latency, path.cap, flows);
    const bool waits = stores(first);
    TAHOMA_ASSERT(!waits || out_.path_multiplicity[out_.paths[crossed].first] == 1,
                  "a fold of messages that wait for each other");
    hops.push_back({crossed, waits ? queue_of(links[first]) : Instance::no_link,
                    waits ? relative_to_owner(links[first], source) : 0});
    first = end;
  }
  out_.paths[number].first_hop = static_cast<std::uint32_t>(out_.hops.size());
  out_.paths[number].hops = static_cast<std::uint32_t>(hops.size());
  out_.hops.insert(out_.hops.end(), hops.begin(), hops.end());
}

std::uint32_t PathExpansion::queue_of(LinkId id) {
  const LinkId link = folded_ == 0 ? id : problem_.topology->canonical(id, folded_);
  const auto [at, fresh] = queue_numbers_.try_emplace(link.value, out_.queues);
  if (fresh) ++out_.queues;
  return at->second;
}

// Digit by digit of the chip number, each modulo its size: the same for all that a translation maps onto
// each other.
std::uint32_t PathExpansion::relative_to_owner(LinkId link, ChipId source) const {
  const auto owner = problem_.topology->owner_chip(link);
  TAHOMA_ASSERT(owner.has_value(), "a link that stores and belongs to no chip");
  std::uint32_t relative = 0;
  for (const Digit& digit : problem_.topology->digits()) {
    const std::uint32_t from = (source / digit.stride) % digit.size,
                        at = (*owner / digit.stride) % digit.size;
    relative += (from + digit.size - at) % digit.size * digit.stride;
  }
  return relative;
}

// Half of the way: the rank's link to the switch or from it, and the rank's port in its chip if it has one.
void PathExpansion::cut_to(const Wanted& wanted) {
  const Topology& topology = *problem_.topology;
  Path& path = route_.path[0];
  const std::ptrdiff_t half = topology.ranks_per_chip() > 1 ? 2 : 1;
  if (route_.ways != 1 || std::ssize(path.links) != 2 * half)
    throw InfeasibleError("in_switch needs the ranks' own links to their switch, and the way from " +
                          topology.chip_name(wanted.source) + " to " + topology.chip_name(wanted.target) +
                          " goes round a fault");
  if (wanted.leg == Leg::up) {
    path.links.erase(path.links.begin() + half, path.links.end());
  } else {
    path.links.erase(path.links.begin(), path.links.begin() + half);
  }
  path.latency = {};
  for (const LinkId link : path.links) path.latency += topology.latency(link);
}

// The ranks of a chip have its memory in common; the innermost digit, where there are several, counts them.
LinkId PathExpansion::memory_of(ChipId rank) const {
  return memory_link(out_.classes.of(rank - rank % problem_.topology->ranks_per_chip()));
}

std::uint64_t PathExpansion::memory_orbit(std::uint32_t chip_class) const {
  const std::uint64_t orbit = out_.classes.orbit_of(chip_class);
  return (folded_ & 1) != 0 ? orbit / problem_.topology->ranks_per_chip() : orbit;
}

std::uint32_t PathExpansion::link_number(LinkId id) {
  const auto [at, fresh] = link_numbers_.try_emplace(id.value, static_cast<std::uint32_t>(out_.links.size()));
  if (fresh && is_memory(id)) {
    const auto binding = static_cast<std::uint32_t>(out_.binding_capacity.size());
    const std::uint32_t chip_class = class_of_memory(id);
    const Capacity rate = costs_of(problem_, out_.classes.chip(chip_class)).memory.rate;
    out_.binding_capacity.push_back(rate);
    out_.links.push_back({id, rate, memory_orbit(chip_class), binding});
  } else if (fresh) {
    const Topology& topology = *problem_.topology;
    // An explicit path may enter a trunk without its feeders, so nothing may be left out then.
    // Where messages wait on their way, feeders no longer bound what meets in a trunk.
    const bool skip = problem_.flows.empty() && !topology.stores_somewhere() && topology.never_binds(id);
    std::uint32_t binding = Instance::no_link;
    if (!skip) {
      binding = static_cast<std::uint32_t>(out_.binding_capacity.size());
      out_.binding_capacity.push_back(topology.capacity(id));
    }
    out_.links.push_back({id, topology.capacity(id), topology.orbit_size(id, folded_), binding});
  }
  return at->second;
}

std::uint32_t PathExpansion::add_crossings(std::span<const LinkId> links, Duration latency, Rate cap,
                                           std::uint64_t flows) {
  Instance::Path path{static_cast<std::uint32_t>(out_.path_links.size()), 0,
                      static_cast<std::uint32_t>(out_.crossing.size()), 0, cap};
  for (const LinkId id : links) {
    const bool as_it_is = folded_ == 0 || is_memory(id);
    const std::uint32_t link = link_number(as_it_is ? id : problem_.topology->canonical(id, folded_));
    const std::uint64_t share = flows / out_.links[link].orbit;
    TAHOMA_ASSERT(share * out_.links[link].orbit == flows && share < (std::uint64_t{1} << 31),
                  "a link orbit that does not divide the chips'");
    std::uint32_t i = path.first;
    while (i < out_.path_links.size() && out_.path_links[i] != link) ++i;
    if (i < out_.path_links.size()) {
      out_.path_multiplicity[i] += static_cast<std::uint32_t>(share);
    } else {
      out_.path_links.push_back(link);
      out_.path_multiplicity.push_back(static_cast<std::uint32_t>(share));
    }
  }
  path.count = static_cast<std::uint32_t>(out_.path_links.size()) - path.first;
  for (std::uint32_t i = path.first; i < out_.path_links.size(); ++i) {
    const std::uint32_t binding = out_.links[out_.path_links[i]].binding;
    if (binding != Instance::no_link) out_.crossing.push_back({binding, out_.path_multiplicity[i]});
  }
  path.crossings = static_cast<std::uint32_t>(out_.crossing.size()) - path.first_crossing;
  out_.paths.push_back(path);
  out_.latency.push_back(latency);
  return static_cast<std::uint32_t>(out_.paths.size() - 1);
}

std::uint32_t PathExpansion::adopt(const Instance& other) {
  const auto first = static_cast<std::uint32_t>(out_.paths.size());
  for (std::size_t p = 0; p < other.paths.size(); ++p) {
    Instance::Path path{static_cast<std::uint32_t>(out_.path_links.size()), other.paths[p].count,
                        static_cast<std::uint32_t>(out_.crossing.size()), 0, other.paths[p].cap};
    for (std::uint32_t i = other.paths[p].first; i < other.paths[p].first + path.count; ++i) {
      const std::uint32_t link = link_number(other.links[other.path_links[i]].id);
      out_.path_links.push_back(link);
      out_.path_multiplicity.push_back(other.path_multiplicity[i]);
      if (out_.links[link].binding != Instance::no_link)
        out_.crossing.push_back({out_.links[link].binding, other.path_multiplicity[i]});
    }
    path.crossings = static_cast<std::uint32_t>(out_.crossing.size()) - path.first_crossing;
    out_.paths.push_back(path);
    out_.latency.push_back(other.latency[p]);
  }
  return first;
}

}  // namespace tahoma
