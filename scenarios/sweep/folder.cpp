#include "scenarios/sweep/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "core/errors.h"
#include "scenarios/write_results.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view part_suffix = ".part";
constexpr std::size_t most_manifest_bytes = std::size_t{256} << 20;

[[noreturn]] void cannot(const std::string& what, const std::string& path, int error) {
  throw MachineError("cannot " + what + " " + path + ": " + std::generic_category().message(error));
}

std::string manifest_of(const std::string& folder) {
  return (fs::path(folder) / "sweep.json").string();
}

fs::path shards_of(const std::string& folder) {
  return fs::path(folder) / "points";
}

/// shard files in the order of their names, whole ones and parts.
std::vector<fs::path> shard_files(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(shards_of(folder), error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".jsonl") || name.ends_with(".jsonl.part")) files.push_back(entry.path());
  }
  if (error && error != std::errc::no_such_file_or_directory)
    cannot("read", shards_of(folder).string(), error.value());
  std::sort(files.begin(), files.end());
  return files;
}

void write_line(int file, std::string_view line, const std::string& path) {
  while (!line.empty()) {
    const ssize_t written = ::write(file, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot("write", path, errno);
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Up to the last newline: behind it is what a killed process had begun.
std::uint64_t whole_bytes(const std::string& text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? 0 : end + 1;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = (fs::path(folder) / "lock").string();
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) cannot("write into", folder, errno);
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(file_);
    if (error == EWOULDBLOCK)
      throw MachineError(folder + " is in use: another process computes or merges there");
    cannot("lock", path, error);
  }
}

FolderLock::~FolderLock() {
  ::close(file_);
}

void claim_folder(const std::string& folder, const SweepPlan& plan, bool resume) {
  const std::string manifest = manifest_of(folder);
  if (fs::exists(manifest)) {
    const SweepPlan there = plan_of_folder(folder, plan.version);
    if (plan_id(there) != plan_id(plan))
      throw ScenarioError(folder + " holds another sweep: name another folder, or remove that one");
    if (!resume) throw ScenarioError(folder + " holds this sweep already: --resume goes on with it");
    return;
  }
  if (fs::exists(folder) && !fs::is_empty(folder) &&
      std::any_of(fs::directory_iterator(folder), fs::directory_iterator(), [](const auto& entry) {
        const std::string name = entry.path().filename().string();
        return name != "lock";
      })) {
    throw ScenarioError(folder + " is not empty and holds no sweep: name another folder");
  }
  prepare_folder(folder);
  prepare_folder(shards_of(folder).string());
  write_text((fs::path(folder) / "plan.jsonl").string(), plan_lines(plan));
  write_text(manifest, manifest_text(plan));
}

SweepPlan plan_of_folder(const std::string& folder, const std::string& version) {
  const std::string manifest = manifest_of(folder);
  if (!fs::exists(manifest)) throw ScenarioError(folder + " holds no sweep: there is no sweep.json");
  return plan_from_manifest(read_text_file(manifest, {"command line", 0, 0}, most_manifest_bytes), manifest,
                            version);
}

ShardWriter::ShardWriter(const std::string& folder, const std::string& name)
    : part_((shards_of(folder) / (name + ".jsonl.part")).string()),
      whole_((shards_of(folder) / (name + ".jsonl")).string()) {
  file_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) cannot("write", part_, errno);
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw MachineError(part_ + " is in use: another process computes this shard");
  }
  const std::string left = read_text_file(part_, {"command line", 0, 0}, most_manifest_bytes);
  const auto keep = static_cast<off_t>(whole_bytes(left));
  lines_ = static_cast<std::uint64_t>(std::count(left.begin(), left.begin() + keep, '\n'));
  if (::ftruncate(file_, keep) != 0 || ::lseek(file_, 0, SEEK_END) < 0) {
    const int error = errno;
    ::close(file_);
    cannot("write", part_, error);
  }
}

ShardWriter::~ShardWriter() {
  if (file_ >= 0) ::close(file_);
}

void ShardWriter::add(const std::string& line) {
  write_line(file_, line, part_);
  ++lines_;
}

void ShardWriter::finish() {
  if (::fsync(file_) != 0 && errno != EINVAL) cannot("write", part_, errno);
  ::close(std::exchange(file_, -1));
  if (std::rename(part_.c_str(), whole_.c_str()) != 0) cannot("write", whole_, errno);
}

void close_parts(const std::string& folder) {
  for (const fs::path& file : shard_files(folder)) {
    std::string name = file.filename().string();
    if (!name.ends_with(part_suffix)) continue;
    name.resize(name.size() - std::string_view(".jsonl.part").size());
    std::error_code ignored;
    // Beside a whole shard of that name (a task that was sent anew) the part gets a name of its own.
    if (fs::exists(shards_of(folder) / (name + ".jsonl"), ignored)) {
      const std::string other = free_shard_name(folder);
      fs::rename(file, shards_of(folder) / (other + ".jsonl.part"), ignored);
      name = other;
    }
    ShardWriter(folder, name).finish();
  }
}

std::string free_shard_name(const std::string& folder) {
  std::uint64_t next = 0;
  for (const fs::path& file : shard_files(folder)) {
    const std::string name = file.filename().string();
    constexpr std::string_view prefix = "shard-";
    std::uint64_t number = 0;
    if (!name.starts_with(prefix)) continue;
    const auto read = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
    if (read.ec == std::errc{}) next = std::max(next, number + 1);
  }
  return fmt::format("shard-{:05}", next);
}

FolderRecords read_records(const std::string& folder, const SweepPlan& plan) {
  FolderRecords all;
  all.records.resize(plan.points);
  for (const fs::path& file : shard_files(folder)) {
    const std::string text = read_text_file(file.string(), {"command line", 0, 0}, std::size_t{16} << 30);
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      PointRecord record;
      // A line without its newline may lack more than that.
      const bool good =
          end < text.size() && read_line(plan, std::string_view(text).substr(start, end - start), record);
      start = end + 1;
      if (!good) {
        ++all.damaged;
        continue;
      }
      PointRecord& place = all.records[record.point];
      if (place.status.empty()) ++all.done;
      place = std::move(record);
    }
  }
  all.failed = static_cast<std::uint64_t>(std::count_if(
      all.records.begin(), all.records.end(), [](const PointRecord& r) { return r.status == "failed"; }));
  return all;
}

}  // namespace tahoma
