#include <spdlog/spdlog.h>

#include <variant>

#include "apps/cli/arguments.h"
#include "apps/cli/commands.h"
#include "apps/cli/guard.h"
#include "apps/cli/memory.h"
#include "apps/cli/terminal.h"

namespace tahoma {

namespace {

ExitCode answer(int argc, const char* const* argv) {
  const auto parsed = parse_arguments(argc, argv);
  if (const ExitCode* answered = std::get_if<ExitCode>(&parsed)) return *answered;
  const Arguments& arguments = std::get<Arguments>(parsed);
  const Command& command = *arguments.command;
  if (command.run == nullptr) {
    spdlog::error("`tahoma {}` is not in this version yet", command.name);
    return ExitCode::infeasible;
  }
  return command.run(arguments);
}

}  // namespace

}  // namespace tahoma

int main(int argc, char** argv) {
  tahoma::prepare_memory();
  tahoma::prepare_streams();
  return static_cast<int>(tahoma::guarded([&] { return tahoma::answer(argc, argv); }));
}
