// A list scheduler: in which order should a rank's lanes do the steps of many chains?
//
// Problem: chunks of all dimension orders compete for the same lanes, and each chunk must go through its
// steps one after another. First come, first served loses 15 % on unequal rates. Idea: by symmetry one rank
// stands for all: what it sends at t, it also receives at t. Simulate that rank; a free lane takes the ready
// step with the longest chain behind it. Integers; ties by chain and step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.h"

namespace tahoma {

struct ChainStep {
  std::uint32_t lane = 0;
  Duration occupies;  // the lane
  Duration latency;   // until the next step of the chain may start
};
using Chain = std::vector<ChainStep>;

struct PlannedStep {
  std::uint32_t chain = 0;
  std::uint32_t step = 0;
};

struct LanePlan {
  std::vector<std::vector<PlannedStep>> lanes;  // in the order of sending
  Duration makespan;                            // until the last message has arrived
};

/// Chain number i is kinds[i / copies]: `copies` chunks of each kind.
LanePlan plan_lanes(std::span<const Chain> kinds, std::uint32_t copies, std::uint32_t lanes);

}  // namespace tahoma
