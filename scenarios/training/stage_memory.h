// What a pipeline stage holds on each of its chips.
//
// State is counted per parameter as mixed precision Adam keeps it: 2 B weight, 4 B gradient (2 B if asked
// for), 12 B master weight and moments; ZeRO divides the last, the last two, or all three by the ranks that
// hold the same. Activations are those of the micro-batches in flight. Buffers are what is needed at one
// moment only.
#pragma once

#include "scenarios/training/stage_cost.h"

namespace tahoma {

/// Parameters of a rank in a chunk of layers.
struct HeldParameters {
  std::uint64_t dense = 0, experts = 0;
};
HeldParameters held_parameters(const Model& model, const Parallel& parallel, std::uint32_t chunk);

/// Ranks that hold the same dense weights.
std::uint64_t dense_copies(const Parallel& parallel);

StageMemory stage_memory(const Model& model, const Parallel& parallel, std::uint32_t stage);

/// The stage that holds most.
StageMemory worst_stage(const Model& model, const Parallel& parallel);

}  // namespace tahoma
