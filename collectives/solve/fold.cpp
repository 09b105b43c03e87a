// Which digits of the chip number can be collapsed: the symmetries that the network and every program share.
//
// Per digit there are two candidate groups, translations and XOR; a phase keeps those under which it is
// unchanged. One group must serve the whole problem, so the candidates of all phases are intersected.
//
// A mixed network has no digits in common: each site's are judged by the phases of that site alone, and what
// the sites exchange must look alike from all chips of a class (solve/classes_by_site.h). If it does not,
// nothing is folded.
#include <algorithm>

#include "collectives/between_sites.h"
#include "collectives/solve/classes_by_site.h"
#include "collectives/solve/instance.h"
#include "core/errors.h"

namespace tahoma {

namespace {

enum : std::uint8_t { by_shift = 1, by_exclusive_or = 2 };

std::uint8_t symmetries(const Digit& digit) {
  if (digit.size == 2 && (digit.shift || digit.exclusive_or)) return by_shift | by_exclusive_or;
  return static_cast<std::uint8_t>((digit.shift ? by_shift : 0) | (digit.exclusive_or ? by_exclusive_or : 0));
}

// What a phase leaves of its `which`-th axis' candidates. Where messages wait for each other, the order of a
// rank's own channels counts too, and that of `any` goes by flat positions.
std::uint8_t kept_by(const Phase& phase, std::span<const Axis> axes, std::size_t which,
                     bool in_order = false) {
  switch (in_order && phase.invariance == Invariance::any ? Invariance::flat_shift : phase.invariance) {
    case Invariance::any:
      return by_shift | by_exclusive_or;
    case Invariance::axis_shift:
      return by_shift;
    case Invariance::flat_shift: {
      // Adding to the flat position carries from digit to digit, except into the outermost one.
      for (std::size_t outer = which + 1; outer < phase.axes.size(); ++outer) {
        if (axes[phase.axes[outer]].size > 1) return 0;
      }
      return axes[phase.axes[which]].size == 2 ? by_shift | by_exclusive_or : by_shift;
    }
    case Invariance::exclusive_or:
      return axes[phase.axes[which]].size == 2 ? by_shift | by_exclusive_or : by_exclusive_or;
    case Invariance::none:
      return 0;
  }
  return 0;
}

struct Levels {
  Level inner, outer;
};

/// Of one site's own digits of some levels, what its phases of all programs leave.
DigitMask foldable_inside(const Problem& problem, const TopologyPart& part, std::uint8_t number,
                          Levels levels) {
  const RankGroups ranks = RankGroups::all(*part.inside);
  const auto digits = part.inside->digits();
  std::vector<std::uint8_t> candidates;
  for (const Digit& digit : digits) candidates.push_back(symmetries(digit));
  for (const Program& program : problem.programs) {
    for (const Phase& phase : program.schedule->phases) {
      for (std::size_t which = 0; phase.part == number && which < phase.axes.size(); ++which) {
        const std::uint32_t digit = ranks.axis_digits()[phase.axes[which]];
        candidates[digit] &= kept_by(phase, axes_of(*program.schedule, phase), which);
      }
    }
  }
  DigitMask mask = 0;
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    if (candidates[d] != 0 && digits[d].size > 1 && digits[d].level >= levels.inner &&
        digits[d].level <= levels.outer)
      mask |= DigitMask{1} << d;
  }
  return mask;
}

// Reducers serve message by message, and a class's messages may be several to one of them.
DigitMask foldable_sites(const Problem& problem) {
  const auto parts = problem.topology->parts();
  const std::size_t digits = parts.back().first_digit + parts.back().inside->digits().size();
  if (digits > digits_in_a_mask || reduction_rate(problem).q20 != 0) return 0;
  for (const Program& program : problem.programs) {
    const auto is_within_sites = [](const Phase& phase) {
      return phase.part != whole_group || !phase.between_bytes.empty();
    };
    const auto& phases = program.schedule->phases;
    if (program.schedule->parts.empty() || program.groups->ranks() != problem.topology->chips() ||
        program.groups->groups() != 1 || program.groups->is_list() ||
        !std::all_of(phases.begin(), phases.end(), is_within_sites))
      return 0;
  }
  // Where an algorithm tells the chips of one site's domains apart, those of all sites have to be; likewise
  // the domains, where one site's differ (leaves filled unequally).
  constexpr Levels attempts[] = {
      {Level::chip, Level::cluster}, {Level::site, Level::cluster}, {Level::chip, Level::ultraserver}};
  for (const Levels levels : attempts) {
    DigitMask mask = 0;
    for (std::size_t p = 0; p < parts.size(); ++p)
      mask |= foldable_inside(problem, parts[p], static_cast<std::uint8_t>(p), levels)
              << parts[p].first_digit;
    if (mask == 0) continue;
    if (problem.programs.empty()) return mask;
    const ChipClasses classes = chip_classes(*problem.topology, mask);
    if (ClassesBySite(classes).all_alike(problem.programs[0].schedule->parts)) return mask;
  }
  return 0;
}

}  // namespace

DigitMask foldable_digits(const Problem& problem) {
  if (!problem.delays.empty() || !problem.flows.empty()) return 0;
  if (!problem.topology->parts().empty()) return foldable_sites(problem);
  const auto digits = problem.topology->digits();
  std::vector<std::uint8_t> candidates;
  // Who waits behind whom at a link that stores is told by distances, which only translations keep.
  const bool by_distance = problem.topology->stores_somewhere();
  for (const Digit& digit : digits)
    candidates.push_back(static_cast<std::uint8_t>(symmetries(digit) & (by_distance ? by_shift : ~0)));
  // The ranks of a chip send over its links one after another.
  if (by_distance && problem.topology->ranks_per_chip() > 1) candidates[0] = 0;
  for (const Program& program : problem.programs) {
    for (std::uint32_t d = 0; d < digits.size(); ++d) {
      if ((program.groups->whole_digits() >> d & 1) == 0) candidates[d] = 0;
    }
    const auto& axis_digits = program.groups->axis_digits();
    for (const Phase& phase : program.schedule->phases) {
      for (std::size_t which = 0; which < phase.axes.size(); ++which) {
        const std::uint32_t digit = axis_digits[phase.axes[which]];
        if (digit == RankGroups::no_digit) continue;
        candidates[digit] &= kept_by(phase, program.schedule->axes, which, by_distance);
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
  if (const auto parts = topology.parts(); !parts.empty() && folded != 0) {
    classes.count = 0;
    for (const TopologyPart& part : parts) {
      classes.parts.push_back(
          {part.first, classes.count, chip_classes(*part.inside, mask_of_part(part, folded))});
      classes.count += classes.parts.back().inside.count;
    }
    return classes;
  }
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

const ChipClasses::Part& ChipClasses::part_of_class(std::uint32_t chip_class) const {
  return *(std::upper_bound(parts.begin(), parts.end(), chip_class,
                            [](std::uint32_t c, const Part& part) { return c < part.first_class; }) -
           1);
}

std::uint64_t ChipClasses::orbit_of(std::uint32_t chip_class) const {
  return parts.empty() ? orbit : part_of_class(chip_class).inside.orbit;
}

std::uint32_t ChipClasses::of_parts(ChipId chip) const {
  const auto after = std::upper_bound(parts.begin(), parts.end(), chip,
                                      [](ChipId c, const Part& part) { return c < part.first; });
  const Part& part = *(after - 1);
  return part.first_class + part.inside.of(chip - part.first);
}

ChipId ChipClasses::chip_of_parts(std::uint32_t chip_class) const {
  const Part& part = part_of_class(chip_class);
  return part.first + part.inside.chip(chip_class - part.first_class);
}

ChipCosts costs_of(const Problem& problem, ChipId chip) {
  if (problem.part_costs.empty()) return {problem.overhead, problem.memory, problem.reduction_rate};
  const auto parts = problem.topology->parts();
  std::size_t part = 0;
  while (part + 1 < parts.size() && parts[part + 1].first <= chip) ++part;
  return problem.part_costs[part];
}

bool has_memory(const Problem& problem) {
  return problem.memory.rate.q20 != 0 ||
         std::any_of(problem.part_costs.begin(), problem.part_costs.end(),
                     [](const ChipCosts& costs) { return costs.memory.rate.q20 != 0; });
}

Capacity reduction_rate(const Problem& problem) {
  Capacity rate = problem.part_costs.empty() ? problem.reduction_rate : Capacity{};
  for (const ChipCosts& costs : problem.part_costs) rate = std::max(rate, costs.reduction_rate);
  return rate;
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

namespace {

/// Messages between sites, and how many rows a fold makes of them at the most.
PhaseSize size_between(const Schedule& schedule, const ChipClasses& classes) {
  PhaseSize size;
  for (std::size_t i = 0; i < schedule.parts.size(); ++i) {
    for (std::size_t j = 0; j < schedule.parts.size(); ++j) {
      if (i == j) continue;
      const std::uint64_t peers = Meeting(schedule.parts[i], schedule.parts[j]).peers();
      const std::uint64_t messages = schedule.parts[i].ranks * peers;
      size.messages += messages;
      size.rows += classes.parts.empty() ? messages
                                         : classes.parts[i].inside.count *
                                               std::min<std::uint64_t>(peers, classes.parts[j].inside.count);
    }
  }
  return size;
}

}  // namespace

ExpansionSize expansion_size(const Problem& problem, DigitMask folded) {
  const ChipClasses classes = chip_classes(*problem.topology, folded);
  ExpansionSize total;
  std::uint64_t nodes = 0;
  const auto add = [&](std::uint64_t rows, std::uint64_t messages, std::uint64_t unfolded) {
    total.send_rows += rows;
    total.messages += messages;
    total.unfolded_messages += unfolded;
  };
  for (const Program& program : problem.programs) {
    const Schedule& schedule = *program.schedule;
    const std::uint64_t copies = std::uint64_t{schedule.channels} * schedule.pipeline;
    const std::uint64_t ranks = program.groups->ranks();
    nodes += (classes.parts.empty() ? ranks : classes.count) * copies * schedule.phases.size();
    for (const Phase& phase : schedule.phases) {
      if (!phase.between_bytes.empty()) {
        const PhaseSize size = size_between(schedule, classes);
        add(size.rows * copies, size.rows * copies, size.messages * copies);
        continue;
      }
      const bool whole = phase.part == whole_group;
      const PhaseSize size = phase_size(phase);
      const std::uint64_t groups = (whole ? ranks : schedule.parts[phase.part].ranks) / phase.positions;
      const std::uint64_t orbit = whole || classes.parts.empty() ? 1 : classes.parts[phase.part].inside.orbit;
      add(size.rows * groups * copies / orbit, size.messages * groups * copies / orbit,
          size.messages * groups * copies);
    }
  }
  total.messages += problem.flows.size();
  total.unfolded_messages += problem.flows.size();
  total.send_rows /= classes.orbit;
  total.messages /= classes.orbit;
  // A node with its stages is about 150 bytes.
  total.bytes =
      total.send_rows * bytes_per_send_row + nodes / classes.orbit * 150 + std::uint64_t{classes.count} * 4;
  return total;
}

}  // namespace tahoma
