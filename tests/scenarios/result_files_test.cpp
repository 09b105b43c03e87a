#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/errors.h"
#include "scenarios/result_csv.h"
#include "scenarios/result_json.h"
#include "scenarios/write_results.h"
#include "tests/scenarios/result_sample.h"

using namespace tahoma;
namespace fs = std::filesystem;

namespace {

// A folder of its own that is gone afterwards.
struct Scratch {
  fs::path path;
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "tahoma-files-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Scratch() { fs::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("a run's folder holds the result, the tables and the resolved scenario, and no leftovers") {
  const Scratch scratch;
  const std::string folder = scratch.path / "deep" / "out";
  prepare_folder(folder);
  CHECK(files_in(folder).empty());
  const Result result = sample::result();
  write_results(folder, {result, "name: x\n"});
  CHECK(files_in(folder) ==
        std::vector<std::string>{"links.csv", "resolved.yaml", "result.csv", "result.json"});
  CHECK(content(fs::path(folder) / "result.json") == to_json(result, false));
  CHECK(content(fs::path(folder) / "result.csv") == collectives_csv(result));
  CHECK(content(fs::path(folder) / "resolved.yaml") == "name: x\n");
}

TEST_CASE("flows.csv appears with flows, and an old one does not stay beside a new result") {
  const Scratch scratch;
  Result result = sample::result();
  result.flows = {sample::flow("a", 1)};
  write_results(scratch.path, {result, ""});
  CHECK(content(scratch.path / "flows.csv") == flows_csv(result));
  write_results(scratch.path, {sample::result(), ""});
  CHECK_FALSE(fs::exists(scratch.path / "flows.csv"));
}

TEST_CASE("a folder that cannot be made or written is a fault of the machine, found before the run") {
  const Scratch scratch;
  std::ofstream(scratch.path / "file") << "not a folder";
  CHECK_THROWS_AS(prepare_folder(scratch.path / "file"), MachineError);
  CHECK_THROWS_AS(prepare_folder(scratch.path / "file" / "below"), MachineError);
  CHECK_THROWS_AS(prepare_folder("/proc/tahoma-cannot-be-made"), MachineError);
}

TEST_CASE("when one file cannot be written, the earlier results stay whole and nothing is left behind") {
  const Scratch scratch;
  write_results(scratch.path, {sample::result(), "old\n"});
  const std::string before = content(scratch.path / "result.json");
  fs::create_directory(scratch.path / "links.csv.part");  // stands in the way of the third file
  Result changed = sample::result();
  changed.name = "changed";
  CHECK_THROWS_AS(write_results(scratch.path, {changed, "new\n"}), MachineError);
  CHECK(content(scratch.path / "result.json") == before);
  CHECK(content(scratch.path / "resolved.yaml") == "old\n");
  CHECK_FALSE(fs::exists(scratch.path / "result.json.part"));
}
