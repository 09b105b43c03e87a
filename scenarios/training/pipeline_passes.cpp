// Each schedule keeps a stage busy in another way:
//   gpipe        all forwards, then all backwards
//   one_f_one_b  as few forwards first as the stages behind need; then one backward, one forward
//   interleaved  the same over chunks: pp micro-batches go through chunk 0, then through chunk 1, ...
//   zb_1p        1F1B with W apart: stage s holds back s of them, which fill its wait at the end
//   zb_2p        twice the forwards first, twice the W's held back: nothing waits once it has begun
//   zb_v         chunk 0 there, chunk 1 back: a micro-batch ends on the stage where it began
//   dualpipe     half of the micro-batches from either end, a forward of one half under a backward of the
//                other
#include "scenarios/training/pipeline_passes.h"

#include <algorithm>
#include <array>
#include <deque>

#include "core/errors.h"

namespace tahoma {

namespace {

// Passes of one stage; of each kind and chunk the next micro-batch.
class PassList {
 public:
  explicit PassList(std::uint32_t chunks) : next_(chunks) {}

  void forward(std::uint32_t chunk, bool with_next = false) { add(Pass::Kind::forward, chunk, with_next); }
  void backward(std::uint32_t chunk) { add(Pass::Kind::backward, chunk); }
  void input(std::uint32_t chunk) { add(Pass::Kind::input_gradient, chunk); }
  void weight(std::uint32_t chunk) { add(Pass::Kind::weight_gradient, chunk); }
  void both(std::uint32_t chunk) {
    input(chunk);
    weight(chunk);
  }
  std::uint32_t count(Pass::Kind kind, std::uint32_t chunk) const {
    return next_[chunk][static_cast<std::size_t>(kind)];
  }
  std::uint32_t forwards(std::uint32_t chunk) const { return count(Pass::Kind::forward, chunk); }
  void put(const Pass& pass) { passes_.push_back(pass); }
  std::vector<Pass> take() { return std::move(passes_); }

 private:
  void add(Pass::Kind kind, std::uint32_t chunk, bool with_next = false) {
    passes_.push_back({kind, with_next, next_[chunk][static_cast<std::size_t>(kind)]++, chunk});
  }

  std::vector<std::array<std::uint32_t, 4>> next_;
  std::vector<Pass> passes_;
};

}  // namespace

std::vector<Pass> gpipe_passes(const PipelineShape& shape, std::uint32_t) {
  PassList list(1);
  for (std::uint32_t i = 0; i < shape.micro_batches; ++i) list.forward(0);
  for (std::uint32_t i = 0; i < shape.micro_batches; ++i) list.backward(0);
  return list.take();
}

std::vector<Pass> one_f_one_b_passes(const PipelineShape& shape, std::uint32_t stage) {
  PassList list(1);
  const std::uint32_t first = std::min(shape.micro_batches, shape.stages - stage - 1);
  for (std::uint32_t i = 0; i < first; ++i) list.forward(0);
  for (std::uint32_t i = 0; i < shape.micro_batches; ++i) {
    if (list.forwards(0) < shape.micro_batches) list.forward(0);
    list.backward(0);
  }
  return list.take();
}

std::vector<Pass> interleaved_passes(const PipelineShape& shape, std::uint32_t stage) {
  const std::uint32_t p = shape.stages, v = shape.chunks, all = shape.micro_batches * v;
  const auto micro_batch = [&](std::uint32_t k) { return k / (p * v) * p + k % p; };
  const auto chunk = [&](std::uint32_t k) { return k % (p * v) / p; };
  PassList list(v);
  const auto forward = [&](std::uint32_t k) {
    list.put({Pass::Kind::forward, false, micro_batch(k), chunk(k)});
  };
  const auto backward = [&](std::uint32_t k) {
    list.put({Pass::Kind::backward, false, micro_batch(k), v - 1 - chunk(k)});
  };
  const std::uint32_t wanted = (p - stage - 1) * 2 + (v - 1) * p;
  const std::uint32_t first = shape.micro_batches == p ? all : std::min(all, wanted);
  for (std::uint32_t k = 0; k < first; ++k) forward(k);
  for (std::uint32_t k = 0; k < all; ++k) {
    if (first + k < all) forward(first + k);
    backward(k);
  }
  return list.take();
}

std::vector<Pass> zb_1p_passes(const PipelineShape& shape, std::uint32_t stage) {
  const std::uint32_t m = shape.micro_batches;
  PassList list(1);
  const std::uint32_t first = std::min(m, shape.stages - stage - 1);
  for (std::uint32_t i = 0; i < first; ++i) list.forward(0);
  for (std::uint32_t i = 0; i < m; ++i) {
    const bool steady = list.forwards(0) < m;
    if (steady) list.forward(0);
    list.input(0);
    const std::uint32_t held = i + 1 - list.count(Pass::Kind::weight_gradient, 0);
    if (!steady || held > stage) list.weight(0);
  }
  while (list.count(Pass::Kind::weight_gradient, 0) < m) list.weight(0);
  return list.take();
}

std::vector<Pass> zb_2p_passes(const PipelineShape& shape, std::uint32_t stage) {
  const std::uint32_t m = shape.micro_batches;
  PassList list(1);
  const std::uint32_t first = std::min(m, 2 * (shape.stages - stage) - 1);
  for (std::uint32_t i = 0; i < first; ++i) list.forward(0);
  for (std::uint32_t i = 0; i < m; ++i) {
    list.input(0);
    const std::uint32_t held = i + 1 - list.count(Pass::Kind::weight_gradient, 0);
    if (held > 2 * stage || list.forwards(0) == m) list.weight(0);
    if (list.forwards(0) < m) list.forward(0);
  }
  while (list.count(Pass::Kind::weight_gradient, 0) < m) list.weight(0);
  return list.take();
}

std::vector<Pass> zb_v_passes(const PipelineShape& shape, std::uint32_t stage) {
  const std::uint32_t m = shape.micro_batches, behind = shape.stages - stage;
  PassList list(2);
  for (std::uint32_t i = 0; i < 2 * behind - 1; ++i) list.forward(0);
  for (std::uint32_t i = 0; i < stage; ++i) {
    list.forward(1);
    list.forward(0);
  }
  for (std::uint32_t i = 0; i < behind; ++i) {
    list.forward(1);
    list.both(1);
  }
  while (list.forwards(1) < m) {
    if (list.forwards(0) < m) list.forward(0);
    list.both(0);
    list.forward(1);
    list.both(1);
  }
  for (std::uint32_t i = 0; i < stage; ++i) {
    list.input(0);
    list.input(1);
  }
  for (std::uint32_t i = 0; i < behind; ++i) list.both(0);
  for (const std::uint32_t chunk : {1u, 0u}) {
    while (list.count(Pass::Kind::weight_gradient, chunk) < list.count(Pass::Kind::input_gradient, chunk))
      list.weight(chunk);
  }
  return list.take();
}

namespace {

// Chunk 0 goes forward from stage 0, chunk 1 from the last one. A stage of the second half sees them the
// other way round. Micro-batches of chunk 1 are the second half.
class BothWays {
 public:
  BothWays(const PipelineShape& shape, std::uint32_t stage)
      : half_(shape.micro_batches / 2), swap_(stage >= shape.stages / 2 ? 1 : 0), list_(2) {}

  void forward(std::uint32_t way, bool with_next = false) {
    put(Pass::Kind::forward, chunk_of(way), forwards_[chunk_of(way)]++, with_next);
  }
  void backward(std::uint32_t way, bool weight_later = false) {
    const std::uint32_t chunk = chunk_of(way), number = backwards_[chunk]++;
    put(weight_later ? Pass::Kind::input_gradient : Pass::Kind::backward, chunk, number, false);
    if (weight_later) later_.push_back({chunk, number});
  }
  void weight() {
    TAHOMA_ASSERT(!later_.empty(), "no weight gradient was put off");
    put(Pass::Kind::weight_gradient, later_.front().first, later_.front().second, false);
    later_.pop_front();
  }
  bool has_weight() const { return !later_.empty(); }
  std::vector<Pass> take() { return list_.take(); }

 private:
  std::uint32_t chunk_of(std::uint32_t way) const { return way ^ swap_; }
  void put(Pass::Kind kind, std::uint32_t chunk, std::uint32_t number, bool with_next) {
    list_.put({kind, with_next, chunk * half_ + number, chunk});
  }

  const std::uint32_t half_, swap_;
  PassList list_;
  std::uint32_t forwards_[2] = {0, 0}, backwards_[2] = {0, 0};
  std::deque<std::pair<std::uint32_t, std::uint32_t>> later_;  // chunk, number in it
};

}  // namespace

std::vector<Pass> dualpipe_passes(const PipelineShape& shape, std::uint32_t stage) {
  const std::uint32_t half = shape.stages / 2, inner = std::min(stage, shape.stages - 1 - stage);
  const std::uint32_t before = half - inner - 1;  // of the middle
  BothWays list(shape, stage);
  for (std::uint32_t i = 0; i < 2 * before; ++i) list.forward(0);
  for (std::uint32_t i = 0; i <= inner; ++i) {
    list.forward(0);
    list.forward(1);
  }
  for (std::uint32_t i = 0; i < before; ++i) {
    list.backward(1, true);
    list.weight();
    list.forward(1);
  }
  for (std::uint32_t i = 0; i < shape.micro_batches / 2 - shape.stages + inner + 1; ++i) {
    // The middle stage has nothing to overlap its first backward with: it waits for that forward itself.
    list.forward(0, i > 0 || before > 0);
    list.backward(1);
    list.forward(1, true);
    list.backward(0);
  }
  for (std::uint32_t i = 0; i < before; ++i) {
    list.backward(1);
    list.forward(1, true);
    list.backward(0);
  }
  bool later = false;
  for (std::uint32_t i = 0; i <= inner; ++i) {
    const bool middle = i == (inner + 1) / 2;
    later = later || (middle && inner % 2 == 1);
    list.backward(1, later);
    later = later || (middle && inner % 2 == 0);
    list.backward(0, later);
  }
  for (std::uint32_t i = 0; i < before; ++i) {
    list.weight();
    list.backward(0, true);
  }
  while (list.has_weight()) list.weight();
  return list.take();
}

}  // namespace tahoma
