#include "scenarios/training/stage_memory.h"

#include <algorithm>

#include "scenarios/training/layer_time.h"

namespace tahoma {

namespace {

/// Allocators, collectives and kernels take some of everything; 2 to 6 % are seen.
constexpr std::uint64_t buffer_percent = 4;

/// Chunks' worth of activations that a stage holds at its worst moment, in thirds of a chunk (schedules of
/// two chunks per micro-batch hold halves and thirds of 1F1B).
std::uint64_t chunks_in_flight_thirds(const Parallel& p, std::uint32_t stage) {
  const std::uint64_t m = p.micro_batches(), left = p.pp - stage;
  using enum PipelineSchedule;
  switch (p.schedule) {
    case gpipe:
      return 3 * m;
    case interleaved: {
      if (p.vp == 1) return 3 * std::min(left, m);
      const std::uint64_t warm = 2 * (left - 1) + std::uint64_t{p.vp - 1} * p.pp + 1;
      return 3 * std::min(warm, m * p.vp);
    }
    case zb_2p:
      return 3 * std::min<std::uint64_t>(2 * left, m);
    case zb_v:
      return 3 * std::min<std::uint64_t>(p.pp, m);
    case v_half:
      return 3 * std::min<std::uint64_t>(p.pp, m) / 2 + 1;
    case v_min:
      return std::min<std::uint64_t>(p.pp, m) + 1;
    case dualpipe:
      return 3 * std::min<std::uint64_t>(p.pp + 1, m);
    case one_f_one_b:
    case zb_1p:
      break;
  }
  return 3 * std::min(left, m);
}

}  // namespace

std::uint64_t dense_copies(const Parallel& parallel) {
  return std::uint64_t{parallel.dp} * parallel.cp;
}

HeldParameters held_parameters(const Model& model, const Parallel& parallel, std::uint32_t chunk) {
  HeldParameters held;
  const LayerRange range = layers_of_chunk(model, parallel, chunk);
  for (std::uint32_t layer = range.first; layer < range.last; ++layer) {
    const LayerParameters p = layer_parameters(model, layer);
    held.dense += p.sharded / parallel.tp + p.replicated;
    held.experts += p.experts / (std::uint64_t{parallel.ep} * parallel.etp);
  }
  if (chunk == 0) held.dense += embedding_parameters(model) / parallel.tp;
  if (chunk + 1 == parallel.chunks()) {
    held.dense += output_parameters(model) / parallel.tp;
    // A tied output stands on the last stage as a second copy of the embedding.
    if (model.tied && parallel.pp > 1) held.dense += std::uint64_t{model.vocab} * model.hidden / parallel.tp;
  }
  return held;
}

StageMemory stage_memory(const Model& model, const Parallel& p, std::uint32_t stage) {
  StageMemory memory;
  memory.stage = stage;
  HeldParameters held;
  std::uint64_t largest_layer = 0, work = 0;
  u128 activations = 0;
  for (std::uint32_t chunk = stage; chunk < p.chunks(); chunk += p.pp) {
    const HeldParameters more = held_parameters(model, p, chunk);
    held.dense += more.dense;
    held.experts += more.experts;
    const LayerRange range = layers_of_chunk(model, p, chunk);
    for (std::uint32_t layer = range.first; layer < range.last; ++layer) {
      activations += layer_activations(model, layer, p, p.recompute).count;
      if (p.recompute == Recompute::full)
        work = std::max(work, layer_activations(model, layer, p, Recompute::none).count);
      const LayerParameters one = layer_parameters(model, layer);
      largest_layer =
          std::max(largest_layer, one.sharded / p.tp + one.replicated + one.experts / p.ep / p.etp);
    }
  }
  memory.activations = {
      static_cast<std::uint64_t>(activations * chunks_in_flight_thirds(p, stage) / (3 * u128{p.vp}))};

  const std::uint64_t dense = dense_copies(p), experts = p.expert_dp();
  const auto split = [&](std::uint64_t bytes, std::uint32_t from) {
    const bool is_split = p.zero >= from;
    return Bytes{ceil_div64(bytes * held.dense, is_split ? dense : 1) +
                 ceil_div64(bytes * held.experts, is_split ? experts : 1)};
  };
  const std::uint64_t copies = p.schedule == PipelineSchedule::dualpipe ? 2 : 1;
  memory.weights = split(2 * copies, 3);
  memory.gradients = split(p.gradient_bytes, 2);
  memory.optimiser = split(12, 1);
  if (p.zero >= 3) work += 2 * 2 * largest_layer;  // two layers gathered: one used, one on its way
  if (stage + 1 == p.pp)
    work += tokens_of_rank(p) * (model.vocab / p.tp) * 6;  // logits in 16 bits, their gradient in 32
  const std::uint64_t kept = memory.total().count + work;
  memory.buffers = {work + kept * buffer_percent / 100};
  return memory;
}

StageMemory worst_stage(const Model& model, const Parallel& parallel) {
  // Interior stages differ from the second by what they hold in flight, which only falls.
  StageMemory worst = stage_memory(model, parallel, 0);
  for (const std::uint32_t stage : {1U, parallel.pp - 1}) {
    if (stage == 0 || stage >= parallel.pp) continue;
    const StageMemory other = stage_memory(model, parallel, stage);
    if (other.total() > worst.total()) worst = other;
  }
  return worst;
}

}  // namespace tahoma
