// `tahoma schedule FILE`: the schedule of the workload's first row, proven by replay before it is shown.
#include <spdlog/spdlog.h>

#include "apps/cli/commands.h"
#include "apps/cli/schedule_json.h"
#include "apps/cli/terminal.h"
#include "collectives/msccl_text.h"
#include "collectives/print_schedule.h"
#include "collectives/verify.h"
#include "core/errors.h"
#include "scenarios/load.h"
#include "scenarios/run.h"

namespace tahoma {

namespace {

constexpr std::uint32_t most_ranks_to_replay = 64;  // the replay's cost grows with the square of the ranks

}  // namespace

ExitCode schedule_command(const Arguments& arguments) {
  const Schedule schedule = schedule_of(load(arguments.scenario));
  if (schedule.ranks <= most_ranks_to_replay) {
    const Verdict verdict = verify(schedule);
    TAHOMA_ASSERT(verdict.ok, "the schedule does not do what it should: " + verdict.fault);
  } else {
    spdlog::warn("not replayed: {} ranks are more than {}", schedule.ranks, most_ranks_to_replay);
  }
  if (arguments.format == "msccl") {
    print(msccl_text(schedule));
  } else {
    print(arguments.format == "json" ? to_json(schedule) : schedule_text(schedule));
  }
  return ExitCode::ok;
}

}  // namespace tahoma
