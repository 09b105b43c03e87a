// Parameters tensor by tensor, FLOPs matrix by matrix.
//
// Norms, softmax and activations are not counted as FLOPs, as nobody counts them; what they cost in time is
// in scenarios/training/layer_time.cpp.
#include "scenarios/training/model.h"

#include <algorithm>

namespace tahoma {

namespace {

/// Weights of a matrix.
std::uint64_t projection(std::uint64_t rows, std::uint64_t columns) {
  return rows * columns;
}

void add_plain_attention(const Model& m, LayerParameters& p) {
  const std::uint64_t h = m.hidden, q = std::uint64_t{m.heads} * m.head_dim,
                      kv = std::uint64_t{m.kv_heads} * m.head_dim;
  p.sharded += projection(h, q) + 2 * projection(h, kv) + projection(q, h);
  if (m.biases || m.attention_biases) {
    p.sharded += q + 2 * kv;
    p.replicated += h;
  }
  if (m.qk_norm) p.replicated += 2 * std::uint64_t{m.head_dim};
  if (m.sinks) p.sharded += m.heads;
}

void add_latent_attention(const Model& m, const LatentAttention& a, LayerParameters& p) {
  const std::uint64_t h = m.hidden, heads = m.heads, query = heads * (a.plain_dim + a.rotary_dim);
  if (a.query_rank > 0) {
    p.replicated += projection(h, a.query_rank) + a.query_rank;  // with its norm
    p.sharded += projection(a.query_rank, query);
  } else {
    p.sharded += projection(h, query);
  }
  p.replicated += projection(h, std::uint64_t{a.kv_rank} + a.rotary_dim) + a.kv_rank;
  p.sharded += projection(a.kv_rank, heads * (a.plain_dim + a.value_dim));
  p.sharded += projection(heads * a.value_dim, h);
}

std::uint64_t feed_forward(const Model& m, std::uint64_t width) {
  return (m.gated ? 3 : 2) * std::uint64_t{m.hidden} * width;
}

void add_mixture(const Model& m, LayerParameters& p) {
  const std::uint64_t h = m.hidden, f = m.expert_ffn;
  p.replicated += h * m.experts;
  if (m.expert_biases || m.router_bias) p.replicated += m.experts;
  p.sharded += m.shared_experts * feed_forward(m, f);
  std::uint64_t one = feed_forward(m, f);
  if (m.expert_biases) one += (m.gated ? 2 : 1) * f + h;
  p.experts += m.experts * one;
}

std::uint64_t norm(const Model& m) {
  return std::uint64_t{m.hidden} * (m.norm_shift ? 2 : 1);
}

/// Matrix weights that one token is multiplied with in a layer.
std::uint64_t weights_used(const Model& m, std::uint32_t layer) {
  const std::uint64_t h = m.hidden;
  std::uint64_t used = 0;
  if (m.latent) {
    const LatentAttention& a = *m.latent;
    const std::uint64_t query = std::uint64_t{m.heads} * (a.plain_dim + a.rotary_dim);
    used += a.query_rank > 0 ? (h + query) * a.query_rank : h * query;
    used += h * (std::uint64_t{a.kv_rank} + a.rotary_dim);
    used += std::uint64_t{a.kv_rank} * m.heads * (a.plain_dim + a.value_dim);
    used += std::uint64_t{m.heads} * a.value_dim * h;
  } else {
    used += 2 * h * m.head_dim * (std::uint64_t{m.heads} + m.kv_heads);
  }
  if (!m.is_mixture_layer(layer)) return used + feed_forward(m, m.ffn);
  return used + h * m.experts + (std::uint64_t{m.top_k} + m.shared_experts) * feed_forward(m, m.expert_ffn);
}

/// Pairs of tokens that a layer's scores are computed for, twice (so that a half stays whole).
u128 pairs_twice(const Model& m, std::uint32_t layer, std::uint64_t seq, bool causal) {
  const u128 s = seq;
  if (!is_windowed(m, layer) || m.window >= seq) return causal ? s * s : 2 * s * s;
  const u128 w = m.window;
  return causal ? 2 * s * w - w * w : 2 * s * w;
}

}  // namespace

std::uint64_t score_width(const Model& m) {
  if (m.latent) return std::uint64_t{m.heads} * (m.latent->plain_dim + m.latent->rotary_dim);
  return std::uint64_t{m.heads} * m.head_dim;
}

std::uint64_t value_width(const Model& m) {
  return std::uint64_t{m.heads} * (m.latent ? m.latent->value_dim : m.head_dim);
}

std::uint64_t kv_width(const Model& m) {
  if (m.latent) return score_width(m) + value_width(m);
  return 2 * std::uint64_t{m.kv_heads} * m.head_dim;
}

bool is_windowed(const Model& model, std::uint32_t layer) {
  return model.window > 0 && layer % 2 == 0;
}

LayerParameters layer_parameters(const Model& m, std::uint32_t layer) {
  LayerParameters p;
  p.replicated = 2 * norm(m);
  if (m.latent) {
    add_latent_attention(m, *m.latent, p);
  } else {
    add_plain_attention(m, p);
  }
  if (m.is_mixture_layer(layer)) {
    add_mixture(m, p);
  } else {
    p.sharded += feed_forward(m, m.ffn);
    if (m.biases) {
      p.sharded += (m.gated ? 2 : 1) * std::uint64_t{m.ffn};
      p.replicated += m.hidden;
    }
  }
  return p;
}

std::uint64_t embedding_parameters(const Model& m) {
  return (std::uint64_t{m.vocab} + m.positions) * m.hidden + (m.embedding_norm ? norm(m) : 0);
}

std::uint64_t output_parameters(const Model& m) {
  return norm(m) + (m.tied ? 0 : std::uint64_t{m.vocab} * m.hidden);
}

std::uint64_t parameters(const Model& m) {
  std::uint64_t all = embedding_parameters(m) + output_parameters(m);
  for (std::uint32_t layer = 0; layer < m.layers; ++layer) {
    const LayerParameters p = layer_parameters(m, layer);
    all += p.sharded + p.replicated + p.experts;
  }
  return all;
}

std::uint64_t active_parameters(const Model& m) {
  std::uint64_t all = embedding_parameters(m) + output_parameters(m);
  for (std::uint32_t layer = 0; layer < m.layers; ++layer) {
    const LayerParameters p = layer_parameters(m, layer);
    all += p.sharded + p.replicated;
    if (p.experts > 0) all += p.experts / m.experts * m.top_k;
  }
  return all;
}

std::string to_string(FlopsConvention convention) {
  return std::string(convention.hardware ? "hardware" : "model") + " FLOPs, " +
         (convention.causal ? "causal" : "full") + " attention";
}

SequenceFlops forward_flops(const Model& m, std::uint64_t seq, bool causal) {
  SequenceFlops flops;
  for (std::uint32_t layer = 0; layer < m.layers; ++layer) {
    flops.layers += u128{2} * seq * weights_used(m, layer);
    flops.attention += pairs_twice(m, layer, seq, causal) * (score_width(m) + value_width(m));
  }
  flops.output = u128{2} * seq * m.hidden * m.vocab;
  return flops;
}

u128 step_flops(const Model& model, std::uint64_t seq, std::uint64_t sequences, Recompute recompute,
                FlopsConvention convention) {
  const SequenceFlops forward = forward_flops(model, seq, convention.causal);
  u128 one = 3 * (forward.layers + forward.attention + forward.output);
  if (convention.hardware && recompute != Recompute::none) one += forward.attention;
  if (convention.hardware && recompute == Recompute::full) one += forward.layers;
  return one * sequences;
}

}  // namespace tahoma
