// Schedules that TE-CCL's solver found, as JSON -> an MSCCL algorithm.
//
// The format, in its own words: `Flows` are texts "Chunk 0 from 5 traveled over 5->6 in epoch 0", with "via
// switches 17" where they cross one; `Demand_Met` says by target, source and chunk when each demand was met;
// in an all-to-all only the names of `chunk paths` do. Times are in epochs of `Epoch_Duration`. Here only
// their order counts: when things happen is for the network to say.
//
// Limits: ranks are the GPUs that the demand names, in order of their numbers (the solver's number of a
// switch is left out). All-gather and all-to-all, as the tool has them. Its all-to-all may split a chunk over
// several paths ("with volume 0.25") without saying which part goes where; that is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "collectives/importers/json_document.h"
#include "collectives/importers/msccl.h"

namespace tahoma {

struct Teccl {
  Msccl algorithm;
  double epoch_s = 0, finish_s = 0, bandwidth_GBps = 0;  // as the solver says; for people
  /// What each rank puts in, by the solver's own bandwidth and time; 0 if it says none.
  std::uint64_t bytes_per_rank = 0;
};

bool is_teccl(const JsonDocument& json);
Teccl read_teccl(const JsonDocument& json);

}  // namespace tahoma
