#include "scenarios/training/step_solve.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/program/fold_program.h"
#include "core/errors.h"
#include "scenarios/training/step_blocks.h"

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

// The program as it is asked for, and its run.
void run_answer(const TrainingStep& step, std::span<const Axis> axes, bool by_colour, StepAnswer& answer) {
  const StepProgram& program = answer.program;
  const Problem problem = without_delays(*step.problem);
  if (!by_colour) {
    answer.run = run_program(program.program, problem, program.chips, axes, program.network);
    answer.classes_run = program.program.ops.size();
    return;
  }
  FoldedRun run = run_folded(program.program, problem, program.chips, axes, program.network);
  answer.run = std::move(run.run);
  answer.classes_run = run.classes;
  answer.folded_by_colour = run.folded;
}

// With collectives in one piece, as far as nothing meets them; false if that does not settle.
bool run_in_blocks(const TrainingStep& step, DigitMask folded, bool by_colour, StepAnswer& answer) {
  constexpr int most_rounds = 8;
  StepBlocks blocks;
  for (int round = 0; round < most_rounds; ++round) {
    answer.program = step_program(step, folded, &blocks);
    if (answer.program.blocks.empty()) return false;
    run_answer(step, {}, by_colour, answer);
    const StepBlocks met = blocks_that_meet(answer.program, answer.run);
    if (met.listed.empty()) {
      add_carried(answer.program, answer.run);
      return true;
    }
    blocks.listed.insert(met.listed.begin(), met.listed.end());
  }
  return false;
}

}  // namespace

StepAnswer solve_step(const TrainingStep& step, const std::string& solver) {
  StepAnswer answer;
  const bool is_auto = solver == "auto";
  const DigitMask folded = is_auto || solver == "quotient" ? foldable_digits(step) : 0;
  if (solver == "quotient" && folded == 0)
    throw InfeasibleError("solver quotient: no digit of the ranks' numbers is alike for network and step");
  const RankGroups all = RankGroups::all(*step.problem->topology);
  const std::span<const Axis> axes =
      folded == 0 ? std::span<const Axis>(all.axes()) : std::span<const Axis>();
  const std::uint64_t kinds =
      step.problem->topology->chips() / chip_classes(*step.problem->topology, folded).orbit;
  const bool by_colour = solver == "colours" || (is_auto && kinds > step.order->stages);
  const bool in_blocks = folded != 0 && run_in_blocks(step, folded, by_colour, answer);
  if (!in_blocks) {
    answer.program = step_program(step, folded);
    run_answer(step, axes, by_colour, answer);
  }
  const StepProgram& program = answer.program;
  answer.operations = program.program.ops.size();
  answer.solver = folded != 0 ? "quotient" : answer.folded_by_colour ? "colours" : "program";
  answer.why = folded != 0               ? "alike along " + names_of(*step.problem->topology, folded)
               : answer.folded_by_colour ? fmt::format("{} operations, {} that can be told apart",
                                                       answer.operations, answer.classes_run)
                                         : "operations are listed one by one";
  if (in_blocks)
    answer.why +=
        fmt::format("; {} collectives that meet nothing else run alone once", program.blocks.size());
  if (solver == "colours" && !answer.folded_by_colour)
    throw InfeasibleError(
        "solver colours: reductions have a rate, and their order depends on the ranks' places");
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
