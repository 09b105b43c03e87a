#include "scenarios/training/training_keys.h"

#include <array>

namespace tahoma {

namespace {

using enum ValueType;
constexpr std::string_view or_auto = "a whole number, a list of them, or auto";

constexpr std::array training_table = {
    Key{"workload.training", as_map, text, "", "", "",
        "a training step of a transformer: its time, memory and parts, in closed form"},
    Key{"workload.training.model", as_one | as_map, text, "the name of a model, or its dimensions", "", "",
        "a name such as `llama3.1-405b`, or the dimensions below"},
    Key{"workload.training.model.name", as_one, text, "", "", "", "of a model of your own, for reports"},
    Key{"workload.training.model.layers", as_one, count, "", "", "", "transformer layers"},
    Key{"workload.training.model.hidden", as_one, count, "", "", "", "width of the residual stream"},
    Key{"workload.training.model.heads", as_one, count, "", "", "", "attention heads"},
    Key{"workload.training.model.kv_heads", as_one, count, "", "", "",
        "heads of keys and values; as many as `heads` if left out"},
    Key{"workload.training.model.head_dim", as_one, count, "", "", "",
        "width of a head; hidden / heads if left out"},
    Key{"workload.training.model.ffn", as_one, count, "", "", "",
        "width of the feed-forward; 4 x hidden if left out"},
    Key{"workload.training.model.gated", as_one, boolean, "", "false", "",
        "true: three matrices in the feed-forward (SwiGLU) instead of two"},
    Key{"workload.training.model.vocab", as_one, count, "", "", "", "rows of the embedding"},
    Key{"workload.training.model.experts", as_one, count, "", "", "",
        "routed experts of a layer; none if left out"},
    Key{"workload.training.model.top_k", as_one, count, "", "", "experts", "experts that a token is sent to"},
    Key{"workload.training.model.expert_ffn", as_one, count, "", "", "experts",
        "width of an expert; `ffn` if left out"},
    Key{"workload.training.model.shared_experts", as_one, index, "", "0", "experts",
        "experts that every token goes through"},
    Key{"workload.training.model.dense_layers", as_one, index, "", "0", "experts",
        "so many first layers have no experts"},
    Key{"workload.training.model.window", as_one, count, "", "", "",
        "tokens that every second layer looks back; all if left out"},
    Key{"workload.training.model.tied", as_one, boolean, "", "false", "",
        "true: the output matrix is the embedding"},
    Key{"workload.training.seq", as_one, count, "", "", "", "tokens of a sequence"},
    Key{"workload.training.global_batch", as_one, text,
        "sequences, such as 2048, or tokens, such as \"16Mi tokens\"", "", "",
        "of a step, over all replicas: sequences, or with the word `tokens` their tokens"},
    Key{"workload.training.micro_batch", as_one | as_list, count, or_auto, "auto", "",
        "sequences that go through the pipeline together; auto: the fastest that fits"},
    Key{"workload.training.ranks", as_one, count, "", "", "",
        "the first N ranks of the cluster only; all if left out"},
    Key{"workload.training.tokens", as_one, count, "", "", "",
        "of the whole training: gives days and chip-hours"},
    Key{"workload.training.deadline", as_one, text, "a time such as 60d", "", "",
        "for all `tokens`; told whether it is met"},
    Key{"workload.training.dtype", as_one, choice, "fp32|tf32|fp16|bf16|fp8|mxfp8|mxfp4", "bf16", "",
        "of the matrix products; attention and logits stay at 16 bits"},
    Key{"workload.training.sparsity", as_one, choice, "dense|!sparse", "dense", "",
        "of the products: rates are dense ones"},
    Key{"workload.training.recompute", as_one | as_list, choice, "auto|none|selective|selective+sp|full",
        "auto", "",
        "what is computed again instead of kept: nothing; the attention's scores, or with fused attention "
        "norms and "
        "activations; or every layer. `+sp` is "
        "short "
        "for `parallel: {sp: true}`; auto: the fastest that fits"},
    Key{"workload.training.attention", as_one, choice, "fused|plain", "", "",
        "plain: scores are written to memory and read, as before fused kernels; if left out as the model was "
        "trained at its time"},
    Key{"workload.training.gradients", as_one, choice, "fp32|bf16", "fp32", "",
        "how gradients are kept and reduced: 18 or 16 bytes of state per parameter"},
    Key{"workload.training.parallel", as_one | as_map, text, "auto, or a map of degrees", "auto", "",
        "how the step is split over ranks; `auto` searches all degrees, a map those that it calls `auto`"},
    Key{"workload.training.parallel.tp", as_one | as_list, count, or_auto, "1", "",
        "tensor parallelism: ranks that share each matrix"},
    Key{"workload.training.parallel.pp", as_one | as_list, count, or_auto, "1", "", "pipeline stages"},
    Key{"workload.training.parallel.dp", as_one | as_list, count, or_auto, "auto", "",
        "replicas; what the ranks leave if left out"},
    Key{"workload.training.parallel.cp", as_one | as_list, count, or_auto, "1", "",
        "context parallelism: ranks that share each sequence in a ring"},
    Key{"workload.training.parallel.ep", as_one | as_list, count, or_auto, "1", "",
        "expert parallelism: ranks of a stage that share each layer's experts"},
    Key{"workload.training.parallel.etp", as_one, count, "", "", "",
        "ranks that share each expert; 1 with ep above 1, else tp"},
    Key{"workload.training.parallel.vp", as_one | as_list, count, or_auto, "auto", "",
        "chunks of layers per stage; above 1 with an interleaved schedule only"},
    Key{"workload.training.parallel.zero", as_one | as_list, index, or_auto, "1", "",
        "what is sharded over dp: 0 nothing, 1 the optimiser, 2 and gradients, 3 and parameters"},
    Key{"workload.training.parallel.sp", as_one, boolean, "", "", "",
        "sequence parallelism along tp; if left out as `recompute` says, and where that is open with every "
        "tp "
        "above 1"},
    Key{"workload.training.parallel.schedule", as_one, choice,
        "auto|gpipe|1f1b|interleaved|zb-1p|zb-2p|zb-v|v-half|v-min|dualpipe", "auto", "",
        "order of the micro-batches in the pipeline; auto: 1f1b, or interleaved with several chunks"},
    Key{"workload.training.parallel.order", as_one, choice,
        "tp-cp-dp-pp|tp-cp-pp-dp|tp-dp-cp-pp|tp-dp-pp-cp|tp-pp-cp-dp|tp-pp-dp-cp", "tp-cp-dp-pp", "",
        "which axis joins neighbouring ranks, innermost first"},
    Key{"workload.training.parallel.dp_across", as_one, anything, "", "", "", "the level that replicas span",
        Status::later},
    Key{"workload.training.parallel.sync", as_one | as_map, anything, "", "", "",
        "how replicas are kept equal", Status::later},
    Key{"workload.training.overlap", as_map, text, "", "", "", "what travels beside computation"},
    Key{"workload.training.overlap.dp", as_one, boolean, "", "true", "", "gradients and parameters"},
    Key{"workload.training.overlap.tp", as_one, boolean, "", "false", "",
        "what tensor parallelism exchanges"},
    Key{"workload.training.overlap.ep", as_one, boolean, "", "false", "",
        "dispatch and combination of tokens"},
    Key{"workload.training.launch", as_one, choice, "ahead|blocking", "ahead", "",
        "ahead: the host launches kernels while the chip computes; blocking: it waits for each, and its time "
        "adds"},
    Key{"workload.training.rings", as_one, choice, "all_nics|one_nic", "all_nics", "",
        "between servers: over all their NICs at once, or one after the other"},
    Key{"workload.training.dispatch", as_one, choice, "per_expert|per_server", "per_expert", "",
        "copies of a token that leave for its experts: one for each, or one for each scale-up domain that "
        "has some, "
        "which hands it on"},
    Key{"workload.training.memory", as_one, choice, "checked|unchecked", "checked", "",
        "unchecked: a model that does not fit is told, not refused"},
    Key{"workload.training.flops", as_one, choice, "model-full|model-causal|hardware-full|hardware-causal",
        "model-full", "",
        "what utilisation counts: recomputation too (hardware), and of attention the masked half (full) or "
        "not "
        "(causal)"},
};

}  // namespace

std::span<const Key> training_keys() {
  return training_table;
}

}  // namespace tahoma
