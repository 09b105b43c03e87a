#include "topology/fabric_route.h"

#include <array>

#include "core/random.h"
#include "topology/link_key.h"

namespace tahoma {

namespace {

constexpr std::uint32_t no_switch = ~0u;

enum class Reach { leaf, pod, core, wan, nowhere };

Reach reach(const Geometry& g, const Endpoint& a, const Endpoint& b) {
  if (a.site != b.site) return Reach::wan;
  if (a.leaf == b.leaf) return Reach::leaf;
  if (a.pod == b.pod && g.clos.tiers >= 2) return Reach::pod;
  return g.clos.tiers == 3 ? Reach::core : Reach::nowhere;
}

// One flow's way; the numbers say which of equal links it takes.
class Climb {
 public:
  Climb(const FabricNetwork& network, ChipId src, ChipId dst, std::uint32_t lane, Path& path)
      : net_(network), g_(network.geometry), a_(g_.endpoint(src)), b_(g_.endpoint(dst)), path_(path) {
    if (g_.clos.routing == Routing::by_source) {
      numbers_ = {a_.place, a_.place / g_.spines, a_.place / g_.spines, a_.place};
    } else if (g_.single_links) {
      const std::uint64_t hash = mix64(mix64(mix64(mix64(g_.seed) ^ src) ^ dst) ^ lane);
      numbers_ = {hash, mix64(hash + 1), mix64(hash + 2), mix64(hash + 3)};
    }
    reach_ = reach(g_, a_, b_);
  }

  // Leaf to leaf.
  bool append() {
    if (reach_ == Reach::nowhere) return false;
    if (reach_ == Reach::leaf) return true;
    if (reach_ == Reach::wan) return up() && net_.wan.append(g_, a_.site, b_.site, path_) && down();
    return up() && down();
  }

 private:
  bool up() {
    if (g_.clos.tiers < 2) return true;
    if (!g_.single_links) {
      push(fabric_link(LinkKind::leaf_trunk, a_.leaf, up_port), 1);
      if (!over_core()) return true;
      push(fabric_link(LinkKind::pod_trunk, a_.pod_number, up_port), 2);
      return true;
    }
    spine_ = pick(g_.spines, 0, [&](std::uint32_t spine) { return leads_on(spine); });
    if (spine_ == no_switch) return false;
    push(fabric_link(LinkKind::leaf_spine, a_.leaf, up_port, spine_), 1);
    if (!over_core()) return true;
    core_ = pick(g_.cores, 1, [&](std::uint32_t core) { return lifts(spine_, core); });
    push(fabric_link(LinkKind::spine_core, a_.pod_number, up_port, spine_, core_), 2);
    return true;
  }

  bool down() {
    if (g_.clos.tiers < 2) return true;
    if (!g_.single_links) {
      if (over_core()) push(fabric_link(LinkKind::pod_trunk, b_.pod_number, down_port), 2);
      push(fabric_link(LinkKind::leaf_trunk, b_.leaf, down_port), 1);
      return true;
    }
    if (over_core()) {
      if (reach_ == Reach::wan) core_ = pick(g_.cores, 2, [&](std::uint32_t core) { return descends(core); });
      if (core_ == no_switch) return false;
      spine_ = pick(g_.spines, 3, [&](std::uint32_t spine) { return drops(core_, spine) && lands(spine); });
      push(fabric_link(LinkKind::spine_core, b_.pod_number, down_port, spine_, core_), 2);
    } else if (reach_ == Reach::wan) {
      spine_ = pick(g_.spines, 3, [&](std::uint32_t spine) { return lands(spine); });
      if (spine_ == no_switch) return false;
    }
    push(fabric_link(LinkKind::leaf_spine, b_.leaf, down_port, spine_), 1);
    return true;
  }

  bool over_core() const { return reach_ == Reach::core || (reach_ == Reach::wan && g_.clos.tiers == 3); }

  void push(LinkId link, std::size_t level) {
    path_.links.push_back(link);
    path_.latency += g_.clos.latency[level];
  }

  // Which single links are alive, seen from this flow's ends.
  bool alive(LinkId link) const { return net_.exceptions.alive(link); }
  bool lands(std::uint32_t spine) const {
    return alive(fabric_link(LinkKind::leaf_spine, b_.leaf, down_port, spine));
  }
  bool drops(std::uint32_t core, std::uint32_t spine) const {
    return alive(fabric_link(LinkKind::spine_core, b_.pod_number, down_port, spine, core));
  }
  bool descends(std::uint32_t core) const {
    for (std::uint32_t spine = 0; spine < g_.spines; ++spine) {
      if (drops(core, spine) && lands(spine)) return true;
    }
    return false;
  }
  bool lifts(std::uint32_t spine, std::uint32_t core) const {
    return alive(fabric_link(LinkKind::spine_core, a_.pod_number, up_port, spine, core)) &&
           (reach_ == Reach::wan || descends(core));
  }
  bool leads_on(std::uint32_t spine) const {
    if (!alive(fabric_link(LinkKind::leaf_spine, a_.leaf, up_port, spine))) return false;
    if (reach_ == Reach::pod) return lands(spine);
    if (!over_core()) return true;
    for (std::uint32_t core = 0; core < g_.cores; ++core) {
      if (lifts(spine, core)) return true;
    }
    return false;
  }

  template <class Usable>
  std::uint32_t pick(std::uint32_t count, std::size_t which, Usable usable) const {
    const auto drawn = static_cast<std::uint32_t>(numbers_[which] % count);
    if (net_.exceptions.empty()) return drawn;
    if (g_.clos.routing == Routing::ecmp && usable(drawn)) return drawn;
    std::uint32_t live = 0;
    for (std::uint32_t i = 0; i < count; ++i) live += usable(i) ? 1U : 0U;
    if (live == 0) return no_switch;
    auto rank = static_cast<std::uint32_t>(numbers_[which] % live);
    for (std::uint32_t i = 0;; ++i) {
      if (usable(i) && rank-- == 0) return i;
    }
  }

  const FabricNetwork& net_;
  const Geometry& g_;
  Endpoint a_, b_;
  Reach reach_ = Reach::nowhere;
  std::array<std::uint64_t, 4> numbers_{};  // spine up, core up, core down, spine down
  std::uint32_t spine_ = no_switch, core_ = no_switch;
  Path& path_;
};

}  // namespace

bool append_fabric(const FabricNetwork& network, ChipId src, ChipId dst, std::uint32_t lane, Path& path) {
  path.links.push_back(fabric_link(LinkKind::nic, src, up_port));
  Climb climb(network, src, dst, lane, path);
  if (!climb.append()) return false;
  path.links.push_back(fabric_link(LinkKind::nic, dst, down_port));
  path.latency += network.geometry.clos.latency[0] * 2;
  return true;
}

}  // namespace tahoma
