// Any bytes as a scenario: the reader answers with a scenario or a finished sentence, in bounded time and
// memory.
//
// What reads back from resolved.yaml must read back to the same text; that is checked on everything accepted.
#include <cstdint>
#include <cstdlib>

#include "core/errors.h"
#include "scenarios/load.h"

namespace {

/// Files the input may name are none of the fuzzer's business, nor clusters that fill the machine.
bool reads_files(const std::string& text) {
  return text.find("file") != std::string::npos || text.find("extends") != std::string::npos ||
         text.find("pattern") != std::string::npos;
}

tahoma::LoadRequest request_of(const std::string& text) {
  tahoma::LoadRequest request;
  request.file = "fuzz.yaml";
  request.text = text;
  request.needs_workload = false;
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  if (reads_files(text)) return 0;
  try {
    const tahoma::Scenario scenario = tahoma::load(request_of(text));
    const tahoma::Scenario again = tahoma::load(request_of(scenario.resolved_yaml));
    if (again.resolved_yaml != scenario.resolved_yaml) std::abort();
  } catch (const tahoma::ScenarioError&) {
  } catch (const tahoma::InfeasibleError&) {
  }
  return 0;
}
