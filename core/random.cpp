#include "core/random.h"

#include <numeric>
#include <utility>

#include "core/errors.h"

namespace tahoma {

std::vector<std::uint32_t> draw_without_replacement(Random& random, std::uint32_t population,
                                                    std::uint32_t count) {
  TAHOMA_ASSERT(count <= population, "more drawn than there are");
  std::vector<std::uint32_t> index(population);
  std::iota(index.begin(), index.end(), 0u);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto j = i + static_cast<std::uint32_t>(random.below(population - i));
    std::swap(index[i], index[j]);
  }
  index.resize(count);
  return index;
}

}  // namespace tahoma
