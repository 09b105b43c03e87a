// The keys of a training step, each with a scenario that it changes.
#include "tests/scenarios/key_effect.h"

namespace tahoma {

namespace {

/// Two servers of 8 H100.
const std::string trained =
    "cluster: {preset: hgx-h100, count: 2}\n"
    "workload: {training: {model: llama3-8b, seq: 8192, global_batch: 8, micro_batch: 1, recompute: none, "
    "parallel: "
    "{tp: 2, pp: 2, vp: 1}}}\n";
const std::string old_step =
    "cluster: {preset: hgx-a100, count: 2}\n"
    "workload: {training: {model: megatron-7.5b, seq: 2048, global_batch: 32, micro_batch: 1, recompute: "
    "full, "
    "parallel: {tp: 8}}}\n";
const std::string own_model =
    "cluster: {preset: hgx-h100, count: 2}\n"
    "workload: {training: {model: {layers: 4, hidden: 2048, heads: 16, vocab: 32000, experts: 32, top_k: 2}, "
    "seq: 4096, "
    "global_batch: 32, micro_batch: 1, recompute: none, parallel: {tp: 2}}}\n";
const std::string too_large =
    "cluster: {preset: hgx-h100, count: 2}\n"
    "workload: {training: {model: llama3-70b, seq: 8192, global_batch: 32, micro_batch: 1, recompute: none, "
    "parallel: "
    "{tp: 8, pp: 2, zero: 0}}}\n";
}  // namespace

const std::vector<Effect>& training_effects() {
  static const std::vector<Effect> effects = {
      {"workload.training.model", trained, "workload.training.model=llama2-7b"},
      {"workload.training.model.name", own_model, "workload.training.model.name=other"},
      {"workload.training.model.layers", own_model, "workload.training.model.layers=8"},
      {"workload.training.model.hidden", own_model, "workload.training.model.hidden=4096"},
      {"workload.training.model.heads", own_model,
       "workload.training.model.heads=32\nworkload.training.model.head_dim=128",
       "workload.training.model.head_dim=128"},
      {"workload.training.model.kv_heads", own_model, "workload.training.model.kv_heads=4"},
      {"workload.training.model.head_dim", own_model, "workload.training.model.head_dim=64"},
      {"workload.training.model.ffn", own_model, "workload.training.model.ffn=4096"},
      {"workload.training.model.gated", own_model, "workload.training.model.gated=true"},
      {"workload.training.model.vocab", own_model, "workload.training.model.vocab=64000"},
      {"workload.training.model.experts", own_model, "workload.training.model.experts=16"},
      {"workload.training.model.top_k", own_model, "workload.training.model.top_k=4"},
      {"workload.training.model.expert_ffn", own_model, "workload.training.model.expert_ffn=512"},
      {"workload.training.model.shared_experts", own_model, "workload.training.model.shared_experts=1"},
      {"workload.training.model.dense_layers", own_model, "workload.training.model.dense_layers=1"},
      {"workload.training.model.window", own_model, "workload.training.model.window=128"},
      {"workload.training.model.tied", own_model, "workload.training.model.tied=true"},
      {"workload.training.seq", trained, "workload.training.seq=2048"},
      {"workload.training.global_batch", trained, "workload.training.global_batch=64"},
      {"workload.training.micro_batch", trained, "workload.training.micro_batch=2"},
      {"workload.training.tokens", trained, "workload.training.tokens=1T"},
      {"workload.training.deadline", trained, "workload.training.tokens=1T\nworkload.training.deadline=1d"},
      {"workload.training.dtype", trained, "workload.training.dtype=fp8"},
      {"workload.training.recompute", trained, "workload.training.recompute=full"},
      {"workload.training.attention", old_step, "workload.training.attention=fused"},
      {"workload.training.gradients", trained, "workload.training.gradients=bf16"},
      {"workload.training.ranks", trained, "workload.training.ranks=8"},
      {"workload.training.parallel", trained, "workload.training.parallel=auto"},
      {"workload.training.parallel.tp", trained, "workload.training.parallel.tp=4"},
      {"workload.training.parallel.pp", trained, "workload.training.parallel.pp=4"},
      {"workload.training.parallel.dp", trained,
       "workload.training.parallel.dp=2\nworkload.training.parallel.cp=2"},
      {"workload.training.parallel.cp", trained, "workload.training.parallel.cp=2"},
      {"workload.training.parallel.ep", own_model, "workload.training.parallel.ep=4"},
      {"workload.training.parallel.etp", own_model, "workload.training.parallel.etp=1"},
      {"workload.training.parallel.vp", trained, "workload.training.parallel.vp=4"},
      {"workload.training.parallel.zero", trained, "workload.training.parallel.zero=0"},
      {"workload.training.parallel.sp", trained, "workload.training.parallel.sp=true"},
      {"workload.training.parallel.schedule", trained,
       "workload.training.recompute=full\nworkload.training.parallel.schedule=gpipe",
       "workload.training.recompute=full"},
      {"workload.training.parallel.order", trained, "workload.training.parallel.order=tp-cp-pp-dp"},
      {"workload.training.overlap.dp", trained, "workload.training.overlap={dp: false}"},
      {"workload.training.overlap.tp", trained, "workload.training.overlap={tp: true}"},
      {"workload.training.overlap.ep", own_model,
       "workload.training.parallel.ep=4\nworkload.training.overlap={ep: true}",
       "workload.training.parallel.ep=4\nworkload.training.overlap={ep: false}"},
      {"workload.training.launch", old_step, "workload.training.launch=blocking"},
      {"workload.training.rings", trained,
       "workload.training.parallel.pp=1\nworkload.training.overlap={dp: "
       "false}\nworkload.training.rings=one_nic",
       "workload.training.parallel.pp=1\nworkload.training.overlap={dp: false}"},
      {"workload.training.dispatch", own_model,
       "workload.training.parallel.ep=16\nworkload.training.dispatch=per_server",
       "workload.training.parallel.ep=16"},
      {"workload.training.memory", too_large, "workload.training.memory=unchecked",
       "workload.training.model=llama3-8b"},
      {"workload.training.flops", trained, "workload.training.flops=model-causal"},
  };
  return effects;
}

}  // namespace tahoma
