// Algorithms that TACCL (or its forebear SCCL) has synthesized, as JSON -> an MSCCL algorithm.
//
// The format, in its own words: objects tell what they are by `sccl_type`. An `algorithm` holds steps, a step
// sends: [address, source, target], and further the time and latency that the solver reckoned and what the
// target does ("r" stores, "rrc" adds). Addresses number the chunks of the collective; the object
// `collective` says which one it is.
//
// Limit: the four symmetric collectives; a step's times only order its sends.
#pragma once

#include "collectives/importers/json_document.h"
#include "collectives/importers/msccl.h"

namespace tahoma {

bool is_taccl(const JsonDocument& json);
Msccl read_taccl(const JsonDocument& json);

}  // namespace tahoma
