// The sums behind the degrees of parallelism, one row per rule; the first that fails is told.
#include "scenarios/training/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tahoma {

namespace {

struct ScheduleName {
  PipelineSchedule schedule;
  std::string_view name;
};
constexpr std::array schedule_names = {
    ScheduleName{PipelineSchedule::gpipe, "gpipe"},
    ScheduleName{PipelineSchedule::one_f_one_b, "1f1b"},
    ScheduleName{PipelineSchedule::interleaved, "interleaved"},
    ScheduleName{PipelineSchedule::zb_1p, "zb-1p"},
    ScheduleName{PipelineSchedule::zb_2p, "zb-2p"},
    ScheduleName{PipelineSchedule::zb_v, "zb-v"},
    ScheduleName{PipelineSchedule::v_half, "v-half"},
    ScheduleName{PipelineSchedule::v_min, "v-min"},
    ScheduleName{PipelineSchedule::dualpipe, "dualpipe"},
};

std::uint64_t per_chunk(const Model& model, const Parallel& p) {
  return (model.layers + p.chunks() - 1) / p.chunks();
}

/// The divisors of `whole` next to `wanted`, "4 or 6".
std::string nearest_divisors(std::uint64_t whole, std::uint64_t wanted) {
  std::uint64_t below = 0, above = 0;
  for (std::uint64_t d = std::min(wanted, whole); d >= 1 && below == 0; --d) {
    if (whole % d == 0) below = d;
  }
  for (std::uint64_t d = wanted + 1; d <= whole && above == 0; ++d) {
    if (whole % d == 0) above = d;
  }
  if (above == 0) return fmt::format("{}", below);
  return fmt::format("{} or {}", below, above);
}

using Fault = std::optional<ParallelFault>;

Fault divides(std::string key, std::uint64_t degree, std::string_view of, std::uint64_t whole) {
  if (whole % degree == 0) return std::nullopt;
  return ParallelFault{std::move(key),
                       fmt::format("is {}, which does not divide {} {}; nearest: {}", degree, whole, of,
                                   nearest_divisors(whole, degree)),
                       true};
}

Fault ranks_fault(const Parallel& p, std::uint64_t ranks) {
  if (ranks == 0 || p.ranks() == ranks) return std::nullopt;
  const std::uint64_t others = std::uint64_t{p.tp} * p.cp * p.pp;
  std::string because = fmt::format("makes tp {} x cp {} x dp {} x pp {} = {} ranks, but there are {}", p.tp,
                                    p.cp, p.dp, p.pp, p.ranks(), ranks);
  if (ranks % others == 0) {
    because += fmt::format("; dp {} would fill them", ranks / others);
  } else {
    because += fmt::format("; tp x cp x pp = {} does not divide them, nearest: {}", others,
                           nearest_divisors(ranks, others));
  }
  return ParallelFault{"parallel", std::move(because), true};
}

Fault attention_fault(const Model& m, const Parallel& p) {
  if (Fault fault = divides("parallel.tp", p.tp, "attention heads", m.heads)) return fault;
  if (p.tp <= m.kv_heads) {
    if (Fault fault = divides("parallel.tp", p.tp, "key-value heads", m.kv_heads)) return fault;
  }
  if (Fault fault = divides("parallel.cp", p.cp, "tokens of a sequence", p.seq)) return fault;
  if (p.sp) return divides("parallel.tp", p.tp, "tokens of a sequence's part, which sp splits", p.seq / p.cp);
  return std::nullopt;
}

Fault width_fault(const Model& m, const Parallel& p) {
  if (!m.is_mixture() || m.dense_layers > 0) {
    if (Fault fault = divides("parallel.tp", p.tp, "columns of the feed-forward (ffn)", m.ffn)) return fault;
  }
  if (m.is_mixture()) return divides("parallel.etp", p.etp, "columns of an expert", m.expert_ffn);
  return std::nullopt;
}

Fault expert_fault(const Model& m, const Parallel& p) {
  if (!m.is_mixture()) {
    if (p.ep == 1) return std::nullopt;
    return ParallelFault{"parallel.ep",
                         fmt::format("is {}, but '{}' has no experts; leave it out", p.ep, m.name), true};
  }
  if (Fault fault = divides("parallel.ep", p.ep, "experts", m.experts)) return fault;
  const std::uint64_t stage = std::uint64_t{p.tp} * p.cp * p.dp, needed = std::uint64_t{p.ep} * p.etp;
  if (stage % needed == 0) return std::nullopt;
  return ParallelFault{
      "parallel.ep",
      fmt::format(
          "x etp is {} x {} = {}, which does not divide the tp {} x cp {} x dp {} = {} ranks of a stage; "
          "nearest ep: {}",
          p.ep, p.etp, needed, p.tp, p.cp, p.dp, stage, nearest_divisors(stage / p.etp, p.ep)),
      true};
}

Fault batch_fault(const Parallel& p) {
  const std::uint64_t once = std::uint64_t{p.dp} * p.micro_batch;
  if (p.global_batch % once == 0) return std::nullopt;
  const std::uint64_t below = p.global_batch / once * once;
  const std::string nearest =
      below > 0 ? fmt::format("{} or {}", below, below + once) : fmt::format("{}", once);
  return ParallelFault{
      "global_batch",
      fmt::format("is {} sequences, which dp {} x micro_batch {} = {} does not divide; nearest: {}",
                  p.global_batch, p.dp, p.micro_batch, once, nearest),
      true};
}

Fault pipeline_fault(const Model& m, const Parallel& p) {
  const bool takes_chunks = p.schedule == PipelineSchedule::interleaved;
  if (p.vp > 1 && !takes_chunks)
    return ParallelFault{
        "parallel.vp",
        fmt::format("is {}, but schedule '{}' has one chunk per stage; use schedule: interleaved", p.vp,
                    name_of(p.schedule)),
        true};
  if (p.vp > 1 && p.pp == 1)
    return ParallelFault{"parallel.vp",
                         fmt::format("is {}, but pp is 1: there is no pipeline to interleave", p.vp), true};
  if (m.layers + 2 < p.chunks())
    return ParallelFault{"parallel.pp",
                         fmt::format("x vp is {} x {} = {} chunks, but there are {} layers; nearest: {}",
                                     p.pp, p.vp, p.chunks(), m.layers, nearest_divisors(m.layers, p.pp)),
                         true};
  const std::uint64_t spare = per_chunk(m, p) * p.chunks() - m.layers;
  if (p.vp > 1 && spare > 3)
    return ParallelFault{
        "parallel.vp",
        fmt::format(
            "x pp is {} x {} = {} chunks, over which {} layers do not divide (the embedding and the output "
            "may take the place of up to three); nearest vp: {}",
            p.vp, p.pp, p.chunks(), m.layers,
            m.layers % p.pp == 0 ? nearest_divisors(m.layers / p.pp, p.vp) : "1"),
        true};
  if (p.vp > 1 && p.micro_batches() % p.pp != 0) {
    const std::uint64_t once = std::uint64_t{p.dp} * p.micro_batch * p.pp;
    const std::uint64_t below = p.global_batch / once * once;
    return ParallelFault{
        "parallel.vp",
        fmt::format(
            "interleaves, which needs micro-batches in multiples of pp: {} / (dp {} x micro_batch {}) = {} "
            "is {} more than a multiple of {}; nearest global_batch: {}",
            p.global_batch, p.dp, p.micro_batch, p.micro_batches(), p.micro_batches() % p.pp, p.pp,
            below > 0 ? fmt::format("{} or {}", below, below + once) : fmt::format("{}", once)),
        true};
  }
  if (p.schedule == PipelineSchedule::dualpipe && p.pp % 2 != 0)
    return ParallelFault{"parallel.pp",
                         fmt::format("is {}, but dualpipe needs an even number of stages", p.pp), true};
  return std::nullopt;
}

}  // namespace

std::string_view name_of(PipelineSchedule schedule) {
  for (const ScheduleName& row : schedule_names) {
    if (row.schedule == schedule) return row.name;
  }
  return "";
}

std::optional<PipelineSchedule> pipeline_schedule(std::string_view name) {
  for (const ScheduleName& row : schedule_names) {
    if (row.name == name) return row.schedule;
  }
  return std::nullopt;
}

std::string_view name_of(Recompute recompute) {
  constexpr std::array<std::string_view, 3> names = {"none", "selective", "full"};
  return names[static_cast<std::size_t>(recompute)];
}

std::string_view name_of(MathType type) {
  constexpr std::array<std::string_view, 7> names = {"fp32", "tf32", "fp16", "bf16", "fp8", "mxfp8", "mxfp4"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view name_of(ParallelAxis axis) {
  constexpr std::array<std::string_view, 5> names = {"tp", "cp", "ep", "dp", "pp"};
  return names[static_cast<std::size_t>(axis)];
}

std::optional<ParallelFault> fault_of(const Model& model, const Parallel& parallel, std::uint64_t ranks) {
  if (Fault fault = ranks_fault(parallel, ranks)) return fault;
  if (Fault fault = attention_fault(model, parallel)) return fault;
  if (Fault fault = width_fault(model, parallel)) return fault;
  if (Fault fault = expert_fault(model, parallel)) return fault;
  if (Fault fault = batch_fault(parallel)) return fault;
  return pipeline_fault(model, parallel);
}

LayerRange layers_of_chunk(const Model& model, const Parallel& parallel, std::uint32_t chunk) {
  const auto most = static_cast<std::uint32_t>(per_chunk(model, parallel));
  const std::uint32_t chunks = parallel.chunks(), spare = most * chunks - model.layers;
  // The ends give up a layer first, from the last inwards: the output weighs more than the embedding.
  const std::uint32_t short_last = (spare + 1) / 2, short_first = spare / 2;
  const auto first_of = [&](std::uint32_t c) {
    return c * most - std::min(c, short_first) - (c > chunks - short_last ? c - (chunks - short_last) : 0);
  };
  return {first_of(chunk), first_of(chunk + 1)};
}

std::uint32_t stage_of_chunk(const Parallel& parallel, std::uint32_t chunk) {
  return chunk % parallel.pp;
}

}  // namespace tahoma
