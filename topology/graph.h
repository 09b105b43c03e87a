// An explicit graph as a topology: any names, unequal groups, every vertex forwards.
//
// Chips forward too: a chip with links to several others is a torus or a ring drawn by hand. Routes are the
// fewest links (each counted as its `steps` say), then the least latency, then the lexicographically lowest
// list of link indices; computed once per destination on demand, so that a file of a few thousand vertices
// costs what it uses.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tahoma {

class GraphTopology final : public Topology {
 public:
  GraphTopology(const GraphShape& shape, const Faults& faults);
  GraphTopology(const GraphTopology&) = delete;
  GraphTopology& operator=(const GraphTopology&) = delete;

  std::uint32_t chips() const override { return chips_; }
  std::uint64_t link_count() const override { return live_links_; }
  void route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const override;
  Capacity capacity(LinkId link) const override { return links_[link.value].capacity; }
  Duration latency(LinkId link) const override { return links_[link.value].latency; }
  Duration least_latency(ChipId a, ChipId b) const override;
  bool never_binds(LinkId) const override { return false; }
  std::uint32_t tier(LinkId) const override { return 0; }
  std::span<const Tier> tiers() const override { return tiers_; }
  std::span<const Digit> digits() const override { return digits_; }
  LinkId canonical(LinkId link, DigitMask) const override { return link; }
  std::uint64_t orbit_size(LinkId, DigitMask) const override { return 1; }
  std::vector<Cut> cuts() const override;
  Capacity total_injection() const override;
  std::string chip_name(ChipId chip) const override { return names_[chip]; }
  std::string link_name(LinkId link) const override { return links_[link.value].name; }
  std::vector<LinkId> all_links() const override;
  std::uint64_t vertex_count() const override { return names_.size(); }
  void out_edges(VertexId vertex, std::vector<Edge>& edges) const override;
  std::string vertex_name(VertexId vertex) const override { return names_[vertex]; }

  struct Link {
    std::string name;
    std::uint32_t from = 0, to = 0;  // vertices, chips first
    std::uint32_t reverse = ~0u;
    std::uint32_t steps = 1;
    Capacity capacity, raw;
    Duration latency;
    bool dead = false;
  };
  const std::vector<Link>& links() const { return links_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  using NextLinks = std::vector<std::uint32_t>;  // per vertex, towards one destination: a chip, or a group
  const NextLinks& next_links(std::uint32_t destination) const;
  NextLinks find_next_links(std::uint32_t destination) const;
  void set_detours(const Detours& detours, const std::vector<std::uint32_t>& number);
  std::uint32_t walk(std::uint32_t from, std::uint32_t destination, Path& path) const;
  bool append_detour(ChipId src, ChipId dst, std::uint32_t lane, Path& path) const;
  void apply(const Faults& faults, const GraphShape& shape);

  std::uint32_t chips_ = 0;
  std::vector<std::string> names_;  // of vertices, chips first
  std::vector<Link> links_;
  std::vector<std::vector<std::uint32_t>> out_, in_;  // live links of a vertex, ascending
  std::uint64_t live_links_ = 0;
  std::vector<Tier> tiers_{{"link"}};
  std::vector<Digit> digits_;
  std::vector<std::vector<std::uint32_t>> groups_;  // of the detours: their vertices; destination chips_ + g
  std::vector<std::uint32_t> group_of_;             // of a vertex; empty without detours
  std::uint64_t seed_ = 0;
  std::unique_ptr<std::once_flag[]> once_;
  mutable std::vector<NextLinks> next_;
};

}  // namespace tahoma
