#include "scenarios/placement.h"

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "topology/selectors.h"

namespace tahoma {

namespace {

// All chips in mixed radix, the first digit running fastest.
std::vector<ChipId> by_digits(const Topology& topology, const std::vector<Digit>& digits) {
  std::vector<ChipId> chips{0};
  chips.reserve(topology.chips());
  for (const Digit& digit : digits) {
    const std::size_t before = chips.size();
    for (std::uint32_t value = 1; value < digit.size; ++value) {
      for (std::size_t i = 0; i < before; ++i) chips.push_back(chips[i] + value * digit.stride);
    }
  }
  return chips;
}

std::vector<ChipId> named(const Topology& topology, const std::vector<std::string>& names) {
  std::vector<ChipId> chips;
  for (const std::string& name : names) {
    const auto matched = match_chips(topology, name);
    chips.insert(chips.end(), matched.begin(), matched.end());
  }
  std::vector<ChipId> sorted = chips;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw SelectorError{"'" + topology.chip_name(*twice) + "' stands in the order twice"};
  return chips;
}

}  // namespace

std::vector<ChipId> order_of(const Topology& topology, const Placement& placement, std::uint64_t seed) {
  std::vector<Digit> digits(topology.digits().begin(), topology.digits().end());
  switch (placement.kind) {
    case Placement::Kind::packed:
      break;
    case Placement::Kind::scattered:
      std::reverse(digits.begin(), digits.end());
      return by_digits(topology, digits);
    case Placement::Kind::by_rail:
      std::stable_partition(digits.begin(), digits.end(),
                            [](const Digit& digit) { return digit.level > Level::ultraserver; });
      return by_digits(topology, digits);
    case Placement::Kind::random: {
      Random random(placement.seed.value_or(seed));
      return draw_without_replacement(random, topology.chips(), topology.chips());
    }
    case Placement::Kind::listed:
      return named(topology, placement.chips);
  }
  std::vector<ChipId> chips(topology.chips());
  std::iota(chips.begin(), chips.end(), ChipId{0});
  return chips;
}

}  // namespace tahoma
