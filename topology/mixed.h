// Sites of different hardware as one network: each site is a product of dimensions with a Clos above it, and
// WAN links or one fabric above them all join the sites' top switches.
//
//        site a (Trn2)                         site b (Trn3)
//     chips - NICs - leaves - spines ══ WAN ══ spines - leaves - NICs - chips
//                               ╲             ╱
//                                ══ fabric ══          instead of WAN links: a trunk per site
//
// Idea: a site is asked in its own numbers. Chips, leaves and pods of all sites are numbered one site after
// another, so a link of a site is its own link with the owner's number moved, and only what lies between the
// sites is known here.
//
// Limits: at most 64 digits of all sites together can be folded; sites whose switches route over single links
// (ecmp, by_source) are refused, since their choice would need both ends' switches.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topology/exceptions.h"
#include "topology/product.h"
#include "topology/topology.h"
#include "topology/wan_routes.h"

namespace tahoma {

class MixedTopology final : public Topology {
 public:
  MixedTopology(const MixedShape& shape, const Faults& faults);
  MixedTopology(const MixedTopology&) = delete;
  MixedTopology& operator=(const MixedTopology&) = delete;

  std::uint32_t chips() const override { return chips_; }
  std::uint64_t link_count() const override;
  void route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const override;
  Capacity capacity(LinkId link) const override;
  Duration latency(LinkId link) const override;
  Duration least_latency(ChipId a, ChipId b) const override;
  bool never_binds(LinkId link) const override;
  std::uint32_t tier(LinkId link) const override;
  std::span<const Tier> tiers() const override { return tiers_; }
  std::span<const Digit> digits() const override { return {&digit_, 1}; }
  std::span<const TopologyPart> parts() const override { return parts_; }
  LinkId canonical(LinkId link, DigitMask folded) const override;
  std::uint64_t orbit_size(LinkId link, DigitMask folded) const override;
  std::optional<ChipId> owner_chip(LinkId link) const override;
  NetworkPart part(LinkId link) const override;
  std::vector<ChipId> marked_chips(NetworkPart part) const override;
  std::vector<Cut> cuts() const override;
  Capacity total_injection() const override;
  std::string chip_name(ChipId chip) const override;
  std::string link_name(LinkId link) const override;
  std::vector<LinkId> all_links() const override;
  std::uint64_t vertex_count() const override;
  void out_edges(VertexId vertex, std::vector<Edge>& edges) const override;
  std::string vertex_name(VertexId vertex) const override;

  struct Site {
    std::string name;
    std::unique_ptr<ProductTopology> inside;
    ChipId first_chip = 0;
    std::uint32_t first_leaf = 0, first_pod = 0, first_tier = 0;
    VertexId first_switch = 0;  // of the vertices that are no chips
  };
  const std::vector<Site>& sites() const { return sites_; }
  std::uint32_t site_of(ChipId chip) const;
  /// The number here of a site's own link.
  LinkId outward(std::uint32_t site, LinkId link) const;

  bool has_fabric_between() const { return between_.has_value(); }
  const std::vector<Wan>& wans() const { return joint_.wans; }
  /// The trunk between a site and the fabric above the sites; direction as of a WAN link's port.
  LinkId trunk(std::uint32_t site, std::uint32_t port) const;

 private:
  struct Owner {
    std::uint32_t site;
    LinkId link;  // in the site's own numbers
  };
  std::optional<Owner> owner_of(LinkId link) const;  // none: it lies between the sites
  VertexId outward_vertex(std::uint32_t site, VertexId vertex) const;
  void add_site(const ClusterShape& shape, const Faults& faults);
  void break_joints(const Faults& faults);
  bool append_across(ChipId src, ChipId dst, Path& path) const;
  bool append_detour(ChipId src, ChipId dst, Path& path) const;
  std::optional<Path> way_to_live_nic(std::uint32_t site, ChipId chip, bool outwards, ChipId& relay) const;
  bool climb(std::uint32_t site, ChipId chip, bool outwards, Path& path) const;
  Capacity joint_capacity(LinkId link, Decimal factor) const;
  void append_joint_edges(std::uint32_t site, VertexId from, std::vector<Edge>& edges) const;

  std::vector<Site> sites_;
  std::vector<TopologyPart> parts_;
  std::vector<Tier> tiers_;
  Digit digit_;
  std::uint32_t chips_ = 0;
  VertexId vertices_ = 0;
  std::optional<BetweenSites> between_;
  Geometry joint_;  // the sites and their WAN links only
  Exceptions joint_exceptions_;
  WanRoutes wan_routes_;
};

/// The free functions of topology.h for this kind of network.
std::vector<ChipId> match_mixed_chips(const MixedTopology& topology, std::string_view selector);
Elements match_mixed(const MixedTopology& topology, std::string_view text);

}  // namespace tahoma
