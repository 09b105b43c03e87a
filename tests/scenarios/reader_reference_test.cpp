// The reference page, the key table and the program agree; every YAML block we publish can be read.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "collectives/algorithms.h"
#include "scenarios/key_reference.h"
#include "scenarios/keys.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;
namespace fs = std::filesystem;

namespace {

const std::string page = TAHOMA_SOURCE_DIR "/docs/scenario-reference.md";
constexpr std::string_view marker = "a test compares them. -->\n";

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> yaml_blocks(const std::string& text) {
  std::vector<std::string> blocks;
  for (std::size_t start = text.find("```yaml\n"); start != std::string::npos;
       start = text.find("```yaml\n", start)) {
    start += 8;
    const std::size_t end = text.find("```", start);
    blocks.push_back(text.substr(start, end - start));
    start = end;
  }
  return blocks;
}

void check_blocks_of(const fs::path& file) {
  for (const std::string& block : yaml_blocks(content_of(file))) {
    LoadRequest request = text_request(block);
    request.file = file.string();
    const Refusal refusal = refusal_of(request);
    INFO(file << "\n" << block);
    CHECK(refusal.message.empty());
  }
}

std::vector<std::string> names_in(const char* path) {
  return known_names(*key_at(path));
}

}  // namespace

TEST_CASE("the reference page holds the key table") {
  const std::string text = content_of(page);
  const std::size_t start = text.find(marker);
  REQUIRE(start != std::string::npos);
  const std::string head = text.substr(0, start + marker.size());
  if (std::getenv("TAHOMA_BLESS")) std::ofstream(page) << head << key_reference();
  INFO("run this test with TAHOMA_BLESS=1 to write the page's tables anew");
  CHECK(content_of(page) == head + key_reference());
}

TEST_CASE("every YAML block of README and docs is a scenario that can be read") {
  check_blocks_of(TAHOMA_SOURCE_DIR "/README.md");
  for (const auto& entry : fs::recursive_directory_iterator(TAHOMA_SOURCE_DIR "/docs")) {
    if (entry.path().extension() == ".md") check_blocks_of(entry.path());
  }
}

TEST_CASE("every YAML block of the contract is a scenario that can be read") {
  const fs::path contract = TAHOMA_SOURCE_DIR "/../shared/contract.md";
  if (!fs::exists(contract)) {
    WARN("skipped: the contract is not beside this checkout");
    return;
  }
  check_blocks_of(contract);
}

TEST_CASE("the names in the key table are those of the rooms below") {
  const std::vector<std::string_view> collectives = collective_names();
  CHECK(names_in("workload.collective") == std::vector<std::string>(collectives.begin(), collectives.end()));
  const std::vector<std::string> known = names_in("workload.algorithm");
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.name);
    CHECK(std::find(known.begin(), known.end(), algorithm.name) != known.end());
  }
}

TEST_CASE("every row of the key table says what it is") {
  for (const Key& key : keys()) {
    CAPTURE(key.path);
    CHECK(key_at(key.path) == &key);
    if (!key.path.ends_with('*') && !key.path.starts_with("workload.algorithm.")) CHECK(!key.meaning.empty());
    if (key.type == ValueType::choice) CHECK(!known_names(key).empty());
  }
  CHECK(key_at("workload.jobs.3.sizes") == key_at("workload.sizes"));
  CHECK(key_at("fabric.scale_out.0.rails") == key_at("fabric.scale_up.0.rails"));
  CHECK(key_at("workload.jobs.0.jobs") == nullptr);
  CHECK(key_at("nothing") == nullptr);
}
