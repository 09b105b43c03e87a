// Any bytes as a schedule of TE-CCL: refused with a finished sentence, or read and written as MSCCL XML that
// reads back to the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "collectives/importers/msccl_program.h"
#include "collectives/importers/teccl.h"
#include "core/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const tahoma::JsonDocument json(std::string(data, data + size), "fuzz.json");
    const tahoma::Msccl algorithm = tahoma::read_teccl(json).algorithm;
    tahoma::prove(algorithm);
    const std::string written = tahoma::to_xml(algorithm);
    if (tahoma::to_xml(tahoma::read_msccl(written, "fuzz.xml")) != written) std::abort();
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
