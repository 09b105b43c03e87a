#include "scenarios/sweep/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tahoma {

namespace {

constexpr double time_margin = 4;  // nodes differ, and so do points
constexpr std::uint64_t least_minutes = 5;
constexpr std::uint64_t memory_margin_mib = 256;
constexpr std::uint64_t least_memory_mib = 512;

/// For a POSIX shell: 'it'\''s'.
std::string shell_quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// Letters that a job's name may hold everywhere.
std::string job_name(const std::string& name) {
  std::string job = "tahoma-";
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    job += plain ? c : '-';
  }
  return job;
}

}  // namespace

SlurmTasks pack_tasks(std::uint64_t points, const PointSample& sample, std::uint64_t most_tasks) {
  SlurmTasks packed;
  const double total_s = static_cast<double>(points) * sample.mean_s;
  const std::uint64_t worth = static_cast<std::uint64_t>(std::max(1.0, std::floor(total_s / least_task_s)));
  packed.tasks =
      std::max<std::uint64_t>(1, std::min({worth, points, std::max<std::uint64_t>(1, most_tasks)}));
  const std::uint64_t points_of_a_task = (points + packed.tasks - 1) / packed.tasks;
  const double task_s = static_cast<double>(points_of_a_task) * sample.mean_s + sample.most_s;
  packed.minutes = std::max(least_minutes, static_cast<std::uint64_t>(std::ceil(task_s * time_margin / 60)));
  const std::uint64_t used_mib = (sample.peak_bytes + (1 << 20) - 1) >> 20;
  packed.memory_mib = std::max(least_memory_mib, 2 * used_mib + memory_margin_mib);
  return packed;
}

SlurmScripts slurm_scripts(const std::string& name, const std::string& folder, const std::string& program,
                           const SlurmTasks& tasks) {
  SlurmScripts scripts;
  const std::string tahoma = shell_quoted(program), where = shell_quoted(folder);
  scripts.shard = fmt::format(
      "#!/bin/bash\n"
      "# One part of the sweep; begun again, it goes on where it was.\n"
      "exec {} sweep run-shard {} --shard \"$SLURM_ARRAY_TASK_ID\" --of {}\n",
      tahoma, where, tasks.tasks);
  scripts.merge = fmt::format("#!/bin/bash\nexec {} sweep merge {}\n", tahoma, where);
  scripts.submit = fmt::format(
      "#!/bin/bash\n"
      "# {} tasks, and a merge that begins when all of them have succeeded. Arguments go to sbatch, such as\n"
      "# --partition=NAME; prints the number of the array's job and of the merge's.\n"
      "set -euo pipefail\n"
      "cd {}\n"
      "array=$(sbatch --parsable --job-name={} --array=0-{} --requeue --cpus-per-task=1 --mem={}M --time={} "
      "\\\n"
      "  --output=slurm/task-%a.log --open-mode=append \"$@\" slurm/shard.sh)\n"
      "merge=$(sbatch --parsable --job-name={}-merge --dependency=\"afterok:${{array%%;*}}\" "
      "--kill-on-invalid-dep=yes \\\n"
      "  --cpus-per-task=1 --mem={}M --time=60 --output=slurm/merge.log \"$@\" slurm/merge.sh)\n"
      "echo \"${{array%%;*}} ${{merge%%;*}}\"\n",
      tasks.tasks, where, job_name(name), tasks.tasks - 1, tasks.memory_mib, tasks.minutes, job_name(name),
      tasks.memory_mib);
  return scripts;
}

}  // namespace tahoma
