// `tahoma check FILE...`: one file's mistake does not hide the next one's.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "apps/cli/commands.h"
#include "apps/cli/guard.h"
#include "apps/cli/terminal.h"
#include "scenarios/check_schedules.h"
#include "scenarios/load.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

ExitCode check_one(const std::string& file) {
  return guarded([&] {
    const Scenario scenario = load({file, {}, {}});
    check_schedules(scenario);
    for (const std::string& warning : scenario.warnings) spdlog::warn("{}", warning);
    print(printable(file) + ": ok\n");
    return ExitCode::ok;
  });
}

// An invalid file outranks one that is valid but not answerable; a fault of the machine outranks both.
int severity(ExitCode code) {
  if (code == ExitCode::ok) return 0;
  if (code == ExitCode::infeasible) return 1;
  return code == ExitCode::invalid ? 2 : 3;
}

}  // namespace

ExitCode check_command(const Arguments& arguments) {
  ExitCode worst = ExitCode::ok;
  for (const std::string& file : arguments.files) {
    worst =
        std::max(worst, check_one(file), [](ExitCode a, ExitCode b) { return severity(a) < severity(b); });
  }
  return worst;
}

}  // namespace tahoma
