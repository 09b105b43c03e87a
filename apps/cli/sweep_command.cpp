// `tahoma sweep`: plan, compute what is missing, make the tables; and the verbs by which other engines take
// part: run-shard, merge, status.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "core/errors.h"
#include "scenarios/sweep/folder.h"
#include "scenarios/sweep/local.h"
#include "scenarios/sweep/slurm.h"
#include "scenarios/sweep/summary.h"
#include "scenarios/sweep/tables.h"
#include "scenarios/write_results.h"

namespace tahoma {

namespace {

constexpr std::size_t most_lines_of_a_shard = 4096;
constexpr std::size_t most_sampled = 4;  // points that a task's time and memory are told from

std::uint32_t threads_of(const Arguments& arguments) {
  if (arguments.sweep.jobs != 0) return arguments.sweep.jobs;
  return std::max(1U, std::thread::hardware_concurrency());
}

/// Done points, rate and how long the rest takes, on a terminal.
class PointProgress {
 public:
  explicit PointProgress(std::size_t total) : total_(total) {}
  void show(std::size_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (done < total_ && now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
    const double rest = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
    bar_.show(done, total_, fmt::format("point {} of {}, {:.1f}/s, {:.0f} s left", done, total_, rate, rest));
  }

 private:
  std::size_t total_;
  Progress bar_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};

/// Computes `points`; true if all of them were. `keep` gets each as it is done.
bool compute(const SweepPlan& plan, const std::vector<std::uint64_t>& points, std::uint32_t threads,
             const std::function<void(PointRecord&&, const std::string&)>& keep) {
  const Interrupt interrupt;
  PointProgress progress(points.size());
  std::size_t done = 0;
  LocalRun how;
  how.threads = threads;
  how.interrupted = &interrupt.requested();
  how.done = [&](PointRecord&& record, std::string&& line) {
    keep(std::move(record), line);
    progress.show(++done);
  };
  run_points(plan, longest_first(plan, points), how);
  return done == points.size();
}

std::vector<std::uint64_t> missing(const std::vector<PointRecord>& records) {
  std::vector<std::uint64_t> points;
  for (std::uint64_t i = 0; i < records.size(); ++i) {
    if (records[i].status.empty()) points.push_back(i);
  }
  return points;
}

/// Into shards of the folder, each closed when it is full.
bool compute_into(const std::string& folder, const SweepPlan& plan, const std::vector<std::uint64_t>& points,
                  std::uint32_t threads) {
  std::unique_ptr<ShardWriter> shard;
  const bool all = compute(plan, points, threads, [&](PointRecord&&, const std::string& line) {
    if (!shard) shard = std::make_unique<ShardWriter>(folder, free_shard_name(folder));
    shard->add(line);
    if (shard->lines() >= most_lines_of_a_shard) {
      shard->finish();
      shard.reset();
    }
  });
  if (shard) shard->finish();
  return all;
}

ExitCode outcome(const Arguments& arguments, const SweepPlan& plan, const std::vector<PointRecord>& records,
                 bool complete) {
  if (arguments.format == "csv") {
    print(sweep_csv(plan, records));
  } else {
    print(sweep_summary(plan, records, stdout_style()));
  }
  if (!complete) return ExitCode::interrupted;
  const auto has = [&](std::string_view status) {
    return std::any_of(records.begin(), records.end(),
                       [&](const PointRecord& r) { return r.status == status; });
  };
  // Not one point that could be read: the scenario is at fault, not its points.
  if (std::all_of(records.begin(), records.end(),
                  [](const PointRecord& r) { return r.status == "invalid"; })) {
    spdlog::error("every point is invalid: {}", records.front().reason);
    return ExitCode::invalid;
  }
  if (has("failed")) return ExitCode::fault;
  if (arguments.sweep.strict && (has("infeasible") || has("invalid"))) return ExitCode::infeasible;
  const bool held = std::all_of(records.begin(), records.end(), [](const PointRecord& r) { return r.held; });
  return held ? ExitCode::ok : ExitCode::not_held;
}

ExitCode dry_run(const SweepPlan& plan) {
  print(plan_summary(plan));
  return ExitCode::ok;
}

/// Computes a few points here, to know what they take, and writes the scripts for the rest.
ExitCode hand_to_slurm(const Arguments& arguments, const SweepPlan& plan, std::vector<std::uint64_t> points) {
  const std::string folder = std::filesystem::absolute(arguments.out).lexically_normal().string();
  PointSample sample;
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < most_sampled && i < points.size(); ++i)
    some.push_back(points[i * points.size() / std::min(most_sampled, points.size())]);
  for (const std::uint64_t point : some) {
    const auto start = std::chrono::steady_clock::now();
    compute_into(folder, plan, {point}, 1);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    sample.mean_s += took / static_cast<double>(some.size());
    sample.most_s = std::max(sample.most_s, took);
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  sample.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  const SlurmTasks tasks = pack_tasks(points.size(), sample, arguments.sweep.most_tasks);
  const std::string program = std::filesystem::canonical("/proc/self/exe").string();
  const SlurmScripts scripts = slurm_scripts(plan.name, folder, program, tasks);
  prepare_folder(folder + "/slurm");
  write_text(folder + "/slurm/shard.sh", scripts.shard);
  write_text(folder + "/slurm/merge.sh", scripts.merge);
  write_text(folder + "/slurm/submit.sh", scripts.submit);
  spdlog::info("{} tasks of up to {} min and {} MiB for {} points of {:.3g} s", tasks.tasks, tasks.minutes,
               tasks.memory_mib, points.size(), sample.mean_s);
  const std::string submit = "bash '" + folder + "/slurm/submit.sh'";
  if (!arguments.sweep.submit) {
    print(submit + "\n");
    return ExitCode::ok;
  }
  if (std::system(("bash \"" + folder + "/slurm/submit.sh\"").c_str()) !=
      0)  // NOLINT(cert-env33-c): is asked for
    throw MachineError("sbatch refused the sweep; the scripts are in " + folder + "/slurm");
  return ExitCode::ok;
}

ExitCode run_sweep(const Arguments& arguments) {
  const SweepPlan plan = plan_sweep(
      {arguments.scenario, arguments.sweep.multiplied, arguments.sweep.most_points, TAHOMA_VERSION});
  if (arguments.sweep.dry_run) return dry_run(plan);
  const std::uint32_t threads = threads_of(arguments);
  if (arguments.out.empty()) {
    if (arguments.sweep.executor == "slurm")
      throw UsageError("--executor slurm needs --out, a folder all nodes see");
    if (arguments.sweep.only_plan) throw UsageError("--plan needs --out, the folder to make");
    if (arguments.sweep.resume) throw UsageError("--resume needs --out, the folder to go on with");
    std::vector<PointRecord> records(plan.points);
    std::vector<std::uint64_t> points = missing(records);
    const bool all = compute(plan, points, threads, [&](PointRecord&&, const std::string& line) {
      PointRecord record;
      if (read_line(plan, std::string_view(line).substr(0, line.size() - 1), record))
        records[record.point] = std::move(record);
    });
    return outcome(arguments, plan, records, all);
  }
  const std::string& folder = arguments.out;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const FolderLock lock(folder);
  claim_folder(folder, plan, arguments.sweep.resume);
  if (arguments.sweep.only_plan) return dry_run(plan);
  FolderRecords there = read_records(folder, plan);
  close_parts(folder);
  if (there.damaged > 0) spdlog::warn("{}: {} damaged lines are computed again", folder, there.damaged);
  const std::vector<std::uint64_t> points = missing(there.records);
  if (arguments.sweep.executor == "slurm") return hand_to_slurm(arguments, plan, points);
  if (there.done > 0) spdlog::info("{}: {} of {} points are there already", folder, there.done, plan.points);
  const bool all = compute_into(folder, plan, points, threads);
  there = read_records(folder, plan);
  write_tables(folder, plan, there.records);
  return outcome(arguments, plan, there.records, all);
}

ExitCode merge(const Arguments& arguments) {
  const std::string& folder = arguments.sweep.folder;
  const SweepPlan plan = plan_of_folder(folder, TAHOMA_VERSION);
  const FolderLock lock(folder);
  const FolderRecords there = read_records(folder, plan);
  write_tables(folder, plan, there.records);
  if (there.done < plan.points)
    spdlog::error("{}: {} of {} points are missing", folder, plan.points - there.done, plan.points);
  const ExitCode said = outcome(arguments, plan, there.records, true);
  return there.done < plan.points ? ExitCode::not_held : said;
}

ExitCode status(const Arguments& arguments) {
  const SweepPlan plan = plan_of_folder(arguments.sweep.folder, TAHOMA_VERSION);
  const FolderRecords there = read_records(arguments.sweep.folder, plan);
  print(status_summary(plan, there.records));
  return ExitCode::ok;
}

/// Points I, I + N, I + 2 N, ... into a shard of its own; what that shard holds already is not done again.
ExitCode run_shard(const Arguments& arguments) {
  const Arguments::Sweep& sweep = arguments.sweep;
  if (sweep.shard >= sweep.of)
    throw UsageError(fmt::format("--shard {} is not below --of {}", sweep.shard, sweep.of));
  const SweepPlan plan = plan_of_folder(sweep.folder, TAHOMA_VERSION);
  const FolderRecords there = read_records(sweep.folder, plan);
  std::vector<std::uint64_t> points;
  for (std::uint64_t point = sweep.shard; point < plan.points; point += sweep.of) {
    if (there.records[point].status.empty()) points.push_back(point);
  }
  if (points.empty()) return ExitCode::ok;
  ShardWriter shard(sweep.folder, fmt::format("task-{:05}-of-{:05}", sweep.shard, sweep.of));
  const std::uint32_t threads = sweep.jobs == 0 ? 1 : sweep.jobs;
  const bool all =
      compute(plan, points, threads, [&](PointRecord&&, const std::string& line) { shard.add(line); });
  if (!all) return ExitCode::interrupted;
  shard.finish();
  return ExitCode::ok;
}

struct Verb {
  std::string_view name;
  ExitCode (*run)(const Arguments&);
};
constexpr std::array<Verb, 3> verbs{{{"merge", merge}, {"run-shard", run_shard}, {"status", status}}};

}  // namespace

ExitCode sweep_command(const Arguments& arguments) {
  const std::string& first = arguments.scenario.file;
  for (const Verb& verb : verbs) {
    if (first != verb.name) continue;
    if (arguments.sweep.folder.empty())
      throw UsageError(fmt::format("sweep {} needs the folder of a sweep", first));
    return verb.run(arguments);
  }
  if (!arguments.sweep.folder.empty())
    throw UsageError("'" + arguments.sweep.folder +
                     "' is too much: sweep takes one FILE; --out DIR keeps the points");
  return run_sweep(arguments);
}

}  // namespace tahoma
