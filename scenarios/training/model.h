// A transformer as numbers: what its layers hold and compute, and how many of each.
//
// Problem: every paper counts parameters and FLOPs its own way, and a figure without its convention cannot be
// compared (recomputation counted or not, causal attention counted in full or by half).
//
// Idea: a model is a row of dimensions; parameters are counted tensor by tensor, FLOPs matrix by matrix, both
// exact integers, and whoever prints them says the convention.
//
// Limit: decoder-only transformers. No vision towers, no multi-token prediction, no state-space layers.
// Source of the rows of the table: the models' published configuration files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace tahoma {

/// Attention whose keys and values are kept as one low-rank vector (DeepSeek's MLA).
struct LatentAttention {
  std::uint32_t query_rank = 0;  // 0: the query is projected at once
  std::uint32_t kv_rank = 0;     // of the vector that keys and values are made from
  std::uint32_t plain_dim = 0;   // of a head's query and key, without positions
  std::uint32_t rotary_dim = 0;  // of a head's query and key, with positions; one key for all heads
  std::uint32_t value_dim = 0;   // of a head's value
};

struct Model {
  std::string name;
  std::uint32_t layers = 0;
  std::uint32_t hidden = 0;
  std::uint32_t heads = 0;
  std::uint32_t kv_heads = 0;
  std::uint32_t head_dim = 0;
  std::uint32_t ffn = 0;  // width of the dense layers' feed-forward
  bool gated = false;     // three matrices (SwiGLU) instead of two
  std::uint32_t vocab = 0;

  // Mixture of experts; experts = 0: every layer is dense.
  std::uint32_t experts = 0;
  std::uint32_t top_k = 0;
  std::uint32_t expert_ffn = 0;
  std::uint32_t top_domains = 1000;  // a token's experts are in at most so many servers
  std::uint32_t shared_experts = 0;  // each of width expert_ffn, for every token
  std::uint32_t dense_layers = 0;    // of a mixture: so many first layers are dense

  std::optional<LatentAttention> latent;
  std::uint32_t window = 0;       // sliding attention in every second layer; 0 = none
  std::uint32_t positions = 0;    // rows of a learned table of positions; 0 = none
  bool tied = false;              // the output matrix is the embedding
  bool biases = false;            // on every projection
  bool attention_biases = false;  // on those of attention alone
  bool expert_biases = false;     // router and experts
  bool qk_norm = false;           // a norm over head_dim for queries and keys
  bool norm_shift = false;        // LayerNorm (scale and shift) instead of RMSNorm (scale)
  bool embedding_norm = false;    // a norm behind the embedding
  bool sinks = false;             // a learned attention sink per head
  bool router_bias = false;       // a correction per expert that balances the load
  bool dropout = false;           // masks are kept for the backward pass
  bool plain_attention = false;   // trained before fused kernels: scores went through memory

  bool is_mixture() const { return experts > 0; }
  bool is_mixture_layer(std::uint32_t layer) const { return experts > 0 && layer >= dense_layers; }
};

/// Parameters of one layer, by how they are split over chips.
struct LayerParameters {
  std::uint64_t sharded = 0;     // split over tp: the matrices of attention and feed-forward, router excluded
  std::uint64_t replicated = 0;  // on every tp rank: norms, router, latent down-projections
  std::uint64_t experts = 0;     // split over ep: all routed experts of the layer
};
LayerParameters layer_parameters(const Model& model, std::uint32_t layer);
/// Of a row of attention: what queries, keys and values are wide in all, and what comes out of it.
std::uint64_t score_width(const Model& model);  // heads x dim of a query
std::uint64_t value_width(const Model& model);  // heads x dim of a value
std::uint64_t kv_width(const Model& model);     // keys and values of a token that a ring hands on
/// Whether a layer looks at the last `window` tokens only.
bool is_windowed(const Model& model, std::uint32_t layer);
std::uint64_t embedding_parameters(const Model& model);  // table, positions, its norm
std::uint64_t output_parameters(const Model& model);     // final norm, and the output matrix unless tied
/// All of them, and those that one token uses (embedding table included, as the models' names count).
std::uint64_t parameters(const Model& model);
std::uint64_t active_parameters(const Model& model);

/// What a printed figure counts.
struct FlopsConvention {
  bool hardware = false;  // recomputation counted
  bool causal = false;    // the masked half of attention left out
};
std::string to_string(FlopsConvention convention);  // "model FLOPs, full attention"

/// Matrix FLOPs of one sequence, forward only (a multiply-add is two).
struct SequenceFlops {
  u128 layers = 0;     // projections and feed-forward
  u128 attention = 0;  // scores and their use, full or causal
  u128 output = 0;     // logits
};
SequenceFlops forward_flops(const Model& model, std::uint64_t seq, bool causal);

/// Of a whole step of `sequences`: 3 x forward, and with hardware FLOPs what `recompute_layers_again` says is
/// computed once more (full recomputation: every layer; selective: attention's scores only).
enum class Recompute : std::uint8_t { none, selective, full };
u128 step_flops(const Model& model, std::uint64_t seq, std::uint64_t sequences, Recompute recompute,
                FlopsConvention convention);

/// The models known by name, in the order of the table; nullptr if there is none.
const std::vector<Model>& known_models();
const Model* known_model(std::string_view name);

}  // namespace tahoma
