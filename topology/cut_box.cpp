#include "topology/cut_box.h"

#include <algorithm>

#include "topology/dimension_links.h"

namespace tahoma {

namespace {

class Box {
 public:
  Box(const ProductTopology& topology, const ProductDigits& digits, const std::vector<Cut::Range>& ranges)
      : topology_(topology), g_(topology.geometry()), digits_(digits), ranges_(ranges) {
    for (const Digit& digit : digits.digits) chips_ *= digit.size, span_.push_back(digit.size);
    const std::uint64_t all = chips_;
    for (const Cut::Range& range : ranges) {
      chips_ = chips_ / span_[range.digit] * (range.high - range.low);
      span_[range.digit] = range.high - range.low;
      restricted_ |= DigitMask{1} << range.digit;
    }
    outside_ = all - chips_;
  }

  BothWays measure(const LinkRates& rates, bool with_faults) const {
    BothWays total;
    for (std::uint32_t d = 0; d < g_.dimensions.size(); ++d) {
      const BothWays part = dimension(d, rates, with_faults);
      total.out += part.out, total.in += part.in;
    }
    const BothWays part = fabric(rates, with_faults);
    total.out += part.out, total.in += part.in;
    return total;
  }

 private:
  bool contains(ChipId chip) const {
    return std::all_of(ranges_.begin(), ranges_.end(), [&](const Cut::Range& r) {
      const Digit& digit = digits_.digits[r.digit];
      const std::uint32_t value = chip / digit.stride % digit.size;
      return value >= r.low && value < r.high;
    });
  }

  // How much less a broken link carries than its healthy rate.
  u128 loss(LinkId link, const Exceptions::State& state) const {
    const LinkKey key = key_of(link);
    u128 healthy = 0;
    switch (key.kind) {
      case LinkKind::dimension:
        healthy = g_.dimensions[key.dimension].capacity.q20;
        break;
      case LinkKind::nic:
        healthy = g_.nic.q20;
        break;
      case LinkKind::leaf_trunk:
        healthy = g_.sites[g_.site_of_leaf(key.owner)].leaf_trunk.q20;
        break;
      case LinkKind::leaf_spine:
        healthy = g_.sites[g_.site_of_leaf(key.owner)].leaf_spine.q20;
        break;
      case LinkKind::pod_trunk:
        healthy = g_.sites[g_.site_of_pod(key.owner)].pod_trunk.q20;
        break;
      case LinkKind::spine_core:
        healthy = g_.sites[g_.site_of_pod(key.owner)].spine_core.q20;
        break;
      case LinkKind::wan:
        healthy = capacity_of({g_.wans[key.owner].bandwidth}).q20;
        break;
    }
    return healthy - std::min(healthy, state.capacity.q20);
  }

  // Sum of losses over broken links that `crosses` accepts.
  template <class Crosses>
  u128 losses(bool with_faults, Crosses crosses) const {
    u128 sum = 0;
    if (!with_faults) return sum;
    for (const auto& [value, state] : topology_.exceptions()) {
      const LinkId link{value};
      if (crosses(key_of(link))) sum += loss(link, state);
    }
    return sum;
  }

  BothWays dimension(std::uint32_t index, const LinkRates& rates, bool with_faults) const {
    const GridDimension& d = g_.dimensions[index];
    const std::uint32_t inside = span_[index];
    if (inside == d.size) return {};
    const u128 rate = rates.dimension[index];
    const std::uint64_t lines = chips_ / inside;
    if (d.kind == DimensionKind::switched) return switched(index, lines, rate, with_faults);
    const auto range =
        std::find_if(ranges_.begin(), ranges_.end(), [&](const Cut::Range& r) { return r.digit == index; });
    std::uint64_t per_line = 2;
    if (d.one_way_port_only()) per_line = 1;
    if (d.kind == DimensionKind::line)
      per_line = (range->low > 0 ? 1U : 0U) + (range->high < d.size ? 1U : 0U);
    if (d.kind == DimensionKind::full) per_line = std::uint64_t{inside} * (d.size - inside);
    const auto leaves_box = [&](const LinkKey& key, bool outwards) {
      if (key.kind != LinkKind::dimension || key.dimension != index) return false;
      const ChipId target = target_of(d, key);
      return contains(outwards ? key.owner : target) && !contains(outwards ? target : key.owner);
    };
    const u128 healthy = rate * lines * per_line;
    return {healthy - losses(with_faults, [&](const LinkKey& key) { return leaves_box(key, true); }),
            healthy - losses(with_faults, [&](const LinkKey& key) { return leaves_box(key, false); })};
  }

  BothWays switched(std::uint32_t index, std::uint64_t lines, u128 rate, bool with_faults) const {
    const GridDimension& d = g_.dimensions[index];
    const std::uint32_t inside = span_[index];
    const auto range =
        std::find_if(ranges_.begin(), ranges_.end(), [&](const Cut::Range& r) { return r.digit == index; });
    // Links on `port` of the members on one side, in groups that the box touches.
    const auto sum = [&](bool of_inside, std::uint32_t port) {
      const u128 healthy = rate * lines * (of_inside ? inside : d.size - inside);
      return healthy - losses(with_faults, [&](const LinkKey& key) {
               if (key.kind != LinkKind::dimension || key.dimension != index || key.port != port)
                 return false;
               return contains(d.with_digit(key.owner, range->low)) && contains(key.owner) == of_inside;
             });
    };
    return {std::min(sum(true, up_port), sum(false, down_port)),
            std::min(sum(true, down_port), sum(false, up_port))};
  }

  BothWays fabric(const LinkRates& rates, bool with_faults) const {
    if (!g_.has_clos || restricted_ == 0) return {};
    BothWays best = fabric_of_side(rates, with_faults, true);
    const BothWays other = fabric_of_side(rates, with_faults, false);
    return {std::min(best.out, other.in), std::min(best.in, other.out)};
  }

  bool on_side(ChipId chip, bool inside) const { return contains(chip) == inside; }

  // What leaves and enters the box (or its complement) if the Clos above it belongs to the other side. The
  // complement of a box is only taken at its NICs, or where one digit alone is restricted.
  BothWays fabric_of_side(const LinkRates& rates, bool with_faults, bool inside) const {
    const std::uint64_t chips = inside ? chips_ : outside_;
    const auto level = [&](LinkKind kind, LinkKind single, u128 healthy) {
      const auto crosses = [&](const LinkKey& key, std::uint32_t port) {
        return (key.kind == kind || key.kind == single) && key.port == port &&
               on_side(first_chip(key), inside);
      };
      return BothWays{
          healthy - losses(with_faults, [&](const LinkKey& key) { return crosses(key, up_port); }),
          healthy - losses(with_faults, [&](const LinkKey& key) { return crosses(key, down_port); })};
    };
    BothWays best = level(LinkKind::nic, LinkKind::nic, rates.nic * chips);
    const auto improve = [&](const BothWays& other) {
      best.out = std::min(best.out, other.out), best.in = std::min(best.in, other.in);
    };
    const bool regular = digits_.digits.back().name != "domain" && g_.equal_sites;
    if (!regular) return best;
    const bool whole_leaves = (restricted_ & ~digits_.of_leaf) == 0 && (inside || one_digit());
    const bool whole_pods = (restricted_ & ~digits_.of_pod) == 0 && (inside || one_digit());
    const bool whole_sites = (restricted_ & ~digits_.of_site) == 0;
    if (whole_leaves && g_.clos.tiers >= 2) {
      improve(level(LinkKind::leaf_trunk, LinkKind::leaf_spine,
                    rates.leaf_trunk * (chips / g_.endpoints_of_leaf(0))));
    }
    if (whole_pods && g_.clos.tiers == 3) {
      const std::uint64_t per_pod = std::uint64_t{g_.sites[0].domains} / g_.sites[0].pods * g_.domain_chips;
      improve(level(LinkKind::pod_trunk, LinkKind::spine_core, rates.pod_trunk * (chips / per_pod)));
    }
    if (whole_sites) improve(wan(rates, with_faults, inside));
    return best;
  }

  bool one_digit() const { return (restricted_ & (restricted_ - 1)) == 0; }

  ChipId first_chip(const LinkKey& key) const {
    switch (key.kind) {
      case LinkKind::leaf_trunk:
      case LinkKind::leaf_spine:
        return g_.first_chip_of_leaf(key.owner);
      case LinkKind::pod_trunk:
      case LinkKind::spine_core:
        return g_.first_chip_of_pod(key.owner);
      default:
        return key.owner;
    }
  }

  BothWays wan(const LinkRates& rates, bool with_faults, bool inside) const {
    const auto site_on_side = [&](std::uint32_t site) {
      return on_side(g_.sites[site].first_domain * g_.domain_chips, inside);
    };
    BothWays total;
    const auto crosses = [&](std::uint32_t index, std::uint32_t port, bool outwards) {
      const Wan& w = g_.wans[index];
      const bool from = site_on_side(port == 0 ? w.a : w.b), to = site_on_side(port == 0 ? w.b : w.a);
      return outwards ? from && !to : to && !from;
    };
    for (std::uint32_t w = 0; w < g_.wans.size(); ++w) {
      for (const std::uint32_t port : {0U, 1U}) {
        if (crosses(w, port, true)) total.out += rates.wan[w];
        if (crosses(w, port, false)) total.in += rates.wan[w];
      }
    }
    const auto lost = [&](bool outwards) {
      return losses(with_faults, [&](const LinkKey& key) {
        return key.kind == LinkKind::wan && crosses(key.owner, key.port, outwards);
      });
    };
    return {total.out - lost(true), total.in - lost(false)};
  }

  const ProductTopology& topology_;
  const Geometry& g_;
  const ProductDigits& digits_;
  const std::vector<Cut::Range>& ranges_;
  std::vector<std::uint32_t> span_;  // values per digit inside the box
  std::uint64_t chips_ = 1, outside_ = 0;
  DigitMask restricted_ = 0;
};

}  // namespace

LinkRates effective_rates(const Geometry& g) {
  LinkRates rates;
  for (const GridDimension& d : g.dimensions) rates.dimension.push_back(d.capacity.q20);
  for (const Wan& wan : g.wans) rates.wan.push_back(capacity_of({wan.bandwidth}).q20);
  if (!g.has_clos) return rates;
  rates.nic = g.nic.q20;
  const SiteFabric& site = g.sites[0];
  rates.leaf_trunk = g.single_links ? site.leaf_spine.q20 * g.spines : site.leaf_trunk.q20;
  rates.pod_trunk = g.single_links ? site.spine_core.q20 * g.spines * g.cores : site.pod_trunk.q20;
  return rates;
}

LinkRates raw_rates(const Geometry& geometry) {
  Geometry g = geometry;
  LinkRates rates = effective_rates(g);
  for (std::size_t d = 0; d < g.dimensions.size(); ++d) rates.dimension[d] = g.dimensions[d].raw.q20;
  if (!g.has_clos) return rates;
  g.clos.efficiency = {1, 0};
  g.clos.dead_planes = 0;
  rates.nic = g.nic_raw.q20;
  rates.leaf_trunk = leaf_uplinks(g, g.sites[0], {g.spines, 0}).q20;
  rates.pod_trunk = pod_uplinks(g, g.sites[0], {std::int64_t{g.spines} * g.cores, 0}).q20;
  return rates;
}

BothWays capacity_of_box(const ProductTopology& topology, const ProductDigits& digits,
                         const std::vector<Cut::Range>& box, const LinkRates& rates, CountFaults faults) {
  return Box(topology, digits, box).measure(rates, faults == CountFaults::yes);
}

}  // namespace tahoma
