// The plan of a torus collective before it is written as sends: which shards go which way round, in how many
// chunks, and in which order each lane serves them.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/algorithms.h"
#include "collectives/algorithms/lane_plan.h"
#include "collectives/algorithms/torus_shares.h"

namespace tahoma {

struct TorusDimension {
  std::uint8_t axis = 0;  // of the schedule
  std::uint32_t size = 1;
  std::uint32_t first_lane = 0, lanes = 2;
  Rate lane_rate;
  Duration latency;
};

/// The rings of a request; axes of one rank are left out.
struct Torus {
  std::vector<TorusDimension> dimensions;
  std::vector<DimensionOrder> orders;
  std::uint32_t ranks = 1, lanes = 0;
  std::uint32_t directions = 2;
  bool mirrored = true;  // every dimension has a lane each way: plan one direction, the other is alike
};

/// One order and direction.
struct TorusKind {
  std::uint32_t order = 0;
  std::int32_t direction = 1;
  std::uint64_t piece_bytes = 0;
};

/// A step of a shard's way through the torus.
struct TorusStep {
  bool gathers = false;
  std::uint8_t place = 0;    // in the order
  std::uint32_t number = 0;  // within the ring
};

struct TorusDesign {
  std::vector<TorusKind> kinds;
  std::uint32_t chunks = 1;                     // of each kind
  std::vector<std::vector<PlannedStep>> lanes;  // of a mirrored torus only the forward ones are filled
  Duration makespan;
};

Torus torus_of(const PhaseRequest& request);

/// Pieces in a message along a place of the order: all coordinates of the dimensions still to come.
std::uint64_t pieces_at(const Torus& torus, const DimensionOrder& order, std::size_t place);

std::vector<TorusStep> steps_of(const Torus& torus, const DimensionOrder& order, PhaseGoal goal);

/// The least predicted time over mixtures of shares and chunk counts.
TorusDesign best_design(const Torus& torus, const PhaseRequest& request);

}  // namespace tahoma
