// What each part of a training step costs: the figures that the step, simulated or in closed form, is built
// from. Pure arithmetic over model, split and chip; no network in it.
//
// A *chunk* is the run of layers that one stage computes for one micro-batch before it hands over; a stage
// has `vp` of them. Times and bytes are of one rank and one micro-batch unless they say "step".
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/collective.h"
#include "core/units.h"
#include "scenarios/training/model.h"
#include "scenarios/training/parallel.h"

namespace tahoma {

struct ChipMath;  // scenarios/training/chip_math.h

/// `count` equal collectives along one axis. `bytes` is the nccl-tests size of one of them: of the whole
/// buffer for all_reduce, of the gathered buffer for all_gather, of what is reduced for reduce_scatter, of
/// what one rank sends in all (own part included) for all_to_all.
struct AxisCollective {
  ParallelAxis axis = ParallelAxis::tp;
  Collective collective = Collective::all_reduce;
  Bytes bytes;
  std::uint32_t count = 0;
};

/// Ring attention: `steps` exchanges with the neighbour along cp, each of `bytes`, per attention layer.
struct RingSteps {
  Bytes bytes;
  std::uint32_t steps = 0;   // cp - 1
  std::uint32_t layers = 0;  // of the chunk
};

struct ChunkCost {
  std::uint32_t chunk = 0;  // in the order of the forward pass, 0 .. pp x vp - 1
  std::uint32_t stage = 0;
  LayerRange layers;
  bool embeds = false, has_output = false;

  Duration forward;
  Duration recompute;        // forward once more, before the backward pass (its share by `recompute`)
  Duration backward_input;   // B: gradient of the activations
  Duration backward_weight;  // W: gradient of the weights

  std::vector<AxisCollective> forward_collectives;    // tp and ep
  std::vector<AxisCollective> recompute_collectives;  // repeated with it
  std::vector<AxisCollective> backward_collectives;
  RingSteps forward_ring, backward_ring;  // cp

  Bytes send_forward;   // to the next chunk; 0 after the last
  Bytes send_backward;  // to the chunk before; 0 before the first

  // Per step, along dp (dense) and along the copies of the experts. With zero >= 1 a reduce-scatter and an
  // all-gather; with zero 0 one all-reduce of the gradient; with zero 3 parameters are gathered per pass.
  Bytes gradient, expert_gradient;    // what is reduced, of this rank's share of the weights
  Bytes parameter, expert_parameter;  // what is gathered
};

/// Bytes on one chip, at the worst moment of the step.
struct StageMemory {
  std::uint32_t stage = 0;
  Bytes weights, gradients, optimiser, activations, buffers;
  Bytes total() const { return weights + gradients + optimiser + activations + buffers; }
};

struct StageCost {
  std::uint32_t stage = 0;
  std::vector<ChunkCost> chunks;  // in the order of the forward pass
  Duration optimiser;             // per step
  std::uint64_t parameters = 0;   // held by one rank, experts included
  StageMemory memory;
};

struct TrainingCost {
  std::vector<StageCost> stages;
  Duration step_overhead;  // of the host, per step, once
};

/// Stages with equal layers and equal ends are equal; the first and the last differ by embedding and output.
TrainingCost training_cost(const Model& model, const Parallel& parallel, const ChipMath& chip);

}  // namespace tahoma
