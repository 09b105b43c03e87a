// The answer as a value: what the reports print and the files hold. Times are exact (ps); the doubles are
// derived once, here, from integers, so that every output says the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.h"

namespace tahoma {

struct RankFinish {
  std::string rank;  // chip name
  Duration finish;   // since the row's start
};

/// The share of one phase in the critical chain.
struct PhaseTime {
  std::string phase;  // "all_reduce, ring"
  std::string level;  // the outermost one it reaches: "ultraserver"
  Duration time;
};

struct CollectiveRow {
  std::string job;
  std::string collective, algorithm, why;
  std::uint64_t ranks = 0;   // of one group
  std::uint64_t groups = 1;  // that run at the same time
  std::uint64_t bytes = 0;   // nccl-tests size
  std::uint64_t count = 0;   // elements
  std::string dtype, redop;  // redop "sum" or "none"
  std::uint32_t pipeline = 1;
  Time start;
  Duration time;  // start of the row to the last rank's finish
  double algbw_GBps = 0, busbw_GBps = 0;
  Duration lower_bound;
  std::string bound_by;   // which cut or latency makes the bound
  double efficiency = 0;  // lower_bound / time
  std::string solver, solver_why;
  bool exact = true;
  std::uint64_t flows = 0;                  // simulated as if unfolded
  std::uint64_t classes = 0;                // rank classes that were simulated
  std::string bottleneck;                   // "z ring (97 % busy)"
  Duration p0, p50, p99, p100;              // of the ranks' finishes
  std::vector<RankFinish> worst;            // the last few
  std::vector<std::string> critical_chain;  // from the last finish back to its cause; may be empty
  std::vector<PhaseTime> critical_phases;   // the chain by phase, in the schedule's order
  std::string stack, protocol;              // the software that did it, "nccl 2.28", "ll128"; "" without one
  Duration launch;                          // of the software, before the first send; part of the time
};

struct FlowRow {
  std::string job, id;
  Time start, finish;
  std::uint64_t bytes = 0;
};

/// A job of recorded traces. `device`, `communication` and `exposed` are the slowest rank's.
struct TraceRow {
  std::string job;
  std::uint64_t ranks = 0, nodes = 0, collectives = 0, flows = 0;
  Time start;
  Duration time;           // start to the last rank's finish
  Duration device;         // in which the device computes
  Duration communication;  // in which a collective runs, or a message is sent or waited for
  Duration exposed;        // the part of it in which the device does not compute
};

struct NamedTime {
  std::string name;
  Duration time;
};
struct NamedBytes {
  std::string name;
  std::uint64_t bytes = 0;
};

/// A candidate of a search for the best split.
struct SplitRow {
  std::string split;
  Duration step;
  std::uint64_t memory = 0;  // bytes of a rank
  std::string why;           // what it loses to the best
};

/// What another number of units would do for a whole training.
struct CountRow {
  std::uint64_t count = 0, chips = 0;
  double days = 0, chip_hours = 0;
  std::string split;
};

/// How the groups of a split lie on the network (scenarios/training/placement_fit.h).
struct PlacementRow {
  std::string group;  // "tp"
  std::uint32_t members = 0;
  std::string ranks;  // of the first group
  bool closes = true;
  std::string why;
  std::uint32_t hops = 0, shared = 0;  // links of its longest step; most groups on one link
  std::string alternative, vendor;     // "": none is needed, nothing is known
};

/// A training step.
struct TrainingRow {
  std::string job, model, chip, dtype, split;
  std::uint64_t parameters = 0, active_parameters = 0;
  std::uint64_t ranks = 0, chips = 0;       // chips: all of the cluster, idle ones included
  std::uint64_t sequences = 0, tokens = 0;  // of a step
  std::uint64_t micro_batches = 0;          // of a replica
  Duration step, low, high;                 // low to high: what the error on measured steps allows
  double tokens_per_s = 0, tokens_per_s_per_chip = 0, mfu = 0, tflops_per_chip = 0;
  std::string flops;                 // what utilisation counts
  std::vector<NamedTime> breakdown;  // adds up to `step`
  std::vector<NamedBytes> memory;    // of a rank of the stage that holds most; adds up to `memory_used`
  std::uint64_t memory_used = 0, memory_there = 0;
  std::uint32_t memory_stage = 0;
  double memory_headroom = 0;       // share of it that is left
  double days = 0, chip_hours = 0;  // of the whole training; 0: its tokens were not said
  double deadline_days = 0;         // 0: none
  std::string largest_loss;
  std::vector<SplitRow> ranking;  // of a search: the best and what it beat
  std::vector<CountRow> counts;   // of `cluster.count: auto`: the found one and its neighbours
  std::uint64_t tried = 0, legal = 0, fitting = 0;
  std::vector<PlacementRow> placement;
  std::string solver, solver_why;
  bool exact = false;
};

struct LinkRow {
  std::string link;  // a link's name, or a class: "z ring (384 links)"
  std::string tier;
  std::uint64_t links = 1;  // how many are alike
  std::string job_row;      // "all_reduce 1073741824 torus": which row it belongs to
  std::uint64_t bytes = 0;  // of one of them
  double utilization = 0;   // bytes / (capacity x time of the row)
};

struct TierUse {  // per row, for the first screen and the bottleneck
  std::string tier;
  double busiest = 0;  // utilization of its busiest link
};

struct AssertionOutcome {
  std::string text, row;  // row: which one failed, "" if all hold
  bool held = true;
  double value = 0;  // the worst
};

struct RunStats {
  double wall_s = 0;
  std::uint64_t peak_rss_bytes = 0, events = 0, solves = 0;
};

struct Result {
  std::string name, description;
  std::string fingerprint;
  std::vector<std::string> warnings;
  struct Cluster {
    std::uint64_t chips = 0, servers = 0, ultraservers = 0, sites = 0, links = 0;
    std::string summary;  // "524,288 chips: 4 sites x 2,048 UltraServers x 64"
  } cluster;
  std::vector<CollectiveRow> collectives;
  std::vector<FlowRow> flows;
  std::vector<TraceRow> traces;
  std::vector<TrainingRow> training;  // none or one
  std::vector<LinkRow> links;         // by class, busiest first within a row
  std::vector<AssertionOutcome> assertions;
  std::vector<std::string> evidence;     // what this kind of system has been checked against; never empty
  std::vector<std::string> suggestions;  // what would help, with the figure
  std::vector<Result> variants;          // of `sweep.variants`, each named as there
  std::string trace;                     // if asked for: a Perfetto trace (scenarios/trace_json.h)
  bool interrupted = false;
  RunStats stats;
};

}  // namespace tahoma
