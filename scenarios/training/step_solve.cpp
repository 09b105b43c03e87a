#include "scenarios/training/step_solve.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/program/fold_program.h"
#include "core/errors.h"

namespace tahoma {

namespace {

std::string names_of(const Topology& topology, DigitMask folded) {
  std::string names;
  const auto digits = topology.digits();
  for (std::size_t d = 0; d < digits.size(); ++d) {
    if ((folded >> d & 1) != 0) names += (names.empty() ? "" : ", ") + digits[d].name;
  }
  return names;
}

}  // namespace

StepAnswer solve_step(const TrainingStep& step, const std::string& solver) {
  StepAnswer answer;
  const bool is_auto = solver == "auto";
  const DigitMask folded = is_auto || solver == "quotient" ? foldable_digits(step) : 0;
  if (solver == "quotient" && folded == 0)
    throw InfeasibleError("solver quotient: no digit of the ranks' numbers is alike for network and step");
  answer.program = step_program(step, folded);
  const StepProgram& program = answer.program;
  const Problem problem = without_delays(*step.problem);
  const RankGroups all = RankGroups::all(*step.problem->topology);
  const std::span<const Axis> axes =
      folded == 0 ? std::span<const Axis>(all.axes()) : std::span<const Axis>();
  const bool by_colour = solver == "colours" || (is_auto && program.chips.size() > step.order->stages);
  answer.operations = answer.classes_run = program.program.ops.size();
  answer.solver = folded != 0 ? "quotient" : "program";
  answer.why = folded != 0 ? "alike along " + names_of(*step.problem->topology, folded)
                           : "operations are listed one by one";
  if (by_colour) {
    FoldedRun run = run_folded(program.program, problem, program.chips, axes, program.network);
    if (solver == "colours" && !run.folded)
      throw InfeasibleError(
          "solver colours: reductions have a rate, and their order depends on the ranks' places");
    answer.run = std::move(run.run);
    answer.classes_run = run.classes;
    if (run.folded && folded == 0) {
      answer.solver = "colours";
      answer.why = fmt::format("{} operations, {} that can be told apart", answer.operations, run.classes);
    }
  } else {
    answer.run = run_program(program.program, problem, program.chips, axes, program.network);
  }
  answer.classes = program.network.instance.classes;
  answer.finish = answer.run.rank_finish;
  answer.breakdowns = breakdowns_of(program, answer.run);
  const auto busy = [](const StepBreakdown& b) { return b.compute + b.recompute; };
  for (std::uint32_t rank = 1; rank < answer.breakdowns.size(); ++rank) {
    if (busy(answer.breakdowns[rank]) > busy(answer.breakdowns[answer.busiest])) answer.busiest = rank;
  }
  return answer;
}

}  // namespace tahoma
