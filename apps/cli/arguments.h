// The command line as a value.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "apps/cli/exit_code.h"
#include "scenarios/load.h"

namespace tahoma {

struct Command;

struct Arguments {
  const Command* command = nullptr;
  LoadRequest scenario;            // FILE, -f, --set, --seed
  std::vector<std::string> files;  // check
  std::string name;                // presets; import: FILE
  bool claims = false;             // presets --claims
  std::string path;                // explain --path
  std::string format;              // "" = not said
  std::string out;
  std::string trace;
  std::string solver = "auto";
  bool timings = false;
  std::string kind, preset;             // import
  std::string system, collective;       // import
  std::uint32_t ranks = 0;              // import
  std::string first, second;            // compare
  std::vector<std::string> thresholds;  // compare, validate
  std::string data, show;               // validate
  std::vector<std::string> only;        // validate
  bool training = false;                // validate
  struct Sweep {
    std::string folder;                   // of status, merge and run-shard
    std::vector<std::string> multiplied;  // -m
    std::uint32_t jobs = 0;               // 0: one per core
    std::uint64_t most_points = 100'000;
    std::uint64_t shard = 0, of = 1;
    std::string executor = "local";
    std::uint64_t most_tasks = 1000;
    bool submit = false;
    bool resume = false, dry_run = false, only_plan = false, strict = false;
  } sweep;
};

/// The arguments, or the exit code of what was already answered (help). Throws UsageError.
std::variant<Arguments, ExitCode> parse_arguments(int argc, const char* const* argv);

}  // namespace tahoma
