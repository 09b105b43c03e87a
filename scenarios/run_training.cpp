// Every figure of the answer is derived here once, from integers; whatever is estimated says so.
#include "scenarios/run_training.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"
#include "scenarios/advice.h"
#include "scenarios/complaint.h"
#include "scenarios/judge_assertions.h"
#include "scenarios/network.h"
#include "scenarios/number_text.h"
#include "scenarios/run_step.h"
#include "scenarios/summarize.h"
#include "scenarios/training/chip_calibration.h"
#include "scenarios/training/search.h"

namespace tahoma {

namespace {

constexpr const char* closed_form = "closed_form";
constexpr std::size_t most_ranked = 20, most_suggestions = 3;

struct Question {
  const TrainingWork& work;
  ChipMath chip;
  TrainingNetwork network;
};

[[noreturn]] void refuse_training(const TrainingWork& work, std::string_view key, const std::string& because,
                                  const std::string& accepted) {
  throw InfeasibleError(
      sentence({work.place, fmt::format("workload.training{}", key), "", {because, accepted, ""}}));
}

Question question_of(const Scenario& scenario, const TrainingWork& work) {
  const auto& shape = std::get<ClusterShape>(scenario.network);
  auto chip = chip_math(scenario.preset, shape.ranks_per_chip);
  if (!chip)
    refuse_training(work, "", "needs a chip whose rates and memory are known, and the cluster has none",
                    "cluster.preset with such a chip, see `tahoma presets`");
  TrainingNetwork network = *training_network(shape);
  network.ranks = work.ranks;
  calibrate(network, chip->calibration);
  network.one_nic_rings = work.base.one_nic_rings;
  return {work, std::move(*chip), std::move(network)};
}

std::vector<NamedTime> named(const StepBreakdown& time) {
  return {{"compute", time.compute},  {"recompute", time.recompute}, {"bubble", time.bubble},
          {"exposed_tp", time.tp},    {"exposed_cp", time.cp},       {"exposed_ep", time.ep},
          {"exposed_pp", time.pp},    {"exposed_dp", time.dp},       {"optimiser", time.optimiser},
          {"overhead", time.overhead}};
}

std::vector<NamedBytes> named(const StageMemory& memory) {
  return {{"weights", memory.weights.count},
          {"gradients", memory.gradients.count},
          {"optimiser", memory.optimiser.count},
          {"activations", memory.activations.count},
          {"buffers", memory.buffers.count}};
}

std::string largest(const std::vector<NamedTime>& parts, std::size_t from) {
  const auto most = std::max_element(parts.begin() + static_cast<std::ptrdiff_t>(from), parts.end(),
                                     [](const NamedTime& a, const NamedTime& b) { return a.time < b.time; });
  return most->time.ps == 0 ? "" : most->name;
}

std::string gib(std::uint64_t bytes) {
  return fixed(static_cast<double>(bytes) / (1 << 30), 2) + " GiB";
}

std::string memory_text(const StageMemory& memory) {
  std::string text;
  for (const NamedBytes& part : named(memory)) {
    if (part.bytes == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.name, gib(part.bytes));
  }
  return text;
}

/// One change to a split that is fixed: a degree opened that was not.
struct Change {
  std::string_view what;
  void (*open)(TrainingChoices&);
};
constexpr Change changes[] = {
    {"micro_batch", [](TrainingChoices& c) { c.micro_batch.clear(); }},
    {"recompute",
     [](TrainingChoices& c) {
       c.recompute = {Recompute::none, Recompute::selective, Recompute::full};
       c.sp.clear();
     }},
    {"parallel.vp",
     [](TrainingChoices& c) {
       c.vp.clear();
       c.schedule.clear();
     }},
    {"parallel.zero",
     [](TrainingChoices& c) {
       c.zero = {0, 1, 2, 3};
     }},
    {"parallel",
     [](TrainingChoices& c) {
       c.tp.clear();
       c.pp.clear();
       c.dp.clear();
       c.vp.clear();
       c.schedule.clear();
       c.recompute.clear();
       c.sp.clear();
     }},
};

TrainingChoices fixed_to(const Parallel& p) {
  return {{p.tp},          {p.pp},        {},     {p.cp},      {p.ep}, {p.vp}, {p.zero},
          {p.micro_batch}, {p.recompute}, {p.sp}, {p.schedule}};
}

struct Improvement {
  std::string_view what;
  Candidate candidate;
};

/// The best that each change allows, fastest first.
std::vector<Improvement> improvements(const Question& q, const Parallel& from) {
  std::vector<Improvement> found;
  for (const Change& change : changes) {
    TrainingWork work = q.work;
    work.choices = fixed_to(from);
    work.idle_ranks = false;
    change.open(work.choices);
    const SearchResult result = search(work, q.chip, q.network);
    if (!result.fitting.empty()) found.push_back({change.what, result.fitting.front()});
  }
  std::stable_sort(found.begin(), found.end(), [](const Improvement& a, const Improvement& b) {
    return a.candidate.time.step() < b.candidate.time.step();
  });
  return found;
}

[[noreturn]] void refuse_memory(const Question& q, const SearchResult& result) {
  const Candidate& least = *result.smallest;
  std::string because =
      fmt::format("does not fit: stage {} of {} needs {} on a rank ({}), and {} has {}", least.memory.stage,
                  split_text(least.parallel), gib(least.memory.total().count), memory_text(least.memory),
                  q.chip.chip, gib(q.chip.memory.count));
  if (result.legal > 1)
    because = fmt::format("{} splits were tried and none fits; the smallest {}", result.legal, because);
  const std::vector<Improvement> fixes = improvements(q, least.parallel);
  const std::string accepted =
      fixes.empty() ? "more ranks, or a smaller model"
                    : fmt::format("cheapest fix: open {}: {} ({}, step {})", fixes.front().what,
                                  split_text(fixes.front().candidate.parallel),
                                  gib(fixes.front().candidate.memory.total().count),
                                  readable(fixes.front().candidate.time.step()));
  refuse_training(q.work, "", because, accepted);
}

/// The part of a step in which a loser loses most.
std::string why_slower(const Candidate& loser, const Candidate& best) {
  const auto mine = named(loser.time), its = named(best.time);
  std::size_t most = 0;
  Duration lost;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].time - its[i].time > lost) {
      lost = mine[i].time - its[i].time;
      most = i;
    }
  }
  return lost.ps == 0 ? "" : fmt::format("{} +{}", mine[most].name, readable(lost));
}

void rank(const SearchResult& result, TrainingRow& row) {
  row.tried = result.tried;
  row.legal = result.legal;
  row.fitting = result.fitting.size();
  if (result.legal < 2) return;
  for (std::size_t i = 0; i < std::min(most_ranked, result.fitting.size()); ++i) {
    const Candidate& one = result.fitting[i];
    row.ranking.push_back({split_text(one.parallel), one.time.step(), one.memory.total().count,
                           i == 0 ? "" : why_slower(one, result.fitting.front())});
  }
  if (result.smallest) {
    row.ranking.push_back({split_text(result.smallest->parallel),
                           {},
                           result.smallest->memory.total().count,
                           "does not fit, and all others that do not need more"});
  }
}

void fill_rates(const Question& q, const Candidate& best, TrainingRow& row) {
  const TrainingWork& work = q.work;
  const double step = seconds(row.step);
  const u128 flops = step_flops(work.model, best.parallel.seq, best.parallel.global_batch,
                                best.parallel.recompute, work.flops);
  const auto quoted = static_cast<double>(q.chip.quoted_rate[static_cast<std::size_t>(best.parallel.dtype)]);
  const auto chips = static_cast<double>(row.chips);
  row.tokens_per_s = static_cast<double>(row.tokens) / step;
  row.tokens_per_s_per_chip = row.tokens_per_s / chips;
  row.tflops_per_chip = static_cast<double>(flops) / step / chips / 1e12;
  row.mfu = row.tflops_per_chip * 1e12 / quoted;
  row.flops = to_string(work.flops);
  if (!work.tokens) return;
  const double whole = static_cast<double>(*work.tokens) / row.tokens_per_s;
  row.days = whole / 86'400;
  row.chip_hours = whole / 3600 * chips;
  if (work.deadline_s) row.deadline_days = static_cast<double>(*work.deadline_s) / 86'400;
}

TrainingRow row_of(const Question& q, const Job& job, const SearchResult& result) {
  const Candidate& best = result.fitting.front();
  const TrainingWork& work = q.work;
  TrainingRow row;
  row.job = job.name;
  row.model = work.model.name;
  row.chip = q.chip.chip;
  row.dtype = name_of(best.parallel.dtype);
  row.split = split_text(best.parallel);
  row.parameters = parameters(work.model);
  row.active_parameters = active_parameters(work.model);
  row.ranks = best.parallel.ranks();
  row.chips = ceil_div64(q.network.ranks, q.network.ranks_per_chip);
  row.sequences = best.parallel.global_batch;
  row.tokens = best.parallel.global_batch * best.parallel.seq;
  row.micro_batches = best.parallel.micro_batches();
  row.step = best.time.step();
  row.breakdown = named(best.time);
  row.memory = named(best.memory);
  row.memory_used = best.memory.total().count;
  row.memory_there = q.chip.memory.count;
  row.memory_stage = best.memory.stage;
  row.memory_headroom = 1 - static_cast<double>(row.memory_used) / static_cast<double>(row.memory_there);
  row.solver = "closed form";
  row.solver_why = "an estimate: collectives by alpha and beta on each level, the pipeline by its bubble";
  rank(result, row);
  return row;
}

// The step on the network itself takes the estimate's place; where no exact solver can finish it, `auto`
// keeps the estimate, and says why.
void run_on_network(const Question& q, const Scenario& scenario, const Candidate& best,
                    const std::string& solver, Fingerprint& fingerprint, Result& result) {
  TrainingRow& row = result.training.front();
  if (solver == closed_form || (solver == "auto" && row.legal > 1)) return;
  try {
    Parallel split = best.parallel;
    if (split.schedule == PipelineSchedule::zb_v) split.vp = 2;  // there and back: each stage twice
    const TrainingCost cost = training_cost(q.work.model, split, q.chip);
    const NetworkStep step = run_step(scenario, split, cost, q.chip.calibration, solver, fingerprint);
    row.step = step.time.step();
    row.breakdown = named(step.time);
    row.solver = step.solver;
    row.solver_why = step.why;
    row.exact = true;
    result.links = step.links;
    result.stats.events += step.events;
    result.stats.solves += step.solves;
  } catch (const InfeasibleError& error) {
    if (solver != "auto" || q.network.has_sites) throw;
    result.warnings.push_back(
        fmt::format("the step is estimated in closed form, not run on the network: {}", error.what()));
  }
}

std::vector<PlacementRow> placement_of(const Question& q, const Network& network, const Parallel& parallel) {
  std::vector<PlacementRow> rows;
  try {
    for (const GroupFit& fit : fits_of(*network.topology, parallel, q.chip.chip))
      rows.push_back({std::string(name_of(fit.group)), fit.members, fit.example, fit.closes, fit.why,
                      fit.hops, fit.shared, fit.alternative, fit.vendor});
  } catch (const InfeasibleError&) {
    rows.clear();  // the step itself says why
  }
  return rows;
}

void fill_times(const Question& q, const Candidate& best, TrainingRow& row) {
  row.largest_loss = largest(row.breakdown, 1);
  const std::int64_t band = calibrated_chip(q.chip.chip)->band_percent;
  row.low = {row.step.ps / 100 * (100 - band)};
  row.high = {row.step.ps / 100 * (100 + band)};
  fill_rates(q, best, row);
}

std::vector<std::string> suggest(const Question& q, const Candidate& best) {
  std::vector<std::string> told;
  for (const Improvement& one : improvements(q, best.parallel)) {
    const double gain = 1 - seconds(one.candidate.time.step()) / seconds(best.time.step());
    if (gain < 0.01 || told.size() == most_suggestions) break;
    told.push_back(fmt::format("{}: {} would take {}, {} % less", one.what,
                               split_text(one.candidate.parallel), readable(one.candidate.time.step()),
                               fixed(gain * 100, 1)));
  }
  return told;
}

void warn(const Question& q, const Candidate& best, const TrainingRow& row,
          std::vector<std::string>& warnings) {
  const Parallel& p = best.parallel;
  const std::uint32_t layers = q.work.model.layers, chunks = p.chunks();
  if (layers % chunks != 0) {
    warnings.push_back(fmt::format("{} layers do not divide into {} chunks: the fullest has {}, the last {}",
                                   layers, chunks, layers_of_chunk(q.work.model, p, chunks / 2).count(),
                                   layers_of_chunk(q.work.model, p, chunks - 1).count()));
  }
  if (p.ranks() < q.network.ranks)
    warnings.push_back(fmt::format("{} of {} ranks are idle: no legal split uses them",
                                   grouped(q.network.ranks - p.ranks()), grouped(q.network.ranks)));
  if (!best.fits)
    warnings.push_back(fmt::format("it does not fit: {} are needed on a rank, and {} are there",
                                   gib(best.memory.total().count), gib(q.chip.memory.count)));
  if (row.deadline_days > 0 && row.days > row.deadline_days)
    warnings.push_back(fmt::format("the deadline of {} days is not met: {} days are needed",
                                   fixed(row.deadline_days, 1), fixed(row.days, 1)));
}

}  // namespace

bool has_training(const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                     [](const Job& job) { return std::holds_alternative<TrainingJob>(job.work); });
}

Result run_training(const Scenario& scenario, const RunOptions& options) {
  if (scenario.count_is_open) return run_found_count(scenario, options);
  const Job& job = scenario.jobs[0];
  if (scenario.jobs.size() > 1 || job.repeat > 1) {
    throw InfeasibleError(
        "a training step cannot run beside other jobs, or be repeated, yet; what can be answered is the step "
        "alone");
  }
  constexpr std::string_view solvers[] = {"auto", "quotient", "colours", "program", closed_form};
  if (std::find(std::begin(solvers), std::end(solvers), options.solver) == std::end(solvers))
    throw InfeasibleError("solver '" + options.solver +
                          "' does not apply to a training step; accepted: auto, quotient, colours, program, "
                          "closed_form");
  if (options.trace)
    throw InfeasibleError("a training step in closed form sends no messages that could be traced");
  const Question q = question_of(scenario, *std::get<TrainingJob>(job.work).work);
  const SearchResult found = search(q.work, q.chip, q.network);
  if (found.fitting.empty()) {
    if (found.smallest) refuse_memory(q, found);
    TAHOMA_ASSERT(found.fault, "a search without a legal candidate has a fault to tell");
    refuse_training(q.work, "." + found.fault->key, found.fault->because, "");
  }
  const Candidate& best = found.fitting.front();
  if (q.network.has_sites && (found.legal > 1 || options.solver == closed_form)) {
    refuse_training(q.work, "",
                    "on several sites is run on the network only: the closed form, which compares splits, "
                    "does not know of WANs",
                    "one split: tp, pp, cp, vp, zero, schedule, micro_batch and recompute as single values");
  }
  Result result;
  result.name = scenario.name;
  result.description = scenario.description;
  result.warnings = scenario.warnings;
  const Network network = make_network(scenario);
  result.cluster = describe_cluster(scenario, *network.topology);
  result.training.push_back(row_of(q, job, found));
  warn(q, best, result.training.front(), result.warnings);
  Fingerprint fingerprint(scenario.resolved_yaml);
  run_on_network(q, scenario, best, options.solver, fingerprint, result);
  fill_times(q, best, result.training.front());
  result.training.front().placement = placement_of(q, network, best.parallel);
  for (const NamedTime& part : result.training.front().breakdown) fingerprint.add_time(Time{part.time.ps});
  result.fingerprint = fingerprint.text();
  result.assertions = judge_assertions(scenario.assertions, result);
  if (options.advise && !q.network.has_sites) result.suggestions = suggest(q, best);
  result.evidence.push_back(evidence_text(*calibrated_chip(q.chip.chip)));
  if (options.on_progress) options.on_progress(1, 1);
  return result;
}

}  // namespace tahoma
