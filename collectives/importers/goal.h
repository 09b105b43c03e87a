// A schedule in GOAL, the language of LogGOPSim: what each rank sends, receives and computes, as text.
//
//   num_ranks 2
//   rank 0 {
//   l1: calc 1000 cpu 1
//   l2: send 64b to 1 tag 5
//   l2 requires l1
//   }
//
// A label names an operation; `requires` waits for its end, `irequires` for its beginning. Times are
// nanoseconds, sizes bytes. It is read as a trace per rank (chakra.h), with lines for ids.
//
// Limits: receiving from anybody or with any tag ("-1") is refused, since who comes first would be the
// answer; so is `irequires` on a computation, which may have to wait for its cpu, and any nic but 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectives/importers/chakra.h"

namespace tahoma {

/// Whether it begins like one.
bool is_goal(std::string_view content);

/// A trace per rank. Throws ScenarioError with file, line and column.
std::vector<ChakraTrace> read_goal(std::string_view content, const std::string& file);

}  // namespace tahoma
