// What one transformer layer costs on one rank: the products and the bytes behind a forward and a backward
// pass, and what stays in memory between them.
//
// Times are of one micro-batch. The activations are those of Korthikanti et al. (arXiv 2205.05198), written
// for any widths: a GPT layer gives their s b h (10 + 24/t + 5 a s/(h t)) to the byte.
#pragma once

#include "scenarios/training/chip_math.h"
#include "scenarios/training/model.h"
#include "scenarios/training/parallel.h"

namespace tahoma {

struct LayerTime {
  Duration forward;
  Duration repeated;  // the part of forward that selective recomputation does again
  Duration backward_input, backward_weight;
};
LayerTime layer_time(const Model& model, std::uint32_t layer, const Parallel& parallel, const ChipMath& chip);

/// Embedding at the start, norm and logits with their loss at the end.
LayerTime embedding_time(const Model& model, const Parallel& parallel, const ChipMath& chip);
LayerTime output_time(const Model& model, const Parallel& parallel, const ChipMath& chip);

/// Kept from forward to backward with this recomputation.
Bytes layer_activations(const Model& model, std::uint32_t layer, const Parallel& parallel,
                        Recompute recompute);

/// Tokens of a micro-batch on a rank, before tp splits them; those that its experts receive, on average.
std::uint64_t tokens_of_rank(const Parallel& parallel);
std::uint64_t routed_tokens(const Model& model, const Parallel& parallel);

}  // namespace tahoma
