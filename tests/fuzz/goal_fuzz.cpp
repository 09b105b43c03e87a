// Any bytes as a GOAL schedule: refused with a finished sentence, or a program that can be done.
#include <cstdint>
#include <string>
#include <vector>

#include "collectives/importers/goal.h"
#include "collectives/importers/trace_program.h"
#include "core/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto traces = tahoma::read_goal(std::string(data, data + size), "fuzz.goal");
    if (traces.size() > 1024) return 0;  // empty ranks cost memory and tell nothing
    tahoma::program_of_traces(traces, static_cast<std::uint32_t>(traces.size()),
                              [](tahoma::RankProgram&, tahoma::Collective, std::uint64_t, auto, const auto&) {
                                return std::vector<std::uint32_t>{};
                              });
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
