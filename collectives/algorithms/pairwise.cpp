// Pairwise: what `direct` sends at once, one lane sends one after another: step k goes to rank + k, so that
// at any time (nearly) each rank sends to one other and receives from one other. For all_to_all on fabrics
// where n - 1 messages at once would only queue up.
//
// A million ranks have a million sends each, 128 MB as rows of a lane, and only a network that folds into a
// few classes can use them: rank by rank, 8,192 are 67 million rows, more than any solver takes (solve.h). So
// beyond most_listed ranks the phase only says how many there are, which is enough to refuse by, and
// list_sends makes them where they are wanted.
#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"
#include "core/errors.h"

namespace tahoma {

using Anchor = PieceRange::Anchor;

namespace {

constexpr std::uint32_t most_listed = 8191;

struct PairwiseHalves {
  bool scatters, gathers;
};

PairwiseHalves halves_of(PhaseGoal goal) {
  return {goal != PhaseGoal::all_gather, goal == PhaseGoal::all_gather || goal == PhaseGoal::all_reduce};
}

void list_pairwise(Phase& phase) {
  const auto [scatters, gathers] = halves_of(phase.goal);
  const std::uint32_t n = phase.positions;
  const std::uint64_t piece = phase.piece_bytes[0];
  const Op scatter_op = phase.goal == PhaseGoal::all_to_all ? Op::copy : Op::reduce;
  Lane lane;
  lane.sends.reserve((scatters && gathers ? 2 : 1) * std::size_t{n - 1});
  for (std::uint32_t k = 1; scatters && k < n; ++k)
    lane.sends.push_back(make_send(scatter_op, shifted(k), piece, 0, range_from(Anchor::peer)));
  for (std::uint32_t k = 1; gathers && k < n; ++k) {
    const auto tag = static_cast<std::uint16_t>(phase.tags - 1);
    lane.sends.push_back(make_send(Op::copy, shifted(k), piece, tag, range_from(Anchor::own)));
    if (scatters) lane.sends.back().waits = {{0, n - 1, 0}};
  }
  // Moved in: a list in braces would copy it.
  phase.roles.resize(1);
  phase.roles[0].count = n;
  phase.roles[0].lanes.push_back(std::move(lane));
  phase.unlisted = 0;
}

}  // namespace

std::string refuse_pairwise(const PhaseRequest& request) {
  if (is_reducing_or_gathering(request.goal) || request.goal == PhaseGoal::all_to_all) return {};
  return goal_refusal("pairwise", request.goal, "all_to_all, reduce_scatter, all_gather, all_reduce");
}

std::vector<Phase> make_pairwise(const PhaseRequest& request) {
  std::vector<Phase> phases;
  Phase& phase = phases.emplace_back(blank_phase(request, "pairwise"));
  const std::uint32_t n = phase.positions;
  const auto [scatters, gathers] = halves_of(request.goal);
  phase.piece_bytes = {shard_bytes(request.elements, n, request.element_bytes)};
  phase.tags = scatters && gathers ? 2 : 1;
  phase.invariance = Invariance::flat_shift;
  if (n > most_listed) {
    phase.unlisted = std::uint64_t{phase.tags} * (n - 1);
  } else {
    list_pairwise(phase);
  }
  return phases;
}

void list_sends(Schedule& schedule) {
  for (Phase& phase : schedule.phases) {
    if (goes_on_unlisted(phase)) list_pairwise(phase);
  }
}

}  // namespace tahoma
