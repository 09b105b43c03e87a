#include "scenarios/validation/training_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "scenarios/load.h"
#include "scenarios/training/parallel.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

// ---- the model ----

/// Small letters and digits; what stands between words becomes one dash.
std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    const char low = upper ? static_cast<char>(c - 'A' + 'a') : c;
    const bool kept = (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9') || low == '.';
    if (kept) {
      name += low;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

/// Public families that rows name without all dimensions.
struct NamedShape {
  std::string_view name;
  std::uint32_t layers, hidden, heads, ffn, vocab, head_dim;
  std::uint32_t per_chip;  // sequences of a chip in a step, where a table prints them once
  std::uint64_t seq;
};
constexpr NamedShape named_shapes[] = {
    {"bert-large-phase-1", 24, 1024, 16, 4096, 30'528, 0, 0, 0},
    {"mpt-125m", 12, 768, 12, 3072, 50'368, 0, 0, 0},
    {"mpt-350m", 24, 1024, 16, 4096, 50'368, 0, 0, 0},
    {"mpt-760m", 24, 1536, 12, 6144, 50'368, 0, 0, 0},
    {"mpt-1b", 24, 2048, 16, 8192, 50'368, 0, 0, 0},
    {"mpt-3b", 32, 2560, 20, 10'240, 50'368, 0, 0, 0},
    {"mpt-7b", 32, 4096, 32, 16'384, 50'368, 0, 0, 0},
    {"mpt-13b", 40, 5120, 40, 20'480, 50'368, 0, 0, 0},
    {"mpt-30b", 48, 7168, 56, 28'672, 50'368, 0, 0, 0},
    {"mpt-70b", 80, 8192, 64, 32'768, 50'368, 0, 0, 0},
    {"gpt3-23b", 28, 8192, 64, 32'768, 50'304, 0, 0, 0},
    {"gpt3-46b", 56, 8192, 64, 32'768, 50'304, 0, 0, 0},
    {"gpt3-175b", 96, 12'288, 96, 49'152, 50'304, 0, 0, 0},
    {"llama2-7b-nemo-megatron", 32, 4096, 32, 11'008, 32'000, 0, 0, 0},
    {"llama2-13b-nemo-megatron", 40, 5120, 40, 13'824, 32'000, 0, 0, 0},
    {"maxtext-gpt-like-32b", 32, 8192, 64, 28'672, 32'000, 128, 6, 2048},
    {"maxtext-gpt-like-64b", 64, 8192, 64, 28'672, 32'000, 128, 3, 2048},
    {"maxtext-gpt-like-128b", 64, 8192, 128, 57'344, 32'000, 128, 1, 2048},
    {"maxtext-gpt-like-256b", 64, 16'384, 128, 57'344, 32'000, 128, 1, 2048},
    {"maxtext-gpt-like-512b", 128, 16'384, 128, 57'344, 32'000, 128, 2, 2048},
    {"maxtext-gpt-like-1024b", 128, 16'384, 256, 114'688, 32'000, 128, 2, 2048},
};

const NamedShape* named_shape(const std::string& name) {
  const auto found = std::find_if(std::begin(named_shapes), std::end(named_shapes),
                                  [&](const NamedShape& shape) { return shape.name == name; });
  return found == std::end(named_shapes) ? nullptr : &*found;
}

bool is_llama_3(const std::string& name) {
  return name.starts_with("llama-3") || name.starts_with("llama3");
}

bool is_tpu(const MeasuredStep& s) {
  return s.preset.starts_with("tpu");
}

/// Of the width, what is left once everything else is counted, to a multiple of 128.
std::uint32_t ffn_of_parameters(const Model& m, double parameters_1e9) {
  Model without = m;
  without.ffn = 0;
  const double left = parameters_1e9 * 1e9 - static_cast<double>(parameters(without));
  const double width = left / (static_cast<double>(m.layers) * m.hidden * (m.gated ? 3 : 2));
  return width < 128 ? 0 : static_cast<std::uint32_t>(std::llround(width / 128)) * 128;
}

Model made_of_columns(const MeasuredStep& s, const std::string& name) {
  const NamedShape* shape = named_shape(name);
  Model m;
  m.name = name;
  m.layers = s.layers != 0 ? s.layers : shape ? shape->layers : 0;
  m.hidden = s.hidden != 0 ? s.hidden : shape ? shape->hidden : 0;
  if (m.layers == 0 || m.hidden == 0)
    throw Unmapped{fmt::format("the dimensions of '{}' are not printed", s.model)};
  m.heads = s.heads != 0 ? s.heads : shape ? shape->heads : m.hidden / 128;
  m.kv_heads = s.kv_heads != 0 ? s.kv_heads : is_llama_3(name) ? std::min(8U, m.heads) : m.heads;
  m.head_dim = std::max(m.hidden / m.heads, is_tpu(s) ? 128U : 1U);  // the lanes of a TPU
  m.vocab = s.vocab != 0 ? s.vocab : shape ? shape->vocab : is_llama_3(name) ? 128'256 : 51'200;
  m.gated = is_llama_3(name) || is_tpu(s);
  m.ffn = s.ffn != 0 ? s.ffn : shape ? shape->ffn : 0;
  if (m.ffn == 0) m.ffn = m.gated && s.parameters > 0 ? ffn_of_parameters(m, s.parameters) : 4 * m.hidden;
  // A feed-forward that is not four times as wide has three matrices.
  if (m.ffn != 4 * m.hidden) m.gated = true;
  return m;
}

std::string model_text(const Model& m) {
  if (known_model(m.name) != nullptr) return m.name;
  std::string text = fmt::format(
      "{{name: {}, layers: {}, hidden: {}, heads: {}, kv_heads: {}, head_dim: {}, ffn: {}, gated: {}, vocab: "
      "{}",
      m.name, m.layers, m.hidden, m.heads, m.kv_heads, m.head_dim, m.ffn, m.gated, m.vocab);
  return text + "}";
}

// ---- the software ----

enum Generation : std::size_t {
  dense_2021,
  dense_2022,
  sharded_2023,
  dense_2024,
  dense_2025,
  on_tpu,
  on_neuron
};
constexpr std::array generations = {
    SoftwareGeneration{"3-D parallel, 2021", "full", false, false, false, false, false, "bf16", false, false,
                       true, false, "[1, 3]", "A100 with fp16"},
    SoftwareGeneration{"3-D parallel, 2022", "full", false, false, false, false, false, "bf16", false, true,
                       false, false, "[1, 3]", "A100 with bf16 and tp or pp above 1, without chunks"},
    SoftwareGeneration{"sharded data parallel, 2023", "auto", true, false, false, false, false, "bf16", true,
                       false, false, false, "3", "GPUs with bf16, weights sharded over dp, no experts"},
    SoftwareGeneration{"3-D parallel, 2024", "auto", true, true, false, false, true, "fp32", true, false,
                       false, true, "[1, 3]", "other GPUs with 16 bits; A100 with bf16 and chunks"},
    SoftwareGeneration{"3-D parallel, 2025", "none", true, true, true, false, true, "fp32", true, false,
                       false, true, "[1, 3]", "other GPUs with 8 bits"},
    SoftwareGeneration{"XLA on TPU", "auto", true, true, true, true, true, "bf16", true, false, false, false,
                       "[1, 3]", "TPU"},
    SoftwareGeneration{"Neuron", "selective", false, false, false, false, true, "bf16", false, false, false,
                       false, "[1, 3]", "Trainium"},
};

// ---- the cluster ----

/// A slice of TPUs: as near to a cube as multiples of 4 allow, or to a square.
std::string slice_shape(const std::string& preset, std::uint64_t chips) {
  const bool flat = preset.starts_with("tpu-v5e") || preset.starts_with("tpu-v6e");
  std::array<std::uint64_t, 3> best{1, 1, chips};
  for (std::uint64_t a = 1; a * a <= chips; ++a) {
    if (chips % a != 0) continue;
    if (flat) {
      best = {1, a, chips / a};
      continue;
    }
    for (std::uint64_t b = a; a * b * b <= chips; ++b) {
      const bool cubes = a % 4 == 0 && b % 4 == 0 && chips / a / b % 4 == 0;
      if (chips % (a * b) == 0 && (cubes || chips % 64 != 0)) best = {a, b, chips / a / b};
    }
  }
  if (flat) return fmt::format("{}x{}", best[1], best[2]);
  return fmt::format("{}x{}x{}", best[0], best[1], best[2]);
}

std::string cluster_of(const MeasuredStep& s, std::uint64_t chips_of_unit) {
  MeasuredRow row;
  row.id = s.id;
  row.preset = s.preset;
  row.ranks_per_chip = s.ranks_per_chip;
  row.nic = s.nic;
  row.transport = s.transport == "opa" ? "ib" : s.transport;  // Omni-Path is nearest to it
  if (is_tpu(s)) {
    if (s.chips % s.slices != 0) throw Unmapped{fmt::format("{} chips are not {} slices", s.chips, s.slices)};
    row.shape = slice_shape(s.preset, s.chips / s.slices);
    row.count = s.slices;
  } else {
    row.count = static_cast<std::uint32_t>((s.chips + chips_of_unit - 1) / chips_of_unit);
  }
  return cluster_text(row);
}

/// A preset's list as a whole, with other values of some keys: lists are replaced, not merged.
std::string whole_list(const std::string& preset, std::string_view list,
                       const std::map<std::string, std::string>& other) {
  std::map<std::string, std::map<std::string, std::string>> entries;
  for (const PresetRow& row : rows_of_preset(preset)) {
    if (!row.path.starts_with(list)) continue;
    const std::string_view rest = row.path.substr(list.size());
    const std::size_t dot = rest.find('.');
    entries[std::string(rest.substr(0, dot))][std::string(rest.substr(dot + 1))] = row.value;
  }
  if (entries.empty()) throw Unmapped{fmt::format("preset '{}' has no {}", preset, list)};
  std::string text;
  for (auto& [index, keys] : entries) {
    if (index == "0") {
      for (const auto& [key, value] : other) keys[key] = value;
    }
    std::string entry;
    for (const auto& [key, value] : keys)
      entry += fmt::format("{}{}: {}", entry.empty() ? "" : ", ", key, value);
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ", ", entry);
  }
  return "[" + text + "]";
}

/// Servers of another size than the preset's, and an oversubscribed fabric.
std::string fabric_of(const MeasuredStep& s, std::uint64_t unit) {
  const bool smaller = s.node > 0 && s.node != unit;
  if (!smaller && s.oversubscription.empty()) return "";
  std::map<std::string, std::string> up, out;
  if (smaller) {
    up["size"] = std::to_string(s.node);
    out["rails"] = std::to_string(s.node);
  }
  if (!s.oversubscription.empty()) out["oversubscription"] = s.oversubscription;
  return fmt::format("fabric:\n  scale_up: {}\n  scale_out: {}\n",
                     whole_list(s.preset, "fabric.scale_up.", up),
                     whole_list(s.preset, "fabric.scale_out.", out));
}

std::uint64_t chips_of_unit(const std::string& preset) {
  LoadRequest request;
  request.file = "preset " + preset;
  request.needs_workload = false;
  request.text = fmt::format("apiVersion: tahoma/v1\ncluster: {{preset: {}}}\n", preset);
  const Scenario scenario = load(request);
  const auto* cluster = std::get_if<ClusterShape>(&scenario.network);
  if (cluster == nullptr) throw Unmapped{fmt::format("preset '{}' is a graph", preset)};
  std::uint64_t chips = 1;
  for (const Dimension& dimension : cluster->scale_up) chips *= dimension.size;
  return chips;
}

// ---- the work ----

struct Reprinted {
  std::string_view printed, ours;
};
constexpr std::array printed_dtypes = {Reprinted{"amp_bf16", "bf16"}, Reprinted{"bf16+SR", "bf16"},
                                       Reprinted{"fp8-cs", "fp8"},    Reprinted{"fp8-mx", "mxfp8"},
                                       Reprinted{"nvfp4", "mxfp4"},   Reprinted{"", "bf16"}};
constexpr std::array printed_recomputes = {
    Reprinted{"selective+SP", "selective+sp"}, Reprinted{"minimal", "none"},
    Reprinted{"norm,act", "selective"},        Reprinted{"none", "none"},
    Reprinted{"selective", "selective"},       Reprinted{"full", "full"}};

std::string step_dtype(const MeasuredStep& s) {
  for (const Reprinted& row : printed_dtypes) {
    if (row.printed == s.dtype) return std::string(row.ours);
  }
  return s.dtype;
}

std::string recompute_of(const MeasuredStep& s) {
  if (s.recompute.empty()) return std::string(generation_of(s).recompute);
  for (const Reprinted& row : printed_recomputes) {
    if (row.printed == s.recompute) return std::string(row.ours);
  }
  throw Unmapped{
      fmt::format("recompute '{}' is not understood; accepted: none, selective, selective+SP, full, minimal",
                  s.recompute)};
}

std::string count_or_auto(std::uint32_t value) {
  return value == 0 ? "auto" : std::to_string(value);
}

std::string parallel_text(const MeasuredStep& s) {
  const SoftwareGeneration& software = generation_of(s);
  const std::uint64_t ranks = s.chips * s.ranks_per_chip;
  // Without any degree all is data parallel; with some, what is not printed is 1, and dp is what remains.
  // Where the printed ones do not multiply to the ranks, dp gives way.
  std::uint32_t tp = s.tp, pp = s.pp, cp = s.cp;
  const bool none = tp == 0 && pp == 0 && s.dp == 0;
  tp = std::max(tp, 1U);
  pp = std::max(pp, 1U);
  cp = std::max(cp, 1U);
  if (ranks % (std::uint64_t{tp} * pp * cp) != 0)
    throw Unmapped{fmt::format("tp {} x pp {} x cp {} do not divide {} ranks", tp, pp, cp, ranks)};
  std::string text =
      none && s.chips > 64 && !is_tpu(s) ? "{tp: auto, pp: auto" : fmt::format("{{tp: {}, pp: {}", tp, pp);
  text += fmt::format(", cp: {}, ep: {}", cp, std::max(s.ep, 1U));
  const std::uint32_t vp = s.vp != 0 ? s.vp : pp == 1 || !software.interleaves ? 1 : 0;
  text += ", vp: " + count_or_auto(none && s.chips > 64 && !is_tpu(s) ? 0 : vp);
  // Sharded as little as fits.
  text += fmt::format(", zero: {}", pp > 1 ? "1" : software.zero);
  if (software.splits_sequence && (tp > 1 || none)) text += ", sp: true";
  return text + "}";
}

Duration in_ps(double s) {
  return {std::llround(s * 1e12)};
}

}  // namespace

std::vector<SoftwareGeneration> software_generations() {
  return {generations.begin(), generations.end()};
}

const SoftwareGeneration& generation_of(const MeasuredStep& s) {
  if (is_tpu(s)) return generations[on_tpu];
  if (s.preset.starts_with("trn") || s.preset.starts_with("inf")) return generations[on_neuron];
  const std::string type = step_dtype(s);
  const auto chip = preset_value(s.preset, "cluster.chip.name");
  const bool old = chip && (*chip == "a100" || *chip == "v100");
  if (old && type == "fp16") return generations[dense_2021];
  const Model* known = known_model(plain_name(s.model));
  const bool mixture = s.ep > 1 || (known != nullptr && known->is_mixture());
  if (type == "bf16" && s.sharded && !mixture) return generations[sharded_2023];
  // Interleaved stages in 16-bit brain floats came with the later software.
  if (old && s.vp <= 1) return generations[s.tp > 1 || s.pp > 1 ? dense_2022 : sharded_2023];
  return generations[type == "bf16" || type == "fp16" ? dense_2024 : dense_2025];
}

Model model_of(const MeasuredStep& s) {
  const std::string name = plain_name(s.model);
  if (const Model* known = known_model(name)) {
    const bool same = (s.layers == 0 || s.layers == known->layers) &&
                      (s.hidden == 0 || s.hidden == known->hidden) &&
                      (s.vocab == 0 || s.vocab == known->vocab);
    if (same) return *known;
  }
  return made_of_columns(s, name);
}

StepScenario step_scenario(const MeasuredStep& s) {
  if (s.preset.empty()) throw Unmapped{"the setup is not known"};
  const std::string name = plain_name(s.model);
  const NamedShape* shape = named_shape(name);
  const Model model = model_of(s);
  const std::uint64_t seq = s.seq != 0 ? s.seq : shape ? shape->seq : 0;
  if (seq == 0) throw Unmapped{"the length of a sequence is not printed"};
  const std::uint64_t batch = s.global_batch != 0 ? s.global_batch : shape ? shape->per_chip * s.chips : 0;
  if (batch == 0) throw Unmapped{"the batch is not printed"};
  const std::uint64_t unit = chips_of_unit(s.preset);
  const std::uint64_t server = s.node > 0 ? s.node : unit;
  const SoftwareGeneration& software = generation_of(s);

  StepScenario made;
  made.text =
      fmt::format("apiVersion: tahoma/v1\nname: {}\n{}{}", s.id, cluster_of(s, server), fabric_of(s, unit));
  made.text += "workload:\n  training:\n";
  made.text += fmt::format("    model: {}\n    seq: {}\n    global_batch: {}\n    micro_batch: {}\n",
                           model_text(model), seq, batch, count_or_auto(s.micro_batch));
  made.text +=
      fmt::format("    dtype: {}\n    recompute: {}\n    attention: {}\n    gradients: {}\n", step_dtype(s),
                  recompute_of(s), software.fused_attention ? "fused" : "plain", software.gradients);
  if (!is_tpu(s) && s.chips % server != 0)
    made.text += fmt::format("    ranks: {}\n", s.chips * s.ranks_per_chip);
  made.text += fmt::format("    parallel: {}\n", parallel_text(s));
  made.text += fmt::format("    overlap: {{dp: {}, tp: {}, ep: {}}}\n", software.overlap_dp,
                           software.overlap_tp, software.overlap_ep);
  made.text += fmt::format("    launch: {}\n    rings: {}\n    dispatch: {}\n    memory: unchecked\n",
                           software.blocking_launch ? "blocking" : "ahead",
                           software.one_nic_rings && s.tp <= 1 && s.pp <= 1 ? "one_nic" : "all_nics",
                           software.per_server_dispatch ? "per_server" : "per_expert");

  const auto chips = static_cast<double>(s.chips);
  if (s.step_s > 0) {
    made.measured = in_ps(s.step_s);
  } else if (s.tokens_per_s > 0) {
    made.measured = in_ps(static_cast<double>(batch * seq) / (s.tokens_per_s * chips));
  } else if (s.tflops > 0) {
    const u128 flops = step_flops(model, seq, batch, Recompute::none, {false, is_tpu(s)});
    made.measured = in_ps(static_cast<double>(flops) / (s.tflops * 1e12 * chips));
  } else {
    throw Unmapped{"neither a step's time nor a rate is printed"};
  }
  made.derived = s.step_s == 0;
  return made;
}

}  // namespace tahoma
