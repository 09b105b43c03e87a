// Operations of a listed program that cannot be told apart, run once.
//
// Problem: a training step on ten thousand ranks is some ten million operations, nearly all of them the same
// thing at another place. Where a program is no product of digits (a straggler, uneven stages, groups that
// split a digit) the fold of decision 0004 does not see it.
//
// Idea: colour refinement. Operations, links and servers are coloured by what they are; then
//   an operation   by its needs' colours, its partner's, and those of the links on its path
//   a link         by its capacity and how many operations of each colour cross it
//   a server       by the colours of what it does
// until nothing splits any more. Operations of one colour then begin and end together: by induction over
// instants, since their needs are done together and max-min gives them one rate (decision 0004). One
// operation per colour is run, by the executor of whole programs, over paths that carry the weights a(L, F).
//
// The needs of an operation are coloured before it is, so one sweep in an order of the program replaces as
// many rounds as the program is deep. What follows an operation is not asked: it cannot change when it ends.
//
// Colours are hashes; the partition found is compared member by member afterwards, exactly.
//
// Limit: the program is listed once, so this is for up to some ten million operations. Reduction with a rate
// is declined: who is served first depends on the places of the ranks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "collectives/program/run_program.h"

namespace tahoma {

struct FoldedProgram {
  RankProgram program;  // one operation per class, in the order of their first members
  ProgramNetwork network;
  std::vector<std::uint32_t> class_of_op;
  std::uint32_t rounds = 0;  // of refinement
};

/// Nothing where reductions have a rate. `network`: of the program, listed whole or folded by digits.
std::optional<FoldedProgram> fold_program(const RankProgram& program, const Problem& problem,
                                          std::span<const ChipId> chips, const ProgramNetwork& network);

struct FoldedRun {
  ProgramRun run;  // of all operations, as run_program says it; messages, events and solves are of the fold
  bool folded = false;
  std::size_t classes = 0;  // operations that were run
};

/// run_program by way of the fold, or without it where that declines.
FoldedRun run_folded(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                     std::span<const Axis> axes, const ProgramNetwork& network);

}  // namespace tahoma
