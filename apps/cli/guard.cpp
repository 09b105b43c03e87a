#include "apps/cli/guard.h"

#include <spdlog/spdlog.h>

#include <exception>
#include <new>

#include "apps/cli/usage_error.h"
#include "core/errors.h"

namespace tahoma {

ExitCode guarded(const std::function<ExitCode()>& work) {
  try {
    return work();
  } catch (const UsageError& error) {
    spdlog::error("{}", error.what());
    return ExitCode::usage;
  } catch (const ScenarioError& error) {
    spdlog::error("{}", error.what());
    return ExitCode::invalid;
  } catch (const InfeasibleError& error) {
    spdlog::error("cannot answer this: {}", error.what());
    return ExitCode::infeasible;
  } catch (const std::bad_alloc&) {
    spdlog::error("cannot answer this: it needs more memory than this machine gives");
    return ExitCode::infeasible;
  } catch (const MachineError& error) {
    spdlog::error("{}", error.what());
    return ExitCode::fault;
  } catch (const std::exception& error) {
    spdlog::critical("a fault of Tahoma itself, please report it with the scenario: {}", error.what());
    return ExitCode::fault;
  }
}

}  // namespace tahoma
