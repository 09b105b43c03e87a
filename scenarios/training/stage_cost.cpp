#include "scenarios/training/stage_cost.h"

#include <map>

#include "scenarios/training/layer_time.h"
#include "scenarios/training/stage_memory.h"

namespace tahoma {

namespace {

/// Adam reads gradient, master weight and moments and writes the last three and the weight: 4 + 12 + 12 + 2.
constexpr std::uint64_t optimiser_bytes = 30;

/// Layers of one kind cost the same; a model has few kinds.
class LayerKinds {
 public:
  LayerKinds(const Model& model, const Parallel& parallel, const ChipMath& chip)
      : model_(model), parallel_(parallel), chip_(chip) {}

  const LayerTime& of(std::uint32_t layer) {
    const std::pair kind{model_.is_mixture_layer(layer), is_windowed(model_, layer)};
    const auto found = times_.find(kind);
    if (found != times_.end()) return found->second;
    return times_.emplace(kind, layer_time(model_, layer, parallel_, chip_)).first->second;
  }

 private:
  const Model& model_;
  const Parallel& parallel_;
  const ChipMath& chip_;
  std::map<std::pair<bool, bool>, LayerTime> times_;
};

void add(std::vector<AxisCollective>& list, AxisCollective one) {
  if (one.count == 0 || one.bytes.count == 0) return;
  for (AxisCollective& other : list) {
    if (other.axis == one.axis && other.collective == one.collective && other.bytes == one.bytes) {
      other.count += one.count;
      return;
    }
  }
  list.push_back(one);
}

/// A pair of regions between which tp splits and joins the tokens: `pairs` per pass.
void add_tensor(std::vector<AxisCollective>& list, const Parallel& p, Bytes bytes, std::uint32_t pairs) {
  if (p.tp == 1) return;
  if (p.sp) {
    add(list, {ParallelAxis::tp, Collective::all_gather, bytes, pairs});
    add(list, {ParallelAxis::tp, Collective::reduce_scatter, bytes, pairs});
  } else {
    add(list, {ParallelAxis::tp, Collective::all_reduce, bytes, pairs});
  }
}

struct Dispatch {
  Bytes out, back;
};
Dispatch dispatch_bytes(const Model& m, const Parallel& p) {
  const std::uint64_t split = p.etp < p.tp ? p.tp / p.etp : 1;
  const u128 own = tokens_of_rank(p) / split;
  const u128 copies = p.dispatch_copies > 0 ? p.dispatch_copies : u128{m.top_k} * 1000;
  const u128 elements = own * copies * m.hidden / 1000;
  return {{static_cast<std::uint64_t>(elements * element_32nds(p.dtype) / 32)},
          {static_cast<std::uint64_t>(elements * 2)}};
}

void add_layer_collectives(ChunkCost& chunk, const Model& m, const Parallel& p, std::uint32_t layer) {
  const Bytes stream{tokens_of_rank(p) * m.hidden * 2};
  const bool is_mixture = m.is_mixture_layer(layer);
  // Experts that are not split over tp take the tokens as sp has them.
  const std::uint32_t regions = is_mixture && p.etp < p.tp && m.shared_experts == 0 ? 1 : 2;
  add_tensor(chunk.forward_collectives, p, stream, regions);
  add_tensor(chunk.backward_collectives, p, stream, regions);
  if (p.recompute == Recompute::full) add_tensor(chunk.recompute_collectives, p, stream, regions);
  if (is_mixture && p.ep > 1) {
    const Dispatch bytes = dispatch_bytes(m, p);
    for (std::vector<AxisCollective>* list :
         {&chunk.forward_collectives, &chunk.backward_collectives, &chunk.recompute_collectives}) {
      if (list == &chunk.recompute_collectives && p.recompute != Recompute::full) continue;
      add(*list, {ParallelAxis::ep, Collective::all_to_all, bytes.out, 1});
      add(*list, {ParallelAxis::ep, Collective::all_to_all, bytes.back, 1});
    }
  }
}

void add_ends(ChunkCost& chunk, const Model& model, const Parallel& p, const ChipMath& chip) {
  const Bytes stream{tokens_of_rank(p) * model.hidden * 2};
  if (chunk.embeds) {
    const LayerTime time = embedding_time(model, p, chip);
    chunk.forward += time.forward;
    chunk.backward_input += time.backward_input;
  }
  if (chunk.has_output) {
    const LayerTime time = output_time(model, p, chip);
    chunk.forward += time.forward;
    chunk.backward_input += time.backward_input;
    chunk.backward_weight += time.backward_weight;
    if (p.tp > 1) add(chunk.backward_collectives, {ParallelAxis::tp, Collective::all_reduce, stream, 1});
  }
}

ChunkCost chunk_cost(const Model& model, const Parallel& p, const ChipMath& chip, LayerKinds& kinds,
                     std::uint32_t number) {
  ChunkCost chunk;
  chunk.chunk = number;
  chunk.stage = stage_of_chunk(p, number);
  chunk.layers = layers_of_chunk(model, p, number);
  chunk.embeds = number == 0;
  chunk.has_output = number + 1 == p.chunks();
  for (std::uint32_t layer = chunk.layers.first; layer < chunk.layers.last; ++layer) {
    const LayerTime& time = kinds.of(layer);
    chunk.forward += time.forward;
    chunk.backward_input += time.backward_input;
    chunk.backward_weight += time.backward_weight;
    if (p.recompute == Recompute::full) chunk.recompute += time.forward;
    if (p.recompute == Recompute::selective) chunk.recompute += time.repeated;
    add_layer_collectives(chunk, model, p, layer);
  }
  add_ends(chunk, model, p, chip);
  if (p.cp > 1) {
    const Bytes hop{tokens_of_rank(p) * kv_width(model) * 2 / p.tp};
    chunk.forward_ring = {hop, p.cp - 1, chunk.layers.count()};
    chunk.backward_ring = {hop * 2, p.cp - 1, chunk.layers.count()};  // their gradients travel too
  }
  const Bytes handed{tokens_of_rank(p) * model.hidden * 2 / p.tp};  // each rank of tp hands on its part
  if (!chunk.has_output) chunk.send_forward = handed;
  if (!chunk.embeds) chunk.send_backward = handed;
  const HeldParameters held = held_parameters(model, p, number);
  chunk.gradient = {held.dense * p.gradient_bytes};
  chunk.expert_gradient = {held.experts * p.gradient_bytes};
  chunk.parameter = {held.dense * 2};
  chunk.expert_parameter = {held.experts * 2};
  return chunk;
}

}  // namespace

TrainingCost training_cost(const Model& model, const Parallel& p, const ChipMath& chip) {
  TrainingCost cost;
  cost.step_overhead = chip.calibration.step_overhead;
  LayerKinds kinds(model, p, chip);
  cost.stages.resize(p.pp);
  for (std::uint32_t number = 0; number < p.chunks(); ++number) {
    ChunkCost chunk = chunk_cost(model, p, chip, kinds, number);
    cost.stages[chunk.stage].chunks.push_back(std::move(chunk));
  }
  for (std::uint32_t stage = 0; stage < p.pp; ++stage) {
    StageCost& one = cost.stages[stage];
    one.stage = stage;
    std::uint64_t updated = 0;
    for (const ChunkCost& chunk : one.chunks) {
      const HeldParameters held = held_parameters(model, p, chunk.chunk);
      one.parameters += held.dense + held.experts;
      updated += p.zero >= 1 ? held.dense / dense_copies(p) + held.experts / p.expert_dp()
                             : held.dense + held.experts;
    }
    one.optimiser = stream_time(chip, u128{updated} * optimiser_bytes, 1);
    one.memory = stage_memory(model, p, stage);
  }
  return cost;
}

}  // namespace tahoma
