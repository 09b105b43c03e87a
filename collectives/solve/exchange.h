// A phase in which each rank has one lane of single messages, in columns of numbers: its levels, and its
// ways.
//
// Problem: halving and doubling over 16,384 ranks is 459,000 messages; as rows of an Instance with a path
// each they fill 60 MB, and most of a run is waiting for memory. Idea: the messages of one tag are a *level*:
// all of one size, from rank to rank by one pattern that many levels share, each waiting for at most the same
// earlier level. And ranks differ little in the way a message takes: a number in a short table.
//
//   level 0  0<->4 1<->5 2<->6 3<->7     pattern A   bytes 4 b
//   level 1  0<->2 1<->3 4<->6 5<->7     pattern B   bytes 2 b   waits for level 0
//   level 2  0<->1 2<->3 4<->5 6<->7     pattern C   bytes b     waits for level 1, and so on back up
//
// Premises, all checked; where one fails there is no value and the caller takes the general way:
//   schedule  one phase, at most one lane per rank; a message once, with bytes; tags rise along a lane; a
//   rank
//             sends and receives at most one message per tag; it waits for at most one message, and only for
//             one that comes
//   network   a message has one way: first the sender's own link, last the receiver's, which all messages of
//             that rank use and no other's; what is between them either never binds or is named as a trunk
//
// So a sender's link is a private cap of its one message, a receiver's link is shared by those that arrive
// there, and only trunks join receivers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/groups.h"
#include "collectives/schedule.h"
#include "topology/topology.h"

namespace tahoma {

struct ExchangeProgram {
  static constexpr std::uint32_t nobody = ~0u;
  struct Pattern {
    std::vector<std::uint32_t> to, from;  // by rank; nobody
    bool complete = true;                 // every rank sends and receives
  };
  struct Level {
    std::uint64_t bytes = 0;
    std::uint32_t pattern = 0;
    std::uint32_t wait = nobody;  // a rank that receives a message of this level waits for it
  };
  std::uint32_t ranks = 0;
  std::uint16_t channel = 0;
  std::vector<Pattern> patterns;
  std::vector<Level> levels;

  std::uint32_t to(std::uint32_t level, std::uint32_t rank) const {
    return patterns[levels[level].pattern].to[rank];
  }
  std::uint32_t from(std::uint32_t level, std::uint32_t rank) const {
    return patterns[levels[level].pattern].from[rank];
  }
};

/// Nothing if the schedule is not of this form.
std::optional<ExchangeProgram> exchange_program(const Schedule& schedule);

struct ExchangeNetwork {
  /// How a message goes: alike for many pairs.
  struct Way {
    Duration latency;
    std::uint64_t cap = 0;   // what the sender's link and the path's own cap leave
    std::uint64_t solo = 0;  // alone on the whole way
    std::vector<std::uint32_t> trunks;
    bool operator==(const Way&) const = default;
  };
  struct Link {
    LinkId id;
    Capacity capacity;
    std::uint64_t bytes = 0;
    u128 most_rate = 0;  // that the ranks can put on it at any time
    bool binding = false;
  };
  std::vector<Way> ways;
  std::vector<std::vector<std::uint16_t>> way;  // [pattern][sender]
  std::vector<Capacity> arrivals;               // of the receiver's link, by rank
  std::vector<Capacity> trunks;
  std::vector<Link> links;  // all that messages cross, ascending
};

/// Nothing if the routes between these ranks are not of this form. `groups` is one group.
std::optional<ExchangeNetwork> exchange_network(const ExchangeProgram& program, const Topology& topology,
                                                const RankGroups& groups);

}  // namespace tahoma
