#include "topology/wan_routes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/link_key.h"

namespace tahoma {

namespace {

constexpr std::uint32_t no_hop = ~0u;

struct Hop {
  std::uint32_t wan, to;
  LinkId link;
};

// Live WAN links out of each site, ascending by index.
std::vector<std::vector<Hop>> hops_of_sites(const Geometry& geometry, const Exceptions& exceptions) {
  std::vector<std::vector<Hop>> hops(geometry.sites.size());
  for (std::uint32_t w = 0; w < geometry.wans.size(); ++w) {
    const Wan& wan = geometry.wans[w];
    const LinkId there = fabric_link(LinkKind::wan, w, 0), back = fabric_link(LinkKind::wan, w, 1);
    if (exceptions.alive(there)) hops[wan.a].push_back({w, wan.b, there});
    if (exceptions.alive(back)) hops[wan.b].push_back({w, wan.a, back});
  }
  return hops;
}

// WAN links from every site to `target`, by repeated sweeps; sites are few.
std::vector<std::uint32_t> distances_to(const std::vector<std::vector<Hop>>& hops, std::uint32_t target) {
  std::vector<std::uint32_t> distance(hops.size(), no_hop);
  distance[target] = 0;
  bool changed = true;
  for (std::uint32_t round = 1; changed; ++round) {
    changed = false;
    for (std::size_t site = 0; site < hops.size(); ++site) {
      if (distance[site] != no_hop) continue;
      for (const Hop& hop : hops[site]) {
        if (distance[hop.to] != round - 1) continue;
        distance[site] = round;
        changed = true;
        break;
      }
    }
  }
  return distance;
}

Rate window_rate(Bytes window, Duration rtt) {
  const u128 rate =
      u128{window.count} * rate_unit_per_byte_per_second * ps_per_second / static_cast<u128>(rtt.ps);
  constexpr u128 most = std::numeric_limits<std::uint64_t>::max();
  return {static_cast<std::uint64_t>(std::clamp<u128>(rate, 1, most))};
}

// Mathis et al.: MSS / (RTT sqrt(2 p / 3)). The only floating-point number that decides a result;
// addition-free and made of correctly rounded IEEE operations, so the same everywhere.
Rate loss_rate(Decimal loss, Duration rtt) {
  constexpr double segment = 8192.0 * 1048576.0 * 1e12;
  const double rate = segment / (static_cast<double>(rtt.ps) * std::sqrt(to_double(loss) * 2.0 / 3.0));
  constexpr double most = 1.8e19;
  return {static_cast<std::uint64_t>(std::clamp(rate, 1.0, most))};
}

}  // namespace

WanRoutes::WanRoutes(const Geometry& geometry, const Exceptions& exceptions) {
  const std::size_t sites = geometry.sites.size();
  if (sites < 2) return;
  constexpr std::size_t most_sites_compared = 256;  // the work is cubic
  if (sites <= most_sites_compared) find_latencies(geometry, exceptions);
  const auto hops = hops_of_sites(geometry, exceptions);
  first_hop_.assign(sites * sites, no_hop);
  for (std::uint32_t to = 0; to < sites; ++to) {
    const auto distance = distances_to(hops, to);
    for (std::uint32_t from = 0; from < sites; ++from) {
      if (from == to || distance[from] == no_hop) continue;
      const auto nearer = std::find_if(hops[from].begin(), hops[from].end(), [&](const Hop& hop) {
        return distance[hop.to] != no_hop && distance[hop.to] + 1 == distance[from];
      });
      first_hop_[from * sites + to] = nearer->wan;
    }
  }
}

bool WanRoutes::append(const Geometry& geometry, std::uint32_t from, std::uint32_t to, Path& path) const {
  while (from != to) {
    const std::uint32_t hop = first_hop_[from * geometry.sites.size() + to];
    if (hop == no_hop) return false;
    const Wan& wan = geometry.wans[hop];
    path.links.push_back(fabric_link(LinkKind::wan, hop, wan.a == from ? 0 : 1));
    path.latency += wan.latency;
    from = wan.a == from ? wan.b : wan.a;
  }
  return true;
}

// All pairs at once (Floyd and Warshall).
void WanRoutes::find_latencies(const Geometry& geometry, const Exceptions& exceptions) {
  constexpr Duration far{std::numeric_limits<std::int64_t>::max() / 4};
  const std::size_t sites = geometry.sites.size();
  least_latency_.assign(sites * sites, far);
  for (std::size_t site = 0; site < sites; ++site) least_latency_[site * sites + site] = {};
  const auto hops = hops_of_sites(geometry, exceptions);
  for (std::size_t from = 0; from < sites; ++from) {
    for (const Hop& hop : hops[from]) {
      Duration& least = least_latency_[from * sites + hop.to];
      least = std::min(least, geometry.wans[hop.wan].latency);
    }
  }
  for (std::size_t via = 0; via < sites; ++via) {
    for (std::size_t from = 0; from < sites; ++from) {
      for (std::size_t to = 0; to < sites; ++to) {
        const Duration relayed = least_latency_[from * sites + via] + least_latency_[via * sites + to];
        Duration& least = least_latency_[from * sites + to];
        least = std::min(least, relayed);
      }
    }
  }
}

Duration WanRoutes::least_latency(const Geometry& geometry, std::uint32_t from, std::uint32_t to) const {
  return least_latency_.empty() ? Duration{} : least_latency_[from * geometry.sites.size() + to];
}

void WanRoutes::cap(const Geometry& geometry, Path& path) {
  if (path.latency.ps <= 0) return;
  const Duration rtt = path.latency * 2;
  for (const LinkId link : path.links) {
    if (kind_of(link) != LinkKind::wan) continue;
    const Wan& wan = geometry.wans[key_of(link).owner];
    Rate cap{std::numeric_limits<std::uint64_t>::max()};
    if (wan.window) cap = std::min(cap, window_rate(*wan.window, rtt));
    if (wan.loss && wan.loss->mantissa > 0) cap = std::min(cap, loss_rate(*wan.loss, rtt));
    if (!wan.window && !wan.loss) continue;
    if (path.cap.q20 == 0 || cap < path.cap) path.cap = cap;
  }
}

}  // namespace tahoma
