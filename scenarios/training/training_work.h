// A training workload as it was asked for: the model, what is fixed about the split, and what is open.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "scenarios/training/model.h"
#include "scenarios/training/parallel.h"

namespace tahoma {

/// The values that each degree may take; an empty list: any that is legal.
struct TrainingChoices {
  std::vector<std::uint32_t> tp, pp, dp, cp, ep, vp, zero, micro_batch;
  std::vector<Recompute> recompute;
  std::vector<bool> sp;
  std::vector<PipelineSchedule> schedule;
};

struct TrainingWork {
  Model model;
  Parallel base;  // what has no choice: seq, global_batch, dtype, order, overlaps, ...
  TrainingChoices choices;
  std::uint64_t ranks = 0;              // that take part
  std::uint32_t etp = 0;                // 0: one where ep splits the experts, else tp
  bool per_server_dispatch = false;     // one copy of a token per scale-up domain
  bool ignores_memory = false;          // what does not fit is told, not refused
  bool idle_ranks = false;              // dp is open and all other degrees too: some ranks may be left over
  std::optional<std::uint64_t> tokens;  // of the whole training
  std::optional<std::uint64_t> deadline_s;  // for it
  FlopsConvention flops;
  Place place;
};

}  // namespace tahoma
