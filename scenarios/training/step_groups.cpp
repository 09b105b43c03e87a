#include "scenarios/training/step_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/errors.h"

namespace tahoma {

namespace {

using DigitAxis = RankGroups::DigitAxis;
constexpr std::uint64_t most_listed_ranks = 1 << 16;

std::uint32_t degree(const Parallel& parallel, ParallelAxis axis) {
  switch (axis) {
    case ParallelAxis::tp:
      return parallel.tp;
    case ParallelAxis::cp:
      return parallel.cp;
    case ParallelAxis::ep:
      return parallel.ep;
    case ParallelAxis::dp:
      return parallel.dp;
    case ParallelAxis::pp:
      return parallel.pp;
  }
  return 1;
}

// The part of each digit that k * stride, k < size, runs through; nothing if a digit is cut where it does not
// divide.
std::optional<std::vector<DigitAxis>> digit_parts(std::span<const Digit> digits, std::uint64_t stride,
                                                  std::uint64_t size) {
  std::vector<DigitAxis> parts;
  std::uint64_t covered = 1;
  for (std::uint32_t d = 0; d < digits.size() && size > 1; ++d) {
    const std::uint64_t begin = digits[d].stride, end = begin * digits[d].size;
    const std::uint64_t low = std::max(stride, begin), high = std::min(stride * size, end);
    if (low >= high) continue;
    if (low % begin != 0 || high % low != 0 || end % high != 0 || end % low != 0) return std::nullopt;
    DigitAxis part{d,
                   static_cast<std::uint32_t>(high / low),
                   digits[d].stride,
                   {},
                   low == begin && high == end,
                   digits[d].size};
    if (!part.whole) {
      for (std::uint32_t k = 0; k < part.size; ++k)
        part.values.push_back(k * static_cast<std::uint32_t>(low / begin));
    }
    covered *= part.size;
    parts.push_back(std::move(part));
  }
  if (covered != size) return std::nullopt;  // sites of different hardware have no digits in common
  return parts;
}

}  // namespace

std::string_view name_of(StepGroup group) {
  constexpr std::string_view names[step_groups] = {"tp", "cp", "ep", "dp", "expert dp"};
  return names[static_cast<std::size_t>(group)];
}

StepPlacement::StepPlacement(const Topology& topology, const Parallel& parallel)
    : topology_(topology), parallel_(parallel) {
  if (parallel.ranks() > topology.chips()) {
    throw InfeasibleError(
        fmt::format("the step needs tp {} x cp {} x dp {} x pp {} = {} ranks, and the cluster has {}",
                    parallel.tp, parallel.cp, parallel.dp, parallel.pp, parallel.ranks(), topology.chips()));
  }
  for (const ParallelAxis axis : parallel.order) {
    const Range range{ranks_, degree(parallel, axis)};
    ranks_ *= range.size;
    if (axis == ParallelAxis::pp) {
      stages_ = range;
    } else {
      in_stage_.push_back({axis, stage_ranks_, range});
      stage_ranks_ *= range.size;
    }
  }
  TAHOMA_ASSERT(ranks_ == parallel.ranks(), "an order that lacks an axis");
}

// The ranks of a stage from place `first` on in steps of `first`, below `last`.
std::vector<StepPlacement::Range> StepPlacement::stretch(std::uint64_t first, std::uint64_t last) const {
  std::vector<Range> ranges;
  for (const StageAxis& axis : in_stage_) {
    const std::uint64_t begin = axis.first, end = begin * axis.range.size;
    const std::uint64_t low = std::max(first, begin), high = std::min(last, end);
    if (low >= high) continue;
    if (low % begin != 0 || high % low != 0 || end % high != 0) {
      throw InfeasibleError(
          fmt::format("parallel.ep: groups of {} ranks of experts, {} apart, cut {} = {} where it does not "
                      "divide; nearest: an ep whose product with the axes before it divides",
                      last / first, first, name_of(axis.axis), axis.range.size));
    }
    ranges.push_back({axis.range.stride * static_cast<std::uint32_t>(low / begin),
                      static_cast<std::uint32_t>(high / low)});
  }
  return ranges;
}

std::vector<StepPlacement::Range> StepPlacement::inside(StepGroup group) const {
  const std::uint64_t expert = parallel_.etp, experts = expert * parallel_.ep;
  if (group == StepGroup::ep) return stretch(expert, experts);
  if (group == StepGroup::expert_dp) return stretch(experts, stage_ranks_);
  std::vector<Range> ranges;
  for (const StageAxis& axis : in_stage_) {
    const bool mine = group == StepGroup::tp   ? axis.axis == ParallelAxis::tp
                      : group == StepGroup::cp ? axis.axis == ParallelAxis::cp
                                               : axis.axis != ParallelAxis::tp;
    if (mine && axis.range.size > 1) ranges.push_back(axis.range);
  }
  return ranges;
}

std::vector<StepPlacement::Range> StepPlacement::outside(StepGroup group) const {
  const std::uint64_t expert = parallel_.etp, experts = expert * parallel_.ep;
  std::vector<Range> ranges;
  const auto append = [&](const std::vector<Range>& more) {
    ranges.insert(ranges.end(), more.begin(), more.end());
  };
  if (group == StepGroup::ep || group == StepGroup::expert_dp) {
    append(stretch(1, expert));
    append(group == StepGroup::ep ? stretch(experts, stage_ranks_) : stretch(expert, experts));
    return ranges;
  }
  append(inside(StepGroup::tp));
  if (group == StepGroup::dp) return ranges;
  ranges.clear();
  for (const StageAxis& axis : in_stage_) {
    const ParallelAxis own = group == StepGroup::tp ? ParallelAxis::tp : ParallelAxis::cp;
    if (axis.axis != own && axis.range.size > 1) ranges.push_back(axis.range);
  }
  return ranges;
}

std::uint32_t StepPlacement::size_of(StepGroup group) const {
  std::uint32_t size = 1;
  for (const Range& range : inside(group)) size *= range.size;
  return size;
}

ChipId StepPlacement::along(StepGroup group, ChipId rank, std::uint32_t step) const {
  const std::vector<Range> ranges = inside(group);
  std::uint32_t place = 0, size = 1;
  for (const Range& range : ranges) {
    const std::uint32_t coordinate = rank / range.stride % range.size;
    rank -= coordinate * range.stride;
    place += coordinate * size;
    size *= range.size;
  }
  place = (place + step) % size;
  for (const Range& range : ranges) {
    rank += place % range.size * range.stride;
    place /= range.size;
  }
  return rank;
}

RankGroups StepPlacement::make(const std::vector<Range>& inside, const std::vector<Range>& outside,
                               ChipId base) const {
  std::vector<DigitAxis> in, out;
  bool is_box = true;
  for (const auto* ranges : {&inside, &outside}) {
    for (const Range& range : *ranges) {
      const auto parts = digit_parts(topology_.digits(), range.stride, range.size);
      is_box = is_box && parts;
      if (parts)
        (ranges == &inside ? in : out)
            .insert((ranges == &inside ? in : out).end(), parts->begin(), parts->end());
    }
  }
  if (is_box) return RankGroups::boxes(topology_, base, std::move(in), std::move(out));
  if (ranks_ > most_listed_ranks) {
    throw InfeasibleError(fmt::format(
        "{} ranks whose groups cut a dimension of the network where it does not divide; what can be "
        "answered is a split whose degrees multiply up to the network's dimensions, or at most {} "
        "ranks",
        ranks_, most_listed_ranks));
  }
  const auto all = [](const std::vector<Range>& ranges) {
    std::vector<ChipId> offsets{0};
    for (const Range& range : ranges) {
      const std::size_t before = offsets.size();
      for (std::uint32_t k = 1; k < range.size; ++k) {
        for (std::size_t i = 0; i < before; ++i) offsets.push_back(offsets[i] + k * range.stride);
      }
    }
    return offsets;
  };
  std::vector<std::vector<ChipId>> groups;
  const std::vector<ChipId> members = all(inside);
  for (const ChipId at : all(outside)) {
    groups.emplace_back();
    for (const ChipId member : members) groups.back().push_back(base + at + member);
  }
  return RankGroups::lists(topology_, std::move(groups));
}

RankGroups StepPlacement::groups(StepGroup group, std::uint32_t stage) const {
  return make(inside(group), outside(group), stage * stages_.stride);
}

RankGroups StepPlacement::groups_of_all_stages(StepGroup group) const {
  std::vector<Range> others = outside(group);
  if (stages_.size > 1) others.push_back(stages_);
  return make(inside(group), others, 0);
}

DigitMask StepPlacement::without_stages() const {
  DigitMask mask = 0;
  const auto digits = topology_.digits();
  for (std::uint32_t d = 0; d < digits.size() && d < digits_in_a_mask; ++d) {
    const std::uint64_t begin = digits[d].stride, end = begin * digits[d].size;
    const std::uint64_t low = stages_.stride, high = low * stages_.size;
    // Folding needs the digit whole among the ranks that take part.
    if ((stages_.size == 1 || high <= begin || low >= end) && end <= ranks_) mask |= DigitMask{1} << d;
  }
  return mask;
}

}  // namespace tahoma
