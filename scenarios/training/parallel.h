// How a training step is split over ranks, and the arithmetic that must hold.
//
// Problem: eight degrees multiply, divide and exclude each other; a product that does not come out is found
// late, or worse, rounded.
//
// Idea: one value with all degrees resolved, made by one function that checks every product and says, for the
// first that fails, the sum itself and the nearest valid choice.
//
// Axes: ranks = tp x cp x dp x pp. Experts live on the ranks of one pipeline stage: ep x etp divides
// tp x cp x dp, and what is left over repeats the experts (their own data parallelism).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/training/model.h"

namespace tahoma {

/// Order of the micro-batches in the pipeline (docs/glossary.md).
enum class PipelineSchedule : std::uint8_t {
  gpipe,        // all forwards, then all backwards
  one_f_one_b,  // 1F1B
  interleaved,  // 1F1B over vp chunks per stage
  zb_1p,        // zero bubble, activations of 1F1B
  zb_2p,        // zero bubble, twice the activations
  zb_v,         // zero bubble, two chunks per stage laid out as a V
  v_half,
  v_min,
  dualpipe,  // both directions at once, weights twice
};
std::string_view name_of(PipelineSchedule schedule);
std::optional<PipelineSchedule> pipeline_schedule(std::string_view name);
std::string_view name_of(Recompute recompute);

/// What the matrices are multiplied in.
enum class MathType : std::uint8_t { fp32, tf32, fp16, bf16, fp8, mxfp8, mxfp4 };
std::string_view name_of(MathType type);

enum class ParallelAxis : std::uint8_t { tp, cp, ep, dp, pp };
std::string_view name_of(ParallelAxis axis);

struct Parallel {
  std::uint32_t tp = 1, pp = 1, dp = 1, cp = 1, ep = 1;
  std::uint32_t etp = 1;   // tensor parallelism inside an expert
  std::uint32_t vp = 1;    // chunks per stage
  std::uint32_t zero = 1;  // what is sharded over dp: 0 nothing, 1 optimiser, 2 + gradients, 3 + parameters
  bool sp = false;         // sequence parallelism along tp
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  /// Ranks that differ by one in the first axis are neighbours (ep is cut from tp x cp x dp).
  std::array<ParallelAxis, 4> order = {ParallelAxis::tp, ParallelAxis::cp, ParallelAxis::dp,
                                       ParallelAxis::pp};
  std::uint32_t micro_batch = 1;   // sequences
  std::uint64_t global_batch = 1;  // sequences
  std::uint64_t seq = 1;           // tokens
  Recompute recompute = Recompute::none;
  MathType dtype = MathType::bf16;
  bool overlap_dp = true;  // gradients and parameters travel under the backward and forward passes
  bool overlap_tp = false;
  bool overlap_ep = false;
  bool fused_attention = true;       // scores stay on the chip; else they are written and read
  std::uint32_t gradient_bytes = 4;  // of one gradient, as kept and reduced
  /// Copies of a token that its dispatch sends, in thousandths; 0: one per chosen expert. Fewer where a
  /// server receives one copy and hands it on.
  std::uint32_t dispatch_copies = 0;
  bool blocking_launch = false;  // the host waits for each kernel, so that its own time adds to the chip's
  bool one_nic_rings = false;    // rings between servers go through one NIC of each at a time

  std::uint64_t ranks() const { return std::uint64_t{tp} * pp * dp * cp; }
  std::uint64_t micro_batches() const { return global_batch / (std::uint64_t{dp} * micro_batch); }
  std::uint32_t chunks() const { return pp * vp; }
  /// Ranks that hold the same experts.
  std::uint64_t expert_dp() const { return std::uint64_t{tp} * cp * dp / (std::uint64_t{ep} * etp); }
};

/// The first arithmetic that does not come out, "" if all does. `ranks` 0: not known yet.
struct ParallelFault {
  std::string key;       // "parallel.pp", relative to the training workload
  std::string because;   // "is 5: 96 layers do not divide into 5 stages; nearest: 4 or 6"
  bool is_shape = true;  // false: it cannot be answered (exit 3) rather than is wrong (exit 2)
};
std::optional<ParallelFault> fault_of(const Model& model, const Parallel& parallel, std::uint64_t ranks);

/// Layers [first, last) of pipeline chunk `chunk` (0 .. pp x vp - 1, in the order of the forward pass). Where
/// they do not divide, the embedding and the output count as a layer's part and the ends hold fewer.
struct LayerRange {
  std::uint32_t first = 0, last = 0;
  std::uint32_t count() const { return last - first; }
};
LayerRange layers_of_chunk(const Model& model, const Parallel& parallel, std::uint32_t chunk);

/// The stage that runs a chunk (round the stages; for the V schedules there and back).
std::uint32_t stage_of_chunk(const Parallel& parallel, std::uint32_t chunk);

}  // namespace tahoma
