#include "scenarios/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "core/errors.h"
#include "scenarios/advice.h"
#include "scenarios/judge_assertions.h"
#include "scenarios/listed_rows.h"
#include "scenarios/network.h"
#include "scenarios/rows.h"
#include "scenarios/run_trace.h"
#include "scenarios/run_training.h"
#include "scenarios/stack_rows.h"
#include "scenarios/summarize.h"
#include "scenarios/trace_json.h"
#include "scenarios/validation/evidence.h"

namespace tahoma {

namespace {

// Everything of one run that the parts below share. Lives as long as the run.
struct Run {
  const Scenario& scenario;
  const RunOptions& options;
  Network network;
  std::deque<RankGroups> groups;  // stable addresses
  std::vector<PlannedRow> rows;
  StackRows stacked;
  Fingerprint fingerprint;
  Result result;

  bool stopped() const { return options.interrupted != nullptr && options.interrupted->load(); }
};

void keep(Run& run, const PlannedRow& planned, const Schedule& schedule, const Solution& solution,
          std::size_t program, const Software& software) {
  CollectiveRow row = summarize_row(planned, schedule, *run.network.topology, solution, program, software);
  run.fingerprint.add(*planned.groups, solution, program);
  run.result.stats.events += solution.events;
  run.result.stats.solves += solution.solves;
  run.result.collectives.push_back(std::move(row));
}

void keep_links(Run& run, const Solution& solution, Duration lasted, const std::string& name) {
  const auto links = summarize_links(*run.network.topology, solution, lasted, name);
  if (!run.result.collectives.empty() && !links.empty()) {
    run.result.collectives.back().bottleneck =
        fmt::format("{} ({:.1f} % busy)", links[0].tier, links[0].utilization * 100);
  }
  run.result.links.insert(run.result.links.end(), links.begin(), links.end());
}

void run_trace_job(Run& run) {
  const Job& job = run.scenario.jobs[0];
  if (run.options.solver != "auto" && run.options.solver != "engine")
    throw InfeasibleError("solver '" + run.options.solver +
                          "' does not apply to a trace; accepted: auto, engine");
  if (run.options.trace) throw InfeasibleError("the messages of a recorded trace cannot be traced yet");
  const TraceAnswer answer = run_trace(run.scenario, run.network, job, std::get<TraceWork>(job.work));
  for (const Time finish : answer.rank_finish) run.fingerprint.add_time(finish);
  run.result.stats.events += answer.links.events;
  run.result.stats.solves += answer.links.solves;
  keep_links(run, answer.links, answer.links_lasted, "trace");
  run.result.traces.push_back(answer.row);
}

void plan_job(Run& run, const Job& job) {
  const auto* work = std::get_if<CollectiveWork>(&job.work);
  if (work == nullptr) return;
  // Axes are described by the healthy network: a dead link of one chip is no property of its dimension.
  run.groups.push_back(make_groups(run.network.healthy ? *run.network.healthy : *run.network.topology, *work,
                                   run.scenario.seed));
  for (PlannedRow& row : plan_rows(job, *work, run.groups.back(), run.scenario.seed)) {
    run.rows.push_back(std::move(row));
  }
}

void keep_trace(Run& run, const Problem& problem) {
  constexpr std::uint32_t slices = 200;
  std::vector<const Schedule*> schedules;
  for (const Program& program : problem.programs) schedules.push_back(program.schedule);
  run.result.trace = trace_json(trace_of(problem, slices), *run.network.topology, schedules);
}

// A row before it is solved: what it sends, on which network.
struct PreparedRow {
  Choice choice;
  Problem problem;
  const RankGroups* groups;
  Software software;
};

PreparedRow prepare(Run& run, const PlannedRow& row) {
  if (!row.work->stack) {
    const Problem problem = empty_problem(run.scenario, run.network);
    return {schedule_row(row, problem, run.network), problem, row.groups, {}};
  }
  StackedRow stacked = run.stacked.fastest(row);
  return {std::move(stacked.choice),
          stacked.problem,
          stacked.groups,
          {stacked.stack, stacked.protocol, stacked.launch}};
}

void run_program_row(Run& run, const PlannedRow& row, Time& clock) {
  const StackedRow on = listed_on(row, run.stacked, empty_problem(run.scenario, run.network));
  const Solution solution = run_listed(row, on, run.options);
  // The launch is inside of the program.
  keep(run, row, on.choice.schedule, solution, 0, {on.stack, on.protocol, {}});
  CollectiveRow& kept = run.result.collectives.back();
  kept.launch = on.launch;
  keep_links(run, solution, kept.time, row_name(kept));
  kept.start = clock;
  clock = clock + kept.time;
}

// One job alone: its rows do not meet, so each is a run of its own on the idle network.
void run_row_by_row(Run& run) {
  Time clock = run.scenario.jobs[0].start;
  for (std::size_t r = 0; r < run.rows.size() && !run.stopped(); ++r) {
    const PlannedRow& row = run.rows[r];
    if (row.work->program) {
      run_program_row(run, row, clock);
      if (run.options.on_progress) run.options.on_progress(r + 1, run.rows.size());
      continue;
    }
    PreparedRow prepared = prepare(run, row);
    Choice& choice = prepared.choice;
    Problem& single = prepared.problem;
    Program program;
    program.schedule = &choice.schedule;
    program.groups = prepared.groups;
    program.start = Time{prepared.software.launch.ps};
    program.rule = lane_rule_of(*row.work);
    single.programs = {program};
    if (!choice.solution || run.options.solver != "auto") choice.solution = solve(single, run.options.solver);
    if (run.options.trace && r + 1 == run.rows.size()) keep_trace(run, single);
    keep(run, row, choice.schedule, *choice.solution, 0, prepared.software);
    CollectiveRow& kept = run.result.collectives.back();
    keep_links(run, *choice.solution, kept.time, row_name(kept));
    kept.start = clock;
    clock = clock + kept.time;
    if (run.options.on_progress) run.options.on_progress(r + 1, run.rows.size());
  }
}

std::vector<LinkId> links_named(const Topology& topology, const FlowSpec& flow) {
  std::vector<LinkId> links;
  for (const std::string& name : flow.path) {
    try {
      const Elements elements = match_elements(topology, name);
      if (elements.links.size() != 1) {
        throw SelectorError{"'" + name + "' names " + std::to_string(elements.links.size()) +
                            " links; a path needs one direction, such as \"A->B\""};
      }
      links.push_back(elements.links[0]);
    } catch (const SelectorError& error) {
      throw ScenarioError(to_string(flow.place) + ": " + error.message);
    }
  }
  return links;
}

Rate least_cap(Rate a, Rate b) {
  if (a.q20 == 0) return b;
  return b.q20 == 0 ? a : std::min(a, b);
}

ChipId chip_named(const Topology& topology, const std::string& name, const Place& place) {
  try {
    const auto chips = match_chips(topology, name);
    if (chips.size() == 1) return chips[0];
    throw SelectorError{"'" + name + "' names " + std::to_string(chips.size()) +
                        " chips; a flow has one at each end"};
  } catch (const SelectorError& error) {
    throw ScenarioError(to_string(place) + ": " + error.message);
  }
}

// A routed flow whose path is a tie is two half-flows; its finish is the later one.
struct FlowPart {
  std::size_t first, count;
};

std::vector<FlowPart> add_flows(Run& run, const Job& job, const FlowWork& work, Problem& problem) {
  const Topology& topology = *run.network.topology;
  std::vector<FlowPart> parts;
  Route route;
  for (const FlowSpec& flow : work.flows) {
    FlowPart part{problem.flows.size(), 0};
    const Time start{job.start.ps + flow.start.ps};
    Rate cap{};
    if (flow.rate_cap) {
      cap = {flow.rate_cap->q20 > ~std::uint64_t{0} ? 0 : static_cast<std::uint64_t>(flow.rate_cap->q20)};
    }
    if (!flow.ends) {
      Duration latency{};
      const auto links = links_named(topology, flow);
      for (const LinkId link : links) latency += topology.latency(link);
      problem.flows.push_back({links, latency, cap, flow.bytes, start});
    } else {
      const ChipId from = chip_named(topology, flow.ends->first, flow.place);
      const ChipId to = chip_named(topology, flow.ends->second, flow.place);
      topology.route(from, to, 0, route);
      const std::uint64_t second = route.ways == 2 ? flow.bytes.count / 2 : 0;
      for (std::uint32_t way = 0; way < route.ways; ++way) {
        const Bytes bytes{way == 0 ? flow.bytes.count - second : second};
        if (bytes.count == 0) continue;
        const Path& path = route.path[way];
        problem.flows.push_back({path.links, path.latency, least_cap(cap, path.cap), bytes, start});
      }
    }
    part.count = problem.flows.size() - part.first;
    parts.push_back(part);
  }
  return parts;
}

// Several jobs, repeats or flows: they share the network, so there is one run of all of them.
// What software takes off the links is a property of the network here, so all that share it must agree on it.
void share_one_network(const Run& run, const std::deque<PreparedRow>& prepared, Problem& problem) {
  const auto with_stack = std::find_if(prepared.begin(), prepared.end(),
                                       [](const PreparedRow& row) { return !row.software.stack.empty(); });
  if (with_stack == prepared.end()) return;
  const Problem& shared = with_stack->problem;
  const bool has_flows = std::any_of(run.scenario.jobs.begin(), run.scenario.jobs.end(), [](const Job& job) {
    return std::holds_alternative<FlowWork>(job.work);
  });
  const bool agree = std::all_of(prepared.begin(), prepared.end(), [&](const PreparedRow& row) {
    return row.problem.topology == shared.topology && row.problem.overhead == shared.overhead &&
           row.problem.reduction_rate == shared.reduction_rate;
  });
  if (!agree || has_flows) {
    std::string ways;
    for (const PreparedRow& row : prepared) ways += (ways.empty() ? "" : "; ") + row.choice.schedule.why;
    throw InfeasibleError(
        "jobs that share the network must leave the same of its links, and these stacks do not (" + ways +
        "): give all jobs one stack, protocol and algorithm, or run them apart");
  }
  problem.topology = shared.topology;
  problem.healthy = shared.healthy;
  problem.delays = shared.delays;
  problem.overhead = shared.overhead;
  problem.reduction_rate = shared.reduction_rate;
}

void run_together(Run& run) {
  Problem problem = empty_problem(run.scenario, run.network);
  struct Kept {
    const PlannedRow* row;
    const PreparedRow* prepared;
  };
  std::deque<PreparedRow> prepared;  // stable addresses
  std::vector<Kept> kept;
  for (const Job& job : run.scenario.jobs) {
    std::uint32_t previous = Program::at_start;
    for (std::uint32_t turn = 0; turn < job.repeat; ++turn) {
      for (const PlannedRow& row : run.rows) {
        if (row.job != &job) continue;
        if (row.work->program) {
          throw InfeasibleError(
              to_string(job.place) +
              ": a listed program cannot run beside other jobs, or be repeated, yet; what can be "
              "answered is the program alone");
        }
        if (turn == 0) prepared.push_back(prepare(run, row));
        const PreparedRow* mine = turn == 0 ? &prepared.back() : nullptr;
        for (std::size_t k = 0; mine == nullptr; ++k) {
          if (kept[k].row == &row) mine = kept[k].prepared;
        }
        Program program;
        program.schedule = &mine->choice.schedule;
        program.groups = mine->groups;
        program.rule = lane_rule_of(*row.work);
        program.job = static_cast<std::uint32_t>(&job - run.scenario.jobs.data());
        program.start = job.start + mine->software.launch;
        program.after = previous;
        program.pause = mine->software.launch;
        previous = static_cast<std::uint32_t>(kept.size());
        kept.push_back({&row, mine});
        problem.programs.push_back(program);
      }
    }
  }
  share_one_network(run, prepared, problem);
  std::vector<std::pair<const Job*, std::vector<FlowPart>>> flow_parts;
  for (const Job& job : run.scenario.jobs) {
    if (const auto* work = std::get_if<FlowWork>(&job.work)) {
      flow_parts.emplace_back(&job, add_flows(run, job, *work, problem));
    }
  }
  const Solution solution = solve(problem, run.options.solver);
  if (run.options.trace) keep_trace(run, problem);
  Time last{};
  for (std::size_t p = 0; p < kept.size(); ++p) {
    keep(run, *kept[p].row, kept[p].prepared->choice.schedule, solution, p, kept[p].prepared->software);
    last = std::max(last, solution.programs[p].finish);
  }
  for (const auto& [job, parts] : flow_parts) {
    const auto& flows = std::get<FlowWork>(job->work).flows;
    for (std::size_t f = 0; f < parts.size(); ++f) {
      Time finish{};
      for (std::size_t i = parts[f].first; i < parts[f].first + parts[f].count; ++i) {
        finish = std::max(finish, solution.flow_finish[i]);
      }
      run.fingerprint.add_time(finish);
      run.result.flows.push_back(
          {job->name, flows[f].id, Time{job->start.ps + flows[f].start.ps}, finish, flows[f].bytes.count});
      last = std::max(last, finish);
    }
  }
  const auto before = run.result.collectives.size();
  keep_links(run, solution, last - Time{}, "whole run");
  for (std::size_t r = 0; r < before; ++r)
    run.result.collectives[r].bottleneck = run.result.collectives[before - 1].bottleneck;
  if (run.options.on_progress) run.options.on_progress(kept.size(), kept.size());
}

bool rows_do_not_meet(const Scenario& scenario) {
  return scenario.jobs.size() == 1 && scenario.jobs[0].repeat == 1 &&
         std::holds_alternative<CollectiveWork>(scenario.jobs[0].work);
}

void warn_about_zero_time(Result& result) {
  for (const CollectiveRow& row : result.collectives) {
    if (row.time.ps == 0) {
      return result.warnings.push_back(fmt::format("{} of {} bytes takes no time at all: {} rank(s)",
                                                   row.collective, row.bytes, row.ranks));
    }
  }
}

}  // namespace

Schedule schedule_of(const Scenario& scenario) {
  RunOptions options;
  Run run{scenario,
          options,
          make_network(scenario),
          {},
          {},
          StackRows(scenario),
          Fingerprint(scenario.resolved_yaml),
          {}};
  for (const Job& job : scenario.jobs) plan_job(run, job);
  if (run.rows.empty())
    throw InfeasibleError("the workload has no collective, so there is no schedule to show");
  if (run.rows[0].work->program)
    throw InfeasibleError("the workload's schedule is the listed program itself; nothing made it here");
  Schedule schedule = prepare(run, run.rows[0]).choice.schedule;
  list_sends(schedule);
  return schedule;
}

Result run(const Scenario& scenario, const RunOptions& options) {
  if (has_training(scenario)) return run_training(scenario, options);
  Run run{scenario,
          options,
          make_network(scenario),
          {},
          {},
          StackRows(scenario),
          Fingerprint(scenario.resolved_yaml),
          {}};
  run.result.name = scenario.name;
  run.result.description = scenario.description;
  run.result.warnings = scenario.warnings;
  run.result.cluster = describe_cluster(scenario, *run.network.topology);
  for (const Job& job : scenario.jobs) plan_job(run, job);
  const bool has_trace = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [](const Job& job) {
    return std::holds_alternative<TraceWork>(job.work);
  });
  if (has_trace && (scenario.jobs.size() > 1 || scenario.jobs[0].repeat > 1)) {
    throw InfeasibleError(
        "a trace cannot run beside other jobs, or be repeated, yet; what can be answered is the "
        "trace alone");
  }
  if (has_trace) {
    run_trace_job(run);
  } else if (rows_do_not_meet(scenario)) {
    run_row_by_row(run);
  } else {
    run_together(run);
  }
  run.result.interrupted = run.stopped() && run.result.collectives.size() < run.rows.size();
  run.result.fingerprint = run.fingerprint.text();
  warn_about_zero_time(run.result);
  if (!run.result.interrupted) {
    run.result.assertions = judge_assertions(scenario.assertions, run.result);
    if (options.advise) run.result.suggestions = suggestions(scenario, run.result);
  }
  run.result.evidence = evidence_for(scenario, run.result);
  return std::move(run.result);
}

}  // namespace tahoma
