#include "core/fair_share.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

// residual_a / count_a < residual_b / count_b. Residuals stay below 2^88 (300 EB/s) and counts below 2^40, so
// the products fit 128 bits; prepare() asserts both.
bool FairShare::less(const Fraction& a, const Fraction& b) {
  return a.residual * b.count < b.residual * a.count;
}

bool FairShare::equal(const Fraction& a, const Fraction& b) {
  return a.residual * b.count == b.residual * a.count;
}

void FairShare::prepare(const FairShareInput& input) {
  const std::size_t links = input.capacity.size();
  const std::size_t flows = input.first.size() - 1;
  residual_.resize(links);
  count_.assign(links, 0);
  link_first_.assign(links + 1, 0);
  for (std::size_t l = 0; l < links; ++l) {
    residual_[l] = input.capacity[l].q20;
    TAHOMA_ASSERT(residual_[l] < (u128{1} << 88), "a link above 300 EB/s");
  }
  for (const Crossing& c : input.crossings) {
    count_[c.link] += c.multiplicity;
    ++link_first_[c.link + 1];
  }
  for (std::size_t l = 0; l < links; ++l) {
    TAHOMA_ASSERT(count_[l] < (std::uint64_t{1} << 40), "more than 2^40 flows on one link");
    link_first_[l + 1] += link_first_[l];
  }
  link_flows_.resize(input.crossings.size());
  fill_.assign(link_first_.begin(), link_first_.end() - 1);
  for (std::uint32_t f = 0; f < flows; ++f) {
    for (std::uint32_t i = input.first[f]; i < input.first[f + 1]; ++i) {
      link_flows_[fill_[input.crossings[i].link]++] = f;
    }
  }
  frozen_.assign(flows, 0);
  by_cap_.clear();
  for (std::uint32_t f = 0; f < input.caps.size(); ++f) {
    if (input.caps[f].q20 != 0) by_cap_.push_back(f);
  }
  std::sort(by_cap_.begin(), by_cap_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(input.caps[a], a) > std::pair(input.caps[b], b);  // least cap at the back
  });
  heap_.clear();
  for (std::uint32_t l = 0; l < links; ++l) {
    if (count_[l] > 0) push(l);
  }
}

void FairShare::push(std::uint32_t link) {
  heap_.push_back({residual_[link], count_[link], link});
  std::push_heap(heap_.begin(), heap_.end(), [](const Fraction& a, const Fraction& b) { return less(b, a); });
}

FairShare::Fraction FairShare::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), [](const Fraction& a, const Fraction& b) { return less(b, a); });
  const Fraction top = heap_.back();
  heap_.pop_back();
  return top;
}

// Takes all links at the exact minimum into at_minimum_. An entry whose link has changed since it was pushed
// is a lower bound of its present fraction (fractions never fall), so it is re-pushed and the search goes on.
bool FairShare::take_minimum(Fraction& minimum) {
  at_minimum_.clear();
  while (!heap_.empty()) {
    if (!at_minimum_.empty() && less(minimum, heap_.front())) break;
    const Fraction top = pop();
    if (count_[top.link] == 0) continue;
    if (top.residual != residual_[top.link] || top.count != count_[top.link]) {
      push(top.link);
      continue;
    }
    if (at_minimum_.empty()) minimum = top;
    at_minimum_.push_back(top.link);
  }
  return !at_minimum_.empty();
}

void FairShare::freeze(const FairShareInput& input, std::uint32_t flow, Rate rate, std::span<Rate> rates) {
  frozen_[flow] = 1;
  rates[flow] = rate;
  for (std::uint32_t i = input.first[flow]; i < input.first[flow + 1]; ++i) {
    const Crossing& c = input.crossings[i];
    residual_[c.link] -= u128{rate.q20} * c.multiplicity;
    count_[c.link] -= c.multiplicity;
  }
}

void FairShare::solve(const FairShareInput& input, std::span<Rate> rates, std::span<Share> shares) {
  prepare(input);
  std::fill(shares.begin(), shares.end(), Share{});
  const std::size_t flows = rates.size();
  std::size_t left = flows;
  while (left > 0) {
    while (!by_cap_.empty() && frozen_[by_cap_.back()] != 0) by_cap_.pop_back();
    Fraction minimum{};
    const bool by_link = take_minimum(minimum);
    const bool has_cap = !by_cap_.empty();
    TAHOMA_ASSERT(by_link || has_cap, "a flow that crosses no link and has no cap");
    Fraction cap{};
    if (has_cap) cap = {input.caps[by_cap_.back()].q20, 1, 0};
    const bool cap_first = has_cap && (!by_link || !less(minimum, cap));
    const bool link_first = by_link && (!has_cap || !less(cap, minimum));
    if (link_first) {
      const u128 share = minimum.residual / minimum.count;
      TAHOMA_ASSERT(share <= ~std::uint64_t{0}, "one flow above 17.5 TB/s");
      const Rate rate{static_cast<std::uint64_t>(share)};
      for (const std::uint32_t link : at_minimum_) {
        if (!shares.empty()) shares[link] = {minimum.residual, minimum.count};
        for (std::uint32_t i = link_first_[link]; i < link_first_[link + 1]; ++i) {
          const std::uint32_t flow = link_flows_[i];
          if (frozen_[flow] != 0) continue;
          freeze(input, flow, rate, rates);
          --left;
        }
      }
    } else {
      for (const std::uint32_t link : at_minimum_) push(link);
    }
    if (cap_first) {
      const Rate least = input.caps[by_cap_.back()];
      while (!by_cap_.empty() && (frozen_[by_cap_.back()] != 0 || input.caps[by_cap_.back()] == least)) {
        if (frozen_[by_cap_.back()] == 0) {
          freeze(input, by_cap_.back(), least, rates);
          --left;
        }
        by_cap_.pop_back();
      }
    }
  }
}

}  // namespace tahoma
