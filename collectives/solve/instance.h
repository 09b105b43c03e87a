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

/// Chip -> class: the mixed radix of the digits that are not folded; in a mixed network site by site.
struct ChipClasses {
  struct Part;
  struct Kept {
    std::uint32_t stride, size, place;
  };
  std::vector<Kept> kept;
  std::uint32_t count = 1;
  std::uint64_t orbit = 1;  // chips per class; of a mixed network see orbit_of
  bool identity = true;
  std::vector<Part> parts;  // of a folded mixed network, ascending
  std::uint32_t of(ChipId chip) const {
    if (identity) return chip;
    if (!parts.empty()) return of_parts(chip);
    std::uint32_t result = 0;
    for (const Kept& k : kept) result += (chip / k.stride) % k.size * k.place;
    return result;
  }
  /// One chip of the class: all folded digits are 0.
  ChipId chip(std::uint32_t chip_class) const {
    if (identity) return chip_class;
    if (!parts.empty()) return chip_of_parts(chip_class);
    ChipId result = 0;
    for (const Kept& k : kept) result += chip_class / k.place % k.size * k.stride;
    return result;
  }
  /// Chips of this class.
  std::uint64_t orbit_of(std::uint32_t chip_class) const;

 private:
  std::uint32_t of_parts(ChipId chip) const;
  ChipId chip_of_parts(std::uint32_t chip_class) const;
  const Part& part_of_class(std::uint32_t chip_class) const;
};
struct ChipClasses::Part {
  ChipId first;
  std::uint32_t first_class;
  ChipClasses inside;
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
  std::uint32_t after = at_start;  // else: when this program is done on all its ranks ...
  Duration pause;                  // ... and so much later
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
inline std::uint32_t class_of_memory(LinkId link) {
  return static_cast<std::uint32_t>(~std::uint64_t{0} - link.value);
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
  std::vector<ChipCosts> part_costs;  // of a mixed network, by part, in place of the three above; else empty
};
ChipCosts costs_of(const Problem& problem, ChipId chip);
bool has_memory(const Problem& problem);
/// The fastest of the chips; 0 where reducing costs nothing anywhere.
Capacity reduction_rate(const Problem& problem);

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
    Rate cap;
    std::uint32_t first_hop = 0, hops = 0;  // into `hops`; 0: crossed as a whole, at once
  };
  /// A stretch of a path that ends where the message waits until it is whole: one link that stores, or the
  /// links up to the next such one.
  struct Hop {
    std::uint32_t path;             // its links, as a path of its own
    std::uint32_t queue;            // of the link that stores; no_link: nothing waits
    std::uint32_t relative_source;  // order of simultaneous arrivals in the queue
  };
  struct WaitRow {
    std::uint32_t counter, count, per_rep;  // counter: of node 0, as in SendShape
  };
  /// What the rows of one column share. Stages and counters are those of node 0 (which need not be there:
  /// numbers wrap); that of any node is found by adding the node's number.
  struct SendShape {
    std::uint64_t bytes;
    std::uint32_t reps;
    std::uint32_t stage;       // both the sender's and the receiver's
    std::uint32_t counter;     // the receiver's
    std::uint32_t stride;      // from a lane's row to its next one
    WaitRow first_wait;        // the sender's; most sends have one wait at most
    std::uint32_t more_waits;  // the others: from here in `waits`
    std::uint16_t waits;
    std::uint8_t ways;
    bool reduce;
    bool last;  // of its lane
  };
  struct SendRow {
    std::uint32_t path;    // first of `ways`
    std::uint32_t target;  // node
    std::uint32_t shape;
    std::uint32_t relative_source;  // order of simultaneous arrivals at a reducer; 0 without `reduce`
  };
  const SendShape& shape(const SendRow& row) const { return shapes[row.shape]; }
  /// The phase, of the sender's schedule, in which `node` sends the row.
  std::uint32_t phase_of(const SendRow& row, std::uint32_t node) const {
    const Node& sender = nodes[node];
    return (shape(row).stage + node - sender.first_stage) / sender.stride % sender.phases;
  }
  const WaitRow& wait(const SendShape& shape, std::uint32_t which) const {
    return which == 0 ? shape.first_wait : waits[shape.more_waits + which - 1];
  }
  struct Lane {
    std::uint32_t first_send, sends;
    std::uint32_t stride;  // row k: first_send + k * stride
    std::uint32_t node;
    std::uint16_t channel;
    std::uint32_t send(std::uint32_t k) const { return first_send + k * stride; }
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
    std::uint32_t opens;  // stages of first phases: stage(i * phases), i < opens
    std::uint32_t phases;
    std::uint32_t stride;  // stage k: first_stage + k * stride
    std::uint32_t chip_class;
    Duration delay;
    std::uint32_t part = 0;  // of a mixed network
    std::uint32_t stage(std::uint32_t k) const { return first_stage + k * stride; }
  };
  struct ProgramRow {
    std::uint32_t first_node, nodes;
    std::uint32_t job;
    LaneRule rule;
    Time start;
    std::uint32_t after;
    Duration pause;
  };
  struct FlowRow {
    std::uint32_t path;
    Bytes bytes;
    Time start;
  };

  ChipClasses classes;
  std::vector<Link> links;
  std::vector<Path> paths;
  std::vector<Duration> latency;  // by path
  std::vector<Hop> hops;
  std::uint32_t queues = 0;
  std::vector<std::uint32_t> path_links;         // into links
  std::vector<std::uint32_t> path_multiplicity;  // beside path_links
  std::vector<Crossing> crossing;                // links by binding number
  std::vector<Capacity> binding_capacity;
  std::vector<WaitRow> waits;
  std::vector<SendShape> shapes;
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
  std::vector<ChipCosts> part_costs;  // by Node::part; empty: the two above hold for all
  Duration overhead_of(std::uint32_t node) const {
    return part_costs.empty() ? overhead : part_costs[nodes[node].part].overhead;
  }
  Capacity reduction_rate_of(std::uint32_t node) const {
    return part_costs.empty() ? reduction_rate : part_costs[nodes[node].part].reduction_rate;
  }
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
