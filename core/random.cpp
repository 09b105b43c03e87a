#include "core/random.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/errors.h"

namespace tahoma {

// The population is as if listed: only places whose number has moved are kept.
std::vector<std::uint32_t> draw_without_replacement(Random& random, std::uint32_t population,
                                                    std::uint32_t count) {
  TAHOMA_ASSERT(count <= population, "more drawn than there are");
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> moved;
  const auto at = [&](std::uint32_t place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  std::vector<std::uint32_t> drawn(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto j = i + static_cast<std::uint32_t>(random.below(population - i));
    drawn[i] = at(j);
    moved[j] = at(i);
  }
  return drawn;
}

}  // namespace tahoma
