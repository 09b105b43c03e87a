// Which digits of the chip number can be collapsed: the symmetries that the network and every program share.
//
// Per digit there are two candidate groups, translations and XOR; a phase keeps those under which it is
// unchanged. One group must serve the whole problem, so the candidates of all phases are intersected.
#include "collectives/solve/instance.h"
#include "core/errors.h"

namespace tahoma {

namespace {

enum : std::uint8_t { by_shift = 1, by_exclusive_or = 2 };

std::uint8_t symmetries(const Digit& digit) {
  if (digit.size == 2 && (digit.shift || digit.exclusive_or)) return by_shift | by_exclusive_or;
  return static_cast<std::uint8_t>((digit.shift ? by_shift : 0) | (digit.exclusive_or ? by_exclusive_or : 0));
}

// What a phase leaves of its `which`-th axis' candidates.
std::uint8_t kept_by(const Phase& phase, const Schedule& schedule, std::size_t which) {
  switch (phase.invariance) {
    case Invariance::any:
      return by_shift | by_exclusive_or;
    case Invariance::axis_shift:
      return by_shift;
    case Invariance::flat_shift: {
      // Adding to the flat position carries from digit to digit, except into the outermost one.
      for (std::size_t outer = which + 1; outer < phase.axes.size(); ++outer) {
        if (schedule.axes[phase.axes[outer]].size > 1) return 0;
      }
      return schedule.axes[phase.axes[which]].size == 2 ? by_shift | by_exclusive_or : by_shift;
    }
    case Invariance::exclusive_or:
      return schedule.axes[phase.axes[which]].size == 2 ? by_shift | by_exclusive_or : by_exclusive_or;
    case Invariance::none:
      return 0;
  }
  return 0;
}

}  // namespace

DigitMask foldable_digits(const Problem& problem) {
  if (!problem.delays.empty() || !problem.flows.empty()) return 0;
  const auto digits = problem.topology->digits();
  std::vector<std::uint8_t> candidates;
  for (const Digit& digit : digits) candidates.push_back(symmetries(digit));
  for (const Program& program : problem.programs) {
    for (std::uint32_t d = 0; d < digits.size(); ++d) {
      if ((program.groups->whole_digits() >> d & 1) == 0) candidates[d] = 0;
    }
    const auto& axis_digits = program.groups->axis_digits();
    for (const Phase& phase : program.schedule->phases) {
      for (std::size_t which = 0; which < phase.axes.size(); ++which) {
        const std::uint32_t digit = axis_digits[phase.axes[which]];
        if (digit == RankGroups::no_digit) continue;
        candidates[digit] &= kept_by(phase, *program.schedule, which);
      }
    }
  }
  DigitMask mask = 0;
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    if (candidates[d] != 0 && digits[d].size > 1) mask |= DigitMask{1} << d;
  }
  return mask;
}

ChipClasses chip_classes(const Topology& topology, DigitMask folded) {
  ChipClasses classes;
  classes.identity = folded == 0;
  const auto digits = topology.digits();
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    if ((folded >> d & 1) != 0) {
      classes.orbit *= digits[d].size;
    } else {
      if (digits[d].size > 1) classes.kept.push_back({digits[d].stride, digits[d].size, classes.count});
      classes.count *= digits[d].size;
    }
  }
  TAHOMA_ASSERT(classes.count * classes.orbit == topology.chips(),
                "the chip number is not its digits' product");
  return classes;
}

namespace {

// Per group of positions of a phase: rows and messages over all roles.
struct PhaseSize {
  std::uint64_t rows = 0, messages = 0;
};

PhaseSize phase_size(const Phase& phase) {
  PhaseSize size;
  if (phase.unlisted != 0) {
    size.rows = size.messages = phase.positions * phase.unlisted;
    return size;
  }
  for (const Role& role : phase.roles) {
    std::uint64_t rows = 0, messages = 0;
    for (const Lane& lane : role.lanes) {
      rows += lane.sends.size();
      for (const Send& send : lane.sends) messages += send.reps;
    }
    size.rows += rows * role.count;
    size.messages += messages * role.count;
  }
  return size;
}

}  // namespace

ExpansionSize expansion_size(const Problem& problem, DigitMask folded) {
  const ChipClasses classes = chip_classes(*problem.topology, folded);
  ExpansionSize total;
  std::uint64_t rows = 0, nodes = 0;
  for (const Program& program : problem.programs) {
    const Schedule& schedule = *program.schedule;
    const std::uint64_t copies = std::uint64_t{schedule.channels} * schedule.pipeline;
    nodes += program.groups->ranks() * copies * schedule.phases.size();
    for (const Phase& phase : schedule.phases) {
      const PhaseSize size = phase_size(phase);
      const std::uint64_t groups = program.groups->ranks() / phase.positions;
      rows += size.rows * groups * copies;
      total.unfolded_messages += size.messages * groups * copies;
    }
  }
  total.unfolded_messages += problem.flows.size();
  total.send_rows = rows / classes.orbit;
  total.messages = total.unfolded_messages / classes.orbit;
  // A node with its stages is about 150 bytes.
  total.bytes =
      total.send_rows * bytes_per_send_row + nodes / classes.orbit * 150 + std::uint64_t{classes.count} * 4;
  return total;
}

}  // namespace tahoma
