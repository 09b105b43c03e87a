// The models known by name. Dimensions are those of the published papers and configuration files; a name says
// the count of parameters that its authors print.
#include <algorithm>

#include "scenarios/training/model.h"

namespace tahoma {

namespace {

/// GPT as Megatron trains it: learned positions, biases, LayerNorm, dropout, tied output.
Model gpt(std::string name, std::uint32_t layers, std::uint32_t hidden, std::uint32_t heads,
          std::uint32_t vocab = 51'200) {
  Model m;
  m.name = std::move(name);
  m.layers = layers;
  m.hidden = hidden;
  m.heads = m.kv_heads = heads;
  m.head_dim = hidden / heads;
  m.ffn = 4 * hidden;
  m.vocab = vocab;
  m.positions = 2048;
  m.tied = m.biases = m.norm_shift = m.dropout = m.plain_attention = true;
  return m;
}

Model bloom() {
  Model m = gpt("bloom-176b", 70, 14'336, 112, 250'880);
  m.positions = 0;  // ALiBi
  m.embedding_norm = true;
  m.dropout = false;
  return m;
}

struct LlamaSize {
  std::uint32_t layers, hidden, heads, kv_heads, ffn, vocab;
};
Model llama(std::string name, LlamaSize size) {
  Model m;
  m.name = std::move(name);
  m.layers = size.layers;
  m.hidden = size.hidden;
  m.heads = size.heads;
  m.kv_heads = size.kv_heads;
  m.head_dim = size.hidden / size.heads;
  m.ffn = size.ffn;
  m.gated = true;
  m.vocab = size.vocab;
  return m;
}

struct MixtureSize {
  std::uint32_t experts, top_k, expert_ffn;
};
Model mixture(Model m, MixtureSize size) {
  m.experts = size.experts;
  m.top_k = size.top_k;
  m.expert_ffn = size.expert_ffn;
  return m;
}

Model qwen3(std::string name, LlamaSize size) {
  Model m = mixture(llama(std::move(name), size), {128, 8, size.ffn});
  m.head_dim = 128;
  m.qk_norm = true;
  return m;
}

Model gpt_oss(std::string name, std::uint32_t layers, std::uint32_t experts) {
  Model m = mixture(llama(std::move(name), {layers, 2880, 64, 8, 2880, 201'088}), {experts, 4, 2880});
  m.head_dim = 64;
  m.window = 128;
  m.attention_biases = m.expert_biases = m.sinks = true;
  return m;
}

Model deepseek_v3() {
  Model m = mixture(llama("deepseek-v3", {61, 7168, 128, 128, 18'432, 129'280}), {256, 8, 2048});
  m.head_dim = 128;
  m.shared_experts = 1;
  m.dense_layers = 3;
  m.router_bias = true;
  m.top_domains = 4;
  m.latent = LatentAttention{1536, 512, 128, 64, 128};
  return m;
}

std::vector<Model> all_models() {
  return {
      gpt("gpt3-175b", 96, 12'288, 96),
      gpt("megatron-1.7b", 24, 2304, 24),
      gpt("megatron-3.6b", 30, 3072, 32),
      gpt("megatron-7.5b", 36, 4096, 32),
      gpt("megatron-18b", 40, 6144, 48),
      gpt("megatron-22b", 48, 6144, 64),
      gpt("megatron-39b", 48, 8192, 64),
      gpt("megatron-76b", 60, 10'240, 80),
      gpt("megatron-145b", 80, 12'288, 96),
      gpt("megatron-310b", 96, 16'384, 128),
      gpt("megatron-530b", 105, 20'480, 128),
      gpt("megatron-1t", 128, 25'600, 160),
      gpt("mt-nlg-530b", 105, 20'480, 128, 50'304),
      bloom(),
      llama("llama2-7b", {32, 4096, 32, 32, 11'008, 32'000}),
      llama("llama2-13b", {40, 5120, 40, 40, 13'824, 32'000}),
      llama("llama2-70b", {80, 8192, 64, 8, 28'672, 32'000}),
      llama("llama3-8b", {32, 4096, 32, 8, 14'336, 128'256}),
      llama("llama3-70b", {80, 8192, 64, 8, 28'672, 128'256}),
      llama("llama3.1-8b", {32, 4096, 32, 8, 14'336, 128'256}),
      llama("llama3.1-70b", {80, 8192, 64, 8, 28'672, 128'256}),
      llama("llama3.1-405b", {126, 16'384, 128, 8, 53'248, 128'256}),
      llama("llama3.3-70b", {80, 8192, 64, 8, 28'672, 128'256}),
      mixture(llama("mixtral-8x7b", {32, 4096, 32, 8, 14'336, 32'000}), {8, 2, 14'336}),
      mixture(llama("mixtral-8x22b", {56, 6144, 48, 8, 16'384, 32'000}), {8, 2, 16'384}),
      qwen3("qwen3-30b-a3b", {48, 2048, 32, 4, 768, 151'936}),
      qwen3("qwen3-235b-a22b", {94, 4096, 64, 4, 1536, 151'936}),
      deepseek_v3(),
      gpt_oss("gpt-oss-20b", 24, 32),
      gpt_oss("gpt-oss-120b", 36, 128),
  };
}

}  // namespace

const std::vector<Model>& known_models() {
  static const std::vector<Model> models = all_models();
  return models;
}

const Model* known_model(std::string_view name) {
  const std::vector<Model>& models = known_models();
  const auto found =
      std::find_if(models.begin(), models.end(), [&](const Model& m) { return m.name == name; });
  return found == models.end() ? nullptr : &*found;
}

}  // namespace tahoma
