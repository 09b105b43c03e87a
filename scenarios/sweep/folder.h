// The folder of a sweep: its plan, what has been computed so far, and who is working on it.
//
//   sweep.json             the manifest: enough to make the plan again, on another machine too
//   plan.jsonl             a line per point
//   points/shard-N.jsonl   a line per computed point; .part while somebody writes it
//   results.csv, results.sqlite   made from the shards by `merge`
//   lock                   held by whoever computes on this machine or merges
//
// A line is written by one write(2) as soon as its point is done: a killed process loses the points in
// flight, and at most damages the last line, which is dropped and computed again. A finished shard is synced
// and renamed. Which shard a line stands in means nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/sweep/record.h"

namespace tahoma {

/// Exclusive use of a folder, until it goes. Throws MachineError if another process has it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

/// Makes the folder of a new plan. One that holds a sweep is refused, unless it is of the same plan and
/// `resume` is said. Throws ScenarioError, MachineError.
void claim_folder(const std::string& folder, const SweepPlan& plan, bool resume);

/// The plan of a folder. Throws ScenarioError.
SweepPlan plan_of_folder(const std::string& folder, const std::string& version);

/// Appends lines to points/NAME.jsonl.part; finish() makes it points/NAME.jsonl.
class ShardWriter {
 public:
  /// A part that was left behind is gone on with: what is whole in it stays.
  ShardWriter(const std::string& folder, const std::string& name);
  ~ShardWriter();
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;

  void add(const std::string& line);
  void finish();
  std::uint64_t lines() const { return lines_; }

 private:
  std::string part_, whole_;
  int file_ = -1;
  std::uint64_t lines_ = 0;
};

/// Makes whole shards of parts that a killed process left, without what is damaged at their end. Only under
/// the folder's lock, and while no task of another engine runs.
void close_parts(const std::string& folder);

/// A name that no shard of the folder has yet: "shard-00012".
std::string free_shard_name(const std::string& folder);

/// Every record of the folder, by point; a point that is not there has an empty status. Damaged lines are
/// left out and counted.
struct FolderRecords {
  std::vector<PointRecord> records;
  std::uint64_t done = 0, damaged = 0, failed = 0;
};
FolderRecords read_records(const std::string& folder, const SweepPlan& plan);

}  // namespace tahoma
