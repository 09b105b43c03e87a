#include "topology/mixed.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/errors.h"
#include "topology/link_key.h"

namespace tahoma {

namespace {

// A link between the sites is a WAN link by its kind; trunks to the fabric above come after those there are.
bool is_of_a_site(LinkId link) {
  return kind_of(link) != LinkKind::wan;
}

std::uint64_t first_of(const MixedTopology::Site& site, LinkKind kind) {
  switch (kind) {
    case LinkKind::dimension:
    case LinkKind::nic:
      return site.first_chip;
    case LinkKind::leaf_trunk:
    case LinkKind::leaf_spine:
      return site.first_leaf;
    default:
      return site.first_pod;
  }
}

// A site's share of the faults, in its own numbers. Planes have no site in their names.
Faults faults_of(const MixedTopology::Site& site, const Faults& all, ChipId chips, std::uint32_t leaves,
                 std::uint32_t pods) {
  Faults own;
  const auto inward = [&](LinkId link) -> std::optional<LinkId> {
    if (!is_of_a_site(link)) return std::nullopt;
    LinkKey key = key_of(link);
    const auto first = static_cast<std::uint32_t>(first_of(site, key.kind));
    const std::uint32_t count = first_of(site, key.kind) == site.first_chip && key.kind <= LinkKind::nic
                                    ? chips
                                : key.kind <= LinkKind::leaf_spine ? leaves
                                                                   : pods;
    if (key.owner < first || key.owner - first >= count) return std::nullopt;
    key.owner -= first;
    return link_of(key);
  };
  for (const LinkId link : all.failed_links) {
    if (const auto mine = inward(link)) own.failed_links.push_back(*mine);
  }
  for (const Faults::Degraded& degraded : all.degraded_links) {
    if (const auto mine = inward(degraded.link)) own.degraded_links.push_back({*mine, degraded.factor});
  }
  for (const ChipId chip : all.failed_chips) {
    if (chip >= site.first_chip && chip - site.first_chip < chips)
      own.failed_chips.push_back(chip - site.first_chip);
  }
  const std::string prefix = "site." + site.name + ".";
  for (const std::string& name : all.failed_switches) {
    if (!name.starts_with(prefix)) continue;
    const bool is_plane = name.compare(prefix.size(), 5, "plane") == 0;
    own.failed_switches.push_back(is_plane ? name.substr(prefix.size()) : name);
  }
  return own;
}

void refuse_shape(const ClusterShape& shape) {
  if (shape.sites.size() != 1 || shape.sites[0].name.empty())
    throw ScenarioError("each site of a mixed cluster has one name and one kind of hardware");
  const std::string& name = shape.sites[0].name;
  if (!shape.clos)
    throw ScenarioError(
        fmt::format("site '{}' has no NICs: a clos in each site is what leads to the others", name));
  if (shape.clos->routing == Routing::spray) return;
  throw InfeasibleError(
      fmt::format("site '{}' routes over single links, and in a cluster of different hardware only `routing: "
                  "spray` is built",
                  name));
}

}  // namespace

MixedTopology::MixedTopology(const MixedShape& shape, const Faults& faults) : between_(shape.between) {
  if (shape.sites.size() < 2) throw ScenarioError("a mixed cluster has two sites or more");
  if (between_ && !shape.wans.empty())
    throw ScenarioError("sites are joined by WAN links or by one fabric between them, not by both");
  for (const ClusterShape& site : shape.sites) add_site(site, faults);
  for (Site& site : sites_) {
    site.first_switch = vertices_ + chips_;
    vertices_ += site.inside->vertex_count() - site.inside->chips();
  }
  vertices_ += chips_ + (between_ ? 1 : 0);
  digit_ = {};
  digit_.name = "chip";
  digit_.size = chips_;
  digit_.level = Level::cluster;
  joint_.sites.resize(sites_.size());
  joint_.wans = shape.wans;
  for (const Wan& wan : joint_.wans) {
    if (wan.a >= sites_.size() || wan.b >= sites_.size() || wan.a == wan.b)
      throw ScenarioError(fmt::format("WAN link '{}' does not join two different sites", wan.name));
    if (capacity_of({wan.bandwidth}).q20 == 0)
      throw ScenarioError(fmt::format("WAN link '{}' has no bandwidth", wan.name));
    tiers_.push_back({fmt::format("WAN {}-{}", sites_[wan.a].name, sites_[wan.b].name)});
  }
  for (const Site& site : sites_) {
    if (between_) tiers_.push_back({"trunk of site." + site.name});
  }
  break_joints(faults);
  wan_routes_ = WanRoutes(joint_, joint_exceptions_);
}

void MixedTopology::add_site(const ClusterShape& shape, const Faults& faults) {
  refuse_shape(shape);
  ClusterShape inside = shape;
  inside.leads_out = true;
  Site site;
  site.name = inside.sites[0].name;
  for (const Site& other : sites_) {
    if (other.name == site.name) throw ScenarioError(fmt::format("two sites are named '{}'", site.name));
  }
  site.first_chip = chips_;
  for (const Site& other : sites_) {
    site.first_leaf += other.inside->geometry().leaves;
    site.first_pod += other.inside->geometry().pods;
  }
  const Geometry g = make_geometry(inside);
  const Faults own = faults_of(site, faults, g.chips, g.leaves, g.pods);
  site.inside = std::make_unique<ProductTopology>(inside, own);
  site.first_tier = static_cast<std::uint32_t>(tiers_.size());
  for (const Tier& tier : site.inside->tiers())
    tiers_.push_back({fmt::format("{} of site.{}", tier.name, site.name)});
  constexpr std::uint64_t most_chips = std::uint64_t{1} << 31;
  if (std::uint64_t{chips_} + g.chips > most_chips)
    throw ScenarioError("more than 2^31 chips cannot be simulated");
  const auto digit = parts_.empty() ? 0
                                    : parts_.back().first_digit +
                                          static_cast<std::uint32_t>(parts_.back().inside->digits().size());
  parts_.push_back({site.name, chips_, site.inside.get(), g.domain_chips, digit});
  chips_ += g.chips;
  sites_.push_back(std::move(site));
}

void MixedTopology::break_joints(const Faults& faults) {
  std::map<LinkId, Decimal> factors;
  for (const LinkId link : faults.failed_links) {
    if (!is_of_a_site(link)) factors[link] = {0, 0};
  }
  for (const Faults::Degraded& degraded : faults.degraded_links) {
    if (is_of_a_site(degraded.link)) continue;
    const auto [at, fresh] = factors.try_emplace(degraded.link, degraded.factor);
    if (!fresh) at->second = multiply(at->second, degraded.factor);
  }
  for (const auto& [link, factor] : factors) {
    const Capacity left = factor.mantissa == 0 ? Capacity{} : joint_capacity(link, factor);
    joint_exceptions_.set(link, {left.q20 == 0, left});
  }
}

std::uint32_t MixedTopology::site_of(ChipId chip) const {
  const auto after = std::upper_bound(sites_.begin(), sites_.end(), chip,
                                      [](ChipId c, const Site& site) { return c < site.first_chip; });
  return static_cast<std::uint32_t>(after - sites_.begin()) - 1;
}

LinkId MixedTopology::outward(std::uint32_t site, LinkId link) const {
  LinkKey key = key_of(link);
  key.owner += static_cast<std::uint32_t>(first_of(sites_[site], key.kind));
  return link_of(key);
}

LinkId MixedTopology::trunk(std::uint32_t site, std::uint32_t port) const {
  return fabric_link(LinkKind::wan, static_cast<std::uint32_t>(joint_.wans.size()) + site, port);
}

std::optional<MixedTopology::Owner> MixedTopology::owner_of(LinkId link) const {
  if (!is_of_a_site(link)) return std::nullopt;
  LinkKey key = key_of(link);
  std::uint32_t site = static_cast<std::uint32_t>(sites_.size()) - 1;
  while (first_of(sites_[site], key.kind) > key.owner) --site;
  key.owner -= static_cast<std::uint32_t>(first_of(sites_[site], key.kind));
  return Owner{site, link_of(key)};
}

Capacity MixedTopology::joint_capacity(LinkId link, Decimal factor) const {
  const std::uint32_t owner = key_of(link).owner;
  if (owner < joint_.wans.size()) return capacity_of({joint_.wans[owner].bandwidth, factor});
  const ProductTopology& site = *sites_[owner - joint_.wans.size()].inside;
  const Clos& clos = site.geometry().clos;
  return capacity_of({clos.bandwidth, clos.efficiency, factor},
                     std::uint64_t{site.chips()} * live_ports(clos), between_->oversubscription);
}

Capacity MixedTopology::capacity(LinkId link) const {
  if (const auto own = owner_of(link)) return sites_[own->site].inside->capacity(own->link);
  if (const Exceptions::State* state = joint_exceptions_.find(link)) return state->capacity;
  return joint_capacity(link, {1, 0});
}

Duration MixedTopology::latency(LinkId link) const {
  if (const auto own = owner_of(link)) return sites_[own->site].inside->latency(own->link);
  const std::uint32_t owner = key_of(link).owner;
  return owner < joint_.wans.size() ? joint_.wans[owner].latency : between_->latency;
}

// What crosses a trunk to the fabric above comes through one NIC of the site, or goes to one.
bool MixedTopology::never_binds(LinkId link) const {
  if (const auto own = owner_of(link)) return sites_[own->site].inside->never_binds(own->link);
  const std::uint32_t owner = key_of(link).owner;
  if (owner < joint_.wans.size()) return false;
  const ProductTopology& site = *sites_[owner - joint_.wans.size()].inside;
  return capacity(link).q20 >= site.geometry().nic.q20 * site.chips();
}

std::uint32_t MixedTopology::tier(LinkId link) const {
  if (const auto own = owner_of(link))
    return sites_[own->site].first_tier + sites_[own->site].inside->tier(own->link);
  const Site& last = sites_.back();
  return last.first_tier + static_cast<std::uint32_t>(last.inside->tiers().size()) + key_of(link).owner;
}

LinkId MixedTopology::canonical(LinkId link, DigitMask folded) const {
  const auto own = owner_of(link);
  if (!own) return link;
  const DigitMask mask = mask_of_part(parts_[own->site], folded);
  return outward(own->site, sites_[own->site].inside->canonical(own->link, mask));
}

std::uint64_t MixedTopology::orbit_size(LinkId link, DigitMask folded) const {
  const auto own = owner_of(link);
  if (!own) return 1;
  return sites_[own->site].inside->orbit_size(own->link, mask_of_part(parts_[own->site], folded));
}

std::optional<ChipId> MixedTopology::owner_chip(LinkId link) const {
  const LinkKind kind = kind_of(link);
  if (kind != LinkKind::dimension && kind != LinkKind::nic) return std::nullopt;
  return key_of(link).owner;
}

NetworkPart MixedTopology::part(LinkId link) const {
  const auto own = owner_of(link);
  return own ? sites_[own->site].inside->part(own->link) : NetworkPart::fabric;
}

std::vector<ChipId> MixedTopology::marked_chips(NetworkPart wanted) const {
  std::vector<ChipId> chips;
  for (const Site& site : sites_) {
    for (const ChipId chip : site.inside->marked_chips(wanted)) chips.push_back(site.first_chip + chip);
  }
  if (wanted == NetworkPart::scale_up || joint_exceptions_.empty()) return chips;
  chips.resize(chips_);
  for (ChipId chip = 0; chip < chips_; ++chip) chips[chip] = chip;
  return chips;
}

Capacity MixedTopology::total_injection() const {
  Capacity total;
  for (const Site& site : sites_) total.q20 += site.inside->total_injection().q20;
  return total;
}

std::uint64_t MixedTopology::link_count() const {
  std::uint64_t count = 2 * (joint_.wans.size() + (between_ ? sites_.size() : 0));
  for (const Site& site : sites_) count += site.inside->link_count();
  for (const auto& [link, state] : joint_exceptions_) count -= state.dead ? 1U : 0U;
  return count;
}

// Planes that are dead are so for all chips of their site; all else tells chips apart.
std::unique_ptr<Topology> make_healthy(const MixedShape& shape, const Faults& faults) {
  Faults planes;
  for (const std::string& name : faults.failed_switches) {
    if (name.find(".plane") != std::string::npos) planes.failed_switches.push_back(name);
  }
  return make_topology(shape, planes);
}

}  // namespace tahoma
