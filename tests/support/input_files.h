// Real files of other tools, which are kept beside the repository and not in it: TAHOMA_INPUTS names their
// folder, else it is ../shared/data/inputs. A test that needs them says so and passes where they are absent.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace tahoma {

inline std::filesystem::path inputs_folder() {
  const char* named = std::getenv("TAHOMA_INPUTS");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::path(TAHOMA_SOURCE_DIR) / ".." / "shared" / "data" / "inputs";
}

inline bool has_inputs() {
  const bool there = std::filesystem::is_directory(inputs_folder());
  if (!there) std::cerr << "skipped: no folder " << inputs_folder() << " (set TAHOMA_INPUTS)\n";
  return there;
}

/// All files below `folder` whose name ends so, in order of their names.
inline std::vector<std::string> input_files(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(inputs_folder() / folder)) {
    const std::string name = entry.path().string();
    if (entry.is_regular_file() && name.ends_with(ending)) files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace tahoma
