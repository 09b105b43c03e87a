#include "collectives/solve/solve.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/algorithms.h"
#include "collectives/solve/pairs.h"
#include "collectives/solve/phases.h"
#include "core/errors.h"

namespace tahoma {

namespace {

std::string digit_names(const Topology& topology, DigitMask mask) {
  std::string names;
  const auto digits = topology.digits();
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    if ((mask >> d & 1) == 0) continue;
    names += (names.empty() ? "" : ", ") + digits[d].name;
  }
  return names;
}

bool is_too_large(const ExpansionSize& size) {
  return size.bytes > most_engine_bytes || size.messages > most_engine_messages;
}

void refuse_if_too_large(const ExpansionSize& size, DigitMask folded) {
  if (!is_too_large(size)) return;
  throw InfeasibleError(fmt::format(
      "no exact solver can finish this: {} messages on {} send rows need about {:.1f} GiB of memory (limits: "
      "{} "
      "messages, {} GiB){}; ask for fewer ranks, a symmetric case, or an algorithm with fewer messages",
      size.messages, size.send_rows, static_cast<double>(size.bytes) / double(1 << 30), most_engine_messages,
      most_engine_bytes >> 30,
      folded == 0
          ? ", and nothing folds: faults, stragglers, or ranks and algorithms without a common symmetry"
          : ""));
}

// Messages that are no pattern to any other solver, and many.
void refuse_if_too_long(const ExpansionSize& size) {
  if (size.messages <= most_unasked_messages) return;
  throw InfeasibleError(fmt::format(
      "no exact solver can finish this soon: {} messages on links that they share, one by one, take about {} "
      "min and {:.1f} GiB (limit: {} messages); what can be answered is an algorithm for each level, such as "
      "{{intra: torus, inter: halving_doubling}}, a ring, the same on a healthy network, or fewer ranks; "
      "--solver engine runs it nevertheless",
      size.messages, (size.messages * 4 / 1'000'000 + 59) / 60,
      static_cast<double>(size.bytes) / double(1 << 30), most_unasked_messages));
}

CriticalChain chain_of(const Instance& instance, const EngineTrace& trace, const EngineResult& run,
                       std::size_t program) {
  CriticalChain chain;
  const Instance::ProgramRow& row = instance.programs[program];
  const Time finish = run.program_finish[program];
  std::uint32_t node = row.first_node;
  while (run.node_finish[node] != finish) ++node;
  node = chain_of_trace(instance, trace, node, finish, 0, chain);
  chain.origin = instance.classes.chip(instance.nodes[node].chip_class);
  chain.origin_start = chain.parts.empty() ? finish : chain.parts.back().begin;
  chain.known = true;
  return chain;
}

Solution gather(const Problem& problem, const Instance& instance, const EngineTrace* trace,
                EngineResult&& run) {
  Solution solution;
  solution.classes = instance.classes;
  for (std::size_t p = 0; p < instance.programs.size(); ++p) {
    const Instance::ProgramRow& row = instance.programs[p];
    Solution::ProgramPart part{run.program_start[p], run.program_finish[p], {}, {}};
    part.finish_of_class.assign(instance.classes.count, Time::never());
    std::uint64_t ranks = 0;
    for (std::uint32_t n = row.first_node; n < row.first_node + row.nodes; ++n) {
      TAHOMA_ASSERT(run.node_finish[n] != Time::never(), "a rank did not finish");
      part.finish_of_class[instance.nodes[n].chip_class] = run.node_finish[n];
      ranks += instance.classes.orbit_of(instance.nodes[n].chip_class);
    }
    TAHOMA_ASSERT(ranks == problem.programs[p].groups->ranks(), "the classes do not cover the ranks");
    if (trace != nullptr && row.nodes > 0) part.chain = chain_of(instance, *trace, run, p);
    solution.programs.push_back(std::move(part));
  }
  for (std::size_t l = 0; l < instance.links.size(); ++l) {
    if (is_memory(instance.links[l].id)) continue;
    solution.links.push_back(
        {instance.links[l].id, instance.links[l].orbit, run.link_bytes[l], instance.links[l].capacity});
  }
  solution.flow_finish = std::move(run.flow_finish);
  solution.rank_classes = instance.nodes.size();
  solution.events = run.events;
  solution.solves = run.solves;
  return solution;
}

Solution expand_and_run(const Problem& problem, DigitMask foldable, const ExpansionSize& size,
                        const std::string& solver) {
  refuse_if_too_large(size, foldable);
  if (solver == "auto") refuse_if_too_long(size);
  const Instance instance = expand(problem, foldable);
  EngineTrace trace;
  EngineTrace* const kept = size.messages <= most_traced ? &trace : nullptr;
  Solution solution = gather(problem, instance, kept, run_engine(instance, *problem.topology, {}, kept));
  if (foldable != 0) {
    solution.solver = "quotient";
    solution.why = !instance.classes.parts.empty()
                       ? fmt::format("folded site by site: {} classes for {} chips", instance.classes.count,
                                     problem.topology->chips())
                       : fmt::format("folded over {}: one rank stands for {}",
                                     digit_names(*problem.topology, foldable), instance.classes.orbit);
  } else {
    solution.solver = "engine";
    solution.why = solver == "engine" ? "forced" : "no symmetry to fold";
  }
  solution.messages = size.unfolded_messages;
  return solution;
}

template <typename Predicate>
bool any_phase(const Problem& problem, Predicate holds) {
  return std::any_of(problem.programs.begin(), problem.programs.end(), [&](const Program& program) {
    return std::any_of(program.schedule->phases.begin(), program.schedule->phases.end(), holds);
  });
}

// False for an exchange of more ranks than there are channels, which only solve_by_pairs understands.
bool is_spelled_out(const Problem& problem) {
  return !any_phase(problem,
                    [](const Phase& phase) { return phase.unlisted != 0 && !goes_on_unlisted(phase); });
}

// So many messages fit only where they fold, since as a block's own they are too many (pairwise leaves 8,192
// ranks or more unlisted): refused by their number, or listed and solved.
static_assert(std::uint64_t{8192} * 8191 * bytes_per_send_row > most_engine_bytes);
Solution list_and_solve(const Problem& problem, const std::string& solver) {
  const ExpansionSize size = expansion_size(problem, solver == "engine" ? 0 : foldable_digits(problem));
  if (is_too_large(size)) {
    throw InfeasibleError(
        fmt::format("no exact solver can finish this: {} messages, of ranks that send to all others one "
                    "after another, on "
                    "links that they share (limit: {}); what can be answered is an algorithm with fewer "
                    "messages, such as "
                    "halving_doubling or, for an exchange of all with all on a healthy network, direct; or "
                    "this for fewer "
                    "ranks",
                    size.messages, most_engine_messages));
  }
  const ListedProblem listed(problem);
  return solve(listed.problem, solver);
}

// What sites exchange has roles only while its messages are few; beyond, it is known class by class.
void refuse_if_told_by_class_alone(const Problem& problem, DigitMask folded, const ExpansionSize& size) {
  if (folded != 0) return;
  for (const Program& program : problem.programs) {
    for (const Phase& phase : program.schedule->phases) {
      if (phase.between_bytes.empty() || !phase.roles.empty()) continue;
      throw InfeasibleError(fmt::format(
          "no exact solver can finish this: {} messages, and the sites do not fold: faults, stragglers, "
          "reduction rates, or algorithms that tell the ranks of a site apart; what can be answered is the "
          "same "
          "without them, or with `direct` or `torus` in each site, or smaller sites",
          size.unfolded_messages));
    }
  }
}

Solution solve_pairs(const Problem& problem, bool spelled_out) {
  std::string why_not;
  if (auto solution = solve_by_pairs(problem, why_not)) return std::move(*solution);
  if (spelled_out) throw InfeasibleError("solver 'pairs' does not apply: " + why_not);
  const std::uint64_t ranks = problem.programs[0].schedule->ranks;
  constexpr auto able = static_cast<std::uint64_t>(4400);
  static_assert(able * able * bytes_per_send_row < most_engine_bytes && able * able < most_unasked_messages);
  throw InfeasibleError(fmt::format(
      "no exact solver can finish this: {} messages that all start at once, and their pairs fall into no "
      "classes since {}; what can be answered is the same on the healthy network if all its groups are "
      "equal, or "
      "this for up to {} ranks",
      ranks * (ranks - 1), why_not, able));
}

}  // namespace

ListedProblem::ListedProblem(const Problem& with_unlisted) : problem(with_unlisted) {
  for (Program& program : problem.programs) {
    program.schedule = &schedules.emplace_back(*program.schedule);
    list_sends(schedules.back());
  }
}

Solution solve(const Problem& problem, const std::string& solver) {
  constexpr std::string_view known[] = {"auto", "engine", "pairs", "phases", "quotient"};
  if (std::find(std::begin(known), std::end(known), solver) == std::end(known))
    throw InfeasibleError("solver '" + solver +
                          "' does not apply here; accepted: auto, engine, pairs, phases, quotient");
  const bool spelled_out = is_spelled_out(problem);
  if (solver == "pairs" || !spelled_out) return solve_pairs(problem, spelled_out);
  if (any_phase(problem, goes_on_unlisted)) return list_and_solve(problem, solver);
  const DigitMask foldable = solver == "engine" ? 0 : foldable_digits(problem);
  if (solver == "quotient" && foldable == 0) {
    throw InfeasibleError(
        "solver 'quotient' does not apply: no digit of the chip number is a symmetry of the network and of "
        "every "
        "program (faults and stragglers break all of them); accepted: auto, engine, pairs, phases, quotient");
  }
  const ExpansionSize size = expansion_size(problem, foldable);
  refuse_if_told_by_class_alone(problem, foldable, size);
  // Only the expansion knows of chips' memories.
  const bool with_memory = has_memory(problem);
  const bool mixed = !problem.topology->parts().empty();
  if (mixed && (solver == "pairs" || solver == "phases"))
    throw InfeasibleError("solver '" + solver + "' does not apply: the sites are of different hardware");
  if (with_memory && (solver == "pairs" || solver == "phases"))
    throw InfeasibleError("solver '" + solver + "' does not apply: chips' memories are shared too");
  const bool stores = problem.topology->stores_somewhere();
  if (stores && (solver == "pairs" || solver == "phases"))
    throw InfeasibleError("solver '" + solver +
                          "' does not apply: messages wait at links that store and forward");
  const bool small = size.messages <= few_messages || with_memory || mixed || stores;
  std::string why_not;
  if (solver == "auto" && !small) {
    if (auto solution = solve_by_pairs(problem, why_not)) return std::move(*solution);
  }
  if (solver == "phases" || (solver == "auto" && !small)) {
    if (auto solution = solve_by_phases(problem, why_not)) {
      solution->messages = size.unfolded_messages;
      return std::move(*solution);
    }
    if (solver == "phases") throw InfeasibleError("solver 'phases' does not apply: " + why_not);
  }
  return expand_and_run(problem, foldable, size, solver);
}

}  // namespace tahoma
