#include "collectives/algorithms/torus_shares.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "core/errors.h"

namespace tahoma {
namespace {

constexpr i128 precision = 1 << 12;
constexpr i128 weight_unit = 1 << 20;
constexpr std::size_t most_blended = 8;  // vertices of which all pairs are tried

using Row = std::vector<i128>;

/// The largest becomes `precision`, if it is larger; the others in proportion, at least 1 if they were.
void round_to_precision(std::vector<Row>& rows) {
  i128 largest = 0;
  for (const Row& row : rows) largest = std::max(largest, *std::max_element(row.begin(), row.end()));
  if (largest <= precision) return;
  for (Row& row : rows)
    for (i128& value : row)
      if (value > 0) value = std::max<i128>(1, (value * precision + largest / 2) / largest);
}

/// Solves rows of {coefficients ..., right-hand side} without fractions (Bareiss): x[i] = result[i] /
/// result.back(), the last one positive. Nothing if singular.
std::optional<Row> solve(std::vector<Row> m) {
  const std::size_t n = m.size();
  i128 previous = 1;
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    std::size_t row = pivot;
    while (row < n && m[row][pivot] == 0) ++row;
    if (row == n) return std::nullopt;
    std::swap(m[row], m[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == pivot) continue;
      for (std::size_t j = 0; j <= n; ++j)
        if (j != pivot) m[i][j] = (m[i][j] * m[pivot][pivot] - m[i][pivot] * m[pivot][j]) / previous;
      m[i][pivot] = 0;
    }
    previous = m[pivot][pivot];
  }
  // Jordan's form of it leaves the determinant on the whole diagonal.
  Row result;
  const i128 sign = previous < 0 ? -1 : 1;
  for (std::size_t i = 0; i < n; ++i) result.push_back(sign * m[i][n]);
  result.push_back(sign * previous);
  return result;
}

struct Vertex {
  OrderWeights weights;
  i128 time, per;  // the slowest dimension's load / rate is time / per
};

/// loads[order][dimension] and rates[dimension], rounded.
class Mixtures {
 public:
  Mixtures(std::vector<Row> loads, Row rates) : loads_(std::move(loads)), rates_(std::move(rates)) {}

  /// Vertices with the least time: m orders in use, m dimensions that are the slowest together.
  std::vector<Vertex> best() {
    for (unsigned orders = 1; orders < 1u << loads_.size(); ++orders) {
      const int used = std::popcount(orders);
      if (used > static_cast<int>(rates_.size())) continue;
      for (unsigned slowest = 1; slowest < 1u << rates_.size(); ++slowest)
        if (std::popcount(slowest) == used) try_vertex(orders, slowest);
    }
    return std::move(best_);
  }

  /// Is the mixture of equal shares as good as the best vertex?
  bool equal_shares_reach(const Vertex& vertex) const {
    for (std::size_t d = 0; d < rates_.size(); ++d) {
      i128 load = 0;
      for (const Row& order : loads_) load += order[d];
      if (load * vertex.per > vertex.time * rates_[d] * static_cast<i128>(loads_.size())) return false;
    }
    return true;
  }

 private:
  static std::vector<std::size_t> members(unsigned set, std::size_t size) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < size; ++i)
      if ((set >> i & 1) != 0) result.push_back(i);
    return result;
  }

  void try_vertex(unsigned order_set, unsigned slowest) {
    const auto orders = members(order_set, loads_.size());
    std::vector<Row> equations;
    for (const std::size_t d : members(slowest, rates_.size())) {
      Row row;
      for (const std::size_t o : orders) row.push_back(loads_[o][d]);
      row.push_back(-rates_[d]);
      row.push_back(0);
      equations.push_back(std::move(row));
    }
    Row sum(orders.size(), 1);
    sum.insert(sum.end(), {0, 1});
    equations.push_back(std::move(sum));
    if (const auto solution = solve(std::move(equations))) keep_if_best(orders, *solution);
  }

  void keep_if_best(const std::vector<std::size_t>& orders, const Row& solution) {
    const i128 per = solution.back(), time = solution[orders.size()];
    for (std::size_t i = 0; i < orders.size(); ++i)
      if (solution[i] < 0) return;
    for (std::size_t d = 0; d < rates_.size(); ++d) {
      i128 load = 0;
      for (std::size_t i = 0; i < orders.size(); ++i) load += solution[i] * loads_[orders[i]][d];
      if (load > time * rates_[d]) return;
    }
    if (!best_.empty() && time * best_.front().per > best_.front().time * per) return;
    if (!best_.empty() && time * best_.front().per < best_.front().time * per) best_.clear();
    Vertex vertex{OrderWeights(loads_.size(), 0), time, per};
    for (std::size_t i = 0; i < orders.size(); ++i)
      vertex.weights[orders[i]] = static_cast<std::uint32_t>((solution[i] * weight_unit + per / 2) / per);
    for (const Vertex& known : best_)
      if (known.weights == vertex.weights) return;
    best_.push_back(std::move(vertex));
  }

  std::vector<Row> loads_;
  Row rates_;
  std::vector<Vertex> best_;
};

OrderWeights blend(const OrderWeights& a, const OrderWeights& b) {
  OrderWeights result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] + b[i];
  return result;
}

}  // namespace

std::vector<DimensionOrder> dimension_orders(std::size_t dimensions) {
  TAHOMA_ASSERT(dimensions >= 1 && dimensions <= most_torus_dimensions, "torus refuses other numbers");
  DimensionOrder order;
  for (std::size_t d = 0; d < dimensions; ++d) order.push_back(static_cast<std::uint8_t>(d));
  std::vector<DimensionOrder> orders;
  if (dimensions < most_torus_dimensions) {
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }
  for (std::size_t turn = 0; turn < dimensions; ++turn) {
    orders.push_back(order);
    orders.emplace_back(order.rbegin(), order.rend());
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  return orders;
}

std::vector<OrderWeights> share_candidates(std::span<const DimensionOrder> orders,
                                           std::span<const std::uint32_t> sides,
                                           std::span<const Capacity> rates) {
  // Bytes that a shard of one byte per rank puts on each dimension.
  std::vector<Row> loads;
  for (const DimensionOrder& order : orders) {
    Row row(sides.size(), 0);
    i128 later = 1;
    for (auto d = order.rbegin(); d != order.rend(); ++d) {
      row[*d] = (i128{sides[*d]} - 1) * later;
      later *= sides[*d];
    }
    loads.push_back(std::move(row));
  }
  std::vector<Row> speeds(1);
  for (const Capacity& rate : rates) speeds[0].push_back(static_cast<i128>(rate.q20));
  round_to_precision(loads);
  round_to_precision(speeds);

  Mixtures mixtures(loads, speeds[0]);
  const std::vector<Vertex> vertices = mixtures.best();
  TAHOMA_ASSERT(!vertices.empty(), "one order alone is a mixture, too");
  if (mixtures.equal_shares_reach(vertices.front())) return {OrderWeights(orders.size(), 1)};

  std::vector<OrderWeights> candidates;
  OrderWeights middle(orders.size(), 0);
  for (const Vertex& vertex : vertices) {
    candidates.push_back(vertex.weights);
    middle = blend(middle, vertex.weights);
  }
  candidates.push_back(middle);
  for (std::size_t a = 0; a < vertices.size() && vertices.size() <= most_blended; ++a)
    for (std::size_t b = 0; b < a; ++b) candidates.push_back(blend(vertices[a].weights, vertices[b].weights));
  return candidates;
}

}  // namespace tahoma
