// A schedule is data: templates x repetitions over positions, not N copies.
//
// Problem: a ring all-reduce over a million chips is 2e12 sends; a simulator that lists them cannot start.
// Idea: what one rank does is a few *lanes* of *send templates* whose peer and piece are rules relative to
// the rank's position. `expand` (solve/instance) makes concrete flows of it for all ranks, or for one rank
// per symmetry class: the same code either way.
//
// Time rules (docs/model.md, "Lanes"): a lane does its sends in order, one at a time; the next one starts
// when its waits hold and the previous one has drained. A wait counts messages received (and reduced) under a
// tag. A phase of a rank begins when that rank's previous phase is complete: all its receives reduced, all
// its own sends drained.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/collective.h"
#include "core/units.h"
#include "topology/topology.h"

namespace tahoma {

/// One axis of a group of ranks: a digit of the chip number, or the list index of an explicit group. What an
/// algorithm needs to know of the network to fit it.
struct Axis {
  enum class Kind : std::uint8_t { ring, line, full, switched, fabric, list };
  std::uint32_t size = 1;
  Kind kind = Kind::list;
  Level level = Level::server;
  Capacity rate;              // effective, per direction, of one link (port) of this axis
  Duration latency;           // of one neighbour step along it
  bool two_way_pair = false;  // ring of 2 with separate + and - links
  /// Of up to `most_on_direct_links` ranks of an explicit graph: links between ranks a and b at a * size + b,
  /// counted in links of the weakest pair's bandwidth. Empty elsewhere.
  std::vector<std::uint32_t> direct_links = {};
};
inline constexpr std::uint32_t most_on_direct_links = 16;

/// Position arithmetic of the receiving rank. `axis` is an index into Phase::axes, or flat_axis for the whole
/// position. A flat shift that never passes the end needs no wrap: algorithms with roles write it so.
inline constexpr std::uint8_t flat_axis = 255;
inline constexpr std::uint8_t no_order = 255;
struct Peer {
  enum class Kind : std::uint8_t { shift, exclusive_or, absolute, table, alternate };
  Kind kind = Kind::shift;
  std::uint8_t axis = flat_axis;
  std::int64_t value = 0;              // shift: + value (mod size); exclusive_or: ^ value; absolute: = value;
                                       // table: Phase::table[position] (permute);
                                       // alternate: + value from an even coordinate, - value from an odd one
  std::uint8_t order = no_order;       // shift: of places in Phase::orders[order], not of coordinates
  std::uint8_t also_axis = flat_axis;  // of a shift along `axis`: another one, to go along at once, by ...
  std::int64_t also = 0;               // ... so many
};

/// Another order of an axis' coordinates, or of the flat positions: which one is at a place, and back.
struct Order {
  std::vector<std::uint32_t> at, place;
};
Order order_of(std::vector<std::uint32_t> at);

enum class Op : std::uint8_t { copy, reduce };

/// Which pieces of a part a send carries, one range per axis of the phase. The buffer of a phase is cut into
/// `parts` (torus: one per dimension order, direction and chunk; else 1), each part into one piece per
/// position of the phase.
struct PieceRange {
  enum class Anchor : std::uint8_t { all, own, peer, fixed, bit };
  Anchor anchor = Anchor::all;  // all: every coordinate of this axis; bit: those with bit `offset` set
  std::int32_t offset = 0;      // start = anchor + offset + per_rep * rep (mod size) ...
  std::int32_t per_rep = 0;
  std::uint32_t length = 1;       // ... and `length` coordinates from there
  bool aligned = false;           // start is rounded down to a multiple of length (power of two)
  std::uint8_t order = no_order;  // the range runs over the places of Phase::orders[order]
};

/// Holds when the rank has received at least count + per_rep * rep messages under `tag` in this phase.
struct Wait {
  std::uint16_t tag = 0;
  std::uint32_t count = 0;
  std::uint32_t per_rep = 0;
};

/// `reps` consecutive messages of one lane, alike but for the rep number in waits and pieces.
struct Send {
  Peer peer;
  std::uint32_t reps = 1;
  std::uint64_t bytes = 0;  // of one message
  std::uint16_t tag = 0;    // under which the receiver counts it
  Op op = Op::copy;
  std::vector<Wait> waits;
  std::uint16_t part = 0;
  std::int16_t part_per_rep = 0;  // added for each rep
  std::vector<PieceRange> piece;  // one per phase axis; empty: one range over the flat position, see `flat`
  PieceRange flat;                // used when `piece` is empty
};

struct Lane {
  std::uint16_t channel = 0;  // unique in the phase and role
  std::vector<Send> sends;
};

/// Positions that do the same: first, first + stride, ... (count of them).
struct Role {
  std::uint32_t first = 0, count = 0, stride = 1;
  std::vector<Lane> lanes;
};

/// Under which renumberings of positions the phase is unchanged; the fold uses it.
///   any        every permutation of positions (direct)
///   axis_shift adding a constant to any axis coordinate (torus)
///   flat_shift adding a constant to the flat position only (ring, pairwise)
///   exclusive_or  position ^ constant (halving-doubling, power of two)
///   none
enum class Invariance : std::uint8_t { any, axis_shift, flat_shift, exclusive_or, none };

enum class PhaseGoal : std::uint8_t {
  reduce_scatter,
  all_gather,
  all_reduce,
  all_to_all,
  broadcast,
  permute,
  gather,
  scatter,
  reduce,
  barrier
};

inline constexpr std::uint8_t whole_group = 255;
struct Phase {
  std::string name;  // "reduce_scatter, torus"
  PhaseGoal goal = PhaseGoal::all_reduce;
  std::vector<std::uint8_t> axes;  // indices into Schedule::axes, innermost first; position = mixed radix
  std::uint32_t positions = 1;     // product of their sizes
  std::uint32_t root = 0;          // position; of broadcast, gather, scatter, reduce
  std::uint32_t pieces = 0;        // of a part, where it is not one per position; 0 = one per position.
                                   // gather, scatter: one per position along the first axes
  std::uint32_t tags = 1;
  std::uint32_t parts = 1;
  std::vector<std::uint64_t> piece_bytes;  // per part
  Invariance invariance = Invariance::none;
  /// Bytes that every position sends to every other, all at once, waiting for nothing; 0: it does something
  /// else.
  std::uint64_t to_every_other = 0;
  /// Messages that every position sends to the others in equal pieces, where so many are not listed: then
  /// there are no roles. `to_every_other` says all of them at once (direct, beyond most_channels positions);
  /// otherwise they go one after another (pairwise), and list_sends (algorithms.h) lists them for those who
  /// can use them.
  std::uint64_t unlisted = 0;
  /// all_to_all: piece j of a rank is what is for the rank j places on, whoever passes it on; else it is what
  /// is for position j, and only its source sends it.
  bool by_displacement = false;
  /// There is one position more, number `positions`: the switch that all ranks hang on. What is sent to it
  /// uses the sender's link up only, what it sends the receiver's link down only. Its peers are `absolute`.
  bool has_switch = false;
  /// The ranks of a chip work in pairs (kangaring): fewer touches of memory, more steps inside.
  bool paired_ranks = false;
  /// Which site of a mixed cluster works in this phase: an index into Schedule::parts. The others pass it.
  std::uint8_t part = whole_group;
  /// An exchange between the sites: the bytes of one message from a rank of site i to one of site j, at
  /// i x sites + j; who meets whom is said in between_sites.h. Where the messages are many, there are no
  /// roles then: this says it all. Empty: the phase is something else.
  std::vector<std::uint64_t> between_bytes;
  Op between_op = Op::copy;
  /// What a rank receives goes into buffers of its own: all messages carry what their sender began with
  /// (one_shot).
  bool sends_own = false;
  std::vector<Order> orders;  // that peers and piece ranges refer to
  std::vector<Role> roles;
  std::vector<std::uint32_t> table;  // Peer::Kind::table
};

/// A site of a mixed cluster: its ranks follow one another, and its phases run on axes of its own.
struct SchedulePart {
  std::string name;
  std::uint32_t first = 0, ranks = 1;  // positions of the group
  std::uint32_t domain = 1;            // ranks of one of its scale-up domains
  std::vector<Axis> axes;              // innermost first; the product of their sizes is `ranks`
};

struct Schedule {
  Collective collective = Collective::all_reduce;
  std::string algorithm;    // "ring", or "ultraserver: torus, cluster: halving_doubling"
  std::string why;          // of `auto`
  std::vector<Axis> axes;   // of the group, innermost first
  std::uint32_t ranks = 1;  // product of the sizes
  Bytes size;               // as the user says it
  std::uint64_t element_bytes = 2;
  std::uint32_t root = 0;
  std::uint32_t pipeline = 1;  // explicit chunks of the buffer; `phases` is the program of one chunk and
                               // each chunk goes through all phases, in order, on the same lanes
  std::uint32_t channels = 1;  // the whole program runs this many times side by side, on 1/channels of
                               // the buffer each, lanes of their own
  std::vector<Phase> phases;
  std::vector<SchedulePart> parts;  // of a mixed cluster, in the order of their ranks; else empty
};

/// What the phase's axes are indices into: those of its site, or of the whole group.
std::span<const Axis> axes_of(const Schedule& schedule, const Phase& phase);

std::string_view name_of(PhaseGoal goal);

bool is_rooted(PhaseGoal goal);  // broadcast, gather, scatter, reduce

/// Its messages are not listed, and go one after another (see Phase::unlisted).
inline bool goes_on_unlisted(const Phase& phase) {
  return phase.unlisted != 0 && phase.to_every_other == 0;
}

/// Pieces that a part of the phase is cut into.
inline std::uint32_t pieces_per_part(const Phase& phase) {
  return phase.pieces == 0 ? phase.positions : phase.pieces;
}

/// The receiving position of a send from `position`.
std::uint32_t peer_position(const Phase& phase, std::span<const Axis> axes, const Peer& peer,
                            std::uint32_t position);

/// The part whose pieces message `rep` of `send` carries.
inline std::uint32_t part_of(const Send& send, std::uint32_t rep) {
  return static_cast<std::uint32_t>(std::int64_t{send.part} + std::int64_t{send.part_per_rep} * rep);
}

/// The pieces that message `rep` of `send` carries from `position`, ascending per axis. A range that does not
/// fit its axis yields indices past the last piece, which `verify` reports.
std::vector<std::uint32_t> pieces_carried(const Phase& phase, std::span<const Axis> axes, const Send& send,
                                          std::uint32_t position, std::uint32_t rep);

}  // namespace tahoma
