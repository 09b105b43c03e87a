// Pipeline schedules as data: in which order each stage does its passes.
//
// Problem: a schedule told as code (a loop with a warm-up, a steady state and a cool-down) can neither be
// shown nor compared, and each one needs an executor of its own. Idea: a schedule is a list of passes per
// stage, one after another, and a rule that says where a micro-batch goes next. Whatever runs the lists gets
// the times, and the bubble is a result.
//
//   pass             | needs
//   forward          | the forward of the part before
//   backward         | the backward of the part behind; of the last part its own forward
//   input_gradient   | the same; the weights' half of the backward is a pass of its own
//   weight_gradient  | its input_gradient
//
// Which part of the model is where:
//   round  chunk c of stage s is part c x stages + s        gpipe, 1F1B, interleaved, zb_1p, zb_2p
//   vee    there and back: chunk 1 of stage s is part 2 x stages - 1 - s                        zb_v
//   twice  every part on two stages: the second half of the micro-batches enters at the last stage  dualpipe
//
// Sources: Huang et al. 2019 (GPipe); Narayanan et al. 2021 (1F1B, interleaved); Qi et al. 2023 and 2024
// (zero bubble, V); DeepSeek-AI 2024 (DualPipe). Built from their descriptions; the bubbles are tested.
// Limit: v_half and v_min are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/training/parallel.h"

namespace tahoma {

struct Pass {
  enum class Kind : std::uint8_t { forward, backward, input_gradient, weight_gradient };
  Kind kind = Kind::forward;
  bool with_next = false;  // overlaps with the pass behind it: what one communicates hides under the other
  std::uint32_t micro_batch = 0, chunk = 0;
  auto operator<=>(const Pass&) const = default;
};

struct PipelinePlace {
  std::uint32_t stage = 0, chunk = 0;
  auto operator<=>(const PipelinePlace&) const = default;
};

enum class PipelineLayout : std::uint8_t { round, vee, twice };

struct PipelineOrder {
  std::uint32_t stages = 1, micro_batches = 1, chunks = 1;  // chunks of a stage
  PipelineLayout layout = PipelineLayout::round;
  std::vector<std::vector<Pass>> passes;  // by stage

  /// Parts of the model.
  std::uint32_t parts() const { return layout == PipelineLayout::twice ? stages : stages * chunks; }
  std::uint32_t part_of(PipelinePlace place) const;
  /// Where a micro-batch goes from `place` in the forward pass; the backward pass goes the other way.
  std::optional<PipelinePlace> after(PipelinePlace place) const;
  std::optional<PipelinePlace> before(PipelinePlace place) const;
};

/// "" if the schedule can be made; else the arithmetic and the nearest choice, as a sentence for the user.
std::string refusal_of(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks,
                       std::uint64_t micro_batches);

/// Throws InfeasibleError with that sentence. `chunks`: vp.
PipelineOrder pipeline_order(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks,
                             std::uint64_t micro_batches);

}  // namespace tahoma
