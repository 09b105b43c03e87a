#include "collectives/algorithms/hamiltonian.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {
namespace {

/// Which of the two sets each edge of the torus belongs to.
class EdgeSets {
 public:
  EdgeSets(std::uint32_t columns, std::uint32_t rows)
      : columns_(columns), rows_(rows), right_(columns * rows, 0), up_(columns * rows, 1) {}

  std::uint32_t vertices() const { return columns_ * rows_; }

  /// The square's two edges to the right are of one set, its two edges up of the other.
  bool can_trade(std::uint32_t corner) const {
    const std::uint8_t set = right_[corner];
    return right_[above(corner)] == set && up_[corner] != set && up_[beside(corner)] != set;
  }

  void trade(std::uint32_t corner) {
    for (std::uint8_t* edge : {&right_[corner], &right_[above(corner)], &up_[corner], &up_[beside(corner)]})
      *edge = *edge == 0 ? 1 : 0;
  }

  std::uint32_t cycles() const {
    std::uint32_t count = 0;
    for (const std::uint8_t set : {std::uint8_t{0}, std::uint8_t{1}}) {
      std::vector<bool> seen(vertices(), false);
      for (std::uint32_t v = 0; v < vertices(); ++v) {
        if (seen[v]) continue;
        ++count;
        for (const std::uint32_t on_it : cycle_through(v, set)) seen[on_it] = true;
      }
    }
    return count;
  }

  std::vector<std::uint32_t> cycle_through(std::uint32_t start, std::uint8_t set) const {
    std::vector<std::uint32_t> cycle{start};
    std::uint32_t before = start, at = neighbours(start, set)[0];
    while (at != start) {
      cycle.push_back(at);
      const auto next = neighbours(at, set);
      const std::uint32_t to = next[0] == before ? next[1] : next[0];
      before = at, at = to;
    }
    return cycle;
  }

 private:
  std::uint32_t beside(std::uint32_t v) const { return v - v % columns_ + (v + 1) % columns_; }
  std::uint32_t above(std::uint32_t v) const { return (v + columns_) % vertices(); }

  std::array<std::uint32_t, 2> neighbours(std::uint32_t v, std::uint8_t set) const {
    const std::uint32_t left = v - v % columns_ + (v + columns_ - 1) % columns_;
    const std::uint32_t below = (v + vertices() - columns_) % vertices();
    std::array<std::uint32_t, 2> found{};
    std::size_t count = 0;
    const auto add = [&](bool belongs, std::uint32_t neighbour) {
      if (!belongs) return;
      TAHOMA_ASSERT(count < 2, "a trade keeps two edges of each set at a vertex");
      found[count++] = neighbour;
    };
    add(right_[v] == set, beside(v));
    add(right_[left] == set, left);
    add(up_[v] == set, above(v));
    add(up_[below] == set, below);
    return found;
  }

  std::uint32_t columns_, rows_;
  std::vector<std::uint8_t> right_, up_;  // by the vertex on the left, below
};

/// Trades on the first square that lowers the number of cycles; false if there is none.
bool join_more(EdgeSets& edges, std::uint32_t& cycles) {
  for (std::uint32_t corner = 0; corner < edges.vertices(); ++corner) {
    if (!edges.can_trade(corner)) continue;
    edges.trade(corner);
    const std::uint32_t left = edges.cycles();
    if (left < cycles) {
      cycles = left;
      return true;
    }
    edges.trade(corner);
  }
  return false;
}

/// The same by two trades, of which the first one may part a cycle: where the smaller side is even, joining
/// one more row parts the other set, and the row after it joins both.
bool join_more_by_two(EdgeSets& edges, std::uint32_t& cycles) {
  for (std::uint32_t corner = 0; corner < edges.vertices(); ++corner) {
    if (!edges.can_trade(corner)) continue;
    edges.trade(corner);
    if (edges.cycles() <= cycles + 1 && join_more(edges, cycles)) return true;
    edges.trade(corner);
  }
  return false;
}

}  // namespace

std::array<std::vector<std::uint32_t>, 2> disjoint_hamiltonian_cycles(std::uint32_t columns,
                                                                      std::uint32_t rows) {
  TAHOMA_ASSERT(columns >= 3 && rows >= 3, "the sides of a torus are rings of three or more");
  EdgeSets edges(columns, rows);
  for (std::uint32_t i = 0; i + 1 < std::min(columns, rows); ++i) edges.trade(i + columns * i);
  std::uint32_t cycles = edges.cycles();
  while (cycles > 2)
    if (!join_more(edges, cycles) && !join_more_by_two(edges, cycles)) return {};
  return {edges.cycle_through(0, 0), edges.cycle_through(0, 1)};
}

}  // namespace tahoma
