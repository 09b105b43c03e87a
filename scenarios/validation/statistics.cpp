#include "scenarios/validation/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/errors.h"

namespace tahoma {

double signed_error(double measured, double predicted) {
  return (predicted - measured) / measured;
}

double factor_between(double measured, double predicted) {
  return measured < predicted ? predicted / measured : measured / predicted;
}

double mean(std::span<const double> values) {
  TAHOMA_ASSERT(!values.empty(), "the mean of nothing");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  TAHOMA_ASSERT(!values.empty(), "the median of nothing");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && !(values[order[first]] < values[order[end]])) ++end;
    // Places first + 1 ... end: their mean.
    const double shared = static_cast<double>(first + 1 + end) / 2;
    for (; first < end; ++first) ranks[order[first]] = shared;
  }
  return ranks;
}

std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b) {
  TAHOMA_ASSERT(a.size() == b.size(), "pairs have two sides");
  if (a.size() < 3) return std::nullopt;
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double middle = static_cast<double>(a.size() + 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

}  // namespace tahoma
