// Torus: all dimension orders and both directions at once, so that all 2 D links of a chip work all the time.
//
//   shard xyz+   reduce along x+, y+, z+, then gather along z+, y+, x+
//   shard xyz-   the same the other way round
//   shard yzx+   ...                          D! orders x 2 directions, each cut into chunks
//
// A lane per (axis, direction). How large the shards are on unequal rates: torus_shares. In which order a
// lane does its sends: lane_plan; gathering is the reverse of reducing in time. How many chunks: tried. A
// side of 2 with one two-way link has one lane, which both directions share; with two links its messages
// split over both. Source of the idea: the buckets of Sack & Gropp, "Collective algorithms for multiported
// torus networks" (2015), and TPU practice; the planning is ours.
#include <algorithm>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"
#include "collectives/algorithms/torus_design.h"
#include "core/errors.h"

namespace tahoma {
namespace {

/// Writes the sends of a design. Part = kind x chunks + chunk; tag = part x stages + stage, since a message
/// of the next stage may overtake the last one of this stage.
class Writer {
 public:
  Writer(const Torus& torus, const PhaseRequest& request, const TorusDesign& design)
      : torus_(torus), request_(request), design_(design) {
    stages_ =
        static_cast<std::uint32_t>(torus.dimensions.size()) * (request.goal == PhaseGoal::all_reduce ? 2 : 1);
    for (const DimensionOrder& order : torus.orders) steps_.push_back(steps_of(torus, order, request.goal));
  }

  Phase phase() const {
    Phase phase = blank_phase(request_, "torus");
    phase.axes.clear();
    for (const TorusDimension& d : torus_.dimensions) phase.axes.push_back(d.axis);
    phase.parts = static_cast<std::uint32_t>(design_.kinds.size()) * design_.chunks;
    phase.tags = phase.parts * stages_;
    TAHOMA_ASSERT(phase.tags <= 1u << 16, "tags have 16 bits");
    phase.invariance = Invariance::axis_shift;
    for (const TorusKind& kind : design_.kinds)
      phase.piece_bytes.insert(phase.piece_bytes.end(), design_.chunks, kind.piece_bytes);

    Role everyone{0, phase.positions, 1, {}};
    for (std::uint32_t lane = 0; lane < torus_.lanes; ++lane) {
      everyone.lanes.push_back(
          {static_cast<std::uint16_t>(lane), sends(design_.lanes[source_of(lane)], kind_shift(lane))});
    }
    phase.roles = {std::move(everyone)};
    return phase;
  }

 private:
  bool is_mirror_image(std::uint32_t lane) const { return torus_.mirrored && lane % 2 == 1; }
  std::uint32_t source_of(std::uint32_t lane) const { return is_mirror_image(lane) ? lane - 1 : lane; }
  /// Kinds of the other direction follow those of the first.
  std::uint32_t kind_shift(std::uint32_t lane) const {
    return is_mirror_image(lane) ? static_cast<std::uint32_t>(design_.kinds.size()) / 2 : 0;
  }

  std::vector<Send> sends(const std::vector<PlannedStep>& planned, std::uint32_t kind_shift) const {
    std::vector<Send> result;
    std::uint32_t last_chain = ~0u;
    TorusStep last;
    for (const PlannedStep& p : planned) {
      const std::uint32_t chain = p.chain + kind_shift * design_.chunks;
      const TorusStep& step = steps_[design_.kinds[chain / design_.chunks].order][p.step];
      const bool continues = chain == last_chain && step.gathers == last.gathers &&
                             step.place == last.place && step.number == last.number + 1;
      if (continues)
        ++result.back().reps;
      else
        result.push_back(send(chain, step));
      // The first step of a ring waits for the stage before, the following ones for this stage.
      if (continues && step.number == 1) result.back().waits.push_back({tag_of(chain, step), 0, 1});
      last_chain = chain, last = step;
    }
    return result;
  }

  std::uint32_t stage_of(const TorusStep& step) const {
    return step.gathers ? stages_ - 1 - step.place : step.place;
  }
  std::uint32_t place_of(std::uint32_t stage) const {
    const bool gathers = request_.goal == PhaseGoal::all_gather || stage >= torus_.dimensions.size();
    return gathers ? stages_ - 1 - stage : stage;
  }
  std::uint16_t tag_of(std::uint32_t chain, const TorusStep& step) const {
    return static_cast<std::uint16_t>(chain * stages_ + stage_of(step));
  }

  Send send(std::uint32_t chain, const TorusStep& step) const {
    const TorusKind& kind = design_.kinds[chain / design_.chunks];
    const DimensionOrder& order = torus_.orders[kind.order];
    const std::uint8_t dimension = order[step.place];
    const std::uint64_t bytes = kind.piece_bytes * pieces_at(torus_, order, step.place);
    Send send = make_send(step.gathers ? Op::copy : Op::reduce, shifted(kind.direction, dimension), bytes,
                          tag_of(chain, step), whole_range());
    send.part = static_cast<std::uint16_t>(chain);
    send.waits = waits(chain, step);

    const auto number = static_cast<std::int32_t>(step.number) + (step.gathers ? 0 : 1);
    send.piece.assign(order.size(), range_from(PieceRange::Anchor::own));
    send.piece[dimension] = range_from(PieceRange::Anchor::own, -kind.direction * number, -kind.direction);
    for (std::size_t later = step.place + 1u; later < order.size(); ++later)
      send.piece[order[later]] = whole_range();
    return send;
  }

  /// The first message of a stage waits for all stages before it: having received the last one of the stage
  /// before does not mean that the one before that is complete, since the sender's dependences are not ours.
  std::vector<Wait> waits(std::uint32_t chain, const TorusStep& step) const {
    const auto tag = tag_of(chain, step);
    if (step.number > 0) return {{tag, step.number, 1}};
    const DimensionOrder& order = torus_.orders[design_.kinds[chain / design_.chunks].order];
    std::vector<Wait> result;
    for (std::uint32_t stage = 0; stage < stage_of(step); ++stage) {
      const std::uint32_t size = torus_.dimensions[order[place_of(stage)]].size;
      result.push_back({static_cast<std::uint16_t>(tag - stage_of(step) + stage), size - 1, 0});
    }
    return result;
  }

  const Torus& torus_;
  const PhaseRequest& request_;
  const TorusDesign& design_;
  std::uint32_t stages_ = 1;
  std::vector<std::vector<TorusStep>> steps_;  // by order
};

}  // namespace

std::string refuse_torus(const PhaseRequest& request) {
  if (!is_reducing_or_gathering(request.goal))
    return goal_refusal("torus", request.goal, "reduce_scatter, all_gather, all_reduce");
  if (std::string reason = ring_axes_refusal("torus", request); !reason.empty()) return reason;
  const auto rings = std::count_if(request.axes.begin(), request.axes.end(),
                                   [&](std::uint8_t axis) { return request.all_axes[axis].size > 1; });
  if (static_cast<std::size_t>(rings) > most_torus_dimensions)
    return fmt::format("torus serves up to {} rings at once, and these are {}", most_torus_dimensions, rings);
  return {};
}

std::vector<Phase> make_torus(const PhaseRequest& request) {
  const Torus torus = torus_of(request);
  return {Writer(torus, request, best_design(torus, request)).phase()};
}

}  // namespace tahoma
