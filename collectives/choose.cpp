#include "collectives/choose.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/between_sites.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_trial_messages = 300'000;
// Where others fold, one that does not (a tree in many chunks) is not worth seconds.
constexpr std::uint64_t most_unfolded_trial = 60'000;
// Where none is tried, one that the solvers can finish is better than one with a lower floor.
constexpr std::uint64_t most_untried_messages = 5'000'000;

struct LevelName {
  std::string_view name;
  Level level;
};
// `intra` is the whole scale-up domain, `inter` everything outside it.
constexpr LevelName level_names[] = {
    {"chip", Level::chip},    {"server", Level::server},   {"ultraserver", Level::ultraserver},
    {"site", Level::site},    {"cluster", Level::cluster}, {"intra", Level::ultraserver},
    {"inter", Level::cluster}};

const LevelName* level_named(std::string_view name) {
  const auto at = std::find_if(std::begin(level_names), std::end(level_names),
                               [&](const LevelName& l) { return l.name == name; });
  return at == std::end(level_names) ? nullptr : at;
}

std::vector<std::uint8_t> axes_between(const std::vector<Axis>& axes, std::optional<Level> above,
                                       Level upto) {
  std::vector<std::uint8_t> result;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if ((!above || axes[a].level > *above) && axes[a].level <= upto)
      result.push_back(static_cast<std::uint8_t>(a));
  }
  return result;
}

struct Candidate {
  std::vector<LevelPlan> levels;
  Duration floor;
  std::vector<SitePlan> sites = {};  // in place of levels: one each, over sites of different hardware
};

// All single algorithms; and for groups that span several levels, each inner algorithm with each outer one at
// every place where the levels can be cut in two or three.
std::vector<std::vector<LevelPlan>> level_plans(const std::vector<Axis>& axes) {
  std::vector<std::vector<LevelPlan>> plans;
  std::vector<Algorithm> offered;
  for (const Algorithm& algorithm : algorithms())
    if (!algorithm.by_name_only) offered.push_back(algorithm);
  for (const Algorithm& algorithm : offered) plans.push_back(plan_single(axes, std::string(algorithm.name)));
  std::vector<Level> present;
  for (const Axis& axis : axes) {
    const bool known = !present.empty() && present.back() == axis.level;
    if (!known) present.push_back(axis.level);
  }
  const auto named = [&](Level level) { return std::string(name_of(level)); };
  for (std::size_t cut = 0; cut + 1 < present.size(); ++cut) {
    for (const Algorithm& inner : offered) {
      for (const Algorithm& outer : offered) {
        const std::string in(inner.name), out(outer.name);
        plans.push_back(plan_levels(axes, {{named(present[cut]), in}, {named(present.back()), out}}));
        for (std::size_t second = cut + 1; second + 1 < present.size(); ++second) {
          plans.push_back(plan_levels(
              axes,
              {{named(present[cut]), in}, {named(present[second]), out}, {named(present.back()), out}}));
        }
      }
    }
  }
  return plans;
}

// Each inner algorithm with each outer one at the places between that level_plans leaves out: where digits of
// one level are told apart by one algorithm, another may serve the inner ones alike.
void add_plans_within_levels(const std::vector<Axis>& axes, std::vector<std::vector<LevelPlan>>& plans) {
  for (std::size_t cut = 1; cut < axes.size(); ++cut) {
    if (axes[cut - 1].level != axes[cut].level) continue;
    LevelPlan inner{{}, "inner " + std::string(name_of(axes[cut].level)), ""},
        outer{{}, std::string(name_of(axes.back().level)), ""};
    for (std::size_t a = 0; a < axes.size(); ++a)
      (a < cut ? inner : outer).axes.push_back(static_cast<std::uint8_t>(a));
    for (const Algorithm& in : algorithms()) {
      for (const Algorithm& out : algorithms()) {
        if (in.by_name_only || out.by_name_only) continue;
        inner.algorithm = in.name;
        outer.algorithm = out.name;
        plans.push_back({inner, outer});
      }
    }
  }
}

bool refused(const ScheduleRequest& request, const std::vector<LevelPlan>& levels) {
  // A cheap look before anything is built: an inner level of an all-to-all, an algorithm that does not fit.
  if (levels.size() > 1 &&
      (request.collective == Collective::all_to_all || request.collective == Collective::permute)) {
    return true;
  }
  return std::any_of(levels.begin(), levels.end(), [&](const LevelPlan& level) {
    const Algorithm* algorithm = algorithm_named(level.algorithm);
    return algorithm == nullptr;
  });
}

bool is_spelled_out(const Schedule& schedule) {
  return std::none_of(schedule.phases.begin(), schedule.phases.end(),
                      [](const Phase& phase) { return phase.to_every_other != 0 && phase.roles.empty(); });
}

Program program_of(const Schedule& schedule, const RankGroups& groups, LaneRule rule) {
  Program program;
  program.schedule = &schedule;
  program.groups = &groups;
  program.rule = rule;
  return program;
}

std::string microseconds(Duration d) {
  return fmt::format("{:.4g} us", static_cast<double>(d.ps) / 1e6);
}

}  // namespace

std::vector<LevelPlan> plan_single(const std::vector<Axis>& axes, const std::string& algorithm) {
  LevelPlan plan{{}, "all", algorithm};
  for (std::size_t a = 0; a < axes.size(); ++a) plan.axes.push_back(static_cast<std::uint8_t>(a));
  return {plan};
}

std::vector<LevelPlan> plan_levels(const std::vector<Axis>& axes,
                                   const std::vector<std::pair<std::string, std::string>>& named) {
  struct Wanted {
    Level level;
    std::string name, algorithm;
  };
  std::vector<Wanted> wanted;
  for (const auto& [name, algorithm] : named) {
    const LevelName* level = level_named(name);
    if (level == nullptr) {
      throw ScenarioError(
          "level '" + name +
          "' does not exist; accepted: chip, server, ultraserver, site, cluster, intra, inter");
    }
    wanted.push_back({level->level, name, algorithm});
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Wanted& a, const Wanted& b) { return a.level < b.level; });
  std::vector<LevelPlan> plans;
  std::optional<Level> above;
  for (const Wanted& w : wanted) {
    LevelPlan plan{axes_between(axes, above, w.level), w.name, w.algorithm};
    above = w.level;
    if (!plan.axes.empty()) plans.push_back(std::move(plan));
  }
  std::size_t covered = 0;
  for (const LevelPlan& plan : plans) covered += plan.axes.size();
  if (covered != axes.size() || plans.empty()) {
    throw ScenarioError(
        "the named levels leave part of the ranks without an algorithm; name 'cluster' (or 'inter') for the "
        "outermost level");
  }
  return plans;
}

namespace {

std::vector<Candidate> candidates_for(const ScheduleRequest& request, ScheduleBook& book, LaneRule rule) {
  std::vector<Candidate> candidates;
  std::string reasons;
  std::vector<std::vector<LevelPlan>> plans = level_plans(request.axes);
  if (request.fold_within != 0) add_plans_within_levels(request.axes, plans);
  for (auto& levels : plans) {
    if (refused(request, levels)) continue;
    try {
      // Eager lanes overlap their messages, so the sum over a lane is no floor for them.
      const Duration floor = book.floor(levels);
      candidates.push_back({std::move(levels), rule == LaneRule::fifo ? floor : Duration{}});
    } catch (const ScenarioError& error) {
      if (levels.size() == 1) reasons += std::string(reasons.empty() ? "" : "; ") + error.what();
    }
  }
  if (candidates.empty()) throw ScenarioError("no algorithm fits: " + reasons);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.floor < b.floor; });
  return candidates;
}

// Over sites of different hardware: in each site what scatters fastest there, by itself. Without a floor.
Candidate candidate_by_sites(const Problem& problem, const Topology* healthy, const ScheduleRequest& request,
                             LaneRule rule) {
  Candidate candidate;
  const std::vector<SchedulePart> parts = parts_of(healthy != nullptr ? *healthy : *problem.topology);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Topology& inside = *problem.topology->parts()[p].inside;
    const Topology* whole = healthy == nullptr ? nullptr : healthy->parts()[p].inside;
    Problem own;
    own.topology = &inside;
    own.healthy = whole;
    const ChipCosts costs = costs_of(problem, parts[p].first);
    own.overhead = costs.overhead;
    own.memory = costs.memory;
    own.reduction_rate = costs.reduction_rate;
    const RankGroups ranks = RankGroups::all(whole != nullptr ? *whole : inside);
    ScheduleRequest scatter = request;
    scatter.collective = Collective::reduce_scatter;
    scatter.axes = parts[p].axes;
    scatter.overhead = costs.overhead;
    scatter.is_piece = true;
    candidate.sites.push_back({choose_algorithm(own, whole, ranks, scatter, rule).levels, costs.overhead});
  }
  return candidate;
}

/// What a candidate is worth: the exact answer where it takes few messages, else its floor.
struct Trial {
  Duration time;
  std::optional<Solution> solution;
  bool on_healthy = false;
  bool can_be_finished = true;
};

class Tryout {
 public:
  Tryout(const Problem& problem, const Topology* healthy, const RankGroups& groups,
         const ScheduleRequest& request, ScheduleBook& book, LaneRule rule)
      : problem_(problem),
        healthy_(healthy),
        groups_(groups),
        request_(request),
        book_(book),
        rule_(rule),
        asked_(problem) {
    asked_.flows.clear();
  }

  /// Of what is to be a piece of a larger schedule: what the engine understands, and of many messages only
  /// what folds as far as any does.
  void keep_pieces(std::vector<Candidate>& candidates) {
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> left;
    for (const Candidate& candidate : candidates) {
      ask(candidate);
      left.push_back(is_spelled_out(schedule_) ? messages() : never);
    }
    const std::uint64_t most = std::max(*std::min_element(left.begin(), left.end()), most_unfolded_trial);
    std::size_t next = 0;
    std::erase_if(candidates, [&](const Candidate&) { return left[next++] > most; });
    if (request_.fold_within != 0) keep_furthest_folded(candidates);
  }

  void keep_furthest_folded(std::vector<Candidate>& candidates) {
    std::vector<std::uint64_t> orbits;
    for (const Candidate& candidate : candidates) {
      ask(candidate);
      const DigitMask folded = foldable_digits(asked_) & request_.fold_within;
      orbits.push_back(chip_classes(*problem_.topology, folded).orbit);
    }
    const std::uint64_t most = *std::max_element(orbits.begin(), orbits.end());
    std::size_t next = 0;
    std::erase_if(candidates, [&](const Candidate&) { return orbits[next++] < most; });
  }

  std::string label(const Candidate& candidate) {
    if (candidate.sites.empty()) return label_of(candidate.levels);
    return by_sites(candidate).algorithm;
  }

  Schedule last_schedule(const Candidate& candidate) {
    if (candidate.sites.empty()) return std::move(book_).last_schedule(candidate.levels);
    return by_sites(candidate);
  }

  bool some_fold(const std::vector<Candidate>& candidates) {
    asked_.programs.clear();
    if (foldable_digits(asked_) == 0) return false;  // nor does the network alone
    return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& c) {
      ask(c);
      return foldable_digits(asked_) != 0;
    });
  }

  Trial run(const Candidate& candidate, bool some_fold) {
    ask(candidate);
    const bool folds = !some_fold || foldable_digits(asked_) != 0;
    const std::uint64_t most = folds ? most_trial_messages : most_unfolded_trial;
    Trial trial{candidate.floor, std::nullopt, false};
    std::uint64_t count = messages();
    if (count > most_trial_messages && healthy_ != nullptr) {
      asked_.topology = healthy_;
      asked_.delays.clear();
      trial.on_healthy = true;
      count = messages();
    }
    trial.can_be_finished = count <= most_untried_messages;
    if (count > most) return trial;
    try {
      trial.solution = solve(asked_);
      trial.time = trial.solution->programs[0].finish - trial.solution->programs[0].start;
    } catch (const InfeasibleError&) {
      trial.can_be_finished = false;
    }
    return trial;
  }

 private:
  void ask(const Candidate& candidate) {
    asked_.topology = problem_.topology;
    asked_.delays = problem_.delays;
    schedule_ = candidate.sites.empty() ? book_.schedule(candidate.levels) : by_sites(candidate);
    asked_.programs = {program_of(schedule_, groups_, rule_)};
  }
  Schedule by_sites(const Candidate& candidate) const {
    return make_mixed_schedule(request_, parts_of(healthy_ != nullptr ? *healthy_ : *problem_.topology),
                               candidate.sites);
  }
  std::uint64_t messages() const { return expansion_size(asked_, foldable_digits(asked_)).messages; }

  const Problem& problem_;
  const Topology* healthy_;
  const RankGroups& groups_;
  const ScheduleRequest& request_;
  ScheduleBook& book_;
  LaneRule rule_;
  Schedule schedule_;  // of the candidate that is asked about
  Problem asked_;
};

}  // namespace

Choice choose_algorithm(const Problem& problem, const Topology* healthy, const RankGroups& groups,
                        const ScheduleRequest& request, LaneRule rule) {
  ScheduleBook book(request);
  std::vector<Candidate> candidates = candidates_for(request, book, rule);
  const bool whole_mixed = !problem.topology->parts().empty() &&
                           groups.ranks() == problem.topology->chips() && groups.groups() == 1 &&
                           !groups.is_list();
  if (whole_mixed && request.collective == Collective::all_reduce)
    candidates.insert(candidates.begin(), candidate_by_sites(problem, healthy, request, rule));
  Tryout tryout(problem, healthy, groups, request, book, rule);
  if (request.is_piece) tryout.keep_pieces(candidates);
  const bool some_fold = tryout.some_fold(candidates);

  // The one with the least floor, until something is solved: a floor is no prediction.
  std::size_t best_candidate = 0;
  Trial best{candidates[0].floor, std::nullopt, false, false};
  std::string runner_up;
  Duration second{std::numeric_limits<std::int64_t>::max()};
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (best.solution && candidates[c].floor >= best.time) break;
    Trial trial = tryout.run(candidates[c], some_fold);
    if (!trial.solution) {
      if (best.solution || best.can_be_finished || !trial.can_be_finished) continue;
      best_candidate = c;
      best = std::move(trial);
      continue;
    }
    if (!best.solution || trial.time < best.time) {
      if (best.solution) second = best.time, runner_up = tryout.label(candidates[best_candidate]);
      best_candidate = c;
      best = std::move(trial);
    } else if (trial.time < second) {
      second = trial.time;
      runner_up = tryout.label(candidates[c]);
    }
  }
  Choice choice{tryout.last_schedule(candidates[best_candidate]), std::nullopt,
                std::move(candidates[best_candidate].levels)};
  choice.schedule.why =
      fmt::format("least predicted time of {} candidates ({})", candidates.size(),
                  best.solution ? microseconds(best.time) : "estimate " + microseconds(best.time));
  if (!runner_up.empty())
    choice.schedule.why += fmt::format("; next: {} {}", runner_up, microseconds(second));
  if (best.on_healthy) choice.schedule.why += "; compared on the healthy network";
  if (!best.on_healthy && best.solution) choice.solution = std::move(best.solution);
  return choice;
}

}  // namespace tahoma
