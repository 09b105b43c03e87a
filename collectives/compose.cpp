// From "all_reduce, torus inside, ring outside" to one program of phases.
//
//   all_reduce      scatter L1 .. scatter L(k-1), all_reduce Lk, gather L(k-1) .. gather L1
//   reduce_scatter  L1 .. Lk: the outer, slower level sees the smaller buffers
//   all_gather      Lk .. L1, for the same reason
//   broadcast, scatter  Lk from the root's representative .. L1
//   reduce, gather      L1 to the root's representative in each group .. Lk
//   barrier             L1 .. Lk: who has met all of its own group meets those who have met all of theirs
//   all_to_all, permute: one level only
//
// A level starts from what the one before left on a rank, padding included. A rank enters a phase when it is
// done with the one before; levels of one rank have no phases.
#include <algorithm>

#include <fmt/format.h>

#include "collectives/algorithms.h"
#include "core/errors.h"

namespace tahoma {
namespace {

using Phases = std::vector<Phase>;

void append(Phases& all, Phases more) {
  for (Phase& phase : more) all.push_back(std::move(phase));
}

class Composer {
 public:
  explicit Composer(const ScheduleRequest& request) : request_(request) {
    for (const LevelPlan& level : request.levels)
      if (ranks_of(level) > 1) levels_.push_back(&level);
  }

  Phases phases(std::uint64_t elements) const {
    if (levels_.empty()) return {};
    switch (request_.collective) {
      case Collective::all_reduce:
        return all_reduce(0, elements);
      case Collective::reduce_scatter:
        return reduce_scatter(elements);
      case Collective::all_gather:
        return all_gather(0, elements);
      case Collective::broadcast:
        return broadcast(elements);
      case Collective::all_to_all:
        return one_level(PhaseGoal::all_to_all, elements);
      case Collective::permute:
        return one_level(PhaseGoal::permute, elements);
      case Collective::gather:
        return gather(levels_.size(), elements);
      case Collective::scatter:
        return scatter(elements);
      case Collective::reduce:
        return reduce(elements);
      case Collective::barrier:
        return barrier(elements);
    }
    return {};
  }

 private:
  std::uint32_t ranks_of(const LevelPlan& level) const {
    std::uint32_t ranks = 1;
    for (const std::uint8_t axis : level.axes) ranks *= request_.axes[axis].size;
    return ranks;
  }

  PhaseRequest phase_request(const LevelPlan& level, PhaseGoal goal, std::uint64_t elements) const {
    PhaseRequest phase;
    phase.goal = goal;
    phase.all_axes = request_.axes;
    phase.axes = level.axes;
    phase.elements = elements;
    phase.element_bytes = request_.element_bytes;
    phase.root = position_of_root(level.axes);
    // An explicit pipeline already cuts the buffer; a chain must not cut it again.
    const bool chains = goal == PhaseGoal::broadcast || goal == PhaseGoal::reduce;
    if (chains && request_.pipeline != 0) phase.chunks = 1;
    phase.pipelined = request_.pipeline != 0;
    phase.overhead = request_.overhead;
    phase.table = request_.table;
    return phase;
  }

  Phases make(const LevelPlan& level, PhaseGoal goal, std::uint64_t elements) const {
    const Algorithm* algorithm = algorithm_named(level.algorithm);
    if (algorithm == nullptr) throw ScenarioError(fmt::format("there is no algorithm '{}'", level.algorithm));
    const PhaseRequest phase = phase_request(level, goal, elements);
    if (const std::string reason = algorithm->refuses(phase); !reason.empty()) throw ScenarioError(reason);
    return algorithm->make(phase);
  }

  /// Elements that a rank holds after scattering (before gathering) `phases`' part of the work.
  std::uint64_t share(const Phase& phase) const {
    std::uint64_t bytes = 0;
    for (const std::uint64_t piece : phase.piece_bytes) bytes += piece;
    return bytes / request_.element_bytes;
  }

  Phases all_reduce(std::size_t level, std::uint64_t elements) const {
    if (level + 1 == levels_.size()) return make(*levels_[level], PhaseGoal::all_reduce, elements);
    Phases result = make(*levels_[level], PhaseGoal::reduce_scatter, elements);
    append(result, all_reduce(level + 1, share(result.back())));
    append(result, make(*levels_[level], PhaseGoal::all_gather, elements));
    return result;
  }

  Phases reduce_scatter(std::uint64_t elements) const {
    Phases result;
    for (const LevelPlan* level : levels_) {
      append(result, make(*level, PhaseGoal::reduce_scatter, elements));
      elements = share(result.back());
    }
    return result;
  }

  Phases all_gather(std::size_t level, std::uint64_t elements) const {
    if (level == levels_.size()) return {};
    Phases last = make(*levels_[level], PhaseGoal::all_gather, elements);
    Phases result = all_gather(level + 1, share(last.front()));
    append(result, std::move(last));
    return result;
  }

  Phases broadcast(std::uint64_t elements) const {
    Phases result;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      append(result, of_root(level, PhaseGoal::broadcast, elements));
    }
    return result;
  }

  Phases scatter(std::uint64_t elements) const {
    Phases result;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      append(result, of_root(level, PhaseGoal::scatter, elements));
      elements = share(result.back());
    }
    return result;
  }

  /// Of the levels below `end`; the outermost one ends with all of `elements`.
  Phases gather(std::size_t end, std::uint64_t elements) const {
    if (end == 0) return {};
    Phases last = of_root(end - 1, PhaseGoal::gather, elements);
    Phases result = gather(end - 1, share(last.front()));
    append(result, std::move(last));
    return result;
  }

  Phases reduce(std::uint64_t elements) const {
    Phases result;
    for (std::size_t level = 0; level < levels_.size(); ++level)
      append(result, of_root(level, PhaseGoal::reduce, elements));
    return result;
  }

  Phases barrier(std::uint64_t elements) const {
    Phases result;
    for (const LevelPlan* level : levels_) append(result, make(*level, PhaseGoal::barrier, elements));
    return result;
  }

  Phases of_root(std::size_t level, PhaseGoal goal, std::uint64_t elements) const {
    Phases phases = make(*levels_[level], goal, elements);
    for (Phase& phase : phases) restrict_to_root(phase, level);
    return phases;
  }

  /// Of the groups at `level`, only the one with the root's coordinates inside takes part (has the data
  /// already, or all of its own group's): the phase is spread over the inner axes too, where it is the
  /// stretch of positions that belongs to the root.
  void restrict_to_root(Phase& phase, std::size_t level) const {
    std::vector<std::uint8_t> inner;
    for (std::size_t l = 0; l < level; ++l)
      inner.insert(inner.end(), levels_[l]->axes.begin(), levels_[l]->axes.end());
    if (inner.empty()) return;
    const std::uint32_t offset = position_of_root(inner) * phase.positions;
    for (Role& role : phase.roles) {
      role.first += offset;
      for (Lane& lane : role.lanes)
        for (Send& send : lane.sends)
          if (send.peer.kind == Peer::Kind::absolute) send.peer.value += offset;
    }
    phase.root += offset;
    phase.pieces = pieces_per_part(phase);
    for (const std::uint8_t axis : inner) phase.positions *= request_.axes[axis].size;
    phase.axes.insert(phase.axes.end(), inner.begin(), inner.end());
  }

  Phases one_level(PhaseGoal goal, std::uint64_t elements) const {
    if (levels_.size() > 1)
      throw ScenarioError(fmt::format(
          "{} is done in one level: give one algorithm for all ranks instead of one for each of {}",
          name_of(goal), names_of_levels()));
    return make(*levels_.front(), goal, elements);
  }

  std::string names_of_levels() const {
    std::string names;
    for (const LevelPlan* level : levels_) names += (names.empty() ? "" : ", ") + level->level;
    return names;
  }

  std::uint32_t position_of_root(const std::vector<std::uint8_t>& axes) const {
    std::uint32_t position = 0, stride = 1;
    for (const std::uint8_t axis : axes) {
      std::uint32_t below = 1;
      for (std::uint8_t a = 0; a < axis; ++a) below *= request_.axes[a].size;
      position += (request_.root / below) % request_.axes[axis].size * stride;
      stride *= request_.axes[axis].size;
    }
    return position;
  }

  const ScheduleRequest& request_;
  std::vector<const LevelPlan*> levels_;  // those with two or more ranks, inner first
};

std::string label_of(const std::vector<LevelPlan>& levels) {
  if (levels.size() == 1) return levels.front().algorithm;
  std::string label;
  for (const LevelPlan& level : levels)
    label += fmt::format("{}{}: {}", label.empty() ? "" : ", ", level.level, level.algorithm);
  return label;
}

}  // namespace

Schedule make_schedule(const ScheduleRequest& request) {
  TAHOMA_ASSERT(request.element_bytes > 0 && request.channels > 0, "the reader checks these");
  Schedule schedule;
  schedule.collective = request.collective;
  schedule.algorithm = label_of(request.levels);
  schedule.axes = request.axes;
  for (const Axis& axis : request.axes) schedule.ranks *= axis.size;
  schedule.size = request.size;
  schedule.element_bytes = request.element_bytes;
  schedule.root = request.root;
  schedule.pipeline = std::max<std::uint32_t>(1, request.pipeline);
  schedule.channels = request.channels;
  if (request.root >= schedule.ranks)
    throw ScenarioError(
        fmt::format("root {} is not a rank: the last one is {}", request.root, schedule.ranks - 1));

  const std::uint64_t elements = ceil_div64(request.size.count, request.element_bytes);
  const std::uint64_t of_a_channel = ceil_div64(elements, request.channels);
  schedule.phases = Composer(request).phases(ceil_div64(of_a_channel, schedule.pipeline));
  return schedule;
}

}  // namespace tahoma
