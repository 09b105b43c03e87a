// The scripts by which Slurm computes a sweep: an array of run-shard tasks, and a merge that waits for all.
//
// A task is worth its start-up (about half a second each) only with enough work, so points are packed until a
// task has at least `least_task_s`, as far as a measured sample tells; time and memory asked for are the
// sample's with room to spare. Tasks are idempotent: requeued ones go on where they were.
#pragma once

#include <cstdint>
#include <string>

namespace tahoma {

/// What a sample of points took.
struct PointSample {
  double mean_s = 0, most_s = 0;
  std::uint64_t peak_bytes = 0;
};

struct SlurmTasks {
  std::uint64_t tasks = 1;
  std::uint64_t minutes = 1;     // limit of one task
  std::uint64_t memory_mib = 1;  // of one task
};
inline constexpr double least_task_s = 30;

/// `most_tasks`: the site's MaxArraySize - 1 (1,000 where none is set).
SlurmTasks pack_tasks(std::uint64_t points, const PointSample& sample, std::uint64_t most_tasks);

struct SlurmScripts {
  std::string shard, merge, submit;  // texts of shard.sh, merge.sh and submit.sh
};
/// `folder` and `program` are absolute paths.
SlurmScripts slurm_scripts(const std::string& name, const std::string& folder, const std::string& program,
                           const SlurmTasks& tasks);

}  // namespace tahoma
