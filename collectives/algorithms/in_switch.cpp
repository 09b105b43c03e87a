// In the switch: every rank sends its data up once and receives the result once; the switch sums what comes
// and copies what goes (NVLink SHARP and its like).
//
//     up     rank 0 ... n-1 --> switch      chunk c of everybody
//     down   switch --> rank 0 ... n-1      once all of chunk c is there
//
// The phase has one position more, the switch itself, with a lane to each rank. A chunk is stored and then
// sent on, so that a large buffer costs (1 + 1 / chunks) of its time on a link. all_gather and reduce_scatter
// leave out what a rank has itself. The ranks must hang on one switch: any port it has, no forwarding by
// others. Whether a switch can add is the hardware's matter: `auto` does not choose this by itself.
#include <algorithm>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

using Anchor = PieceRange::Anchor;

// A tag per chunk; a lane of the switch per rank.
constexpr std::uint32_t most_switch_chunks = 32;
constexpr std::uint32_t most_ports = 1u << 15;

class SwitchWriter {
 public:
  explicit SwitchWriter(const PhaseRequest& request)
      : phase_(blank_phase(request, "in_switch")), n_(phase_.positions) {
    phase_.has_switch = true;
    // Pieces of ranks are cut by parts, whole buffers by pieces.
    chunks_ = request.pipelined || phase_.goal == PhaseGoal::barrier
                  ? 1
                  : std::min(most_switch_chunks, best_chunks(request, 1, 1));
    by_rank_ = phase_.goal == PhaseGoal::all_gather || phase_.goal == PhaseGoal::reduce_scatter;
    phase_.parts = by_rank_ ? chunks_ : 1;
    phase_.pieces = by_rank_ ? 0 : chunks_;
    const std::uint32_t shards = by_rank_ ? n_ * chunks_ : chunks_;
    phase_.piece_bytes.assign(phase_.parts, shard_bytes(request.elements, shards, request.element_bytes));
    // A tag per chunk at the switch, and one for all that comes from it.
    phase_.tags = chunks_ + 1;
  }

  Phase phase() {
    add_ups();
    Role itself{n_, 1, 1, {}};
    for (std::uint32_t rank = 0; rank < n_; ++rank) {
      if (phase_.goal == PhaseGoal::broadcast && rank == phase_.root) continue;
      if (phase_.goal == PhaseGoal::reduce && rank != phase_.root) continue;
      itself.lanes.push_back(down_to(rank));
    }
    phase_.roles.push_back(std::move(itself));
    return std::move(phase_);
  }

 private:
  bool sums() const {
    return phase_.goal == PhaseGoal::all_reduce || phase_.goal == PhaseGoal::reduce_scatter ||
           phase_.goal == PhaseGoal::reduce;
  }
  std::uint32_t senders() const {
    if (phase_.goal == PhaseGoal::broadcast) return 1;
    return phase_.goal == PhaseGoal::reduce ? n_ - 1 : n_;
  }

  /// Chunk of whole buffers, or of what `by_rank` says of the ranks' pieces.
  Send chunk_send(Op op, std::uint32_t chunk, std::int64_t to, PieceRange by_rank) const {
    Peer peer;
    peer.kind = Peer::Kind::absolute;
    peer.value = to;
    PieceRange range = by_rank_ ? by_rank : range_from(Anchor::fixed, static_cast<std::int32_t>(chunk));
    Send send = make_send(op, peer, phase_.piece_bytes[0] * range.length, 0, range);
    send.part = static_cast<std::uint16_t>(by_rank_ ? chunk : 0);
    return send;
  }

  PieceRange all_but(Anchor anchor) const {
    PieceRange range = range_from(anchor, 1);
    range.length = n_ - 1;
    return range;
  }

  void add_ups() {
    Lane up{0, {}};
    const bool scatters = phase_.goal == PhaseGoal::reduce_scatter;
    for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) {
      Send send = chunk_send(sums() ? Op::reduce : Op::copy, chunk, n_,
                             scatters ? all_but(Anchor::own) : range_from(Anchor::own));
      send.tag = static_cast<std::uint16_t>(chunk);
      up.sends.push_back(std::move(send));
    }
    const auto add = [&](std::uint32_t first, std::uint32_t end) {
      if (first < end) phase_.roles.push_back({first, end - first, 1, {up}});
    };
    const std::uint32_t root = phase_.root;
    if (phase_.goal == PhaseGoal::broadcast) return add(root, root + 1);
    if (phase_.goal != PhaseGoal::reduce) return add(0, n_);
    add(0, root);
    add(root + 1, n_);
  }

  Lane down_to(std::uint32_t rank) const {
    Lane lane{static_cast<std::uint16_t>(1 + rank), {}};
    const bool gathers = phase_.goal == PhaseGoal::all_gather;
    const bool own_stays = phase_.goal == PhaseGoal::reduce_scatter || phase_.goal == PhaseGoal::reduce;
    for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) {
      Send send = chunk_send(own_stays ? Op::reduce : Op::copy, chunk, rank,
                             gathers ? all_but(Anchor::peer) : range_from(Anchor::peer));
      send.tag = static_cast<std::uint16_t>(chunks_);
      send.waits = {{static_cast<std::uint16_t>(chunk), senders(), 0}};
      lane.sends.push_back(std::move(send));
    }
    return lane;
  }

  Phase phase_;
  std::uint32_t n_, chunks_ = 1;
  bool by_rank_ = false;
};

}  // namespace

std::string refuse_in_switch(const PhaseRequest& request) {
  const PhaseGoal goal = request.goal;
  if (!is_reducing_or_gathering(goal) && goal != PhaseGoal::broadcast && goal != PhaseGoal::reduce &&
      goal != PhaseGoal::barrier)
    return goal_refusal("in_switch", goal,
                        "all_reduce, reduce_scatter, all_gather, broadcast, reduce, barrier");
  const auto is_switch = [&](std::uint8_t a) {
    const Axis& axis = request.all_axes[a];
    return axis.size < 2 || (axis.kind == Axis::Kind::switched && axis.level != Level::chip);
  };
  if (sides_of(request).size() != 1 || !std::all_of(request.axes.begin(), request.axes.end(), is_switch))
    return "in_switch needs the ranks on one switch between chips (kind: switch); name it for that level "
           "alone";
  if (positions_of(request) > most_ports)
    return fmt::format("in_switch serves up to {} ports, and these are {}", most_ports,
                       positions_of(request));
  return {};
}

std::vector<Phase> make_in_switch(const PhaseRequest& request) {
  return {SwitchWriter(request).phase()};
}

}  // namespace tahoma
