#include "scenarios/training/layer_time.h"

#include <algorithm>

namespace tahoma {

namespace {

/// Attention and logits keep 16 bits where the other products use 8 or 4.
MathType wide_type(MathType type) {
  const bool narrow = type == MathType::fp8 || type == MathType::mxfp8 || type == MathType::mxfp4;
  return narrow ? MathType::bf16 : type;
}

struct LayerSums {
  const Model& model;
  const Parallel& parallel;
  const ChipMath& chip;
  LayerTime time{};

  std::uint64_t tokens() const { return tokens_of_rank(parallel); }

  /// y = x W and its two gradients.
  void linear(MathType type, std::uint64_t rows, std::uint64_t in, std::uint64_t out,
              std::uint64_t count = 1) {
    time.forward += product_time(chip, type, {rows, out, in, count});
    time.backward_input += product_time(chip, type, {rows, in, out, count});
    time.backward_weight += product_time(chip, type, {in, out, rows, count, 8});  // added to 32 bits
  }
  /// Bytes that are read and written once; the way back moves twice as many. Where attention is fused, what
  /// only streams (norms, activations) is what selective recomputation does again.
  void stream(u128 bytes, std::uint32_t kernels, bool is_cheap = false) {
    const Duration forward = stream_time(chip, bytes, kernels);
    time.forward += forward;
    if (is_cheap && parallel.fused_attention) time.repeated += forward;
    time.backward_input += stream_time(chip, 2 * bytes, 2 * kernels);
  }
};

/// Of key and value heads one rank holds at least one.
std::uint64_t local_kv(const Model& m, const Parallel& p) {
  return std::max<std::uint64_t>(1, m.kv_heads / p.tp) * m.head_dim;
}

void add_attention_projections(LayerSums& l) {
  const Model& m = l.model;
  const Parallel& p = l.parallel;
  const std::uint64_t t = l.tokens(), h = m.hidden;
  if (!m.latent) {
    l.linear(p.dtype, t, h, score_width(m) / p.tp + 2 * local_kv(m, p));
    l.linear(p.dtype, t, score_width(m) / p.tp, h);
    return;
  }
  const LatentAttention& a = *m.latent;
  const std::uint64_t own = p.sp ? t / p.tp : t;  // the latents are made before the tokens are gathered
  if (a.query_rank > 0) {
    l.linear(p.dtype, own, h, a.query_rank);
    l.linear(p.dtype, t, a.query_rank, score_width(m) / p.tp);
  } else {
    l.linear(p.dtype, t, h, score_width(m) / p.tp);
  }
  l.linear(p.dtype, own, h, a.kv_rank + a.rotary_dim);
  l.linear(p.dtype, t, a.kv_rank, std::uint64_t{m.heads} / p.tp * (a.plain_dim + a.value_dim));
  l.linear(p.dtype, t, value_width(m) / p.tp, h);
}

/// Fused: the masked half is skipped; the way back computes the scores again (5 products instead of 2).
void add_fused_attention(LayerSums& l, std::uint32_t layer) {
  const Model& m = l.model;
  const Parallel& p = l.parallel;
  const u128 seq = p.seq;
  const u128 pairs_twice =
      is_windowed(m, layer) && m.window < p.seq ? 2 * seq * m.window - u128{m.window} * m.window : seq * seq;
  const u128 flops = pairs_twice * (score_width(m) + value_width(m)) * p.micro_batch / p.tp / p.cp;
  const MathType type = wide_type(p.dtype);
  const Duration forward = attention_time(l.chip, type, flops);
  l.time.forward += forward;
  l.time.backward_input += attention_time(l.chip, type, flops * 5 / 2);
}

/// Unfused: two batched products over all pairs, and the scores go through memory at each step of mask,
/// softmax and dropout: 13 bytes per score forward (write 2; mask and softmax 2 + 2; dropout 2 + 2 + 1; read
/// 2).
void add_plain_scores(LayerSums& l) {
  const Model& m = l.model;
  const Parallel& p = l.parallel;
  const std::uint64_t heads = std::uint64_t{m.heads} / p.tp * p.micro_batch, rows = p.seq / p.cp;
  const std::uint64_t score = score_width(m) / m.heads, value = value_width(m) / m.heads;
  const MathType type = wide_type(p.dtype);
  const Duration products = product_time(l.chip, type, {rows, p.seq, score, heads}) +
                            product_time(l.chip, type, {rows, value, p.seq, heads});
  const u128 scores = u128{heads} * rows * p.seq;
  const Duration forward = products + stream_time(l.chip, scores * 9, 3);
  l.time.repeated += forward;
  l.time.forward += forward;
  l.time.backward_input += products * 2 + stream_time(l.chip, scores * 14, 3);
}

void add_dense_ffn(LayerSums& l, std::uint64_t width) {
  const Parallel& p = l.parallel;
  const std::uint64_t t = l.tokens(), f = width / p.tp, h = l.model.hidden;
  l.linear(p.dtype, t, h, (l.model.gated ? 2 : 1) * f);
  l.linear(p.dtype, t, f, h);
  l.stream(u128{t} * f * (l.model.gated ? 6 : 4), 1, true);
}

void add_experts(LayerSums& l) {
  const Model& m = l.model;
  const Parallel& p = l.parallel;
  const std::uint64_t routed = routed_tokens(m, p), experts = m.experts / p.ep, f = m.expert_ffn / p.etp;
  const std::uint64_t each = ceil_div64(routed, experts), h = m.hidden;
  const std::uint64_t own = l.tokens() / (p.etp < p.tp ? p.tp / p.etp : 1);
  l.linear(wide_type(p.dtype), own, h, m.experts);
  l.linear(p.dtype, each, h, (m.gated ? 2 : 1) * f, experts);
  l.linear(p.dtype, each, f, h, experts);
  // Sorted by expert, packed for their rank, unpacked, activated, weighed and added up again.
  l.stream(u128{routed} * f * (m.gated ? 6 : 4), 1, true);
  l.stream(u128{routed} * h * 2 * 8, 8);
  l.stream(u128{own} * m.experts * 4 * 4, 4);
  if (m.shared_experts > 0) add_dense_ffn(l, std::uint64_t{m.shared_experts} * m.expert_ffn);
}

/// Norms, residuals and positions; and for 8-bit products the casts of their inputs.
void add_streams(LayerSums& l) {
  const Model& m = l.model;
  const Parallel& p = l.parallel;
  const u128 t = l.tokens(), own = p.sp ? t / p.tp : t;
  l.stream(own * m.hidden * 8, 2, true);  // two norms
  l.stream(own * m.hidden * (m.dropout ? 13 : 12), 2);
  l.stream(t * (score_width(m) + kv_width(m)) / p.tp * 4, 2);
  if (wide_type(p.dtype) != p.dtype)
    l.stream(t * (2 * u128{m.hidden} + (score_width(m) + m.ffn) / p.tp) * 4, 4);
}

/// A pass whose kernels are shorter than it takes to launch them lasts as long as the launching; where the
/// host waits for each kernel, its own time comes on top.
void wait_for_host(LayerTime& time, Duration host) {
  time.forward = std::max(time.forward, host);
  const Duration backward = time.backward_input + time.backward_weight;
  if (backward < host) time.backward_input += host - backward;
}

}  // namespace

std::uint64_t tokens_of_rank(const Parallel& parallel) {
  return parallel.seq / parallel.cp * parallel.micro_batch;
}

std::uint64_t routed_tokens(const Model& model, const Parallel& parallel) {
  const std::uint64_t split = parallel.etp < parallel.tp ? parallel.tp / parallel.etp : 1;
  return tokens_of_rank(parallel) / split * model.top_k;
}

LayerTime layer_time(const Model& model, std::uint32_t layer, const Parallel& parallel,
                     const ChipMath& chip) {
  LayerSums l{model, parallel, chip};
  add_attention_projections(l);
  if (parallel.fused_attention) {
    add_fused_attention(l, layer);
  } else {
    add_plain_scores(l);
  }
  if (model.is_mixture_layer(layer)) {
    add_experts(l);
  } else {
    add_dense_ffn(l, model.ffn);
  }
  add_streams(l);
  const Calibration& c = chip.calibration;
  if (parallel.blocking_launch) {
    l.time.forward += c.host_blocking;
    l.time.backward_input += c.host_blocking;
  } else {
    wait_for_host(l.time, model.is_mixture_layer(layer) ? c.host_experts : c.host_layer);
  }
  return l.time;
}

LayerTime embedding_time(const Model& model, const Parallel& parallel, const ChipMath& chip) {
  LayerSums l{model, parallel, chip};
  l.stream(u128{l.tokens()} * model.hidden * 6, 3);
  return l.time;
}

LayerTime output_time(const Model& model, const Parallel& parallel, const ChipMath& chip) {
  LayerSums l{model, parallel, chip};
  const u128 tokens = l.tokens();
  l.stream(tokens * model.hidden * 4, 1);
  l.linear(wide_type(parallel.dtype), l.tokens(), model.hidden, model.vocab / parallel.tp);
  l.stream(tokens * (model.vocab / parallel.tp) * 4 * 3, 3);  // 32-bit softmax and loss
  return l.time;
}

Bytes layer_activations(const Model& m, std::uint32_t layer, const Parallel& p, Recompute recompute) {
  const u128 tokens = tokens_of_rank(p), h = m.hidden, own = p.sp ? tokens / p.tp : tokens;
  if (recompute == Recompute::full) return {static_cast<std::uint64_t>(2 * own * h)};
  // Selective recomputation drops the scores, or where no scores are kept what norms and activations give.
  const bool lean = recompute == Recompute::selective && p.fused_attention;
  u128 bytes = own * h * ((m.dropout ? 10U : 8U) - (lean ? 4U : 0U));
  if (m.latent) {
    bytes += 2 * own * (m.latent->query_rank + m.latent->kv_rank);
    bytes += 2 * tokens * (2 * score_width(m) + 2 * value_width(m)) / p.tp;
  } else {
    bytes += 2 * tokens * (2 * score_width(m) / p.tp + 2 * local_kv(m, p));
  }
  if (!p.fused_attention && recompute == Recompute::none)
    bytes += 5 * tokens * m.heads * p.seq / p.tp;  // softmax, its mask, and what dropout leaves
  const u128 inner = (m.gated ? 6U : 4U) - (lean ? 2U : 0U);
  if (m.is_mixture_layer(layer)) {
    bytes += routed_tokens(m, p) * (4 * h + inner * m.expert_ffn / p.etp);
    bytes += tokens * inner * m.shared_experts * m.expert_ffn / p.tp;
  } else {
    bytes += tokens * inner * m.ffn / p.tp;
  }
  return {static_cast<std::uint64_t>(bytes)};
}

}  // namespace tahoma
