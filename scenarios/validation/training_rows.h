// Measured training steps: what was trained on which hardware, split how, and how long a step took.
//
// Two sets of columns are read. What a row does not print is empty here and left to the mapping. A step that
// was printed is taken as it is; else it follows from tokens per second and the batch, else from FLOPs,
// counted as the row's hardware counts them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "scenarios/scenario.h"
#include "scenarios/training/model.h"

namespace tahoma {

struct MeasuredStep {
  std::string id, source;
  std::string model;
  double parameters = 0;  // as its name says, in 10^9; 0: not printed
  std::uint32_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, ffn = 0, vocab = 0;
  std::uint64_t seq = 0, global_batch = 0, chips = 0;
  std::uint32_t tp = 0, pp = 0, dp = 0, cp = 0, ep = 0, vp = 0, micro_batch = 0;  // 0: not printed
  bool sharded = false;  // weights sharded over dp: said, or neither tp nor pp is printed
  std::string recompute, dtype;
  std::string preset, nic, transport, oversubscription;
  std::uint32_t ranks_per_chip = 1, slices = 1, node = 0;  // chips of a server where its text says so
  double step_s = 0, tokens_per_s = 0, tflops = 0;         // per chip; 0: not printed
  Place place;
};

/// Throws ScenarioError with file, line and column.
std::vector<MeasuredStep> read_measured_steps(std::string_view text, const std::string& file);

/// The rows that come with the program, scenarios/validation/open_steps.csv.
const std::vector<MeasuredStep>& open_steps();

}  // namespace tahoma
