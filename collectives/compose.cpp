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
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "collectives/algorithms.h"
#include "core/errors.h"

namespace tahoma {
namespace {

using Phases = std::vector<Phase>;

}  // namespace

// One level's phases for one goal, as some candidates have them; or why they cannot be had.
struct ScheduleBook::Entry {
  Phases phases;
  std::string refusal;
  std::optional<u128> floor;
};

// What a level's phases follow from, for one request.
struct ScheduleBook::Entries {
  using Key =
      std::tuple<std::string, std::vector<std::uint8_t>, PhaseGoal, std::uint64_t,
                 std::vector<std::uint8_t>>;  // algorithm, axes, goal, elements, inner axes (of a root)
  std::map<Key, Entry> of;                    // stable addresses
};

namespace {

using Parts = std::vector<ScheduleBook::Entry*>;

void append(Parts& all, const Parts& more) {
  all.insert(all.end(), more.begin(), more.end());
}

class Composer {
 public:
  Composer(const ScheduleRequest& request, std::span<const LevelPlan> levels, ScheduleBook::Entries& book)
      : request_(request), book_(book) {
    for (const LevelPlan& level : levels)
      if (ranks_of(level) > 1) levels_.push_back(&level);
  }

  Parts phases(std::uint64_t elements) const {
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
      case Collective::custom:
        break;  // only listed programs are
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

  /// The level's phases, made unless the book has them. `inner`: the levels inside it, of which the root's
  /// group alone takes part.
  Parts make(const LevelPlan& level, PhaseGoal goal, std::uint64_t elements,
             const std::vector<std::uint8_t>& inner = {}) const {
    const ScheduleBook::Entries::Key key{level.algorithm, level.axes, goal, elements, inner};
    auto at = book_.of.find(key);
    if (at == book_.of.end()) at = book_.of.emplace(key, new_entry(level, goal, elements, inner)).first;
    if (!at->second.refusal.empty()) throw ScenarioError(at->second.refusal);
    return {&at->second};
  }

  ScheduleBook::Entry new_entry(const LevelPlan& level, PhaseGoal goal, std::uint64_t elements,
                                const std::vector<std::uint8_t>& inner) const {
    ScheduleBook::Entry entry;
    const Algorithm* algorithm = algorithm_named(level.algorithm);
    const PhaseRequest phase = phase_request(level, goal, elements);
    entry.refusal = algorithm == nullptr ? fmt::format("there is no algorithm '{}'", level.algorithm)
                                         : algorithm->refuses(phase);
    if (entry.refusal.empty()) entry.phases = algorithm->make(phase);
    for (Phase& made : entry.phases) restrict_to_root(made, inner);
    return entry;
  }

  /// Elements that a rank holds after scattering (before gathering) `phases`' part of the work.
  std::uint64_t share(const Phase& phase) const {
    std::uint64_t bytes = 0;
    for (const std::uint64_t piece : phase.piece_bytes) bytes += piece;
    return bytes / request_.element_bytes;
  }

  Parts all_reduce(std::size_t level, std::uint64_t elements) const {
    if (level + 1 == levels_.size()) return make(*levels_[level], PhaseGoal::all_reduce, elements);
    Parts result = make(*levels_[level], PhaseGoal::reduce_scatter, elements);
    append(result, all_reduce(level + 1, share(result.back()->phases.back())));
    append(result, make(*levels_[level], PhaseGoal::all_gather, elements));
    return result;
  }

  Parts reduce_scatter(std::uint64_t elements) const {
    Parts result;
    for (const LevelPlan* level : levels_) {
      append(result, make(*level, PhaseGoal::reduce_scatter, elements));
      elements = share(result.back()->phases.back());
    }
    return result;
  }

  Parts all_gather(std::size_t level, std::uint64_t elements) const {
    if (level == levels_.size()) return {};
    Parts last = make(*levels_[level], PhaseGoal::all_gather, elements);
    Parts result = all_gather(level + 1, share(last.front()->phases.front()));
    append(result, last);
    return result;
  }

  Parts broadcast(std::uint64_t elements) const {
    Parts result;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      append(result, of_root(level, PhaseGoal::broadcast, elements));
    }
    return result;
  }

  Parts scatter(std::uint64_t elements) const {
    Parts result;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      append(result, of_root(level, PhaseGoal::scatter, elements));
      elements = share(result.back()->phases.back());
    }
    return result;
  }

  /// Of the levels below `end`; the outermost one ends with all of `elements`.
  Parts gather(std::size_t end, std::uint64_t elements) const {
    if (end == 0) return {};
    Parts last = of_root(end - 1, PhaseGoal::gather, elements);
    Parts result = gather(end - 1, share(last.front()->phases.front()));
    append(result, last);
    return result;
  }

  Parts reduce(std::uint64_t elements) const {
    Parts result;
    for (std::size_t level = 0; level < levels_.size(); ++level)
      append(result, of_root(level, PhaseGoal::reduce, elements));
    return result;
  }

  Parts barrier(std::uint64_t elements) const {
    Parts result;
    for (const LevelPlan* level : levels_) append(result, make(*level, PhaseGoal::barrier, elements));
    return result;
  }

  Parts of_root(std::size_t level, PhaseGoal goal, std::uint64_t elements) const {
    std::vector<std::uint8_t> inner;
    for (std::size_t l = 0; l < level; ++l)
      inner.insert(inner.end(), levels_[l]->axes.begin(), levels_[l]->axes.end());
    return make(*levels_[level], goal, elements, inner);
  }

  /// Of the groups at a level, only the one with the root's coordinates inside takes part (has the data
  /// already, or all of its own group's): the phase is spread over the inner axes too, where it is the
  /// stretch of positions that belongs to the root.
  void restrict_to_root(Phase& phase, const std::vector<std::uint8_t>& inner) const {
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

  Parts one_level(PhaseGoal goal, std::uint64_t elements) const {
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
  ScheduleBook::Entries& book_;
  std::vector<const LevelPlan*> levels_;  // those with two or more ranks, inner first
};

}  // namespace

std::string label_of(const std::vector<LevelPlan>& levels) {
  if (levels.size() == 1) return levels.front().algorithm;
  std::string label;
  for (const LevelPlan& level : levels)
    label += fmt::format("{}{}: {}", label.empty() ? "" : ", ", level.level, level.algorithm);
  return label;
}

ScheduleBook::ScheduleBook(const ScheduleRequest& request)
    : request_(request), entries_(std::make_unique<Entries>()) {
  TAHOMA_ASSERT(request.element_bytes > 0 && request.channels > 0, "the reader checks these");
  for (const Axis& axis : request.axes) ranks_ *= axis.size;
  if (request.root >= ranks_)
    throw ScenarioError(fmt::format("root {} is not a rank: the last one is {}", request.root, ranks_ - 1));
}

ScheduleBook::~ScheduleBook() = default;

std::vector<ScheduleBook::Entry*> ScheduleBook::parts(std::span<const LevelPlan> levels) {
  const std::uint64_t elements = ceil_div64(request_.size.count, request_.element_bytes);
  const std::uint64_t of_a_channel = ceil_div64(elements, request_.channels);
  const std::uint64_t of_a_chunk = ceil_div64(of_a_channel, std::max<std::uint32_t>(1, request_.pipeline));
  return Composer(request_, levels, *entries_).phases(of_a_chunk);
}

Duration ScheduleBook::floor(std::span<const LevelPlan> levels) {
  u128 total = 0;
  for (Entry* part : parts(levels)) {
    if (!part->floor) {
      part->floor = 0;
      for (const Phase& phase : part->phases) *part->floor += floor_of(request_.axes, phase);
    }
    total += *part->floor;
  }
  return sum_of_floors(total);
}

Schedule ScheduleBook::schedule(const std::vector<LevelPlan>& levels) {
  Schedule schedule = blank(levels);
  for (const Entry* part : parts(levels))
    schedule.phases.insert(schedule.phases.end(), part->phases.begin(), part->phases.end());
  return schedule;
}

Schedule ScheduleBook::last_schedule(const std::vector<LevelPlan>& levels) && {
  Schedule schedule = blank(levels);
  const std::vector<Entry*> all = parts(levels);
  for (std::size_t p = 0; p < all.size(); ++p) {
    std::vector<Phase> phases =
        std::count(all.begin(), all.end(), all[p]) == 1 ? std::move(all[p]->phases) : all[p]->phases;
    std::move(phases.begin(), phases.end(), std::back_inserter(schedule.phases));
  }
  return schedule;
}

Schedule ScheduleBook::blank(const std::vector<LevelPlan>& levels) const {
  Schedule schedule;
  schedule.collective = request_.collective;
  schedule.algorithm = label_of(levels);
  schedule.axes = request_.axes;
  schedule.ranks = ranks_;
  schedule.size = request_.size;
  schedule.element_bytes = request_.element_bytes;
  schedule.root = request_.root;
  schedule.pipeline = std::max<std::uint32_t>(1, request_.pipeline);
  schedule.channels = request_.channels;
  return schedule;
}

Schedule make_schedule(const ScheduleRequest& request) {
  return ScheduleBook(request).last_schedule(request.levels);
}

}  // namespace tahoma
