// Several ranks on each chip: the chip's inner fabric in front of a topology of chips.
//
// Problem: a Trainium chip has 2 or 8 cores, each a rank of its own to a collective library, and all of them
// share the chip's links and its NIC. Idea: the chips' network stays as it is. Every rank has a port on a
// switch inside its chip, and the chip's links begin and end at that switch:
//
//     r0 ──┐                      ┌── r0
//     r1 ──┤ chip ══ links ══ chip ├── r1        up(source), the chips' route, down(destination);
//     r2 ──┘                      └── r2        within a chip: up, down
//
// A rank number is chip x ranks + r: the digit r is the innermost one, and since the chips' links belong to
// no single rank, shifting or exchanging the r of all chips is always a symmetry (but for `ecmp`, which
// hashes the ranks, and for broken ports). A link of the chips' network keeps its number.
//
// Limit: one switch without a capacity of its own. Chips of two dies have a slower way between the dies, and
// cores of one chip do not reach each other round it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "topology/product.h"
#include "topology/topology.h"

namespace tahoma {

class RankTopology final : public Topology {
 public:
  /// `shape.ranks_per_chip` is at least 2.
  RankTopology(const ClusterShape& shape, const Faults& faults);
  RankTopology(const RankTopology&) = delete;
  RankTopology& operator=(const RankTopology&) = delete;

  std::uint32_t chips() const override { return chips_.chips() * ranks_; }
  std::uint32_t ranks_per_chip() const override { return ranks_; }
  std::uint64_t link_count() const override;
  void route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const override;
  Capacity capacity(LinkId link) const override;
  Duration latency(LinkId link) const override;
  Duration least_latency(ChipId a, ChipId b) const override;
  bool never_binds(LinkId link) const override { return !is_port(link) && chips_.never_binds(link); }
  bool stores(LinkId link) const override { return !is_port(link) && chips_.stores(link); }
  bool stores_somewhere() const override { return chips_.stores_somewhere(); }
  std::uint32_t tier(LinkId link) const override { return is_port(link) ? 0 : chips_.tier(link) + 1; }
  std::span<const Tier> tiers() const override { return tiers_; }
  std::span<const Digit> digits() const override { return digits_; }
  LinkId canonical(LinkId link, DigitMask folded) const override;
  std::uint64_t orbit_size(LinkId link, DigitMask folded) const override;
  std::optional<ChipId> owner_chip(LinkId link) const override;
  std::uint32_t sharing_ranks(LinkId link) const override { return is_port(link) ? 1 : ranks_; }
  NetworkPart part(LinkId link) const override {
    return is_port(link) ? NetworkPart::scale_up : chips_.part(link);
  }
  std::vector<ChipId> marked_chips(NetworkPart part) const override;
  std::vector<Cut> cuts() const override;
  Capacity total_injection() const override;
  std::string chip_name(ChipId rank) const override;
  std::string link_name(LinkId link) const override;
  std::vector<LinkId> all_links() const override;
  /// Ranks, then the vertices of the chips' network; a chip is the switch inside it.
  std::uint64_t vertex_count() const override { return chips() + chips_.vertex_count(); }
  void out_edges(VertexId vertex, std::vector<Edge>& edges) const override;
  std::string vertex_name(VertexId vertex) const override;

  /// The network of the chips alone.
  const ProductTopology& chip_network() const { return chips_; }
  /// Between a rank and the switch of its chip; port 0 leads to the switch.
  static LinkId port(ChipId rank, std::uint32_t direction) {
    return {(std::uint64_t{direction} << 32) | rank};
  }
  static bool is_port(LinkId link) { return link.value >> 61 == 0; }
  Capacity raw_port() const { return raw_port_; }

 private:
  static ChipId rank_of(LinkId port) { return static_cast<ChipId>(port.value); }
  static std::uint32_t direction_of(LinkId port) { return static_cast<std::uint32_t>(port.value >> 32); }
  void break_ports(const ClusterShape& shape, const Faults& faults);
  bool dead(LinkId port) const;
  void append_rank_cut(ChipId rank, const std::string& where, std::vector<Cut>& cuts) const;

  const std::uint32_t ranks_;
  ProductTopology chips_;
  Capacity port_, raw_port_;
  Duration port_latency_;
  bool hashes_ranks_ = false;
  std::map<LinkId, Capacity> broken_;  // ports that are dead or slow
  std::vector<Digit> digits_;
  std::vector<Tier> tiers_;
};

/// match_chips and match_elements of topology.h: a rank is CHIP.rN, and a chip's own name means all its
/// ranks.
std::vector<ChipId> match_ranks(const RankTopology& topology, std::string_view selector);
Elements match_rank_elements(const RankTopology& topology, std::string_view text);

}  // namespace tahoma
