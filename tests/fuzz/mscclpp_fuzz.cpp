// Any bytes as a plan of MSCCL++: refused with a finished sentence, or read and proven.
#include <cstdint>
#include <string>

#include "collectives/importers/mscclpp.h"
#include "core/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const tahoma::JsonDocument json(std::string(data, data + size), "fuzz.json");
    tahoma::listed_of(tahoma::read_mscclpp(json)).program(1 << 16, 2, 1);
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
