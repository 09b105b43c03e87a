// Any bytes as MSCCL XML: refused with a finished sentence, or read, written and read again to the same
// value.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "collectives/importers/msccl_program.h"
#include "core/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  try {
    const tahoma::Msccl algorithm = tahoma::read_msccl(text, "fuzz.xml");
    const std::string written = tahoma::to_xml(algorithm);
    if (tahoma::to_xml(tahoma::read_msccl(written, "fuzz.xml")) != written) std::abort();
    tahoma::prove(algorithm);
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
