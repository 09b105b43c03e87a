#include "tests/support/judge_fluid.h"

#include <stdexcept>
#include <utility>

namespace tahoma::judge {

namespace {

// bytes x 10^12 ps/s x 2^20 of the capacities' unit per B/s.
const Integer work_per_byte = Integer{1'000'000'000'000ULL} * 1'048'576;

// What is left of one link while the filling goes on.
struct Level {
  Number residual;
  std::size_t crossings = 0;  // by flows without a rate yet
  Number fraction;            // residual / crossings
};

std::optional<Number> lowest_fraction(std::vector<Level>& levels) {
  std::optional<Number> lowest;
  for (Level& level : levels) {
    if (level.crossings == 0) continue;
    level.fraction = level.residual / level.crossings;
    if (!lowest || level.fraction < *lowest) lowest = level.fraction;
  }
  return lowest;
}

bool crosses_a_full_link(const std::vector<std::size_t>& path, const std::vector<bool>& full) {
  for (const std::size_t link : path) {
    if (full[link]) return true;
  }
  return false;
}

}  // namespace

Integer floor_of(const Number& value) {
  const Integer& over = boost::multiprecision::numerator(value);
  const Integer& under = boost::multiprecision::denominator(value);
  Integer quotient = over / under;  // towards zero
  if (over < 0 && quotient * under != over) quotient -= 1;
  return quotient;
}

Integer ceil_of(const Number& value) {
  const Number negative = -value;
  return Integer{-floor_of(negative)};
}

Integer integer_of(u128 value) {
  return (Integer{static_cast<std::uint64_t>(value >> 64)} << 64) + static_cast<std::uint64_t>(value);
}

std::vector<Number> fair_shares(const std::vector<Number>& capacities,
                                const std::vector<std::vector<std::size_t>>& paths, Arithmetic arithmetic) {
  std::vector<Level> levels(capacities.size());
  for (std::size_t link = 0; link < capacities.size(); ++link) levels[link].residual = capacities[link];
  for (const auto& path : paths) {
    if (path.empty()) throw std::invalid_argument("a flow without links has no share");
    for (const std::size_t link : path) ++levels[link].crossings;
  }

  std::vector<Number> rates(paths.size());
  std::vector<bool> settled(paths.size(), false);
  while (const std::optional<Number> lowest = lowest_fraction(levels)) {
    // All links at the exact minimum fill in one round, whatever the floor of the minimum is.
    std::vector<bool> full(levels.size(), false);
    for (std::size_t link = 0; link < levels.size(); ++link) {
      full[link] = levels[link].crossings > 0 && levels[link].fraction == *lowest;
    }
    const Number share = arithmetic == Arithmetic::rounded ? Number{floor_of(*lowest)} : *lowest;
    for (std::size_t flow = 0; flow < paths.size(); ++flow) {
      if (settled[flow] || !crosses_a_full_link(paths[flow], full)) continue;
      settled[flow] = true;
      rates[flow] = share;
      for (const std::size_t link : paths[flow]) {
        levels[link].residual -= share;
        --levels[link].crossings;
      }
    }
  }
  return rates;
}

std::size_t Fluid::add_link(const Number& capacity) {
  capacities_.push_back(capacity);
  return capacities_.size() - 1;
}

std::size_t Fluid::start_flow(std::vector<std::size_t> links, std::uint64_t bytes) {
  if (bytes == 0) throw std::invalid_argument("a flow without bytes does not enter the network");
  flows_.push_back({started_, std::move(links), Number{Integer{bytes * work_per_byte}}, Number{}, Number{}});
  return started_++;
}

void Fluid::share_out() {
  std::vector<std::vector<std::size_t>> paths;
  for (const Flow& flow : flows_) paths.push_back(flow.links);
  const std::vector<Number> rates = fair_shares(capacities_, paths, arithmetic_);
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    Flow& flow = flows_[i];
    flow.rate = rates[i];
    if (flow.rate == 0) continue;
    const Number needed = flow.remaining / flow.rate;
    flow.end = now_ + (arithmetic_ == Arithmetic::rounded ? Number{ceil_of(needed)} : needed);
  }
}

std::optional<Number> Fluid::next_drain() const {
  std::optional<Number> next;
  for (const Flow& flow : flows_) {
    if (flow.rate > 0 && (!next || flow.end < *next)) next = flow.end;
  }
  return next;
}

std::vector<std::size_t> Fluid::advance(const Number& to) {
  if (to < now_) throw std::logic_error("the judge's clock went back");
  std::vector<std::size_t> drained;
  std::vector<Flow> going;
  for (Flow& flow : flows_) {
    if (flow.rate > 0 && flow.end < to) throw std::logic_error("the judge passed over the end of a flow");
    flow.remaining -= flow.rate * (to - now_);
    if (flow.rate > 0 && flow.end == to) {
      drained.push_back(flow.number);
    } else {
      going.push_back(std::move(flow));
    }
  }
  flows_ = std::move(going);
  now_ = to;
  return drained;
}

}  // namespace tahoma::judge
