// The fuzzer's corpus, once, in every run of the tests: each input is a scenario or is refused with a
// sentence.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/scenarios/reader_support.h"

using namespace tahoma;
namespace fs = std::filesystem;

TEST_CASE("every input of the fuzzer's corpus is read or refused with a place") {
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(TAHOMA_SOURCE_DIR "/tests/fuzz/corpus")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    CAPTURE(entry.path());
    const Refusal refusal = refusal_of(text_request(text.str()));
    if (refusal.exit_code != 0) CHECK(refusal.message.substr(0, 7) == "x.yaml:");
    ++seen;
  }
  CHECK(seen >= 20);
}
