// `tahoma import KIND FILE`: another tool's file as a scenario.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "core/errors.h"
#include "core/nearest.h"
#include "scenarios/import/import.h"

namespace tahoma {

namespace {

const ImportKind& kind_named(const std::string& name) {
  std::vector<std::string> names;
  for (const ImportKind& kind : import_kinds()) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  std::string listed;
  for (const std::string& known : names) listed += (listed.empty() ? "" : ", ") + known;
  const std::string near = nearest(name, names);
  throw UsageError("'" + name + "' is no kind of file that can be imported; accepted: " + listed +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace

ExitCode import_command(const Arguments& arguments) {
  namespace fs = std::filesystem;
  const ImportKind& kind = kind_named(arguments.kind);
  ImportRequest request;
  request.file = arguments.name;
  request.name_in_scenario = arguments.name;
  request.preset = arguments.preset;
  request.ranks = arguments.ranks;
  request.system = arguments.system;
  request.collective = arguments.collective;
  if (!arguments.out.empty()) {
    std::error_code error;
    const fs::path beside = fs::proximate(arguments.name, fs::absolute(arguments.out).parent_path(), error);
    if (!error) request.name_in_scenario = beside.string();
  }
  const std::string yaml = import_scenario(kind, request);
  if (arguments.out.empty()) {
    print(yaml);
    return ExitCode::ok;
  }
  std::ofstream file(arguments.out, std::ios::binary);
  file << yaml;
  file.flush();
  if (!file) throw MachineError("cannot write " + arguments.out);
  return ExitCode::ok;
}

}  // namespace tahoma
