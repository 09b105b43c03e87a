#include "topology/faults.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "core/errors.h"
#include "topology/dimension_links.h"
#include "topology/selectors.h"

namespace tahoma {

namespace {

struct Damage {
  bool dead = false;
  Decimal factor{1, 0};
  std::uint32_t switches = 0;  // dead planes of a dimension, dead switches of a leaf
};

class Collector {
 public:
  explicit Collector(const ProductTopology& topology) : topology_(topology), g_(topology.geometry()) {}

  void fail(LinkId link) { damage_[link].dead = true; }
  void fail_both(LinkId link) { fail(link), fail(opposite(g_, link)); }

  void degrade(const Faults::Degraded& degraded) {
    const Decimal factor = degraded.factor;
    if (factor.mantissa < 0 || to_double(factor) > 1)
      throw ScenarioError("a degradation factor must be from 0 to 1");
    Damage& damage = damage_[degraded.link];
    damage.factor = multiply(damage.factor, factor);
    if (factor.mantissa == 0) damage.dead = true;
  }

  void fail_chip(ChipId chip) {
    std::vector<Edge> edges;
    topology_.append_edges(chip, ProductTopology::WhichEdges::all, edges);
    for (const Edge& edge : edges) fail_both(edge.link);
  }

  void fail_switch(const Terminal& terminal) {
    switch (terminal.kind) {
      case TerminalKind::plane:
        return fail_plane(terminal);
      case TerminalKind::fabric_plane:
        return;  // has made all NICs and trunks narrower: with_dead_planes
      case TerminalKind::leaf_switch:
        return fail_leaf_switch(terminal);
      case TerminalKind::spine:
        return fail_spine(terminal.owner, terminal.index);
      case TerminalKind::pod:
        for (std::uint32_t spine = 0; spine < g_.spines; ++spine) fail_spine(terminal.owner, spine);
        return;
      case TerminalKind::core:
        return fail_core(terminal.owner, terminal.index);
      case TerminalKind::core_stage:
        for (std::uint32_t core = 0; core < g_.cores; ++core) fail_core(terminal.owner, core);
        return;
      case TerminalKind::dimension_switch:
      case TerminalKind::leaf:
        for (const TerminalLink& link : links_out_of(topology_, terminal)) fail_both(link.link);
        return;
      default:
        TAHOMA_ASSERT(false, "a failed switch that is none");
    }
  }

  Exceptions exceptions() {
    gather_trunks(LinkKind::leaf_spine, LinkKind::leaf_trunk, g_.spines);
    gather_trunks(LinkKind::spine_core, LinkKind::pod_trunk, std::int64_t{g_.spines} * g_.cores);
    Exceptions exceptions;
    for (const auto& [link, damage] : damage_) {
      const Capacity capacity = damage.dead ? Capacity{} : remaining(key_of(link), damage);
      exceptions.set(link, {capacity.q20 == 0, capacity});
    }
    return exceptions;
  }

 private:
  void fail_plane(const Terminal& plane) {
    for (const TerminalLink& link :
         links_out_of(topology_, {TerminalKind::dimension_switch, plane.owner, 0, plane.dimension})) {
      ++damage_[link.link].switches;
      ++damage_[opposite(g_, link.link)].switches;
    }
  }

  // Its NICs and uplinks keep what goes over the other switches of the leaf.
  void fail_leaf_switch(const Terminal& terminal) {
    std::set<LinkId> links;
    for (const TerminalLink& link : links_out_of(topology_, {TerminalKind::leaf, terminal.owner, 0, 0})) {
      const bool unused = !g_.single_links && kind_of(link.link) == LinkKind::leaf_spine;  // its trunk is
      if (!unused) links.insert({link.link, opposite(g_, link.link)});
    }
    for (const LinkId link : links) ++damage_[link].switches;
  }

  void fail_spine(std::uint32_t pod, std::uint32_t spine) {
    for (const TerminalLink& link : links_out_of(topology_, {TerminalKind::spine, pod, spine, 0}))
      fail_both(link.link);
  }

  void fail_core(std::uint32_t site, std::uint32_t core) {
    for (const TerminalLink& link : links_out_of(topology_, {TerminalKind::core, site, core, 0}))
      fail_both(link.link);
  }

  // Under `spray`, what is left of single links becomes the factor of their trunk: the sum of theirs over the
  // healthy number, kept as the sum (Damage::factor of a trunk counts links).
  void gather_trunks(LinkKind single, LinkKind trunk, std::int64_t links) {
    if (g_.single_links) return;
    std::map<LinkId, std::pair<Decimal, std::int64_t>>
        left;  // sum of what is left of damaged links, their number
    for (const auto& [link, damage] : damage_) {
      const LinkKey key = key_of(link);
      if (key.kind != single) continue;
      auto& [sum, count] = left[fabric_link(trunk, key.owner, key.port)];
      if (!damage.dead) sum = add(sum, damage.factor);
      ++count;
    }
    std::erase_if(damage_, [&](const auto& entry) { return key_of(entry.first).kind == single; });
    for (auto& [link, damage] : damage_) {
      if (key_of(link).kind == trunk) left.try_emplace(link, Decimal{0, 0}, 0);
    }
    for (const auto& [link, sum_and_count] : left) {
      Damage& damage = damage_[link];
      const Decimal share = add(sum_and_count.first, {links - sum_and_count.second, 0});
      damage.factor = multiply(damage.factor, share);
      if (share.mantissa == 0) damage.dead = true;
    }
  }

  Capacity remaining(const LinkKey& key, const Damage& damage) const {
    switch (key.kind) {
      case LinkKind::dimension: {
        const GridDimension& d = g_.dimensions[key.dimension];
        if (damage.switches >= d.multiply) return {};
        return capacity_of({d.bandwidth, d.efficiency, damage.factor}, d.multiply - damage.switches);
      }
      case LinkKind::nic:
        return nic_capacity(g_.clos, damage.factor, damage.switches);
      case LinkKind::leaf_trunk:
      case LinkKind::leaf_spine:
        return leaf_uplinks(g_, g_.sites[g_.site_of_leaf(key.owner)], damage.factor, damage.switches);
      case LinkKind::pod_trunk:
      case LinkKind::spine_core:
        return pod_uplinks(g_, g_.sites[g_.site_of_pod(key.owner)], damage.factor);
      case LinkKind::wan:
        return capacity_of({g_.wans[key.owner].bandwidth, damage.factor});
    }
    return {};
  }

  const ProductTopology& topology_;
  const Geometry& g_;
  std::map<LinkId, Damage> damage_;
};

// By their names: planes are counted before there is a topology to ask.
std::set<std::string> dead_planes(const Faults& faults) {
  std::set<std::string> planes;
  for (const std::string& name : faults.failed_switches) {
    if (name.starts_with("plane")) planes.insert(name);
  }
  return planes;
}

}  // namespace

ClusterShape with_dead_planes(const ClusterShape& shape, const Faults& faults) {
  ClusterShape result = shape;
  if (!result.clos) return result;
  result.clos->dead_planes += static_cast<std::uint32_t>(dead_planes(faults).size());
  if (result.clos->dead_planes >= result.clos->planes)
    throw InfeasibleError("all planes of the fabric are dead: nothing joins the domains");
  return result;
}

std::unique_ptr<Topology> make_healthy(const ClusterShape& shape, const Faults& faults) {
  return make_topology(with_dead_planes(shape, faults));
}

std::unique_ptr<Topology> make_healthy(const GraphShape& shape, const Faults&) {
  return make_topology(shape);
}

Exceptions make_exceptions(const ProductTopology& topology, const Faults& faults) {
  Collector collector(topology);
  for (const LinkId link : faults.failed_links) collector.fail(link);
  for (const Faults::Degraded& degraded : faults.degraded_links) collector.degrade(degraded);
  for (const ChipId chip : faults.failed_chips) collector.fail_chip(chip);
  std::set<Terminal> switches;
  for (const std::string& name : faults.failed_switches) {
    for (const Terminal& terminal : find_terminals(topology, name)) switches.insert(terminal);
  }
  for (const Terminal& terminal : switches) collector.fail_switch(terminal);
  return collector.exceptions();
}

}  // namespace tahoma
