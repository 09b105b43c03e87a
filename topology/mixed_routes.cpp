// Ways between sites of different hardware: out of the sender's NIC up to the top of its own site, over the
// WAN or the fabric above, and down in the receiver's site. Within a site the site is asked.
//
// A dead element on the climb is gone round inside the scale-up domain: by the chip of the same domain whose
// own climb lives and that is reached over the fewest links, the lowest-numbered of several. Likewise at the
// far end.
#include <fmt/format.h>

#include "core/errors.h"
#include "topology/link_key.h"
#include "topology/mixed.h"

namespace tahoma {

namespace {

void append_path(const MixedTopology& topology, std::uint32_t site, const Path& own, Path& path) {
  for (const LinkId link : own.links) path.links.push_back(topology.outward(site, link));
  path.latency += own.latency;
}

}  // namespace

void MixedTopology::route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const {
  TAHOMA_ASSERT(src < chips_ && dst < chips_, "a route between chips that do not exist");
  const std::uint32_t from = site_of(src), to = site_of(dst);
  if (from == to) {
    sites_[from].inside->route(src - sites_[from].first_chip, dst - sites_[from].first_chip, lane, route);
    for (std::uint32_t way = 0; way < route.ways; ++way) {
      for (LinkId& link : route.path[way].links) link = outward(from, link);
    }
    return;
  }
  route.ways = 1;
  route.path[0].clear();
  route.path[1].clear();
  if (!append_across(src, dst, route.path[0])) {
    route.path[0].clear();
    if (!append_detour(src, dst, route.path[0])) {
      throw InfeasibleError(fmt::format(
          "{} cannot reach {}: {}", chip_name(src), chip_name(dst),
          between_ || !joint_exceptions_.empty() ? "faults have cut every way" : "no WAN link leads there"));
    }
  }
  if (!joint_.wans.empty()) WanRoutes::cap(joint_, route.path[0]);
}

// NIC, leaf and pod trunks, from the chip to the site's top or back down; false if one of them is dead.
bool MixedTopology::climb(std::uint32_t site, ChipId chip, bool outwards, Path& path) const {
  const ProductTopology& inside = *sites_[site].inside;
  const Geometry& g = inside.geometry();
  const Endpoint end = g.endpoint(chip);
  const std::uint32_t port = outwards ? up_port : down_port;
  const LinkId links[] = {fabric_link(LinkKind::nic, chip, port),
                          fabric_link(LinkKind::leaf_trunk, end.leaf, port),
                          fabric_link(LinkKind::pod_trunk, end.pod_number, port)};
  bool alive = true;
  for (std::uint32_t i = 0; i < g.clos.tiers; ++i) {
    const LinkId link = links[outwards ? i : g.clos.tiers - 1 - i];
    alive = alive && inside.exceptions().alive(link);
    path.links.push_back(outward(site, link));
    path.latency += g.clos.latency[i];
  }
  return alive;
}

bool MixedTopology::append_across(ChipId src, ChipId dst, Path& path) const {
  const std::uint32_t from = site_of(src), to = site_of(dst);
  bool alive = climb(from, src - sites_[from].first_chip, true, path);
  if (between_) {
    for (const LinkId link : {trunk(from, up_port), trunk(to, down_port)}) {
      path.links.push_back(link);
      path.latency += between_->latency;
      alive = alive && joint_exceptions_.alive(link);
    }
  } else {
    alive = alive && wan_routes_.append(joint_, from, to, path);
  }
  return climb(to, dst - sites_[to].first_chip, false, path) && alive;
}

// Within the site, between `chip` and the nearest chip of its domain whose climb lives.
std::optional<Path> MixedTopology::way_to_live_nic(std::uint32_t site, ChipId chip, bool outwards,
                                                   ChipId& relay) const {
  const ProductTopology& inside = *sites_[site].inside;
  const std::uint32_t size = inside.geometry().domain_chips;
  const ChipId first = chip / size * size;
  std::optional<Path> best;
  Route route;
  for (ChipId other = first; other < first + size; ++other) {
    Path unused;
    if (!climb(site, other, outwards, unused)) continue;
    try {
      inside.route(outwards ? chip : other, outwards ? other : chip, 0, route);
    } catch (const InfeasibleError&) {
      continue;  // cut off inside the domain: another one may serve
    }
    if (best && route.path[0].links.size() >= best->links.size()) continue;
    best = route.path[0];
    relay = other;
  }
  return best;
}

bool MixedTopology::append_detour(ChipId src, ChipId dst, Path& path) const {
  const std::uint32_t from = site_of(src), to = site_of(dst);
  ChipId out = 0, in = 0;
  const auto start = way_to_live_nic(from, src - sites_[from].first_chip, true, out);
  const auto end = way_to_live_nic(to, dst - sites_[to].first_chip, false, in);
  if (!start || !end) return false;
  append_path(*this, from, *start, path);
  if (!append_across(sites_[from].first_chip + out, sites_[to].first_chip + in, path)) return false;
  append_path(*this, to, *end, path);
  return true;
}

// Relays climb as high as the chip's own NIC would; what they add inside the domains is left out.
Duration MixedTopology::least_latency(ChipId a, ChipId b) const {
  const std::uint32_t from = site_of(a), to = site_of(b);
  if (from == to)
    return sites_[from].inside->least_latency(a - sites_[from].first_chip, b - sites_[from].first_chip);
  Duration latency = between_ ? between_->latency * 2 : wan_routes_.least_latency(joint_, from, to);
  for (const std::uint32_t site : {from, to}) {
    const Clos& clos = sites_[site].inside->geometry().clos;
    for (std::uint32_t tier = 0; tier < clos.tiers; ++tier) latency += clos.latency[tier];
  }
  return latency;
}

}  // namespace tahoma
