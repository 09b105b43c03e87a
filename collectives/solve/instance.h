// What the engine runs: nodes, lanes, sends, paths and links as flat arrays of numbers.
//
// Idea: `expand` makes one node per rank of the unfolded network, or one per *class* of ranks under a group
// of symmetries (the fold). The engine cannot tell the difference: in the quotient a crossing has a
// multiplicity, in the unfolded network it is 1. So there is one engine, and the unfolded run judges the
// folded one.
//
// Why the quotient is exact (docs/decisions/0004-folding.md): the folded digits act freely on chips by
// translations (or XOR) that map links, capacities, latencies, routes and the program onto themselves. Then
// max-min rates are constant on orbits, and a link of orbit L is crossed by
//     a(L, F) = (links of L on the representative's path) x |F| / |L|
// flows of class F. All rank orbits have the same size, so a rank receives one message per class that targets
// its own class.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collectives/chip_memory.h"
#include "collectives/groups.h"
#include "collectives/schedule.h"
#include "core/fair_share.h"
#include "topology/topology.h"

namespace tahoma {

/// Chip -> class: the mixed radix of the digits that are not folded.
struct ChipClasses {
  struct Kept {
    std::uint32_t stride, size, place;
  };
  std::vector<Kept> kept;
  std::uint32_t count = 1;
  std::uint64_t orbit = 1;  // chips per class
  bool identity = true;
  std::uint32_t of(ChipId chip) const {
    if (identity) return chip;
    std::uint32_t result = 0;
    for (const Kept& k : kept) result += (chip / k.stride) % k.size * k.place;
    return result;
  }
};
ChipClasses chip_classes(const Topology& topology, DigitMask folded);

enum class LaneRule : std::uint8_t { fifo, eager };

struct ChipDelay {
  ChipId chip;
  Duration delay;
};

/// One collective of one job, to be run on the network together with the others.
struct Program {
  static constexpr std::uint32_t at_start = ~0u;
  const Schedule* schedule = nullptr;
  const RankGroups* groups = nullptr;
  LaneRule rule = LaneRule::fifo;
  std::uint32_t job = 0;
  Time start;                      // if `after` is at_start
  std::uint32_t after = at_start;  // else: when this program is done on all its ranks
};

/// A flow that belongs to no collective.
struct PlainFlow {
  std::vector<LinkId> links;
  Duration latency;
  Rate cap;
  Bytes bytes;
  Time start;
};

/// The links of chips' memories have numbers that no topology gives.
inline constexpr std::uint64_t first_memory_link = ~std::uint64_t{0} - (std::uint64_t{1} << 32);
inline LinkId memory_link(std::uint32_t chip_class) {
  return {~std::uint64_t{0} - chip_class};
}
inline bool is_memory(LinkId link) {
  return link.value > first_memory_link;
}

struct Problem {
  const Topology* topology = nullptr;
  const Topology* healthy = nullptr;  // the same without faults; null if there are none
  std::vector<Program> programs;
  std::vector<PlainFlow> flows;
  std::vector<ChipDelay> delays;  // ascending by chip
  Duration overhead;              // per message; occupies the lane
  Capacity reduction_rate;        // 0: reduction costs nothing
  ChipMemory memory;
};

struct Instance {
  struct Link {
    LinkId id;
    Capacity capacity;
    std::uint64_t orbit;    // links it stands for
    std::uint32_t binding;  // number in the flow network; no_link if it can never bind
  };
  static constexpr std::uint32_t no_link = ~0u;
  struct Path {
    std::uint32_t first, count;               // into path_links: all links, for byte accounting
    std::uint32_t first_crossing, crossings;  // into `crossing`: binding links
    Duration latency;
    Rate cap;
  };
  struct WaitRow {
    std::uint32_t counter, count, per_rep;
  };
  struct SendRow {
    std::uint64_t bytes;
    std::uint32_t reps;
    std::uint32_t path;          // first of `ways`
    std::uint32_t stage;         // own, absolute
    std::uint32_t target_stage;  // absolute
    std::uint32_t target_counter;
    WaitRow first_wait;        // most sends have one wait at most; it shares their cache line
    std::uint32_t more_waits;  // the others: from here in `waits`
    std::uint16_t waits;
    std::uint8_t ways;
    bool reduce;
    std::uint32_t relative_source;  // order of simultaneous arrivals at a reducer
    std::uint32_t target_chip;      // reducer
  };
  const WaitRow& wait(const SendRow& row, std::uint32_t which) const {
    return which == 0 ? row.first_wait : waits[row.more_waits + which - 1];
  }
  struct Lane {
    std::uint32_t first_send, sends;
    std::uint32_t node;
    std::uint16_t channel;
  };
  /// One (channel copy, chunk, phase) of a node. Begins when `previous` is complete.
  struct Stage {
    std::uint32_t expected = 0;  // receives + own drains
    std::uint32_t next = 0;      // the stage of the next phase, absolute; no_stage if last
    std::uint32_t first_lane = 0, lanes = 0;
    std::uint32_t node = 0;
  };
  static constexpr std::uint32_t no_stage = ~0u;
  struct Node {
    std::uint32_t program;
    std::uint32_t first_stage, stages;
    std::uint32_t opens;  // stages of first phases: first_stage + i * phases, i < opens
    std::uint32_t phases;
    Duration delay;
    std::uint32_t chip_class;
  };
  struct ProgramRow {
    std::uint32_t first_node, nodes;
    std::uint32_t job;
    LaneRule rule;
    Time start;
    std::uint32_t after;
  };
  struct FlowRow {
    std::uint32_t path;
    Bytes bytes;
    Time start;
  };

  ChipClasses classes;
  std::vector<Link> links;
  std::vector<Path> paths;
  std::vector<std::uint32_t> path_links;         // into links
  std::vector<std::uint32_t> path_multiplicity;  // beside path_links
  std::vector<Crossing> crossing;                // links by binding number
  std::vector<Capacity> binding_capacity;
  std::vector<WaitRow> waits;
  std::vector<SendRow> sends;
  std::vector<Lane> lanes;
  std::vector<Stage> stages;
  std::vector<Node> nodes;
  std::vector<ProgramRow> programs;
  std::vector<FlowRow> flows;
  std::uint32_t counters = 0;
  std::uint32_t chips = 0;  // reducers
  Duration overhead;
  Capacity reduction_rate;
};

/// Digits that may be collapsed without changing any rank's finish time; 0 if none.
DigitMask foldable_digits(const Problem& problem);

/// Messages that an expansion would hold and simulate, without building it: the size guard.
struct ExpansionSize {
  std::uint64_t send_rows = 0;
  std::uint64_t messages = 0;  // of the expansion
  std::uint64_t unfolded_messages = 0;
  std::uint64_t bytes = 0;  // of memory, about
};
/// A send row with its path and counter, about.
inline constexpr std::uint64_t bytes_per_send_row = 200;
ExpansionSize expansion_size(const Problem& problem, DigitMask folded);

Instance expand(const Problem& problem, DigitMask folded);

}  // namespace tahoma
