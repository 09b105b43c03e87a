// Swing: halving and doubling for tori, with partners 1, 1, 3, 5, 11, ... steps away, on alternating sides.
//
//   step        0    1    2    3      A rank with an even coordinate goes +1, -1, +3, -5, one with an odd
//   even rank  +1   -1   +3   -5      coordinate the other way round: sums of (-2)^i. On a ring the partners
//   odd rank   -1   +1   -3   +5      stay closer than those of halving_doubling: 1, 1, 3, 5 for 1, 2, 4, 8.
//
// On D axes the buffer is cut into a part per axis with which a part begins (the axes then take turns) and,
// on rings, per side: 2 D parts use 2 D links at once. On a torus of sides of 4 every partner is a neighbour
// and no two parts meet on a link: it is the recursive halving and doubling of a Trn2 server, which sees the
// 4x4 torus as a hypercube of four dimensions. The pieces that a rank sends on are no stretch of coordinates,
// but one in an order of their own (see `places`). Powers of two only.
// Source: De Sensi et al., "Swing: short-cutting rings for higher bandwidth allreduce" (NSDI 2024).
#include <bit>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

using Anchor = PieceRange::Anchor;

/// 1, -1, 3, -5, 11, ...: how far an even rank looks for its partner.
std::int64_t swing_distance(std::uint32_t step) {
  std::int64_t distance = 0, power = 1;
  for (std::uint32_t i = 0; i <= step; ++i, power *= -2) distance += power;
  return distance;
}

struct SwingAxis {
  std::uint8_t place = 0;  // within the phase
  std::uint32_t size = 1, steps = 0;
  std::uint8_t order[2] = {no_order, no_order};  // by side
};

/// All that a rank can reach from some step on, partner's side after its own: these sets halve from step to
/// step, so numbered like this each of them is a block.
void list_reached(const SwingAxis& axis, int side, std::int64_t coordinate, std::uint32_t step,
                  std::vector<std::uint32_t>& at) {
  if (step == axis.steps) {
    at.push_back(static_cast<std::uint32_t>(coordinate));
    return;
  }
  list_reached(axis, side, coordinate, step + 1, at);
  const std::int64_t distance = (coordinate % 2 == 0 ? side : -side) * swing_distance(step);
  const std::int64_t size = axis.size;
  list_reached(axis, side, ((coordinate + distance) % size + size) % size, step + 1, at);
}

class SwingWriter {
 public:
  explicit SwingWriter(const PhaseRequest& request)
      : request_(request), phase_(blank_phase(request, "swing")) {
    bool rings = true;
    for (std::size_t a = 0; a < request.axes.size(); ++a) {
      const Axis& axis = request.all_axes[request.axes[a]];
      if (axis.size < 2) continue;
      rings = rings && axis.kind == Axis::Kind::ring;
      axes_.push_back(
          {static_cast<std::uint8_t>(a), axis.size, static_cast<std::uint32_t>(std::countr_zero(axis.size))});
    }
    sides_ = rings ? 2 : 1;
    for (SwingAxis& axis : axes_)
      for (int side = 0; side < sides_; ++side) {
        axis.order[side] = static_cast<std::uint8_t>(phase_.orders.size());
        std::vector<std::uint32_t> at;
        list_reached(axis, side == 0 ? 1 : -1, 0, 0, at);
        phase_.orders.push_back(order_of(std::move(at)));
      }
  }

  Phase phase() {
    const auto parts = static_cast<std::uint32_t>(axes_.size()) * static_cast<std::uint32_t>(sides_);
    const std::uint64_t piece =
        shard_bytes(request_.elements, parts * phase_.positions, request_.element_bytes);
    phase_.parts = parts;
    phase_.piece_bytes.assign(parts, piece);
    Role everyone{0, phase_.positions, 1, {}};
    for (std::uint32_t part = 0; part < parts; ++part) {
      Lane lane{static_cast<std::uint16_t>(part), sends(part, piece)};
      phase_.tags = static_cast<std::uint32_t>(lane.sends.size()) * parts;
      everyone.lanes.push_back(std::move(lane));
    }
    phase_.roles = {std::move(everyone)};
    return std::move(phase_);
  }

 private:
  struct Step {
    std::size_t axis;
    std::uint32_t number;  // of the steps along that axis
  };

  /// The axes take turns, from `first` on, while they have steps left.
  std::vector<Step> turns(std::size_t first) const {
    std::vector<Step> result;
    for (std::uint32_t number = 0; number < 32; ++number)
      for (std::size_t i = 0; i < axes_.size(); ++i) {
        const std::size_t axis = (first + i) % axes_.size();
        if (number < axes_[axis].steps) result.push_back({axis, number});
      }
    return result;
  }

  std::vector<Send> sends(std::uint32_t part, std::uint64_t piece) const {
    const int side = static_cast<int>(part) % sides_;
    const std::vector<Step> steps = turns(part / static_cast<std::uint32_t>(sides_));
    std::vector<std::uint32_t> left;  // by axis: places of a block
    for (const SwingAxis& axis : axes_) left.push_back(axis.size);
    std::vector<Send> scatter, gather;
    for (const Step& step : steps) {
      left[step.axis] /= 2;
      scatter.push_back(exchange(step, side, left, Op::reduce, piece));
      gather.push_back(exchange(step, side, left, Op::copy, piece));
    }
    std::vector<Send> result;
    if (request_.goal != PhaseGoal::all_gather) result = std::move(scatter);
    if (request_.goal != PhaseGoal::reduce_scatter)
      result.insert(result.end(), gather.rbegin(), gather.rend());
    const auto first_tag = static_cast<std::uint16_t>(part * result.size());
    for (std::size_t s = 0; s < result.size(); ++s) {
      result[s].part = static_cast<std::uint16_t>(part);
      result[s].tag = static_cast<std::uint16_t>(first_tag + s);
      if (s > 0) result[s].waits = {{static_cast<std::uint16_t>(first_tag + s - 1), 1, 0}};
    }
    return result;
  }

  /// Scattering sends what the partner goes on with, gathering what the rank itself has by then.
  Send exchange(const Step& step, int side, const std::vector<std::uint32_t>& left, Op op,
                std::uint64_t piece) const {
    const SwingAxis& along = axes_[step.axis];
    Peer peer;
    peer.kind = Peer::Kind::alternate;
    peer.axis = along.place;
    peer.value = (side == 0 ? 1 : -1) * swing_distance(step.number) % std::int64_t{along.size};
    std::uint64_t pieces = 1;
    for (const std::uint32_t places : left) pieces *= places;
    Send send = make_send(op, peer, piece * pieces, 0, whole_range());
    send.piece.assign(phase_.axes.size(), whole_range());
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const bool to_peer = op == Op::reduce && a == step.axis;
      PieceRange block = aligned_block(to_peer ? Anchor::peer : Anchor::own, left[a]);
      block.order = axes_[a].order[side];
      send.piece[axes_[a].place] = block;
    }
    return send;
  }

  const PhaseRequest& request_;
  Phase phase_;
  std::vector<SwingAxis> axes_;
  int sides_ = 1;
};

}  // namespace

std::string refuse_swing(const PhaseRequest& request) {
  if (!is_reducing_or_gathering(request.goal))
    return goal_refusal("swing", request.goal, "reduce_scatter, all_gather, all_reduce");
  for (const std::uint8_t axis : request.axes)
    if (!std::has_single_bit(request.all_axes[axis].size))
      return fmt::format("swing needs a power of two along each axis, and axis {} has {} ranks", axis,
                         request.all_axes[axis].size);
  return {};
}

std::vector<Phase> make_swing(const PhaseRequest& request) {
  return {SwingWriter(request).phase()};
}

}  // namespace tahoma
