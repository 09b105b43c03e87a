// The result as JSON, schema tahoma.result/1: the promised fields in a fixed order, then our additions.
//
// Times are decimal seconds made from the integer picoseconds, so that round(x * 1e12) gives them back for
// every time below 2^53 ps (two and a half hours); the text itself is exact without a limit.
#pragma once

#include <string>

#include "scenarios/result.h"

namespace tahoma {

/// `timings` adds `run` (wall time, memory, events) and changes nothing else.
std::string to_json(const Result& result, bool timings);

}  // namespace tahoma
