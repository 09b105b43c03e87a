#include "collectives/bound.h"

#include <fmt/format.h>

#include <algorithm>

namespace tahoma {

namespace {

// Bytes of one group that must leave and enter a box which holds `m` of its n ranks.
struct CutBytes {
  u128 out = 0, in = 0;
};

CutBytes must_cross(Collective collective, u128 size, u128 m, u128 n, bool root_inside) {
  if (m == 0 || m == n) return {};
  switch (collective) {
    case Collective::all_reduce:
      return {size, size};
    case Collective::all_gather:
      return {m * size / n, (n - m) * size / n};
    case Collective::reduce_scatter:
      return {(n - m) * size / n, m * size / n};
    case Collective::all_to_all:
      return {m * (n - m) * size / n, m * (n - m) * size / n};
    case Collective::broadcast:
      return root_inside ? CutBytes{size, 0} : CutBytes{0, size};
    case Collective::permute:
      return {};  // needs the pattern: see permute_crossing
    case Collective::gather:
      return root_inside ? CutBytes{0, (n - m) * size / n} : CutBytes{m * size / n, 0};
    case Collective::scatter:
      return root_inside ? CutBytes{(n - m) * size / n, 0} : CutBytes{0, m * size / n};
    case Collective::reduce:
      return root_inside ? CutBytes{0, size} : CutBytes{size, 0};
    case Collective::barrier:  // who hears of whom, not bytes
    case Collective::custom:   // nobody knows what must cross
      return {};
  }
  return {};
}

// Bytes that the ranks of one group together must send.
u128 must_send(Collective collective, u128 size, u128 n, const std::vector<std::uint32_t>& destinations) {
  if (n <= 1) return 0;
  switch (collective) {
    case Collective::all_reduce:
      return 2 * (n - 1) * size;
    case Collective::permute: {
      u128 senders = 0;
      for (std::size_t p = 0; p < destinations.size(); ++p) senders += destinations[p] != p ? 1u : 0u;
      return senders * size;
    }
    case Collective::gather:
    case Collective::scatter:
      return (n - 1) * size / n;
    case Collective::barrier:
    case Collective::custom:
      return 0;
    default:
      return (n - 1) * size;
  }
}

Duration time_for(u128 bytes, Capacity capacity) {
  if (bytes == 0) return {};
  if (capacity.q20 == 0) return {std::numeric_limits<std::int64_t>::max()};
  const u128 units = bytes * ps_per_second;  // bytes < 2^83
  // bytes x 10^12 x 2^20 may pass 128 bits for a million ranks; divide in two steps, rounding down both
  // times.
  const u128 whole = units / capacity.q20;
  const u128 rest = units % capacity.q20;
  const u128 result = (whole << 20) + (rest << 20) / capacity.q20;
  constexpr u128 most = static_cast<u128>(std::numeric_limits<std::int64_t>::max());
  return {static_cast<std::int64_t>(std::min(result, most))};
}

bool inside(const Cut& cut, std::span<const Digit> digits, ChipId chip) {
  return std::all_of(cut.box.begin(), cut.box.end(), [&](const Cut::Range& range) {
    const std::uint32_t value = (chip / digits[range.digit].stride) % digits[range.digit].size;
    return value >= range.low && value < range.high;
  });
}

// How many ranks of the group at `base` fall into the box: per axis, coordinates in range; counted, not
// listed.
struct Occupancy {
  std::uint64_t ranks;
  std::uint64_t groups;  // groups that have just so many ranks inside
  bool root_inside;
};

std::uint64_t coordinates_inside(const RankGroups::DigitAxis& axis, const Cut& cut) {
  std::uint64_t count = 0;
  for (std::uint32_t c = 0; c < axis.size; ++c) {
    const std::uint32_t value = axis.offset(c) / axis.stride;
    count += std::all_of(cut.box.begin(), cut.box.end(), [&](const Cut::Range& range) {
      return range.digit != axis.digit || (value >= range.low && value < range.high);
    });
  }
  return count;
}

// Digits that no axis covers have value 0 in every rank.
bool fixed_digits_inside(const RankGroups& groups, const Cut& cut) {
  for (const Cut::Range& range : cut.box) {
    const auto covers = [&](const RankGroups::DigitAxis& axis) { return axis.digit == range.digit; };
    const bool covered = std::any_of(groups.inside().begin(), groups.inside().end(), covers) ||
                         std::any_of(groups.outside().begin(), groups.outside().end(), covers);
    if (!covered && range.low > 0) return false;
  }
  return true;
}

std::vector<Occupancy> occupancies(const RankGroups& groups, const Cut& cut, std::span<const Digit> digits,
                                   std::uint32_t root) {
  std::vector<Occupancy> result;
  if (groups.is_list()) {
    for (std::uint32_t g = 0; g < groups.groups(); ++g) {
      std::uint64_t count = 0;
      for (std::uint32_t p = 0; p < groups.size(); ++p) count += inside(cut, digits, groups.chip(g, p));
      result.push_back({count, 1, inside(cut, digits, groups.chip(g, root))});
    }
    return result;
  }
  if (!fixed_digits_inside(groups, cut)) return {};
  std::uint64_t ranks = 1, inside_groups = 1;
  for (const auto& axis : groups.inside()) ranks *= coordinates_inside(axis, cut);
  for (const auto& axis : groups.outside()) inside_groups *= coordinates_inside(axis, cut);
  // Whether the root is inside does not depend on the group: only its own axes count here.
  bool root_inside = true;
  std::uint32_t rest = root;
  for (const auto& axis : groups.inside()) {
    const std::uint32_t value = axis.offset(rest % axis.size) / axis.stride;
    for (const Cut::Range& range : cut.box) {
      root_inside &= range.digit != axis.digit || (value >= range.low && value < range.high);
    }
    rest /= axis.size;
  }
  result.push_back({ranks, inside_groups, root_inside});
  return result;
}

void raise(Bound& bound, Duration time, const std::string& by) {
  if (time > bound.time) bound = {time, by};
}

std::string gigabytes(Capacity capacity) {
  return fmt::format("{:.4g} GB/s", bytes_per_second(capacity) / 1e9);
}

}  // namespace

Bound lower_bound(const Topology& topology, const RankGroups& groups, Collective collective, Bytes size,
                  std::uint32_t root, const std::vector<std::uint32_t>& destinations, AddedBy added_by) {
  Bound bound{{}, "nothing to move"};
  if (collective == Collective::custom) return {{}, "nothing is known of what must be moved"};
  const std::uint32_t n = groups.size();
  const auto digits = topology.digits();
  if (n <= 1) return bound;
  Capacity injection{};
  const auto wide = std::count_if(digits.begin(), digits.end(), [](const Digit& d) { return d.size > 1; });
  for (const Cut& cut : topology.cuts()) {
    // A cut round one rank alone holds all digits; one round a chip of several ranks does not.
    const bool one_rank = cut.level == Level::chip && cut.box.size() == static_cast<std::size_t>(wide);
    if (one_rank) injection = std::max(injection, cut.out);
    u128 out = 0, in = 0;
    for (const Occupancy& o : occupancies(groups, cut, digits, root)) {
      const CutBytes c = must_cross(collective, size.count, o.ranks, n, o.root_inside);
      out += c.out * o.groups;
      in += c.in * o.groups;
    }
    raise(bound, time_for(out, cut.out), cut.name + ", " + gigabytes(cut.out) + " out");
    raise(bound, time_for(in, cut.in), cut.name + ", " + gigabytes(cut.in) + " in");
  }
  // Either the chips' own sum, or (ranks on a part of the chips) as if every rank had the best chip.
  Capacity total = topology.total_injection();
  if (groups.ranks() < topology.chips()) total = std::min(total, Capacity{injection.q20 * groups.ranks()});
  const u128 bytes = must_send(collective, size.count, n, destinations) * groups.groups();
  if (added_by == AddedBy::hosts)
    raise(bound, time_for(bytes, total), "injection of all chips, " + gigabytes(total));
  Duration latency{};
  const std::uint32_t step = std::max(1u, n / 4096);
  for (std::uint32_t p = 0; p < n; p += step) {
    std::uint32_t from = root;
    const bool to_root = collective == Collective::gather || collective == Collective::reduce;
    if (collective == Collective::permute) {
      if (p >= destinations.size() || destinations[p] == p) continue;
      from = destinations[p];
    }
    if (from == p) continue;
    const ChipId one = groups.chip(0, from), other = groups.chip(0, p);
    latency =
        std::max(latency, to_root ? topology.least_latency(other, one) : topology.least_latency(one, other));
  }
  raise(bound, latency, "latency of the farthest pair");
  return bound;
}

}  // namespace tahoma
