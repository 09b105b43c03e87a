// A clos entry: its tiers, leaf width and pods, as given or as the radix of its switches allows.
//
//   down ports of a switch with radix r and oversubscription o: r x o / (1 + o), the rest go up
//
// Derived: tiers from the length of `size`, or the fewest that hold all endpoints; spines as many as a leaf
// has uplinks at the NIC's speed; cores likewise of a spine.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/decimal_text.h"
#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

struct Wanted {
  std::uint32_t width = 0, leaves = 0, radix = 0;  // 0 = not said
  std::uint64_t endpoints = 0;                     // of one rail, at the largest site
};

struct Fraction {
  u128 top = 1, bottom = 1;
};

/// Of an oversubscription, which `oversubscriptions` keeps small.
Fraction fraction_of(Decimal value) {
  Fraction fraction{static_cast<u128>(value.mantissa), 1};
  for (std::int32_t e = value.exponent; e > 0; --e) fraction.top *= 10;
  for (std::int32_t e = value.exponent; e < 0; ++e) fraction.bottom *= 10;
  return fraction;
}

std::uint32_t down_ports(std::uint32_t radix, Decimal oversubscription) {
  const Fraction o = fraction_of(oversubscription);
  return static_cast<std::uint32_t>(radix * o.top / (o.top + o.bottom));
}

/// Uplinks at the speed of what comes from below, at least one.
std::uint32_t uplinks(std::uint64_t below, Decimal oversubscription) {
  constexpr u128 most = 1U << 20;
  const Fraction o = fraction_of(oversubscription);
  const u128 count = ceil_div(below * o.bottom, o.top);
  return static_cast<std::uint32_t>(count < 1 ? 1 : count > most ? most : count);
}

std::vector<Decimal> oversubscriptions(const Field& field) {
  std::vector<Decimal> values;
  for (const Field& one : each(field)) {
    const Decimal value = read_field(one, read_number);
    if (compare(value, {1, -3}) < 0 || compare(value, {1, 6}) > 0) {
      refuse(one, {"is no ratio of a real switch", "from 0.001 to 1000000; 1 is non-blocking", ""});
    }
    if (value.exponent < -9) refuse(one, {"has too many digits", "at most 9 after the point", ""});
    values.push_back(value);
  }
  if (values.size() > 2)
    refuse(field, {fmt::format("has {} values", values.size()), "one per tier: [leaf, spine]", ""});
  return values;
}

/// `rails` that a spine joins.
std::uint32_t tiers_wanted(const Field& entry, const Wanted& wanted, Decimal leaf_ratio,
                           std::uint32_t rails) {
  if (const Field tiers = entry["tiers"]) {
    const std::uint32_t count = read_count32(tiers);
    if (count > 3) refuse(tiers, {"is more than is built", "1, 2 or 3", ""});
    return count;
  }
  if (wanted.leaves > 0) return 3;
  if (wanted.width > 0) return 2;
  if (wanted.radix == 0 || wanted.endpoints <= wanted.radix) return 1;
  const std::uint32_t width = down_ports(wanted.radix, leaf_ratio);
  if (width == 0) return 2;
  return ceil_div64(wanted.endpoints, width) * rails <= wanted.radix ? 2 : 3;
}

[[noreturn]] void refuse_fit(const Field& entry, const std::string& because) {
  const Field size = entry["size"]    ? entry["size"]
                     : entry["radix"] ? entry["radix"]
                     : entry["tiers"] ? entry["tiers"]
                                      : entry["kind"];
  refuse(size, {because, "a larger `size` or `radix`, or more `tiers`", ""});
}

void fit_one_tier(const Field& entry, const Wanted& wanted) {
  const std::uint32_t most = wanted.width > 0 ? wanted.width : wanted.radix;
  if (most > 0 && wanted.endpoints > most) {
    refuse_fit(entry, fmt::format("is too small: {} NICs of a rail are to stand on one leaf of {}",
                                  wanted.endpoints, most));
  }
}

void derive_width(const Field& entry, Wanted& wanted, Decimal leaf_ratio) {
  if (wanted.width == 0 && wanted.radix > 0) wanted.width = down_ports(wanted.radix, leaf_ratio);
  if (wanted.width == 0) refuse_fit(entry, "says no leaf width, and more than one tier needs it");
}

void derive_leaves(const Field& entry, Wanted& wanted, Decimal spine_ratio, std::uint32_t rails,
                   std::uint32_t tiers) {
  const std::uint64_t groups = ceil_div64(wanted.endpoints, wanted.width);
  if (tiers == 2) {
    const std::uint64_t most = wanted.leaves > 0  ? wanted.leaves
                               : wanted.radix > 0 ? wanted.radix / rails
                                                  : groups;
    if (groups > most) {
      refuse_fit(entry, fmt::format("is too small: {} NICs of a rail need {} leaves, and two tiers hold {}",
                                    wanted.endpoints, groups, most));
    }
    wanted.leaves = 0;  // all of them are one pod
    return;
  }
  if (wanted.leaves == 0 && wanted.radix > 0) wanted.leaves = down_ports(wanted.radix, spine_ratio) / rails;
  if (wanted.leaves == 0)
    refuse_fit(entry, "says no number of leaves per pod, and three tiers need it: [leaf width, leaves]");
}

Wanted read_wanted(const Field& entry, const ClusterShape& shape, std::uint32_t rails) {
  Wanted wanted;
  if (const Field radix = entry["radix"]) wanted.radix = read_count32(radix);
  const std::vector<Field> size = each(entry["size"]);
  if (size.size() > 2)
    refuse(entry["size"], {"has more than two values", "`leaf width` or `[leaf width, leaves per pod]`", ""});
  if (!size.empty()) wanted.width = read_count32(size[0]);
  if (size.size() > 1) wanted.leaves = read_count32(size[1]);
  for (const Site& site : shape.sites) {
    wanted.endpoints =
        std::max(wanted.endpoints, std::uint64_t{site.domains} * (chips_per_domain(shape) / rails));
  }
  return wanted;
}

std::uint32_t read_rails(const Field& entry, const ClusterShape& shape) {
  const std::uint32_t rails = read_count32(entry["rails"]);
  if (chips_per_domain(shape) % rails != 0) {
    refuse(entry["rails"], {fmt::format("does not divide the {} chips of a domain", chips_per_domain(shape)),
                            "a divisor of them", ""});
  }
  return rails;
}

BetweenRails read_between_rails(const Field& entry) {
  const Field field = entry["between_rails"];
  if (!field || field.text() == "fabric") return BetweenRails::fabric;
  return field.text() == "relay" ? BetweenRails::relay : BetweenRails::none;
}

/// Rails need cores, or no links between them, or one tier; not two of these.
void check_between_rails(const Field& entry, const Clos& clos) {
  const Field field = entry["between_rails"];
  if (!field) return;
  if (clos.between_rails == BetweenRails::fabric && clos.tiers == 1 && clos.rails > 1)
    refuse(field, {"needs spines, and a clos of one tier has none", "relay or none, or 2 tiers", ""});
  if (clos.between_rails == BetweenRails::fabric || clos.tiers < 3) return;
  throw InfeasibleError(sentence({field.place(),
                                  field.path,
                                  field.text(),
                                  {"is built for 1 or 2 tiers only", "fabric, or 2 tiers", ""}}));
}

Routing routing_of(const Field& routing) {
  const std::string& name = routing.text();
  if (name == "minimal" || name == "valiant")
    refuse(routing, {"chooses among the groups of a dragonfly", "spray, ecmp or by_source", ""});
  if (name == "ecmp") return Routing::ecmp;
  return name == "by_source" ? Routing::by_source : Routing::spray;
}

std::vector<Duration> latencies(const Field& field, std::uint32_t tiers) {
  std::vector<Duration> values;
  for (const Field& one : each(field)) values.push_back(read_field(one, read_time));
  if (values.empty() || values.size() > 3)
    refuse(field, {"has no place in three tiers", "one value, or up to one per tier", ""});
  if (values.size() > tiers) values.resize(tiers);
  return values;
}

/// A clos of one tier has no uplinks, so what is said of them by default says nothing.
void drop_fallbacks(Node& node, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Node* value = node.find(key);
    if (value && value->layer == Layer::fallback) node.erase(key);
  }
}

}  // namespace

Clos resolve_clos(Node& node, const std::string& path, const ClusterShape& shape) {
  const Field entry{&node, path};
  Clos clos;
  const bool single_switch = entry["kind"].text() == "switch";
  clos.rails = single_switch ? 1 : read_rails(entry, shape);
  clos.between_rails = read_between_rails(entry);
  const std::uint32_t joined = clos.between_rails == BetweenRails::fabric ? clos.rails : 1;
  clos.oversubscription = oversubscriptions(entry["oversubscription"]);
  const Decimal leaf_ratio = clos.oversubscription.empty() ? Decimal{1, 0} : clos.oversubscription[0];
  const Decimal spine_ratio = clos.oversubscription.size() < 2 ? Decimal{1, 0} : clos.oversubscription[1];
  Wanted wanted = read_wanted(entry, shape, clos.rails);
  clos.tiers = single_switch ? 1 : tiers_wanted(entry, wanted, leaf_ratio, joined);
  check_between_rails(entry, clos);
  if (clos.tiers == 1) {
    fit_one_tier(entry, wanted);
  } else {
    derive_width(entry, wanted, leaf_ratio);
    derive_leaves(entry, wanted, spine_ratio, joined, clos.tiers);
    clos.leaf_width = wanted.width;
    clos.leaves_per_pod = wanted.leaves;
  }
  clos.bandwidth = read_link_bandwidth(required(entry, "bandwidth"),
                                       entry["both_directions"] && entry["both_directions"].text() == "true");
  clos.efficiency = read_field(entry["efficiency"], read_number);
  clos.planes = read_count32(entry["planes"]);
  if (const Field leaves = entry["leaves_per_nic"]) clos.leaves_per_nic = read_count32(leaves);
  clos.latency = latencies(required(entry, "latency"), clos.tiers);
  if (entry["routing"]) clos.routing = routing_of(entry["routing"]);
  if (clos.tiers >= 2)
    clos.spines_per_pod =
        entry["spines"] ? read_count32(entry["spines"]) : uplinks(clos.leaf_width, leaf_ratio);
  if (clos.tiers == 3) {
    const std::uint64_t leaves = std::uint64_t{clos.rails} * clos.leaves_per_pod;
    clos.cores = entry["cores"] ? read_count32(entry["cores"]) : uplinks(leaves, spine_ratio);
  }
  if (clos.tiers == 1) drop_fallbacks(node, {"oversubscription"});
  if (clos.tiers >= 2) settle(node, "routing", "spray");
  if (single_switch) return clos;
  settle(node, "tiers", std::to_string(clos.tiers));
  if (clos.tiers >= 2) settle(node, "spines", std::to_string(clos.spines_per_pod));
  if (clos.tiers == 3) settle(node, "cores", std::to_string(clos.cores));
  if (clos.tiers == 2) settle(node, "size", std::to_string(clos.leaf_width));
  if (clos.tiers == 3)
    settle(node, "size", {std::to_string(clos.leaf_width), std::to_string(clos.leaves_per_pod)});
  return clos;
}

}  // namespace tahoma
