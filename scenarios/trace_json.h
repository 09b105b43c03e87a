// The history of one row as a trace that Perfetto and chrome://tracing open.
//
// Processes are the groups that ranks belong to (a server, an UltraServer), threads a rank's channels; an
// arrow leads from each message to those that its end let start. A message lasts until its last byte has
// left, so that those of a channel do not overlap; its arrival is among its arguments. A counter per tier
// shows how busy its links are. Times are exact: microseconds with six decimals are picoseconds. The size
// rule is collectives/solve/trace.h's: at most 200,000 messages; of ranks that are alike one is drawn.
#pragma once

#include <string>

#include "collectives/schedule.h"
#include "collectives/solve/trace.h"

namespace tahoma {

/// `phases`: by program, the schedules whose phases the messages name.
std::string trace_json(const Trace& trace, const Topology& topology,
                       const std::vector<const Schedule*>& schedules);

}  // namespace tahoma
