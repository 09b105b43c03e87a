// A training step as the workload text of SimAI and AICB (ASTRA-sim 1's, with groups of Megatron).
//
// The format: a first line of a policy and sizes by name, a second line with the number of layers, then a
// layer a line: name, dependency, and for forward, input gradient and weight gradient each nanoseconds of
// computing, a collective and its bytes; at last the nanoseconds that a finished collective still takes.
// Without a suffix the first two are of the tensor-parallel group and the third of the data-parallel one;
// _EP and _DP_EP name the expert groups. Bytes are of the whole buffer, as nccl-tests counts them.
//
// What it means here: all ranks do the same in step with each other: forward through the layers, and back
// through them, input gradient before weight gradient. A collective runs on all groups of its kind at once,
// and everything waits for the last of them. So nothing is hidden behind computing, and the network has one
// kind of collective at a time.
//
// Limits: the policies of Transformers only, without checkpoints. A pipeline's bubble and the sends between
// its stages are not in it: the text is what one stage does.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/collective.h"

namespace tahoma {

enum class LayerGroup : std::uint8_t { tensor, data, expert, data_expert };
inline constexpr std::array<std::string_view, 4> layer_group_words = {"tensor", "data", "expert",
                                                                      "data-expert"};

struct LayerWorkload {
  /// Computing, then a collective if `bytes` are not 0.
  struct Step {
    std::uint64_t nanos = 0, after_nanos = 0;
    Collective collective = Collective::all_reduce;
    LayerGroup group = LayerGroup::tensor;
    std::uint64_t bytes = 0;
    std::uint32_t line = 0;
  };
  std::string file;
  std::vector<Step> steps;  // in order of time
  std::uint64_t layers = 0;
  std::uint32_t tensor = 1, expert = 1, pipeline = 1;
  std::uint32_t ranks = 0;         // all_gpus; 0: not said
  std::uint64_t stage_bytes = 0;   // pp_comm: what goes from stage to stage
  std::vector<std::string> notes;  // on what is not in the time
};

/// Whether it begins like one.
bool is_layer_workload(std::string_view content);

/// Throws ScenarioError with file, line and column.
LayerWorkload read_layer_workload(std::string_view content, const std::string& file);

/// The ranks of each group of a kind: tensor-parallel ranks follow one another, data-parallel ones next, with
/// the expert groups in rows among them, and pipeline stages last. Throws ScenarioError where the sizes do
/// not divide `ranks`.
std::vector<std::vector<std::uint32_t>> ranks_of_groups(const LayerWorkload& workload, std::uint32_t ranks,
                                                        LayerGroup group);

}  // namespace tahoma
