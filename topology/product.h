// The topology of a ClusterShape: a product of dimensions, a Clos above it, sites. Nothing of size N is
// stored.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "topology/exceptions.h"
#include "topology/fabric_route.h"
#include "topology/geometry.h"
#include "topology/product_digits.h"
#include "topology/topology.h"
#include "topology/vertex_numbers.h"
#include "topology/wan_routes.h"

namespace tahoma {

class ProductTopology final : public Topology {
 public:
  ProductTopology(const ClusterShape& shape, const Faults& faults);
  ProductTopology(const ProductTopology&) = delete;
  ProductTopology& operator=(const ProductTopology&) = delete;

  std::uint32_t chips() const override { return geometry_.chips; }
  std::uint64_t link_count() const override;
  void route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const override;
  Capacity capacity(LinkId link) const override;
  Duration latency(LinkId link) const override;
  Duration least_latency(ChipId a, ChipId b) const override;
  bool never_binds(LinkId link) const override;
  bool stores(LinkId link) const override;
  bool stores_somewhere() const override;
  std::uint32_t tier(LinkId link) const override;
  std::span<const Tier> tiers() const override { return tiers_; }
  std::span<const Digit> digits() const override { return digits_.digits; }
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
  /// The part of all_links() that is named after these chips.
  std::vector<LinkId> links_of_chips(ChipId first, std::uint32_t count) const;
  std::uint64_t vertex_count() const override { return vertices_.count(); }
  void out_edges(VertexId vertex, std::vector<Edge>& edges) const override {
    append_edges(vertex, WhichEdges::live, edges);
  }
  std::string vertex_name(VertexId vertex) const override;

  enum class WhichEdges { live, all };
  void append_edges(VertexId vertex, WhichEdges which, std::vector<Edge>& edges) const;

  const Geometry& geometry() const { return geometry_; }
  const Exceptions& exceptions() const { return exceptions_; }
  const VertexNumbers& vertices() const { return vertices_; }

 private:
  void healthy_route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const;
  /// Of different domains of a site, and on rails that no switch joins.
  bool on_rails_apart(ChipId src, ChipId dst) const;
  bool append_way(ChipId src, ChipId dst, std::uint32_t lane, std::uint32_t way, Path& path,
                  bool& tied) const;

  Geometry geometry_;
  Exceptions exceptions_;
  ProductDigits digits_;
  WanRoutes wan_routes_;
  FabricNetwork fabric_;
  std::vector<Tier> tiers_;
  std::vector<Capacity> wan_capacity_;
  VertexNumbers vertices_;
  mutable std::once_flag cuts_once_;  // cuts cost milliseconds beside faults, and every row of a result asks
  mutable std::vector<Cut> cuts_;
};

}  // namespace tahoma
