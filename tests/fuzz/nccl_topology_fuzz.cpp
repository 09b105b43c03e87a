// Any bytes as an NCCL topology: refused with a finished sentence, or read.
#include <cstdint>
#include <string>

#include "core/errors.h"
#include "scenarios/import/nccl_topology.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    tahoma::read_nccl_topology(std::string(data, data + size), "fuzz.xml");
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
