#include "scenarios/stack_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/bound.h"
#include "collectives/importers/listed_schedule.h"
#include "core/errors.h"
#include "scenarios/number_text.h"
#include "scenarios/stack_text.h"

namespace tahoma {

namespace {

// Of one way, folded. More takes seconds.
constexpr std::uint64_t most_tried_messages = 3'000'000;

std::string spelled(const StackWork& work) {
  return work.version.empty() ? work.name : work.name + " " + work.version;
}

std::string spelled(const StackCase& of) {
  return std::string(of.way->name) + (of.protocol.empty() ? "" : " ") + std::string(of.protocol);
}

bool is_wanted(const AlgorithmChoice& wanted, const StackWay& way) {
  if (wanted.automatic) return true;
  if (!wanted.name.empty()) return way.between.empty() && way.algorithm == wanted.name;
  if (wanted.levels.size() == 1) return way.between.empty() && way.algorithm == wanted.levels[0].second;
  return wanted.levels.size() == 2 && way.algorithm == wanted.levels[0].second &&
         way.between == wanted.levels[1].second;
}

std::string algorithm_of(const StackWay& way) {
  if (way.between.empty()) return std::string(way.algorithm);
  return fmt::format("{{intra: {}, inter: {}}}", way.algorithm, way.between);
}

std::vector<LevelPlan> plan_of(const StackWay& way, const std::vector<Axis>& axes) {
  if (way.between.empty()) return plan_single(axes, std::string(way.algorithm));
  return plan_levels(axes, {{"intra", std::string(way.algorithm)}, {"inter", std::string(way.between)}});
}

// What keeps the ways of a stack from a row, told once each.
class Reasons {
 public:
  void add(const std::string& reason) {
    if (std::find(told_.begin(), told_.end(), reason) == told_.end()) told_.push_back(reason);
  }
  std::string text() const { return fmt::format("{}", fmt::join(told_, "; ")); }

 private:
  std::vector<std::string> told_;
};

bool adds_in_switch(const Schedule& schedule) {
  return std::any_of(schedule.phases.begin(), schedule.phases.end(),
                     [](const Phase& phase) { return phase.has_switch; });
}

Spread spread_over(std::uint32_t domains) {
  return domains > 1 ? Spread::several_domains : Spread::one_domain;
}

/// "LL128" -> "ll128"; a file that names none means the plain one.
std::string protocol_of(const ListedSchedule& listed) {
  std::string name = listed.protocol.empty() ? "simple" : listed.protocol;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

[[noreturn]] void refuse_row(const PlannedRow& row, const std::string& why) {
  throw ScenarioError(fmt::format("{}: {} has no way to do {}: {}", to_string(row.work->stack->place),
                                  spelled(*row.work->stack), name_of(row.collective), why));
}

}  // namespace

UnderStack& StackRows::under(const StackFigures& figures) {
  // Channels change nothing by themselves.
  const std::uint32_t channels = figures.channel_rate.q20 == 0 ? 1 : figures.channels;
  const Change change{figures.factor_up, figures.factor_out, figures.factor_chip,
                      figures.step_up,   figures.step_out,   figures.channel_rate,
                      channels};
  std::unique_ptr<UnderStack>& kept = under_[change];
  if (kept) return *kept;
  Scenario changed = scenario_;
  changed.network = under_stack(scenario_.network, figures);
  kept = std::make_unique<UnderStack>(UnderStack{make_network(changed), {}});
  return *kept;
}

const RankGroups& StackRows::groups(UnderStack& under, const CollectiveWork& work) const {
  const auto found = under.groups.find(&work);
  if (found != under.groups.end()) return found->second;
  const Network& network = under.network;
  // Axes are described by the healthy network, as without a stack.
  const Topology& topology = network.healthy ? *network.healthy : *network.topology;
  return under.groups.emplace(&work, make_groups(topology, work, scenario_.seed)).first->second;
}

Problem StackRows::problem_of(const Candidate& candidate) const {
  Problem problem = empty_problem(scenario_, *candidate.network);
  problem.overhead += candidate.figures.overhead;
  const Capacity rate = candidate.figures.reduction_rate;
  if (rate.q20 != 0 && (problem.reduction_rate.q20 == 0 || rate < problem.reduction_rate))
    problem.reduction_rate = rate;
  return problem;
}

Duration StackRows::bound_of(const Candidate& candidate, const PlannedRow& row) {
  return lower_bound(*candidate.network->topology, *candidate.groups, row.collective, row.size,
                     row.work->root, row.destinations,
                     adds_in_switch(candidate.schedule) ? AddedBy::switches : AddedBy::hosts)
      .time;
}

std::vector<StackRows::Candidate> StackRows::candidates(const PlannedRow& row) {
  const CollectiveWork& work = *row.work;
  const StackWork& stack = *work.stack;
  const std::uint32_t domains = this->domains(row);
  const Spread spread = spread_over(domains);
  std::vector<Candidate> found;
  Reasons reasons;
  const std::vector<StackCase> cases = stack_cases(stack.name, row.collective, spread);
  if (cases.empty()) refuse_row(row, fmt::format("it knows none for {}", name_of(spread)));
  for (const StackCase& of : cases) {
    if (of.way->algorithm == listed_program) continue;
    if (!is_wanted(*row.algorithm, *of.way)) {
      reasons.add(fmt::format("'{}' is done by {}", of.way->name, algorithm_of(*of.way)));
      continue;
    }
    if (!stack.protocol.empty() && of.protocol != stack.protocol) {
      reasons.add(fmt::format("'{}' is another protocol", spelled(of)));
      continue;
    }
    Candidate candidate{of, figures_of(of, stack, platform_of(scenario_, stack)), nullptr, nullptr, {}, {},
                        {}};
    const StackFigures& figures = candidate.figures;
    if (!figures.offered) {
      reasons.add(fmt::format("'{}' is not offered on this platform and version", of.way->name));
      continue;
    }
    const Bytes of_rank{row.size.count / row.groups->size()};
    if (row.size < figures.least || row.size > figures.most || of_rank < figures.least_of_rank ||
        of_rank > figures.most_of_rank) {
      reasons.add(fmt::format("'{}' is not for {} bytes", spelled(of), row.size.count));
      continue;
    }
    UnderStack& changed = under(figures);
    candidate.network = &changed.network;
    candidate.groups = &groups(changed, work);
    ScheduleRequest request = request_of(row);
    request.axes = candidate.groups->axes();
    request.overhead = scenario_.overhead + figures.overhead;
    if (request.pipeline == 0) request.pipeline = chunks_of(figures, row.size);
    if (request.channels == 1) request.channels = figures.channels;
    try {
      request.levels = plan_of(*of.way, request.axes);
      candidate.schedule = make_schedule(request);
    } catch (const ScenarioError& error) {
      reasons.add(fmt::format("'{}': {}", of.way->name, error.what()));
      continue;
    }
    candidate.launch = launch_of(figures, row.groups->size(), domains, row.size);
    // The cuts of the network as this way leaves it; and the lanes, whose sum is no floor where they are
    // eager.
    candidate.floor = bound_of(candidate, row);
    if (lane_rule_of(work) == LaneRule::fifo)
      candidate.floor = std::max(candidate.floor, estimate(candidate.schedule));
    candidate.floor += candidate.launch;
    found.push_back(std::move(candidate));
  }
  if (found.empty()) refuse_row(row, reasons.text());
  return found;
}

StackedRow StackRows::listed(const PlannedRow& row) {
  const StackWork& stack = *row.work->stack;
  const std::string protocol = protocol_of(*row.work->program);
  if (!stack.protocol.empty() && stack.protocol != protocol)
    refuse_row(row, fmt::format("the program says protocol {}", protocol));
  const std::uint32_t domains = this->domains(row);
  const std::vector<StackCase> cases = stack_cases(stack.name, row.collective, spread_over(domains));
  const auto of = std::find_if(cases.begin(), cases.end(), [&](const StackCase& known) {
    return known.way->algorithm == listed_program && known.protocol == protocol;
  });
  if (of == cases.end())
    refuse_row(row, fmt::format("it runs no listed programs with protocol {}", protocol));
  StackFigures figures = figures_of(*of, stack, platform_of(scenario_, stack));
  StackedRow answer;
  // Each of its thread blocks has the rate, however many meet on a link.
  answer.send_rate = {static_cast<std::uint64_t>(figures.channel_rate.q20)};
  figures.channel_rate = {};
  Candidate candidate{*of, figures, nullptr, nullptr, {}, {}, {}};
  UnderStack& changed = under(figures);
  candidate.network = &changed.network;
  candidate.groups = &groups(changed, *row.work);
  answer.problem = problem_of(candidate);
  answer.groups = candidate.groups;
  answer.stack = spelled(stack);
  answer.protocol = protocol;
  answer.launch = launch_of(figures, row.groups->size(), domains, row.size);
  answer.choice.schedule.why = fmt::format("{} of {}", spelled(*of), answer.stack);
  return answer;
}

void StackRows::check(const PlannedRow& row) {
  if (row.work->program) {
    listed(row);
  } else {
    candidates(row);
  }
}

StackedRow StackRows::fastest(const PlannedRow& row) {
  std::vector<Candidate> found = candidates(row);
  std::vector<std::size_t> order(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return found[a].floor < found[b].floor; });
  std::size_t best = order.front();
  std::optional<Solution> solution;
  Duration best_time{}, second_time{};
  const Candidate* second = nullptr;
  for (const std::size_t i : order) {
    Candidate& candidate = found[i];
    if (solution && candidate.floor > best_time) break;
    Problem problem = problem_of(candidate);
    Program program;
    program.schedule = &candidate.schedule;
    program.groups = candidate.groups;
    program.rule = lane_rule_of(*row.work);
    program.start = Time{candidate.launch.ps};
    problem.programs = {program};
    if (expansion_size(problem, foldable_digits(problem)).messages > most_tried_messages) continue;
    std::optional<Solution> trial;
    try {
      trial = solve(problem);
    } catch (const InfeasibleError&) {
      continue;
    }
    Duration time = trial->programs[0].finish - Time{};
    if (const Duration wait = candidate.figures.least_time - time; wait.ps > 0) {
      // The host is not ready yet: all begin that much later.
      candidate.launch += wait;
      problem.programs[0].start = Time{candidate.launch.ps};
      trial = solve(problem);
      time = candidate.figures.least_time;
    }
    // The order of the table decides among equals, not that of the floors.
    if (!solution || time < best_time || (time == best_time && i < best)) {
      if (solution) second = &found[best], second_time = best_time;
      best = i;
      best_time = time;
      solution = std::move(trial);
    } else if (second == nullptr || time < second_time) {
      second = &candidate;
      second_time = time;
    }
  }
  Candidate& chosen = found[best];
  StackedRow answer;
  answer.problem = problem_of(chosen);
  answer.groups = chosen.groups;
  answer.stack = spelled(*row.work->stack);
  answer.protocol = std::string(chosen.of.protocol);
  answer.launch = chosen.launch;
  chosen.schedule.why =
      fmt::format("{}, the fastest of {} ways of {}", spelled(chosen.of), found.size(), answer.stack);
  if (second != nullptr)
    chosen.schedule.why += fmt::format("; next: {}, {}", spelled(second->of), readable(second_time));
  answer.choice = {std::move(chosen.schedule), std::move(solution), {}};
  return answer;
}

}  // namespace tahoma
