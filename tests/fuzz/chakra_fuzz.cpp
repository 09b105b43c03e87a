// Any bytes as a Chakra trace: refused with a finished sentence, or read, written as JSON and read again the
// same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "collectives/importers/chakra.h"
#include "collectives/importers/gunzip.h"
#include "core/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(data, data + size);
  try {
    if (tahoma::is_gzip(text)) text = tahoma::gunzip(text, "fuzz.gz", std::size_t{1} << 24);
    const std::string written = tahoma::to_json(tahoma::read_chakra(text, "fuzz.et"));
    if (tahoma::to_json(tahoma::read_chakra(written, "fuzz.json")) != written) std::abort();
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
