#include "scenarios/training/step_passes.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {

StepGroup group_of(ParallelAxis axis) {
  switch (axis) {
    case ParallelAxis::tp:
      return StepGroup::tp;
    case ParallelAxis::cp:
      return StepGroup::cp;
    case ParallelAxis::ep:
      return StepGroup::ep;
    default:
      break;
  }
  TAHOMA_ASSERT(false, "a pass has no collectives along dp or pp");
}

// The (number + 1)-th of `of` alike things lies at (2 number + 1) / (2 of) of the pass.
struct Event {
  std::uint32_t number, of;
  std::size_t kind;  // of collective; past the last: ring attention
  friend bool operator<(const Event& a, const Event& b) {
    const std::uint64_t left = (2ull * a.number + 1) * b.of, right = (2ull * b.number + 1) * a.of;
    return left != right ? left < right : a.kind < b.kind;
  }
};

void append(Duration lasts, const std::vector<AxisCollective>& collectives, const RingSteps& ring,
            const Parallel& parallel, std::vector<StepStretch>& all) {
  std::vector<Event> events;
  for (std::size_t kind = 0; kind < collectives.size(); ++kind) {
    for (std::uint32_t i = 0; i < collectives[kind].count; ++i)
      events.push_back({i, collectives[kind].count, kind});
  }
  for (std::uint32_t i = 0; i < ring.layers && ring.steps > 0; ++i)
    events.push_back({i, ring.layers, collectives.size()});
  std::sort(events.begin(), events.end());
  const auto pieces = static_cast<std::int64_t>(events.size() + 1);
  for (std::int64_t k = 0; k < pieces; ++k) {
    StepStretch stretch;
    stretch.computes = {static_cast<std::int64_t>(static_cast<i128>(lasts.ps) * (k + 1) / pieces -
                                                  static_cast<i128>(lasts.ps) * k / pieces)};
    if (k > 0) {
      const Event& event = events[static_cast<std::size_t>(k - 1)];
      if (event.kind == collectives.size()) {
        stretch.ring_bytes = ring.bytes;
        stretch.ring_steps = ring.steps;
      } else {
        const AxisCollective& what = collectives[event.kind];
        stretch.talk = StepTalk{group_of(what.axis), what.collective, what.bytes};
        stretch.overlapped = (what.axis == ParallelAxis::tp && parallel.overlap_tp) ||
                             (what.axis == ParallelAxis::ep && parallel.overlap_ep);
      }
    }
    all.push_back(stretch);
  }
}

}  // namespace

std::vector<StepStretch> stretches_of(Pass::Kind kind, const ChunkCost& cost, const Parallel& parallel) {
  std::vector<StepStretch> all;
  if (kind == Pass::Kind::forward) {
    append(cost.forward, cost.forward_collectives, cost.forward_ring, parallel, all);
    return all;
  }
  if (kind == Pass::Kind::weight_gradient) {
    append(cost.backward_weight, {}, {}, parallel, all);
    return all;
  }
  if (cost.recompute.ps > 0 || !cost.recompute_collectives.empty())
    append(cost.recompute, cost.recompute_collectives, {}, parallel, all);
  for (StepStretch& stretch : all) stretch.again = true;
  const bool whole = kind == Pass::Kind::backward;
  append(whole ? cost.backward_input + cost.backward_weight : cost.backward_input, cost.backward_collectives,
         cost.backward_ring, parallel, all);
  return all;
}

std::vector<StepStretch> cut_further(std::vector<StepStretch> stretches, std::size_t least) {
  const auto parts = static_cast<std::int64_t>((least + stretches.size() - 1) / stretches.size());
  if (parts <= 1) return stretches;
  std::vector<StepStretch> cut;
  for (StepStretch& stretch : stretches) {
    const std::int64_t whole = stretch.computes.ps;
    // What goes on under a stretch needs all of it.
    if (stretch.overlapped || stretch.ring_steps > 0) {
      cut.push_back(stretch);
      for (std::int64_t k = 1; k < parts; ++k) cut.push_back({});
      continue;
    }
    for (std::int64_t k = 0; k < parts; ++k) {
      stretch.computes = {whole * (k + 1) / parts - whole * k / parts};
      cut.push_back(stretch);
      stretch.talk.reset();
    }
  }
  return cut;
}

}  // namespace tahoma
