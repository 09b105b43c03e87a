// What a one-way ring needs of the network: how long each rank's messages hold its lane, when they arrive,
// and the proof that no link is shared.
//
// Problem: a ring through a million chips has a million hops, whose routes cross two million links. Idea: all
// scale-up domains are alike inside (topology.h, digits), so a hop within a healthy domain is
// routed once and its links stand for those of all domains. Only hops between domains, and within marked
// ones, are routed one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/groups.h"
#include "collectives/schedule.h"
#include "collectives/solve/stream.h"
#include "topology/topology.h"

namespace tahoma {

struct RingNetwork {
  struct Link {
    LinkId id;
    Capacity capacity;
    std::uint64_t bytes = 0;
    u128 most_rate = 0;
    bool binding = false;
    std::uint64_t copies = 1;  // links like this one in the ring
  };
  std::vector<RingRank> kinds;
  std::vector<std::uint32_t> kind_of;  // by rank
  std::vector<Link> links;             // ascending
};

/// Messages of a one-way ring: one lane per rank, all to the next one, message k after k receives.
std::optional<std::uint64_t> ring_messages(const Schedule& schedule);

enum class LikeDomains : std::uint8_t { together, one_by_one };

/// Nothing if ranks share a binding link beyond what it carries. `messages` of `bytes` each.
std::optional<RingNetwork> ring_network(const Topology& topology, const RankGroups& groups, Bytes bytes,
                                        std::uint64_t messages, Duration overhead, LikeDomains domains);

}  // namespace tahoma
