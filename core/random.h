// Random numbers that are the same on every machine: splitmix64 with distributions of our own (those of the
// standard library differ between implementations).
#pragma once

#include <cstdint>
#include <vector>

namespace tahoma {

/// One round of splitmix64; also a good hash of small integers.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    const std::uint64_t value = mix64(state_);
    state_ += 0x9e3779b97f4a7c15ULL;
    return value;
  }

  /// Uniform in [0, n), n > 0, without bias: values past the last whole multiple of n are drawn again.
  constexpr std::uint64_t below(std::uint64_t n) {
    const std::uint64_t rest = (~std::uint64_t{0} % n + 1) % n;
    for (;;) {
      const std::uint64_t value = next();
      if (value <= ~std::uint64_t{0} - rest) return value % n;
    }
  }

 private:
  std::uint64_t state_;
};

/// `count` distinct indices below `population`, in the order drawn (partial Fisher-Yates).
std::vector<std::uint32_t> draw_without_replacement(Random& random, std::uint32_t population,
                                                    std::uint32_t count);

}  // namespace tahoma
