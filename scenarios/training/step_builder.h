// Lists a step's operations; behind step_program.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "collectives/solve/expand_paths.h"
#include "scenarios/training/step_blocks.h"
#include "scenarios/training/step_program.h"

namespace tahoma {

/// What is done with a chunk's gradients: `buckets` times `reduce`; and the new parameters, if they are
/// split.
struct GradientTalk {
  StepTalk reduce;
  std::uint32_t buckets = 1;
  std::optional<StepTalk> gather;
};
std::vector<GradientTalk> gradients_of(const TrainingStep& step, const ChunkCost& cost);
const ChunkCost& cost_at(const TrainingStep& step, PipelinePlace place);

class StepBuilder {
 public:
  StepBuilder(const TrainingStep& step, DigitMask folded, const StepBlocks* blocks);
  StepProgram build();

 private:
  using Ops = std::vector<std::uint32_t>;  // by place of the rank in its stage
  struct Stage {
    std::vector<std::uint32_t> ranks;        // of the program
    Ops done;                                // the last pass
    Ops entered;                             // when that pass began
    bool open = false;                       // it overlaps with the next one, which
    Ops base;                                // waits for what it waited for
    Ops lane;                                // the last talk along dp
    std::vector<Ops> gathered;               // by chunk: its parameters are there; empty: always
    std::vector<std::size_t> last_gradient;  // by chunk: the pass that completes it
    Ops sent[2];                             // the last send forward, backward
    std::size_t next_pass = 0;
  };
  struct Known {
    Instance instance;
    std::vector<std::uint32_t> ranks;  // of the program, by node
    std::uint32_t first_path;
    std::optional<std::uint32_t> block_kind;  // if it can be one operation
  };

  void begin_stage(std::uint32_t stage);
  void add_pass(std::uint32_t stage, const Pass& pass);
  void end_stage(std::uint32_t stage);
  bool has_input(std::uint32_t stage, const Pass& pass) const;
  Ops entry_of(std::uint32_t stage, const Pass& pass, const Ops& base);
  void reduce_gradients(std::uint32_t stage, const ChunkCost& cost, std::size_t stretch,
                        std::size_t stretches, const Ops& ready);

  Ops add_stretch(std::uint32_t stage, const StepStretch& stretch, const Ops& from, bool shared);
  Ops add_ring(std::uint32_t stage, const StepStretch& stretch, const Ops& from, bool shared);
  Ops add_talk(std::uint32_t stage, const StepTalk& talk, const Ops& from, StepShare share);
  void add_lane_talk(std::uint32_t stage, const StepTalk& talk, const Ops& ready);
  void send_on(std::uint32_t stage, const Pass& pass, const Ops& from);
  Ops compute(std::uint32_t stage, Duration lasts, const Ops& from, StepShare share, bool shared);
  Ops join(std::uint32_t stage, std::initializer_list<const Ops*> all);
  bool completes_gradient(std::uint32_t stage, const Pass& pass) const;

  std::uint32_t add(RankProgram::Op op, std::uint32_t rank, std::span<const std::uint32_t> needs);
  std::uint32_t message(std::uint32_t rank, ChipId to, Bytes bytes, std::uint32_t channel,
                        std::span<const std::uint32_t> needs);  // the send; its receive is the next number
  Ops add_block(std::uint32_t stage, const Known& known, const Ops& from, StepShare share);
  const Known& instance_of(std::uint32_t stage, const StepTalk& talk);

  const TrainingStep& step_;
  const PipelineOrder& order_;
  const StepPlacement& placement_;
  const DigitMask folded_;
  const StepBlocks* const blocks_;
  const Problem bare_;
  StepProgram out_;
  PathExpansion paths_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> place_of_rank_;  // in its stage
  std::map<std::pair<std::uint32_t, StepTalk>, Known> instances_;
  /// By (kind, place, micro-batch): the receives that bring a pass its input; by place of the rank.
  struct Input {
    Pass::Kind kind;
    PipelinePlace place;
    std::uint32_t micro_batch;
    auto operator<=>(const Input&) const = default;
  };
  std::map<Input, Ops> inputs_;
  RankProgram::Origin origin_;
};

}  // namespace tahoma
