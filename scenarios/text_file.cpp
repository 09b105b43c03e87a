#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "scenarios/complaint.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

std::string read_text_file(const std::string& file, const Place& asked_by, std::size_t most) {
  const auto fail = [&](const std::string& why) {
    throw ScenarioError(fmt::format("{}: the file '{}' {}", to_string(asked_by), file, why));
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) fail("does not exist");
  if (std::filesystem::is_directory(status)) fail("is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("cannot be opened");
  std::string text;
  std::array<char, 1 << 16> block;
  while (stream && text.size() <= most) {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) fail("cannot be read");
  if (text.size() > most) fail(fmt::format("is larger than {} MiB", most >> 20));
  return text;
}

}  // namespace tahoma
