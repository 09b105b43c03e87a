// Ring: every rank talks to the next one only, one way, one lane.
//
//   0 -> 1 -> 2 -> ... -> n-1 -> 0
//
// reduce_scatter, all_gather: n - 1 messages of a shard; all_reduce: 2 (n - 1), message k waits for k
// receives. Optimal in bytes, linear in latency. Broadcast is the chain from the root, reduce the one to the
// root, cut into chunks so that the links work at the same time. Gather and scatter pass the pieces along the
// same chains, the far ones first on the way out. A barrier's word goes round until it has been everywhere.
#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

std::vector<Send> chain_sends(const Phase& phase, Peer to, bool is_root) {
  std::vector<Send> sends;
  for (std::uint32_t part = 0; part < phase.parts; ++part) {
    Send send = make_send(Op::copy, to, phase.piece_bytes[part], 0, whole_range());
    send.part = static_cast<std::uint16_t>(part);
    if (!is_root) send.waits = {{0, part + 1, 0}};
    sends.push_back(std::move(send));
  }
  return sends;
}

Phase chain(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "ring");
  const std::uint32_t n = phase.positions;
  const std::uint32_t chunks = request.chunks == 0 ? best_chunks(request, n - 2, 1) : request.chunks;
  phase.pieces = 1;
  phase.parts = chunks;
  phase.piece_bytes.assign(chunks, shard_bytes(request.elements, chunks, request.element_bytes));

  // The root starts, the rank before it ends; the step from n - 1 to 0 is a shift back, so that nothing
  // wraps.
  const std::uint32_t root = request.root;
  const std::uint32_t last = (root + n - 1) % n;
  const auto add_role = [&](std::uint32_t first, std::uint32_t end, std::int64_t step) {
    if (first < end)
      phase.roles.push_back({first, end - first, 1, {{0, chain_sends(phase, shifted(step), first == root)}}});
  };
  const auto back = -static_cast<std::int64_t>(n - 1);
  add_role(root, root + 1, root == n - 1 ? back : 1);
  if (root == 0) {
    add_role(1, n - 1, 1);
  } else {
    add_role(root + 1, n - 1, 1);
    if (root != n - 1) add_role(n - 1, n, back);
    add_role(0, last, 1);
  }
  return phase;
}

/// Adds a role for the ranks `first` .. `last` places after the root (they do not wrap past the root), cut
/// where the number of the next rank starts again from 0. A flat shift must not pass the end.
void add_chain_roles(Phase& phase, std::uint32_t first, std::uint32_t last, const Send& send) {
  const std::uint32_t n = phase.positions;
  const auto add = [&](std::uint32_t from, std::uint32_t count, std::int64_t step) {
    if (count == 0) return;
    Send to_next = send;
    to_next.peer = shifted(step);
    phase.roles.push_back({(phase.root + from) % n, count, 1, {{0, {to_next}}}});
  };
  if (first > last) return;
  const std::uint32_t wraps = n - 1 - phase.root;  // places after the root of rank n - 1
  const auto back = -static_cast<std::int64_t>(n - 1);
  if (wraps < first || wraps > last) return add(first, last - first + 1, 1);
  add(first, wraps - first, 1);
  add(wraps, 1, back);
  add(wraps + 1, last - wraps, 1);
}

Phase chain_to_root(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "ring");
  const std::uint32_t n = phase.positions;
  const std::uint32_t chunks = request.chunks == 0 ? best_chunks(request, n - 2, 1) : request.chunks;
  phase.pieces = chunks;
  phase.piece_bytes = {shard_bytes(request.elements, chunks, request.element_bytes)};
  Send send =
      make_send(Op::reduce, shifted(1), phase.piece_bytes[0], 0, range_from(PieceRange::Anchor::fixed, 0, 1));
  send.reps = chunks;
  add_chain_roles(phase, 1, 1, send);
  send.waits = {{0, 1, 1}};
  add_chain_roles(phase, 2, n - 1, send);
  return phase;
}

/// The rank k places after the root sends its own piece and then the k - 1 that come from behind.
Phase gathering_chain(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "ring");
  const std::uint32_t n = phase.positions;
  phase.piece_bytes = {shard_bytes(request.elements, n, request.element_bytes)};
  for (std::uint32_t k = 1; k < n; ++k) {
    Send send =
        make_send(Op::copy, shifted(1), phase.piece_bytes[0], 0, range_from(PieceRange::Anchor::own, 0, -1));
    send.reps = k;
    send.waits = {{0, 0, 1}};
    add_chain_roles(phase, k, k, send);
  }
  return phase;
}

/// The root sends the farthest rank's piece first; the rank k places on passes on all but its own.
Phase scattering_chain(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "ring");
  const std::uint32_t n = phase.positions;
  phase.piece_bytes = {shard_bytes(request.elements, n, request.element_bytes)};
  for (std::uint32_t k = 0; k + 1 < n; ++k) {
    Send send = make_send(Op::copy, shifted(1), phase.piece_bytes[0], 0,
                          range_from(PieceRange::Anchor::own, -1 - static_cast<std::int32_t>(k), -1));
    send.reps = n - 1 - k;
    if (k > 0) send.waits = {{0, 1, 1}};
    add_chain_roles(phase, k, k, send);
  }
  return phase;
}

Phase word_round_the_ring(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "ring");
  phase.pieces = 1;
  phase.piece_bytes = {request.elements * request.element_bytes};
  phase.invariance = Invariance::flat_shift;
  Send send = make_send(Op::copy, shifted(1), phase.piece_bytes[0], 0, whole_range());
  send.reps = phase.positions - 1;
  send.waits = {{0, 0, 1}};
  phase.roles = {{0, phase.positions, 1, {{0, {send}}}}};
  return phase;
}

// A role per rank.
constexpr std::uint32_t most_on_chain = 1u << 16;

}  // namespace

std::string refuse_ring(const PhaseRequest& request) {
  if (request.goal == PhaseGoal::all_to_all || request.goal == PhaseGoal::permute)
    return goal_refusal(
        "ring", request.goal,
        "reduce_scatter, all_gather, all_reduce, broadcast, reduce, gather, scatter, barrier");
  const bool chain_of_pieces = request.goal == PhaseGoal::gather || request.goal == PhaseGoal::scatter;
  if (const std::uint32_t n = positions_of(request); chain_of_pieces && n > most_on_chain)
    return fmt::format("ring does {} among {} ranks or fewer, and these are {}", name_of(request.goal),
                       most_on_chain, n);
  return {};
}

std::vector<Phase> make_ring(const PhaseRequest& request) {
  switch (request.goal) {
    case PhaseGoal::broadcast:
      return {chain(request)};
    case PhaseGoal::reduce:
      return {chain_to_root(request)};
    case PhaseGoal::gather:
      return {gathering_chain(request)};
    case PhaseGoal::scatter:
      return {scattering_chain(request)};
    case PhaseGoal::barrier:
      return {word_round_the_ring(request)};
    default:
      break;
  }
  Phase phase = blank_phase(request, "ring");
  RingPass pass;
  pass.piece_bytes = shard_bytes(request.elements, phase.positions, request.element_bytes);
  phase.piece_bytes = {pass.piece_bytes};
  phase.invariance = Invariance::flat_shift;
  phase.roles = {{0, phase.positions, 1, {{0, ring_rounds(request.goal, phase.positions, pass)}}}};
  return {phase};
}

}  // namespace tahoma
