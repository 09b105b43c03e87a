// The resolved question: every field typed, every default filled in, no YAML. resolve() makes it, run() reads
// it. Text that may be needed in a later message keeps its place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "collectives/chip_memory.h"
#include "collectives/collective.h"
#include "core/units.h"
#include "topology/topology.h"

namespace tahoma {

struct ListedSchedule;
struct ChakraTrace;
struct LayerWorkload;
struct TrainingWork;

struct Place {
  std::string file;          // or "--set", "preset trn2-server"
  int line = 0, column = 0;  // 1-based; 0 = none
};
std::string to_string(const Place& place);

template <class T>
struct Placed {
  T value{};
  Place place;
};

// ---- who takes part
// ----------------------------------------------------------------------------------------
struct RanksAll {};
struct RanksFirst {
  std::uint64_t count;
};  // the first N
struct RanksSelected {
  std::string selector;
};
struct RanksGroups {
  std::vector<std::vector<std::string>> groups;
};  // selectors per group
struct RanksBy {
  Level level;
};
struct RanksStride {
  std::uint64_t stride;
};
struct RanksSize {
  std::uint64_t size;
};
using Ranks = std::variant<RanksAll, RanksFirst, RanksSelected, RanksGroups, RanksBy, RanksStride, RanksSize>;

/// The order of the chips that ranks are taken from (scenarios/placement.h).
struct Placement {
  enum class Kind { packed, scattered, by_rail, random, listed } kind = Kind::packed;
  std::optional<std::uint64_t> seed;  // of `random`; the scenario's if not given
  std::vector<std::string> chips;     // of `listed`: names or selectors
};

// ---- what they do
// ------------------------------------------------------------------------------------------
/// "auto", one name, or a name per level ("server", "ultraserver", "site", "cluster", "intra", "inter").
struct AlgorithmChoice {
  bool automatic = true;
  std::string name;                                         // one algorithm over all axes, if not empty
  std::vector<std::pair<std::string, std::string>> levels;  // inner level first
};

enum class ChannelRule { fifo, eager };

struct PermutePattern {
  enum class Kind { shift, random, file } kind = Kind::shift;
  std::int64_t shift = 1;
  std::vector<std::uint32_t> destinations;  // of `file`
};

/// The communication software that does the work (collectives/stack/stack.h).
struct StackWork {
  struct Overruled {
    std::string name, value;  // "ring.ll.step_up", "2us"
    Place place;
  };
  std::string name, version;  // version "": the newest
  std::string protocol;       // "": any
  std::vector<Overruled> parameters;
  Place place;
};

struct CollectiveWork {
  std::vector<Collective> collectives;  // rows: collectives x algorithms x sizes
  std::vector<Bytes> sizes;
  std::vector<AlgorithmChoice> algorithms;
  Placed<Ranks> ranks;
  Placed<Placement> placement;
  Place algorithm_place;
  std::string dtype = "bf16";
  std::uint64_t element_bytes = 2;
  std::uint32_t root = 0;
  std::uint32_t pipeline = 0;  // 0 = automatic
  std::uint32_t channels = 1;
  ChannelRule channel_rule = ChannelRule::fifo;
  std::optional<PermutePattern> pattern;
  std::optional<StackWork> stack;
  /// The schedule is listed in a file: it says the collective, `algorithms` holds its name, and `pipeline` is
  /// how many rounds it runs.
  std::shared_ptr<const ListedSchedule> program;
};

/// Recorded traces, one for all ranks or one each, or a workload of layers that all ranks go through;
/// `of_ranks` says which ranks and how their collectives run.
struct TraceWork {
  CollectiveWork of_ranks;
  std::shared_ptr<const std::vector<ChakraTrace>> traces;  // null beside layers
  std::shared_ptr<const LayerWorkload> layers;
};

/// A training step (scenarios/training/training_work.h).
struct TrainingJob {
  std::shared_ptr<const TrainingWork> work;
};

struct FlowSpec {
  std::string id;
  std::optional<std::pair<std::string, std::string>> ends;  // from, to: chip names
  std::vector<std::string> path;                            // or link names
  Bytes bytes;
  Time start;
  std::optional<Capacity> rate_cap;
  Place place;
};
struct FlowWork {
  std::vector<FlowSpec> flows;
};

struct Job {
  std::string name;
  Time start;
  std::uint32_t repeat = 1;
  std::variant<CollectiveWork, FlowWork, TraceWork, TrainingJob> work;
  Place place;
};

// ---- what is broken
// ----------------------------------------------------------------------------------------
struct FaultEvent {
  bool fail = true;     // else degrade
  std::string element;  // "A<->B", "us1.s0.c3.nic", ...
  Decimal factor{1, 0};
  Place place;
};
struct RandomFaults {
  std::uint32_t fail_links = 0, fail_nics = 0, fail_uplinks = 0;
  std::uint32_t degrade_links = 0, degrade_nics = 0, degrade_uplinks = 0;
  Decimal factor{5, -1};
  std::uint64_t seed = 0;
  Place place;
};
struct Straggler {
  std::string chips;  // selector
  Duration delay;
  Place place;
};
struct FaultSpec {
  std::vector<FaultEvent> events;
  std::optional<RandomFaults> random;
  std::vector<Straggler> stragglers;
};

// ---- what must hold
// ----------------------------------------------------------------------------------------
struct Assertion {
  std::string text;    // as written
  std::string metric;  // a field of a collective's result row: time_s, busbw_GBps, efficiency, ...
  enum class Relation { less, less_equal, greater, greater_equal, equal } relation = Relation::less;
  double value = 0;  // in the metric's unit
  Place place;
};

struct Scenario {
  std::string name;
  std::string description;
  std::variant<ClusterShape, GraphShape, MixedShape> network;
  std::string preset;          // innermost preset name, "" if none
  std::string chip;            // its name, "" if it has none
  std::string unit;            // what `cluster.count` counts: "UltraServer", "server", "scale-up domain"
  bool count_is_open = false;  // `cluster.count: auto`: the fewest units that meet a training's deadline
  std::uint32_t chips_per_server = 1;
  Duration overhead;  // of a chip, per message
  ChipMemory memory;
  std::optional<Capacity> reduction_rate;  // bytes of one received contribution per second, if it costs
  std::vector<ChipCosts> site_costs;       // of a mixed cluster, by site, in place of the three above
  std::vector<Job> jobs;                   // a lone workload is one job named ""
  FaultSpec faults;
  std::vector<Assertion> assertions;
  std::uint64_t seed = 0;
  std::vector<std::string> variants;  // names under `sweep.variants`; load them one by one
  std::vector<std::string> warnings;
  std::vector<std::string> report_formats;
  std::string resolved_yaml;  // runs to the same bytes
};

}  // namespace tahoma
