#include "scenarios/write_results.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "scenarios/result_csv.h"
#include "scenarios/result_json.h"

namespace tahoma {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view pending_suffix = ".part";

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error) {
  throw MachineError("cannot " + what + " " + path.string() + ": " + std::generic_category().message(error));
}

void write_whole(int file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// A full disk may show itself only when the data leave the cache, or at close; hence the sync.
void write_file(const fs::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail("write", path, errno);
  try {
    write_whole(file, text, path);
    if (::fsync(file) != 0 && errno != EINVAL) fail("write", path, errno);
  } catch (...) {
    ::close(file);
    throw;
  }
  if (::close(file) != 0) fail("write", path, errno);
}

fs::path pending(const fs::path& path) {
  return path.string() + std::string(pending_suffix);
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

void prepare_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("make the folder", folder, error.value());
  if (!fs::is_directory(folder, error)) fail("write into", folder, ENOTDIR);
  // A disk that takes no 64 KiB now will not take the results later.
  const fs::path trial = fs::path(folder) / (".tahoma" + std::string(pending_suffix));
  try {
    write_file(trial, std::string(std::size_t{64} << 10, '\n'));
  } catch (...) {
    remove_quietly(trial);
    throw;
  }
  remove_quietly(trial);
}

void write_text(const std::string& file, const std::string& text) {
  const fs::path path = file;
  try {
    write_file(pending(path), text);
  } catch (...) {
    remove_quietly(pending(path));
    throw;
  }
  if (std::rename(pending(path).c_str(), path.c_str()) != 0) fail("write", path, errno);
}

void write_results(const std::string& folder, const ResultFiles& files) {
  const Result& result = files.result;
  std::vector<std::pair<fs::path, std::string>> contents;
  const auto add = [&](const char* name, std::string text) {
    contents.emplace_back(fs::path(folder) / name, std::move(text));
  };
  add("result.json", to_json(result, files.timings));
  add("result.csv", collectives_csv(result));
  add("links.csv", links_csv(result));
  add("resolved.yaml", files.resolved_yaml);
  const fs::path flows = fs::path(folder) / "flows.csv";
  if (!result.flows.empty()) add("flows.csv", flows_csv(result));
  if (!result.training.empty()) add("training.csv", training_csv(result));
  try {
    for (const auto& [path, text] : contents) write_file(pending(path), text);
    for (const auto& [path, text] : contents) {
      if (std::rename(pending(path).c_str(), path.c_str()) != 0) fail("write", path, errno);
    }
  } catch (...) {
    for (const auto& [path, text] : contents) remove_quietly(pending(path));
    throw;
  }
  if (result.flows.empty()) remove_quietly(flows);
}

}  // namespace tahoma
