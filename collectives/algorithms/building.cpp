#include "collectives/algorithms/building.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/errors.h"

namespace tahoma {
namespace {

constexpr std::uint32_t most_chunks = 256;

}  // namespace

std::uint32_t positions_of(const PhaseRequest& request) {
  std::uint32_t positions = 1;
  for (const std::uint8_t axis : request.axes) positions *= request.all_axes[axis].size;
  return positions;
}

std::uint64_t shard_bytes(std::uint64_t elements, std::uint32_t n, std::uint64_t element_bytes) {
  return shard_elements(elements, n) * element_bytes;
}

Phase blank_phase(const PhaseRequest& request, std::string_view algorithm) {
  Phase phase;
  phase.name = fmt::format("{}, {}", name_of(request.goal), algorithm);
  phase.goal = request.goal;
  phase.axes = request.axes;
  phase.positions = positions_of(request);
  phase.root = request.root;
  return phase;
}

Peer shifted(std::int64_t by, std::uint8_t axis) {
  Peer peer;
  peer.kind = Peer::Kind::shift;
  peer.axis = axis;
  peer.value = by;
  return peer;
}

PieceRange whole_range() {
  return {};
}

PieceRange range_from(PieceRange::Anchor anchor, std::int32_t offset, std::int32_t per_rep) {
  PieceRange range;
  range.anchor = anchor;
  range.offset = offset;
  range.per_rep = per_rep;
  return range;
}

PieceRange aligned_block(PieceRange::Anchor anchor, std::uint32_t length) {
  PieceRange range = range_from(anchor);
  range.length = length;
  range.aligned = true;
  return range;
}

Send make_send(Op op, Peer peer, std::uint64_t bytes, std::uint16_t tag, PieceRange flat) {
  Send send;
  send.peer = peer;
  send.bytes = bytes;
  send.tag = tag;
  send.op = op;
  send.flat = flat;
  return send;
}

Send reduce_round(std::uint32_t n, const RingPass& pass) {
  // Step k passes on the piece of the rank k + 1 places behind; after n - 1 steps each piece is at home.
  Send send = make_send(Op::reduce, shifted(pass.direction), pass.piece_bytes, pass.tag,
                        range_from(PieceRange::Anchor::own, -pass.direction, -pass.direction));
  send.reps = n - 1;
  send.part = pass.part;
  send.waits = {{pass.tag, 0, 1}};
  return send;
}

Send gather_round(std::uint32_t n, const RingPass& pass, std::uint32_t received) {
  Send send = make_send(Op::copy, shifted(pass.direction), pass.piece_bytes, pass.tag,
                        range_from(PieceRange::Anchor::own, 0, -pass.direction));
  send.reps = n - 1;
  send.part = pass.part;
  send.waits = {{pass.tag, received, 1}};
  return send;
}

std::vector<Send> ring_rounds(PhaseGoal goal, std::uint32_t n, const RingPass& pass) {
  switch (goal) {
    case PhaseGoal::reduce_scatter:
      return {reduce_round(n, pass)};
    case PhaseGoal::all_gather:
      return {gather_round(n, pass, 0)};
    case PhaseGoal::all_reduce:
      return {reduce_round(n, pass), gather_round(n, pass, n - 1)};
    default:
      TAHOMA_ASSERT(false, "only these goals go round a ring");
  }
}

std::uint32_t best_chunks(const PhaseRequest& request, std::uint32_t hops, std::uint32_t passes) {
  Capacity rate{~u128{0}};
  Duration latency;
  for (const std::uint8_t a : request.axes) {
    if (request.all_axes[a].size < 2) continue;
    rate = std::min(rate, request.all_axes[a].rate);
    latency = std::max(latency, request.all_axes[a].latency);
  }
  constexpr u128 fastest = std::numeric_limits<std::uint64_t>::max();
  const Rate lane{static_cast<std::uint64_t>(std::min(rate.q20, fastest))};
  if (lane.q20 == 0) return 1;

  std::uint32_t best = 1;
  u128 best_ps = ~u128{0};
  for (std::uint32_t c = 1; c <= most_chunks && c <= request.elements; c *= 2) {
    const Bytes chunk{passes * shard_bytes(request.elements, c, request.element_bytes)};
    const Duration step = time_to_move(work_of(chunk), lane) + latency + request.overhead;
    const u128 ps = u128{hops + c} * static_cast<u128>(step.ps);
    if (ps < best_ps) best = c, best_ps = ps;
  }
  return best;
}

std::vector<std::uint32_t> sides_of(const PhaseRequest& request) {
  std::vector<std::uint32_t> sides;
  for (const std::uint8_t axis : request.axes)
    if (request.all_axes[axis].size > 1) sides.push_back(request.all_axes[axis].size);
  return sides;
}

bool is_reducing_or_gathering(PhaseGoal goal) {
  return goal == PhaseGoal::reduce_scatter || goal == PhaseGoal::all_gather || goal == PhaseGoal::all_reduce;
}

std::vector<Stretch> stretches(std::uint32_t first, std::uint32_t stride, std::uint32_t end,
                               std::vector<std::uint32_t> bounds) {
  bounds.push_back(end);
  std::sort(bounds.begin(), bounds.end());
  std::vector<Stretch> result;
  for (const std::uint32_t bound : bounds) {
    if (bound <= first || first >= end) continue;
    const auto count = static_cast<std::uint32_t>(ceil_div64(std::min(bound, end) - first, stride));
    result.push_back({first, count});
    first += count * stride;
  }
  return result;
}

std::string goal_refusal(std::string_view algorithm, PhaseGoal goal, std::string_view does) {
  return fmt::format("{} does not do {} (it does {})", algorithm, name_of(goal), does);
}

std::string ring_axes_refusal(std::string_view algorithm, const PhaseRequest& request) {
  constexpr std::string_view what[] = {"a ring",   "an open line (no way round)", "a full mesh",
                                       "a switch", "a switched fabric",           "a list of ranks"};
  for (const std::uint8_t a : request.axes) {
    const Axis& axis = request.all_axes[a];
    if (axis.size < 2 || axis.kind == Axis::Kind::ring) continue;
    return fmt::format("{} needs rings, and axis {} (of {} ranks) is {}", algorithm, a, axis.size,
                       what[static_cast<std::size_t>(axis.kind)]);
  }
  return {};
}

}  // namespace tahoma
