// The exact law of the fullest bin, for tests of hashed routes: balls are flows, bins are links.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tahoma::test {

/// The chance that `balls` thrown into `bins` leave none with more than `most`: balls! / bins^balls times the
/// coefficient of z^balls in (sum over k <= most of z^k / k!)^bins.
inline double chance_of_at_most(int balls, int bins, int most) {
  std::vector<double> ways(static_cast<std::size_t>(balls) + 1, 0.0);
  ways[0] = 1;
  for (int bin = 0; bin < bins; ++bin) {
    std::vector<double> next(ways.size(), 0.0);
    for (int sum = 0; sum <= balls; ++sum) {
      for (int k = 0; k <= most && sum + k <= balls; ++k)
        next[static_cast<std::size_t>(sum + k)] += ways[static_cast<std::size_t>(sum)] / std::tgamma(k + 1.0);
    }
    ways = next;
  }
  return ways[static_cast<std::size_t>(balls)] * std::tgamma(balls + 1.0) / std::pow(bins, balls);
}

inline double expected_most(int balls, int bins) {
  double sum = 0;
  for (int most = 0; most < balls; ++most) sum += 1 - chance_of_at_most(balls, bins, most);
  return sum;
}

}  // namespace tahoma::test
