// Ring: every rank talks to the next one only, one way, one lane.
//
//   0 -> 1 -> 2 -> ... -> n-1 -> 0
//
// reduce_scatter, all_gather: n - 1 messages of a shard; all_reduce: 2 (n - 1), message k waits for k
// receives. Optimal in bytes, linear in latency. Broadcast is the chain from the root, cut into chunks so
// that the links work at the same time.
#include <algorithm>
#include <limits>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

constexpr std::uint32_t most_chunks = 256;

/// Chunks c (a power of two) that minimise (n - 2 + c) x (latency + bytes / c / rate) on the slowest axis.
std::uint32_t chain_chunks(const PhaseRequest& request, std::uint32_t n) {
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
    const Bytes chunk{shard_bytes(request.elements, c, request.element_bytes)};
    const Duration step = time_to_move(work_of(chunk), lane) + latency;
    const u128 ps = u128{n - 2 + c} * static_cast<u128>(step.ps);
    if (ps < best_ps) best = c, best_ps = ps;
  }
  return best;
}

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
  const std::uint32_t chunks = request.chunks == 0 ? chain_chunks(request, n) : request.chunks;
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

}  // namespace

std::string refuse_ring(const PhaseRequest& request) {
  if (is_reducing_or_gathering(request.goal) || request.goal == PhaseGoal::broadcast) return {};
  return goal_refusal("ring", request.goal, "reduce_scatter, all_gather, all_reduce, broadcast");
}

std::vector<Phase> make_ring(const PhaseRequest& request) {
  if (request.goal == PhaseGoal::broadcast) return {chain(request)};
  Phase phase = blank_phase(request, "ring");
  RingPass pass;
  pass.piece_bytes = shard_bytes(request.elements, phase.positions, request.element_bytes);
  phase.piece_bytes = {pass.piece_bytes};
  phase.invariance = Invariance::flat_shift;
  phase.roles = {{0, phase.positions, 1, {{0, ring_rounds(request.goal, phase.positions, pass)}}}};
  return {phase};
}

}  // namespace tahoma
