// The numbers of a product topology, derived once from its shape: strides, groups, capacities. All of size
// O(dimensions + sites); a chip's place is arithmetic.
//
// A ring or line of 2 is one two-way link, the same thing: both are kept as a ring, where the `plus` link of
// either chip leads to the other. With an even number of `links`, half are `plus` and half `minus`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/units.h"
#include "topology/shape.h"
#include "topology/topology.h"

namespace tahoma {

/// A dimension of more than one member.
struct GridDimension {
  DimensionKind kind = DimensionKind::ring;
  std::uint32_t size = 1, stride = 1;
  bool pair = false;  // a ring of 2 with separate plus and minus links
  bool scale_up = true;
  bool stores = false;
  std::uint32_t multiply = 1;  // parallel links or planes in one trunk
  Decimal bandwidth, efficiency;
  Duration latency;
  Capacity capacity, raw;
  std::string name;  // of its digit: x, y, z, ...

  std::uint32_t digit(ChipId chip) const { return (chip / stride) % size; }
  /// The chip whose digit is `value` and that agrees with `chip` elsewhere.
  ChipId with_digit(ChipId chip, std::uint32_t value) const {
    return chip - digit(chip) * stride + value * stride;
  }
  /// Chips that share all other digits form a group; groups are numbered densely.
  std::uint32_t group(ChipId chip) const { return chip / (stride * size) * stride + chip % stride; }
  ChipId first_of_group(std::uint32_t group) const {
    return group / stride * (stride * size) + group % stride;
  }
  bool one_way_port_only() const { return kind == DimensionKind::ring && size == 2 && !pair; }
};

/// A site's part of the Clos. `leaf` and `pod` numbers run over all sites.
struct SiteFabric {
  std::uint32_t first_domain = 0, domains = 1;
  std::uint32_t width = 0;   // endpoints per leaf
  std::uint32_t groups = 0;  // leaf groups: leaves per rail
  std::uint32_t groups_per_pod = 0;
  std::uint32_t pods = 0;  // where no link joins the rails, a rail is a pod
  std::uint32_t first_leaf = 0, first_pod = 0;
  Capacity leaf_trunk, leaf_spine;  // healthy, effective, per direction
  Capacity pod_trunk, spine_core;
};

/// Where a chip's NIC is plugged in.
struct Endpoint {
  std::uint32_t site, rail, group, place, pod;  // `group` and `pod` count within the site
  std::uint32_t leaf, pod_number;               // over all sites
};

struct Geometry {
  std::vector<GridDimension> dimensions;  // scale-up ones first, innermost first
  std::uint32_t scale_up = 0;             // how many of them
  std::uint32_t server_chips = 1, domain_chips = 1;
  std::uint32_t domains = 1, chips = 1;  // over all sites
  std::vector<SiteFabric> sites;
  std::vector<std::string> site_names;  // empty if the cluster has one nameless site
  bool equal_sites = true;
  std::vector<Wan> wans;
  std::uint64_t seed = 0;

  bool has_clos = false;        // false too where there is only one domain to join
  Clos clos;                    // oversubscription and latency filled up to the tiers
  std::uint32_t endpoints = 1;  // per rail and domain
  std::uint32_t spines = 1, cores = 1;
  bool single_links = false;  // routes choose single leaf-spine and spine-core links
  bool rails_apart = false;   // no switch joins two rails
  Capacity nic, nic_raw;
  std::uint32_t leaves = 0, pods = 0;  // over all sites

  std::uint32_t domain_of(ChipId chip) const { return chip / domain_chips; }
  std::uint32_t site_of_domain(std::uint32_t domain) const;
  std::uint32_t site_of(ChipId chip) const { return site_of_domain(domain_of(chip)); }
  Endpoint endpoint(ChipId chip) const;
  std::uint32_t site_of_leaf(std::uint32_t leaf) const;
  std::uint32_t site_of_pod(std::uint32_t pod) const;
  std::uint32_t pod_of_leaf(std::uint32_t leaf) const;
  /// The lowest-numbered chip on a leaf or in a pod: it stands for it in all arithmetic of symmetry.
  ChipId first_chip_of_leaf(std::uint32_t leaf) const;
  ChipId first_chip_of_pod(std::uint32_t pod) const;
  std::uint32_t endpoints_of_leaf(std::uint32_t leaf) const;
  ChipId chip_on_leaf(std::uint32_t leaf, std::uint32_t place) const;
  /// Leaves of a pod, ascending; the last pod may hold fewer.
  std::uint32_t leaf_of_pod(std::uint32_t pod, std::uint32_t i) const;
  std::uint32_t leaves_of_pod(std::uint32_t pod) const;
};

/// Checks the shape; throws ScenarioError, without a place, where it is no network.
Geometry make_geometry(const ClusterShape& shape);

/// Exact product; throws ScenarioError if it has more than 18 digits.
Decimal multiply(Decimal a, Decimal b);
Decimal add(Decimal a, Decimal b);

/// Ports of a NIC, or of a leaf towards one NIC, that live where `dead_leaves` of each leaf's switches do
/// not.
std::uint32_t live_ports(const Clos& clos, std::uint32_t dead_leaves = 0);

/// Capacities of the parts, `share` of the whole surviving (spines or spine-core links, counted exactly).
Capacity nic_capacity(const Clos& clos, Decimal factor, std::uint32_t dead_leaves = 0);
Capacity leaf_uplinks(const Geometry& geometry, const SiteFabric& site, Decimal share,
                      std::uint32_t dead_leaves = 0);
Capacity pod_uplinks(const Geometry& geometry, const SiteFabric& site, Decimal share);

}  // namespace tahoma
