#include "topology/geometry.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {

// Index of the last part whose `first` is not past `index`.
template <class First>
std::uint32_t part_of(const std::vector<SiteFabric>& sites, std::uint32_t index, First first) {
  const auto after =
      std::upper_bound(sites.begin(), sites.end(), index,
                       [&](std::uint32_t i, const SiteFabric& site) { return i < first(site); });
  return static_cast<std::uint32_t>(after - sites.begin()) - 1;
}

}  // namespace

std::uint32_t Geometry::site_of_domain(std::uint32_t domain) const {
  if (sites.size() == 1) return 0;
  if (equal_sites) return domain / sites[0].domains;
  return part_of(sites, domain, [](const SiteFabric& site) { return site.first_domain; });
}

std::uint32_t Geometry::site_of_leaf(std::uint32_t leaf) const {
  return part_of(sites, leaf, [](const SiteFabric& site) { return site.first_leaf; });
}

std::uint32_t Geometry::site_of_pod(std::uint32_t pod) const {
  return part_of(sites, pod, [](const SiteFabric& site) { return site.first_pod; });
}

// Order of endpoints on a rail: by domain, then by chip; consecutive runs of `width` share a leaf. Leaves of
// a site are numbered group by group, rails innermost: those of a pod are consecutive, those of a rail are
// not.
Endpoint Geometry::endpoint(ChipId chip) const {
  const std::uint32_t domain = domain_of(chip), within = chip % domain_chips;
  Endpoint e{};
  e.site = site_of_domain(domain);
  const SiteFabric& site = sites[e.site];
  e.rail = within % clos.rails;
  const std::uint32_t order = (domain - site.first_domain) * endpoints + within / clos.rails;
  e.group = order / site.width;
  e.place = order % site.width;
  e.pod = rails_apart ? e.rail : e.group / site.groups_per_pod;
  e.leaf = site.first_leaf + e.group * clos.rails + e.rail;
  e.pod_number = site.first_pod + e.pod;
  return e;
}

std::uint32_t Geometry::pod_of_leaf(std::uint32_t leaf) const {
  const SiteFabric& site = sites[site_of_leaf(leaf)];
  const std::uint32_t local = leaf - site.first_leaf;
  return site.first_pod + (rails_apart ? local % clos.rails : local / clos.rails / site.groups_per_pod);
}

ChipId Geometry::chip_on_leaf(std::uint32_t leaf, std::uint32_t place) const {
  const SiteFabric& site = sites[site_of_leaf(leaf)];
  const std::uint32_t local = leaf - site.first_leaf;
  const std::uint32_t order = local / clos.rails * site.width + place;
  return (site.first_domain + order / endpoints) * domain_chips + order % endpoints * clos.rails +
         local % clos.rails;
}

ChipId Geometry::first_chip_of_leaf(std::uint32_t leaf) const {
  return chip_on_leaf(leaf, 0);
}

ChipId Geometry::first_chip_of_pod(std::uint32_t pod) const {
  return chip_on_leaf(leaf_of_pod(pod, 0), 0);
}

std::uint32_t Geometry::endpoints_of_leaf(std::uint32_t leaf) const {
  const SiteFabric& site = sites[site_of_leaf(leaf)];
  const std::uint32_t before = (leaf - site.first_leaf) / clos.rails * site.width;
  return std::min(site.width, site.domains * endpoints - before);
}

std::uint32_t Geometry::leaf_of_pod(std::uint32_t pod, std::uint32_t i) const {
  const SiteFabric& site = sites[site_of_pod(pod)];
  const std::uint32_t local = pod - site.first_pod;
  return site.first_leaf +
         (rails_apart ? i * clos.rails + local : local * site.groups_per_pod * clos.rails + i);
}

std::uint32_t Geometry::leaves_of_pod(std::uint32_t pod) const {
  const SiteFabric& site = sites[site_of_pod(pod)];
  if (rails_apart) return site.groups;
  const std::uint32_t before = (pod - site.first_pod) * site.groups_per_pod;
  return std::min(site.groups_per_pod, site.groups - before) * clos.rails;
}

Decimal multiply(Decimal a, Decimal b) {
  Decimal product{0, a.exponent + b.exponent};
  if (__builtin_mul_overflow(a.mantissa, b.mantissa, &product.mantissa)) {
    throw ScenarioError("factors with more than 18 digits together cannot be kept exact; round them");
  }
  while (product.mantissa % 10 == 0 && product.mantissa != 0) product.mantissa /= 10, ++product.exponent;
  return product;
}

Decimal add(Decimal a, Decimal b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  if (a.exponent < b.exponent) std::swap(a, b);
  bool overflow = false;
  while (a.exponent > b.exponent && !overflow) {
    overflow = __builtin_mul_overflow(a.mantissa, std::int64_t{10}, &a.mantissa);
    --a.exponent;
  }
  Decimal sum{0, b.exponent};
  if (overflow || __builtin_add_overflow(a.mantissa, b.mantissa, &sum.mantissa)) {
    throw ScenarioError("factors with more than 18 digits together cannot be kept exact; round them");
  }
  return sum;
}

std::uint32_t live_ports(const Clos& clos, std::uint32_t dead_leaves) {
  return (clos.planes - clos.dead_planes) * (clos.leaves_per_nic - dead_leaves);
}

Capacity nic_capacity(const Clos& clos, Decimal factor, std::uint32_t dead_leaves) {
  return capacity_of({clos.bandwidth, clos.efficiency, factor}, live_ports(clos, dead_leaves));
}

Capacity leaf_uplinks(const Geometry& geometry, const SiteFabric& site, Decimal share,
                      std::uint32_t dead_leaves) {
  const Clos& clos = geometry.clos;
  return capacity_of({clos.bandwidth, clos.efficiency, share},
                     std::uint64_t{site.width} * live_ports(clos, dead_leaves),
                     multiply(clos.oversubscription[0], {geometry.spines, 0}));
}

Capacity pod_uplinks(const Geometry& geometry, const SiteFabric& site, Decimal share) {
  const Clos& clos = geometry.clos;
  const Decimal oversubscription = multiply(clos.oversubscription[0], clos.oversubscription[1]);
  const std::uint64_t endpoints = std::uint64_t{site.width} * site.groups_per_pod * clos.rails;
  return capacity_of({clos.bandwidth, clos.efficiency, share}, endpoints * live_ports(clos),
                     multiply(oversubscription, {std::int64_t{geometry.spines} * geometry.cores, 0}));
}

}  // namespace tahoma
