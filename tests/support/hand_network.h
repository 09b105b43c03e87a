// A network drawn by hand: links with a capacity and a latency, and the route of each pair spelled out. It
// lets a test say what it means without the topology room, whose routes have tests of their own.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "topology/topology.h"

namespace tahoma::judge {

class HandNetwork : public Topology {
 public:
  explicit HandNetwork(std::uint32_t chips) : chips_(chips) {
    digit_.push_back({});
    digit_.back().name = "vertex";
    digit_.back().size = chips;
  }

  LinkId add_link(Capacity capacity, Duration latency = {}) {
    links_.push_back({capacity, latency});
    return {links_.size() - 1};
  }
  /// The first call for a pair gives its route, a second one the other way of a split route.
  void add_route(ChipId src, ChipId dst, const std::vector<LinkId>& links, Rate cap = {}) {
    const auto [entry, is_first] = routes_.try_emplace({src, dst});
    Route& route = entry->second;
    route.ways = is_first ? 1 : 2;
    Path& path = route.path[route.ways - 1];
    path = {links, {}, cap};
    for (const LinkId link : links) path.latency += latency(link);
  }

  std::uint32_t chips() const override { return chips_; }
  std::uint64_t link_count() const override { return links_.size(); }
  void route(ChipId src, ChipId dst, std::uint32_t, Route& route) const override {
    const auto known = routes_.find({src, dst});
    if (known == routes_.end()) {
      throw InfeasibleError("no route from " + chip_name(src) + " to " + chip_name(dst));
    }
    route = known->second;
  }
  Capacity capacity(LinkId link) const override { return links_.at(link.value).capacity; }
  Duration latency(LinkId link) const override { return links_.at(link.value).latency; }
  bool never_binds(LinkId) const override { return false; }
  std::uint32_t tier(LinkId) const override { return 0; }
  std::span<const Tier> tiers() const override { return tier_; }
  std::span<const Digit> digits() const override { return digit_; }
  LinkId canonical(LinkId link, DigitMask) const override { return link; }
  std::uint64_t orbit_size(LinkId, DigitMask) const override { return 1; }
  std::vector<Cut> cuts() const override { return {}; }
  Capacity total_injection() const override { return {}; }
  std::string chip_name(ChipId chip) const override { return "chip" + std::to_string(chip); }
  std::string link_name(LinkId link) const override { return "link" + std::to_string(link.value); }
  std::vector<LinkId> all_links() const override {
    std::vector<LinkId> all;
    for (std::size_t i = 0; i < links_.size(); ++i) all.push_back({i});
    return all;
  }

 private:
  struct Link {
    Capacity capacity;
    Duration latency;
  };
  using Pair = std::pair<ChipId, ChipId>;
  std::uint32_t chips_;
  std::vector<Link> links_;
  std::map<Pair, Route> routes_;
  std::vector<Tier> tier_{{"hand"}};
  std::vector<Digit> digit_;
};

/// A one-way ring of n chips; link i goes from chip i to chip i + 1.
inline HandNetwork one_way_ring(std::uint32_t n, Capacity capacity, Duration latency) {
  HandNetwork ring(n);
  for (std::uint32_t i = 0; i < n; ++i) ring.add_route(i, (i + 1) % n, {ring.add_link(capacity, latency)});
  return ring;
}

/// n chips on a switch: link 2i goes up from chip i, link 2i + 1 down to it.
inline HandNetwork one_switch(std::uint32_t n, Capacity port, Duration latency) {
  HandNetwork star(n);
  for (std::uint32_t i = 0; i < 2 * n; ++i) star.add_link(port, latency);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (i != j) star.add_route(i, j, {{2 * i}, {2 * j + 1}});
    }
  }
  return star;
}

}  // namespace tahoma::judge
