// When is adding 1 to a digit an automorphism of links, capacities, latencies *and* routes?
//
//   ring, full mesh, switch   always within the scale-up domain; a line never
//   scale-up below a Clos     a digit that is part of the rail number maps rails onto rails; any other must
//   stay
//                             on its leaf, and `by_source` must not see it (it changes the place on the leaf)
//   pos, leaf, pod            if all leaves and pods are equal; `by_source` sees pos
//   place                     where they are not: domains that share a leaf, whichever leaf it is
//   ecmp                      hashes the chip numbers: nothing
//   site                      WAN links are not compared: nothing
// XOR: the same for sizes that are powers of two, except longer rings.
// Any permutation: of the fabric's digits where routes take trunks, which do not tell equal members apart.
#include "topology/product_digits.h"

#include "topology/link_key.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tahoma {

namespace {

struct ClosSymmetry {
  bool rail_digits = true, other_digits = true;  // of the scale-up domain
  bool pos = true, leaf_and_pod = true;
};

ClosSymmetry clos_symmetry(const Geometry& g) {
  if (!g.has_clos || !g.single_links) return {};
  if (g.clos.routing == Routing::by_source) return {true, false, false, true};
  return {false, false, false, false};
}

bool domain_stays_on_its_leaf(const Geometry& g) {
  for (const SiteFabric& site : g.sites) {
    if (site.groups > 1 && site.width % g.endpoints != 0) return false;
  }
  return true;
}

// How many leading scale-up digits make up the rail number; -1 if it is no such product.
int rail_digit_count(const Geometry& g) {
  std::uint32_t product = 1;
  for (std::uint32_t i = 0; i <= g.scale_up; ++i) {
    if (product == g.clos.rails) return static_cast<int>(i);
    if (i < g.scale_up) product *= g.dimensions[i].size;
  }
  return -1;
}

Digit grid_digit(const Geometry& g, const GridDimension& d) {
  Digit digit;
  digit.kind = static_cast<Digit::Kind>(d.kind);
  digit.two_way_pair = d.pair;
  digit.name = d.name;
  digit.size = d.size;
  digit.stride = d.stride;
  digit.level = !d.scale_up                           ? Level::site
                : d.stride * d.size <= g.server_chips ? Level::server
                                                      : Level::ultraserver;
  digit.shift = d.kind != DimensionKind::line;
  const bool any_permutation = d.kind == DimensionKind::full || d.kind == DimensionKind::switched;
  digit.exclusive_or = digit.shift && (d.size == 2 || (any_permutation && std::has_single_bit(d.size)));
  return digit;
}

void append_scale_up(const Geometry& g, ProductDigits& result) {
  const ClosSymmetry allowed = clos_symmetry(g);
  const int rail_digits = g.has_clos ? rail_digit_count(g) : 0;
  const bool stays = !g.has_clos || domain_stays_on_its_leaf(g);
  for (std::uint32_t i = 0; i < g.scale_up; ++i) {
    Digit digit = grid_digit(g, g.dimensions[i]);
    const bool of_rail = static_cast<int>(i) < rail_digits;
    const bool good = rail_digits >= 0 && (of_rail ? allowed.rail_digits : allowed.other_digits && stays);
    digit.shift = digit.shift && good;
    digit.exclusive_or = digit.exclusive_or && good;
    if (of_rail) result.of_leaf |= DigitMask{1} << result.digits.size();
    result.digits.push_back(std::move(digit));
  }
}

Digit fabric_digit(const char* name, std::uint32_t size, std::uint32_t stride, Level level, bool symmetric,
                   bool interchangeable = false) {
  Digit digit;
  digit.kind = Digit::Kind::fabric;
  digit.name = name;
  digit.size = size;
  digit.stride = stride;
  digit.level = level;
  digit.shift = symmetric;
  digit.exclusive_or = symmetric && std::has_single_bit(size);
  digit.interchangeable = symmetric && interchangeable;
  return digit;
}

// All leaves (pods) hold the same domains, or there is only one.
bool is_regular(const Geometry& g) {
  const SiteFabric& site = g.sites[0];
  if (!g.equal_sites || (site.groups > 1 && site.width % g.endpoints != 0)) return false;
  const bool leaves_full = site.groups == 1 || site.domains % (site.width / g.endpoints) == 0;
  return leaves_full && site.groups % std::min(site.groups, site.groups_per_pod) == 0;
}

// Where leaves are filled unequally: so many consecutive domains always share a leaf, in any site.
std::uint32_t alike_places(const Geometry& g) {
  std::uint32_t places = 0;
  for (const SiteFabric& site : g.sites) {
    if (site.groups > 1 && site.width % g.endpoints != 0) return 1;
    const std::uint32_t per_leaf = site.groups == 1 ? site.domains : site.width / g.endpoints;
    places = std::gcd(places, std::gcd(site.domains, per_leaf));
  }
  return places;
}

// How far up a digit is seen: NICs depend on all digits, leaves not on pos, pods not on leaf, sites not on
// pod.
enum class Seen { by_nic, by_leaf, by_pod, by_site };

void append(ProductDigits& result, Digit digit, Seen seen) {
  const DigitMask bit = DigitMask{1} << result.digits.size();
  if (seen >= Seen::by_leaf) result.of_leaf |= bit;
  if (seen >= Seen::by_pod) result.of_pod |= bit;
  if (seen >= Seen::by_site) result.of_site |= bit;
  result.digits.push_back(std::move(digit));
}

void append_clos(const Geometry& g, ProductDigits& result) {
  const auto sites = static_cast<std::uint32_t>(g.sites.size());
  const ClosSymmetry allowed = clos_symmetry(g);
  if (!is_regular(g)) {
    const Level level = sites > 1 ? Level::cluster : Level::site;
    const std::uint32_t places = alike_places(g);
    if (places > 1)
      append(result, fabric_digit("place", places, g.domain_chips, level, allowed.pos), Seen::by_nic);
    append(result, fabric_digit("domain", g.domains / places, g.domain_chips * places, level, false),
           Seen::by_site);
    return;
  }
  const SiteFabric& site = g.sites[0];
  const std::uint32_t pos = site.groups == 1 ? site.domains : site.width / g.endpoints;
  const std::uint32_t leaf = std::min(site.groups, site.groups_per_pod);
  struct Row {
    const char* name;
    std::uint32_t size;
    Level level;
    bool symmetric;
    Seen seen;
  };
  const Row rows[] = {{"pos", pos, Level::site, allowed.pos, Seen::by_nic},
                      {"leaf", leaf, Level::site, allowed.leaf_and_pod, Seen::by_leaf},
                      {"pod", site.groups / leaf, Level::site, allowed.leaf_and_pod, Seen::by_pod},
                      {"site", sites, Level::cluster, false, Seen::by_site}};
  std::uint32_t stride = g.domain_chips;
  for (const Row& row : rows) {
    if (row.size > 1)
      append(result, fabric_digit(row.name, row.size, stride, row.level, row.symmetric, !g.single_links),
             row.seen);
    stride *= row.size;
  }
}

}  // namespace

ChipId ProductDigits::fold(ChipId chip, DigitMask folded) const {
  for (std::size_t d = 0; d < digits.size(); ++d) {
    if ((folded >> d & 1) != 0) chip -= chip / digits[d].stride % digits[d].size * digits[d].stride;
  }
  return chip;
}

std::uint64_t ProductDigits::orbit(DigitMask folded) const {
  std::uint64_t orbit = 1;
  for (std::size_t d = 0; d < digits.size(); ++d) {
    if ((folded >> d & 1) != 0) orbit *= digits[d].size;
  }
  return orbit;
}

ProductDigits make_digits(const Geometry& g) {
  ProductDigits result;
  append_scale_up(g, result);
  for (std::uint32_t i = g.scale_up; i < g.dimensions.size(); ++i) {
    result.digits.push_back(grid_digit(g, g.dimensions[i]));
  }
  if (g.has_clos) append_clos(g, result);
  if (result.digits.empty()) {
    Digit lone;
    lone.name = "x";
    result.digits.push_back(lone);
  }
  result.of_chip = (DigitMask{1} << result.digits.size()) - 1;
  return result;
}

void break_symmetry(const Exceptions& exceptions, ProductDigits& digits) {
  DigitMask moved = 0;
  for (const auto& [link, state] : exceptions) {
    switch (kind_of(LinkId{link})) {
      case LinkKind::dimension:
      case LinkKind::nic:
        moved |= digits.of_chip;
        break;
      case LinkKind::leaf_trunk:
      case LinkKind::leaf_spine:
        // A leaf without any uplink is gone round by other rails, which ties its places to theirs.
        moved |= state.capacity.q20 == 0 ? digits.of_chip : digits.of_leaf;
        break;
      case LinkKind::pod_trunk:
      case LinkKind::spine_core:
        moved |= state.capacity.q20 == 0 ? digits.of_chip : digits.of_pod;
        break;
      case LinkKind::wan:
        moved |= digits.of_chip;
        break;
    }
  }
  for (std::size_t d = 0; d < digits.digits.size(); ++d) {
    if ((moved >> d & 1) != 0) digits.digits[d].shift = digits.digits[d].exclusive_or = false;
    digits.digits[d].interchangeable &= exceptions.empty();
  }
}

}  // namespace tahoma
