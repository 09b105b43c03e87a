#include "collectives/solve/phase_runs.h"

#include <algorithm>

namespace tahoma {

namespace {

bool is_inside(const Schedule& schedule, const Phase& phase) {
  return std::all_of(phase.axes.begin(), phase.axes.end(),
                     [&](std::uint8_t a) { return schedule.axes[a].level <= Level::ultraserver; });
}

// The run's phases on their own axes, renumbered.
Schedule cut_out(const Schedule& whole, std::size_t first, std::size_t count,
                 const std::vector<std::uint8_t>& axes) {
  Schedule part;
  part.collective = whole.collective;
  part.size = whole.size;
  part.element_bytes = whole.element_bytes;
  for (const std::uint8_t axis : axes) {
    part.axes.push_back(whole.axes[axis]);
    part.ranks *= whole.axes[axis].size;
  }
  for (std::size_t p = first; p < first + count; ++p) {
    Phase phase = whole.phases[p];
    for (std::uint8_t& axis : phase.axes) {
      axis = static_cast<std::uint8_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
    }
    part.phases.push_back(std::move(phase));
  }
  return part;
}

// All chips reached from `base` by the coordinates of `parts`, mixed radix.
std::vector<ChipId> spread(ChipId base, const std::vector<RankGroups::DigitAxis>& parts) {
  std::size_t all = 1;
  for (const auto& part : parts) all *= part.size;
  std::vector<ChipId> chips{base};
  chips.reserve(all);
  for (const auto& part : parts) {
    const std::size_t before = chips.size();
    for (std::uint32_t c = 1; c < part.size; ++c) {
      for (std::size_t i = 0; i < before; ++i) chips.push_back(chips[i] + part.offset(c));
    }
    for (std::size_t i = 0; i < before; ++i) chips[i] += part.offset(0);
  }
  return chips;
}

}  // namespace

std::vector<PhaseRun> runs_of(const Schedule& schedule, const RankGroups& groups) {
  std::vector<PhaseRun> runs;
  const auto parts = groups.axis_parts();
  for (std::size_t first = 0; first < schedule.phases.size();) {
    PhaseRun run;
    run.inside = is_inside(schedule, schedule.phases[first]);
    run.first_phase = static_cast<std::uint32_t>(first);
    std::size_t count = 1;
    while (run.inside && first + count < schedule.phases.size() &&
           is_inside(schedule, schedule.phases[first + count])) {
      ++count;
    }
    for (std::size_t p = first; p < first + count; ++p) {
      run.axes.insert(run.axes.end(), schedule.phases[p].axes.begin(), schedule.phases[p].axes.end());
    }
    std::sort(run.axes.begin(), run.axes.end());
    run.axes.erase(std::unique(run.axes.begin(), run.axes.end()), run.axes.end());
    run.schedule = cut_out(schedule, first, count, run.axes);
    std::vector<RankGroups::DigitAxis> mine, others;
    for (std::size_t a = 0; a < parts.size(); ++a) {
      const bool in_run = std::find(run.axes.begin(), run.axes.end(), a) != run.axes.end();
      (in_run ? mine : others).push_back(parts[a]);
    }
    for (const auto& part : groups.outside()) others.push_back(part);
    for (const auto& part : others) run.other_digits |= DigitMask{1} << part.digit;
    run.offsets = spread(0, mine);
    ChipId fixed = groups.base();
    for (const auto& part : groups.inside()) fixed += part.size == 1 ? part.offset(0) : 0;
    run.bases = spread(fixed, others);
    std::sort(run.bases.begin(), run.bases.end());
    if (auto exchange = exchange_program(run.schedule))
      run.exchange = std::make_shared<const ExchangeProgram>(std::move(*exchange));
    runs.push_back(std::move(run));
    first += count;
  }
  return runs;
}

std::optional<NetworkPart> part_of(const PhaseRun& run) {
  if (run.inside) return NetworkPart::scale_up;
  const bool reaches_in = std::any_of(run.schedule.axes.begin(), run.schedule.axes.end(),
                                      [](const Axis& axis) { return axis.level <= Level::ultraserver; });
  return reaches_in ? std::nullopt : std::optional(NetworkPart::fabric);
}

bool all_ranks_send(const Schedule& schedule) {
  const Phase& phase = schedule.phases[0];
  std::uint64_t senders = 0;
  for (const Role& role : phase.roles) {
    const bool sends =
        std::any_of(role.lanes.begin(), role.lanes.end(), [](const Lane& l) { return !l.sends.empty(); });
    senders += sends ? role.count : 0;
  }
  return senders == phase.positions;
}

bool reduces(const Schedule& schedule) {
  for (const Phase& phase : schedule.phases) {
    for (const Role& role : phase.roles) {
      for (const Lane& lane : role.lanes) {
        for (const Send& send : lane.sends) {
          if (send.op == Op::reduce) return true;
        }
      }
    }
  }
  return false;
}

}  // namespace tahoma
