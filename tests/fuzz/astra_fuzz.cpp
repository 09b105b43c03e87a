// Any bytes as ASTRA-sim's network and as its system: refused with a finished sentence, or read.
#include <cstdint>
#include <string>

#include "core/errors.h"
#include "scenarios/import/astra_system.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  try {
    tahoma::read_astra_network(text, "fuzz.yml");
  } catch (const tahoma::ScenarioError&) {
  }
  try {
    tahoma::read_astra_system(text, "fuzz.json");
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
