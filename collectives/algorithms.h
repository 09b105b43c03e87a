// The algorithms as one table of rows, and how they compose over levels.
//
// all_reduce over levels L1 (inner) .. Lk = reduce_scatter L1 .. reduce_scatter L(k-1), all_reduce Lk,
// all_gather L(k-1) .. all_gather L1; reduce_scatter and all_gather likewise without the other half. The
// others: compose.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/schedule.h"

namespace tahoma {

/// One phase (or several) to be made: `goal` on the ranks spanned by `axes`, over `elements` per rank.
struct PhaseRequest {
  PhaseGoal goal = PhaseGoal::all_reduce;
  std::vector<Axis> all_axes;      // of the schedule
  std::vector<std::uint8_t> axes;  // of this phase, innermost first
  std::uint64_t elements = 0;      // in the buffer before (reduce_scatter, all_reduce, all_to_all, broadcast,
                                   // scatter, reduce) or after (all_gather, gather) the phase
  std::uint64_t element_bytes = 2;
  std::uint32_t root = 0;            // position; broadcast, gather, scatter, reduce
  std::uint32_t chunks = 0;          // torus: chunks per order and direction; 0 = choose
  bool pipelined = false;            // the buffer is a chunk of an explicit pipeline: not to be cut again
  Duration overhead;                 // per message, for choosing chunks
  std::vector<std::uint32_t> table;  // permute: destination of each position
};

struct Algorithm {
  std::string_view name;
  std::string_view purpose;    // one line for `tahoma algorithms`
  std::string_view fits_when;  // one line
  /// Empty if it can do the request; else the reason, as a sentence for the user ("... needs ...").
  std::string (*refuses)(const PhaseRequest&);
  std::vector<Phase> (*make)(const PhaseRequest&);
  bool by_name_only = false;  // no candidate of `auto`: it needs hardware that the network does not tell of,
                              // or costs much to try
};

std::span<const Algorithm> algorithms();
const Algorithm* algorithm_named(std::string_view name);

/// Which algorithm serves which axes, inner level first. Axes of all entries together are all axes, in order.
struct LevelPlan {
  std::vector<std::uint8_t> axes;
  std::string level;  // as the user named it: "ultraserver", "cluster", ... or "all"
  std::string algorithm;
};

/// "ring", or "ultraserver: torus, cluster: ring".
std::string label_of(const std::vector<LevelPlan>& levels);

struct ScheduleRequest {
  Collective collective = Collective::all_reduce;
  Bytes size;
  std::uint64_t element_bytes = 2;
  std::uint32_t root = 0;
  std::uint32_t pipeline = 0;  // 0 = the algorithm's own choice
  std::uint32_t channels = 1;
  Duration overhead;                 // of a chip, per message: planned with, never charged here
  std::vector<std::uint32_t> table;  // permute
  std::vector<Axis> axes;
  std::vector<LevelPlan> levels;
  /// The schedule will be a piece of a larger one, which only the engine and its quotient solve: `auto` takes
  /// what these understand, and of many messages only what folds as far as any does.
  bool is_piece = false;
  /// Of a piece: only those that leave the most of these digits foldable. A schedule that tells like ranks
  /// apart makes all that runs beside it tell them apart too. 0: any.
  DigitMask fold_within = 0;
};

/// Throws ScenarioError (no place; the reader adds it) with the algorithm's reason when one does not fit.
Schedule make_schedule(const ScheduleRequest& request);

/// The schedules of one request by many level plans. Hundreds of candidates of `auto` are made of a few dozen
/// distinct phases: those are made once, and so are their floors. Throws as make_schedule does.
class ScheduleBook {
 public:
  struct Entry;
  struct Entries;
  /// The request's own levels are not looked at. It must outlive the book.
  explicit ScheduleBook(const ScheduleRequest& request);
  ~ScheduleBook();
  Schedule schedule(const std::vector<LevelPlan>& levels);
  /// The same, out of the book: what it is made of is moved.
  Schedule last_schedule(const std::vector<LevelPlan>& levels) &&;
  /// estimate() of that schedule.
  Duration floor(std::span<const LevelPlan> levels);

 private:
  Schedule blank(const std::vector<LevelPlan>& levels) const;
  std::vector<Entry*> parts(std::span<const LevelPlan> levels);

  const ScheduleRequest& request_;
  std::unique_ptr<Entries> entries_;
  std::uint32_t ranks_ = 1;
};

/// Lists what goes one after another and was left unlisted (pairwise over very many ranks).
void list_sends(Schedule& schedule);

/// Shards: ceil(elements / n) elements; padding is charged.
std::uint64_t shard_elements(std::uint64_t elements, std::uint32_t n);

/// Bandwidth-latency estimate of a schedule on its axes, no contention: a floor used by `auto` to prune.
Duration estimate(const Schedule& schedule);
/// The same of one phase, in ps, and of several one after another.
u128 floor_of(std::span<const Axis> axes, const Phase& phase);
Duration sum_of_floors(u128 total);

}  // namespace tahoma
