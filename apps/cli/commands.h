// The commands as one table of rows: name, what it does, what it takes, an example, the function.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "apps/cli/arguments.h"
#include "apps/cli/exit_code.h"

namespace tahoma {

/// What a command takes; a row holds their sum.
enum Takes : std::uint32_t {
  takes_scenario = 1,    // FILE, -f, --set, --seed
  takes_files = 2,       // FILE...
  takes_name = 4,        // [NAME]
  takes_path = 8,        // --path
  takes_run_flags = 16,  // --out, --solver, --timings
  takes_two = 32,        // A B, --threshold
  takes_claims = 64,     // --claims
  takes_data = 128,      // --data, --only, --set, --show, --out, --threshold
  takes_import = 256,    // KIND FILE, --preset, --out
  takes_sweep = 512,     // [DIR], -m, -j, --out, --resume, --dry-run, --strict, --max-points, --shard, --of
};

struct Command {
  std::string_view name;
  std::string_view purpose;
  std::uint32_t takes = 0;
  std::span<const std::string_view> formats;    // of --format, the first is the default; empty: no such flag
  std::string_view help;                        // examples and what to know, below the list of flags
  ExitCode (*run)(const Arguments&) = nullptr;  // null: the name is known, the command is not built yet
};

std::span<const Command> commands();

ExitCode run_command(const Arguments& arguments);
ExitCode check_command(const Arguments& arguments);
ExitCode explain_command(const Arguments& arguments);
ExitCode presets_command(const Arguments& arguments);
ExitCode topology_command(const Arguments& arguments);
ExitCode algorithms_command(const Arguments& arguments);
ExitCode schedule_command(const Arguments& arguments);
ExitCode compare_command(const Arguments& arguments);
ExitCode import_command(const Arguments& arguments);
ExitCode sweep_command(const Arguments& arguments);
ExitCode stack_command(const Arguments& arguments);
ExitCode schema_command(const Arguments& arguments);
ExitCode validate_command(const Arguments& arguments);

}  // namespace tahoma
