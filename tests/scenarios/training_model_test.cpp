// Models, memory and products: figures that others have published, to the byte where they are exact.
#include <catch2/catch.hpp>

#include <cmath>

#include "scenarios/training/parallel.h"
#include "scenarios/training/stage_memory.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

constexpr double gib = 1 << 30;

Model known(const char* name) {
  const Model* model = known_model(name);
  REQUIRE(model != nullptr);
  return *model;
}

struct ActivationCase {
  const char* model;
  std::uint32_t tp, pp, vp, micro_batch;
  std::uint64_t batch;
  double none, selective;  // GiB, with sequence parallelism for the latter
};

Parallel split_of(const ActivationCase& c, Recompute recompute) {
  Parallel p;
  p.tp = c.tp;
  p.pp = c.pp;
  p.vp = c.vp;
  p.micro_batch = c.micro_batch;
  p.global_batch = c.batch;
  p.seq = 2048;
  p.schedule = c.vp > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
  p.recompute = recompute;
  p.sp = recompute == Recompute::selective;
  p.fused_attention = false;
  return p;
}

}  // namespace

TEST_CASE("parameters of known models are those of their published weights") {
  CHECK(parameters(known("llama2-7b")) == 6'738'415'616);
  CHECK(parameters(known("llama3.1-8b")) == 8'030'261'248);
  CHECK(parameters(known("llama3.1-70b")) == 70'553'706'496);
  CHECK(parameters(known("llama3.1-405b")) == 405'853'388'800);
  CHECK(parameters(known("mixtral-8x7b")) == 46'702'792'704);
  CHECK(parameters(known("mixtral-8x22b")) == 140'620'634'112);
  CHECK(parameters(known("qwen3-30b-a3b")) == 30'532'122'624);
  CHECK(parameters(known("qwen3-235b-a22b")) == 235'093'634'560);
  CHECK(parameters(known("deepseek-v3")) == 671'026'419'200);
  CHECK(parameters(known("gpt-oss-20b")) == 20'914'757'184);
  CHECK(parameters(known("gpt-oss-120b")) == 116'829'156'672);
  CHECK(parameters(known("bloom-176b")) == 176'247'271'424);
}

TEST_CASE("FLOPs of a GPT are those of the closed formulas with and without recomputation") {
  // 72 B s l h^2 (1 + s/6h + V/12lh), and 96 B s l h^2 (1 + s/6h + V/16lh) with full recomputation.
  const Model m = known("megatron-530b");
  const double s = 2048, l = 105, h = 20'480, v = 51'200, b = 280;
  const double model = 72 * b * s * l * h * h * (1 + s / (6 * h) + v / (12 * l * h));
  const double hardware = 96 * b * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));
  CHECK(static_cast<double>(step_flops(m, 2048, 280, Recompute::full, {false, false})) ==
        Approx(model).epsilon(1e-12));
  CHECK(static_cast<double>(step_flops(m, 2048, 280, Recompute::full, {true, false})) ==
        Approx(hardware).epsilon(1e-12));
}

TEST_CASE("printed TFLOPS of public runs follow from their step times") {
  struct Run {
    std::uint32_t layers, hidden, vocab;
    std::uint64_t batch, chips;
    double step_s, tflops;
  };
  // BigScience 181B and 182B, BLOOM, and MT-NLG on 280 servers: hardware FLOPs.
  for (const Run& run :
       {Run{72, 14'336, 250'880, 2048, 384, 143.31, 112.49},
        Run{72, 14'336, 250'880, 2048, 384, 121.48, 132.71},
        Run{84, 13'312, 250'880, 2048, 384, 122.93, 132.00},
        Run{70, 14'336, 250'880, 2048, 384, 104.7, 149.77}, Run{105, 20'480, 50'272, 1920, 2240, 60.1, 126},
        Run{105, 20'480, 50'272, 1920, 3360, 44.4, 113}}) {
    Model m = known("gpt3-175b");
    m.layers = run.layers;
    m.hidden = run.hidden;
    m.heads = m.kv_heads = run.hidden / 128;
    m.head_dim = 128;
    m.ffn = 4 * run.hidden;
    m.vocab = run.vocab;
    const u128 flops = step_flops(m, 2048, run.batch, Recompute::full, {true, false});
    const double tflops = static_cast<double>(flops) / run.step_s / static_cast<double>(run.chips) / 1e12;
    CAPTURE(run.hidden, run.step_s);
    CHECK(std::abs(tflops / run.tflops - 1) < 0.005);
  }
}

TEST_CASE("activations are the eight published ones to a tenth of a percent") {
  const ActivationCase cases[] = {
      {"megatron-22b", 8, 1, 1, 4, 4, 59.25, 9.5625},
      {"gpt3-175b", 8, 8, 3, 1, 64, 66.84375, 12.3515625},
      {"megatron-530b", 8, 35, 3, 1, 280, 114.0234375, 23.076171875},
      {"megatron-1t", 8, 64, 1, 1, 512, 131.25, 26.5625},
  };
  for (const ActivationCase& c : cases) {
    CAPTURE(c.model);
    const Model m = known(c.model);
    const double none =
        static_cast<double>(stage_memory(m, split_of(c, Recompute::none), 0).activations.count) / gib;
    const double selective =
        static_cast<double>(stage_memory(m, split_of(c, Recompute::selective), 0).activations.count) / gib;
    CHECK(none == Approx(c.none).epsilon(0.001));
    CHECK(selective == Approx(c.selective).epsilon(0.001));
  }
}

TEST_CASE("state takes 18 bytes per parameter and ZeRO divides it by the replicas") {
  // An inner stage of 175B on 64 ranks: 12 layers x 12 h^2 / 8 parameters x 18 B = 45.5625 GiB, and its
  // biases.
  Parallel p = split_of({"gpt3-175b", 8, 8, 1, 1, 64, 0, 0}, Recompute::full);
  const Model m = known("gpt3-175b");
  const StageMemory plain = stage_memory(m, p, 3);
  const auto state = [](const StageMemory& s) { return (s.weights + s.gradients + s.optimiser).count; };
  CHECK(static_cast<double>(state(plain)) / gib == Approx(45.5625).epsilon(0.001));
  p.dp = 4;
  p.global_batch = 256;
  p.zero = 1;
  CHECK(state(stage_memory(m, p, 3)) == state(plain) / 18 * 9);  // 2 + 4 + 12/4
  p.zero = 2;
  CHECK(state(stage_memory(m, p, 3)) == state(plain) / 18 * 6);  // 2 + (4 + 12)/4
  p.zero = 3;
  CHECK(state(stage_memory(m, p, 3)) * 4 == state(plain));
}

TEST_CASE("layers that do not divide into chunks are taken from the ends") {
  const Model m = known("llama3.1-405b");  // 126 layers
  Parallel p;
  p.pp = 16;
  CHECK(layers_of_chunk(m, p, 0).count() == 7);  // 16 x 8 = 128: the ends have one less
  CHECK(layers_of_chunk(m, p, 1).count() == 8);
  CHECK(layers_of_chunk(m, p, 15).count() == 7);
  CHECK(layers_of_chunk(m, p, 15).last == 126);
}

TEST_CASE("experts and micro-batches that do not divide are told with the sum and the nearest choice") {
  const Model m = known("qwen3-30b-a3b");  // 128 experts
  Parallel p;
  p.seq = 4096;
  p.dp = 16;
  p.ep = 48;
  p.global_batch = 64;
  CHECK(fault_of(m, p, 16)->because == "is 48, which does not divide 128 experts; nearest: 32 or 64");
  p.ep = 16;
  p.global_batch = 60;
  CHECK(fault_of(m, p, 16)->because ==
        "is 60 sequences, which dp 16 x micro_batch 1 = 16 does not divide; nearest: 48 or 64");
  p.global_batch = 64;
  CHECK_FALSE(fault_of(m, p, 16));
  CHECK(fault_of(m, p, 32)->because ==
        "makes tp 1 x cp 1 x dp 16 x pp 1 = 16 ranks, but there are 32; dp 32 would fill them");
}
