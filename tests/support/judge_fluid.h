// The judge's idea of sharing: water-filling in big rationals, written to be read, not to be fast.
//
// Problem: an engine that is tested only against itself agrees with its own mistakes.
// Idea: one number type (a fraction of two unbounded integers) for capacities, shares, remaining bytes and
// time. `rounded` applies the program's roundings at the two places where it promises them (a share is
// floored, an end is rounded up to the picosecond); `exact` applies none. No code is shared with core/.
// Limit: every event costs a full solve over all flows; meant for a few thousand flows.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/units.h"

namespace tahoma::judge {

using Integer = boost::multiprecision::cpp_int;
using Number = boost::multiprecision::cpp_rational;

enum class Arithmetic { rounded, exact };

Integer floor_of(const Number& value);
Integer ceil_of(const Number& value);
Integer integer_of(u128 value);

/// The rate of every flow, in the unit of the capacities. `paths[f]` lists the links of flow f; a link listed
/// twice is crossed twice. A rate cap is a link of its own.
std::vector<Number> fair_shares(const std::vector<Number>& capacities,
                                const std::vector<std::vector<std::size_t>>& paths, Arithmetic arithmetic);

/// Flows in flight. Capacities in 2^-20 B/s, time in ps. The caller applies all changes of an instant, then
/// calls share_out() once.
class Fluid {
 public:
  explicit Fluid(Arithmetic arithmetic) : arithmetic_(arithmetic) {}

  std::size_t add_link(const Number& capacity);
  /// Starts now. Numbers of flows count up from 0 and are never used again.
  std::size_t start_flow(std::vector<std::size_t> links, std::uint64_t bytes);
  void share_out();
  /// When the next flow drains at the present rates; nothing if none does.
  std::optional<Number> next_drain() const;
  /// Moves the clock and returns the flows that have drained, in order of their numbers.
  std::vector<std::size_t> advance(const Number& to);
  const Number& now() const { return now_; }

 private:
  struct Flow {
    std::size_t number;
    std::vector<std::size_t> links;
    Number remaining;  // (2^-20 B/s) x ps
    Number rate;
    Number end;  // at that rate
  };
  Arithmetic arithmetic_;
  Number now_ = 0;
  std::size_t started_ = 0;
  std::vector<Number> capacities_;
  std::vector<Flow> flows_;
};

}  // namespace tahoma::judge
