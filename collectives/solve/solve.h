// Problem -> exact solution: the planner and what every solver answers.
//
// Solvers, in the order in which they are tried:
//   quotient   the engine on one rank per symmetry class; needs at least one digit that all share
//   pairs      everyone to everyone at once, by classes of pairs (solve/pairs.h)
//   phases     blocks that do not meet, each distinct one once (solve/phases.h)
//   engine     the engine on every rank: the judge of the others
// Quotient and engine are the same program on differently expanded data (solve/instance.h). Where the
// quotient (or, without symmetry, the engine) has few messages it is taken at once; else pairs and phases are
// tried first.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "collectives/solve/chain.h"
#include "collectives/solve/engine.h"
#include "collectives/solve/instance.h"

namespace tahoma {

struct LinkUse {
  LinkId link;          // the representative
  std::uint64_t orbit;  // links it stands for
  std::uint64_t bytes;  // carried by each
  Capacity capacity;
};

struct Solution {
  std::string solver;  // "quotient", "pairs", "phases" or "engine"
  std::string why;     // in words
  ChipClasses classes;
  struct ProgramPart {
    Time start, finish;
    std::vector<Time> finish_of_class;  // by chip class; Time::never() where no rank is
    CriticalChain chain;
  };
  std::vector<ProgramPart> programs;
  std::vector<Time> flow_finish;
  std::vector<LinkUse> links;
  std::uint64_t rank_classes = 0;  // nodes simulated
  std::uint64_t messages = 0;      // of the unfolded network
  std::uint64_t events = 0, solves = 0;

  /// Finish of the rank on `chip` in program `p`.
  Time finish(std::size_t p, ChipId chip) const { return programs[p].finish_of_class[classes.of(chip)]; }
};

/// Limits of one exact run. Constants, not the machine's: a refusal must not depend on where it was asked.
inline constexpr std::uint64_t most_engine_bytes = std::uint64_t{10} << 30;
inline constexpr std::uint64_t most_engine_messages = 200'000'000;  // some minutes
/// Beyond this the engine is not begun unasked: some 4 us a message (a Bruck of 65,536 chips took 9 s for two
/// million on one core), so minutes. Naming `engine` or `quotient` asks for it.
inline constexpr std::uint64_t most_unasked_messages = 20'000'000;
/// Below this the plain expansion is faster than looking for blocks.
inline constexpr std::uint64_t few_messages = 200'000;

/// `solver`: "auto", "quotient", "pairs", "phases" or "engine". Throws InfeasibleError when no exact solver
/// can finish the problem within the limits (with the figures), or when a forced one does not apply.
Solution solve(const Problem& problem, const std::string& solver = "auto");

/// The problem with the sends that `pairwise` leaves unlisted (Phase::unlisted). Not to be copied: the
/// programs point into it.
struct ListedProblem {
  explicit ListedProblem(const Problem& with_unlisted);
  ListedProblem(const ListedProblem&) = delete;
  ListedProblem& operator=(const ListedProblem&) = delete;
  Problem problem;
  std::deque<Schedule> schedules;
};

}  // namespace tahoma
