// Max-min fair sharing of directed links, in integers, as a pure function.
//
// Problem: which rate does each of several flows get when they hold several links at once? Max-min: no flow
// can gain without one that has no more losing. The classical answer (progressive filling) in doubles depends
// on the order of links and needs an epsilon to see ties.
//
// Idea: residual capacity / number of unfrozen crossings is compared *exactly*, as fractions, by cross
// multiplication. All links at the exact minimum freeze together, every flow on them at the floor of that
// fraction. Comparing floors instead makes false ties: 209 of 2,000 random instances then depended on order
// (docs/decisions/0002-fairness.md). A rate cap is a private link with one crossing.
//
// A flow may cross a link `multiplicity` times: the quotient of a symmetric network (collectives/solve) has
// flows that stand for many. In the unfolded network it is 1 everywhere; the arithmetic is the same.
//
// Cost: O(crossings x log links): a heap of fractions that only grow, re-pushed lazily.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.h"

namespace tahoma {

struct Crossing {
  std::uint32_t link;
  std::uint32_t multiplicity;
};

/// The exact fraction capacity / crossings at which a link holds its flows; crossings == 0: it holds none.
/// Capacities stay below 2^88 (300 EB/s) and crossings below 2^40, so that products fit 128 bits.
struct Share {
  u128 capacity = 0;
  std::uint64_t crossings = 0;
  bool none() const { return crossings == 0; }
  /// "none" is above every share.
  friend bool operator<(const Share& a, const Share& b) {
    return a.none() || b.none() ? b.none() && !a.none() : a.capacity * b.crossings < b.capacity * a.crossings;
  }
  friend bool operator==(const Share& a, const Share& b) { return !(a < b) && !(b < a); }
  Rate floor() const { return {static_cast<std::uint64_t>(capacity / crossings)}; }
};

/// `crossings` of flow f are crossings[first[f]] .. crossings[first[f + 1] - 1]. A flow without a crossing
/// needs a cap. caps[f] == 0: none.
struct FairShareInput {
  std::span<const Capacity> capacity;
  std::span<const std::uint32_t> first;  // flows + 1
  std::span<const Crossing> crossings;
  std::span<const Rate> caps;  // flows, or empty
};

/// Keeps its buffers between calls, so that solving allocates nothing once warm. No other state.
class FairShare {
 public:
  /// Writes one rate per flow, and per link the share at which it froze (`shares` may be empty). Every rate
  /// is at least 0; 0 only where a link has less than 2^-20 B/s per crossing, which the network refuses.
  void solve(const FairShareInput& input, std::span<Rate> rates, std::span<Share> shares = {});

 private:
  struct Fraction {
    u128 residual;
    std::uint64_t count;
    std::uint32_t link;
  };
  static bool less(const Fraction& a, const Fraction& b);
  static bool equal(const Fraction& a, const Fraction& b);
  void prepare(const FairShareInput& input);
  void push(std::uint32_t link);
  Fraction pop();
  bool take_minimum(Fraction& minimum);
  void freeze(const FairShareInput& input, std::uint32_t flow, Rate rate, std::span<Rate> rates);

  std::vector<u128> residual_;
  std::vector<std::uint64_t> count_;
  std::vector<std::uint32_t> link_first_;  // crossings by link
  std::vector<std::uint32_t> link_flows_;
  std::vector<std::uint32_t> fill_;
  std::vector<Fraction> heap_;
  std::vector<std::uint32_t> by_cap_;
  std::vector<std::uint8_t> frozen_;
  std::vector<std::uint32_t> at_minimum_;
};

}  // namespace tahoma
