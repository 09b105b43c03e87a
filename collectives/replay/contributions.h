// A set of ranks as a row of bits: "the sum of ranks 0, 2 and 3". Empty means not held.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tahoma {

using Contributions = std::span<const std::uint64_t>;
using MutableContributions = std::span<std::uint64_t>;

inline constexpr std::uint32_t no_rank = ~0u;

inline std::size_t words_of(std::uint32_t ranks) {
  return (std::size_t{ranks} + 63) / 64;
}

inline void add_rank(MutableContributions set, std::uint32_t rank) {
  set[rank / 64] |= std::uint64_t{1} << (rank % 64);
}

inline bool is_empty(Contributions set) {
  return std::all_of(set.begin(), set.end(), [](std::uint64_t word) { return word == 0; });
}

/// The lowest rank in a but not in b.
inline std::uint32_t first_missing(Contributions a, Contributions b) {
  for (std::size_t w = 0; w < a.size(); ++w)
    if (const std::uint64_t rest = a[w] & ~b[w]; rest != 0)
      return static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  return no_rank;
}

/// The lowest rank in both.
inline std::uint32_t first_common(Contributions a, Contributions b) {
  for (std::size_t w = 0; w < a.size(); ++w)
    if (const std::uint64_t both = a[w] & b[w]; both != 0)
      return static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(both)));
  return no_rank;
}

inline void add(MutableContributions a, Contributions b) {
  for (std::size_t w = 0; w < a.size(); ++w) a[w] |= b[w];
}

inline void assign(MutableContributions a, Contributions b) {
  std::copy(b.begin(), b.end(), a.begin());
}

inline bool same(Contributions a, Contributions b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace tahoma
