#include "collectives/program/solve_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/program/run_program.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint64_t bytes_per_op = 250;  // with its path, state and needs, about

}  // namespace

Solution solve_program(const RankProgram& program, const Problem& problem, const RankGroups& groups) {
  TAHOMA_ASSERT(program.ranks == groups.size(), "a program for other groups");
  if (problem.topology->stores_somewhere()) {
    throw InfeasibleError(
        "a program of listed operations is not built for links that store and forward; what can be answered "
        "is the same without store_and_forward, or a collective by one of our algorithms");
  }
  const std::uint64_t ops = std::uint64_t{program.ops.size()} * groups.groups();
  if (ops > most_engine_bytes / bytes_per_op) {
    throw InfeasibleError(
        fmt::format("the program has {} operations on {} groups of ranks, and {} are the limit; what can be "
                    "answered is the same on fewer groups",
                    ops, groups.groups(), most_engine_bytes / bytes_per_op));
  }
  std::vector<ChipId> chips;
  for (std::uint32_t g = 0; g < groups.groups(); ++g) {
    for (std::uint32_t p = 0; p < groups.size(); ++p) chips.push_back(groups.chip(g, p));
  }
  const ProgramRun run = groups.groups() == 1 ? run_program(program, problem, chips, groups.axes())
                                              : run_program(side_by_side(program, groups.groups()), problem,
                                                            chips, groups.axes());
  Solution solution;
  solution.solver = "program";
  solution.why = "operations are listed one by one";
  solution.classes = chip_classes(*problem.topology, 0);
  Solution::ProgramPart part{Time{}, Time{}, {}, {}};
  part.finish_of_class.assign(solution.classes.count, Time::never());
  for (std::size_t rank = 0; rank < chips.size(); ++rank) {
    part.finish_of_class[chips[rank]] = run.rank_finish[rank];
    part.finish = std::max(part.finish, run.rank_finish[rank]);
  }
  solution.programs.push_back(std::move(part));
  solution.links = run.links;
  solution.rank_classes = chips.size();
  solution.messages = run.messages;
  solution.events = run.events;
  solution.solves = run.solves;
  return solution;
}

}  // namespace tahoma
