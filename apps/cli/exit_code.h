// What the program's exit status means: public, and the same for every command.
#pragma once

namespace tahoma {

enum class ExitCode : int {
  ok = 0,
  usage = 1,       // the command line
  invalid = 2,     // a scenario or input file
  infeasible = 3,  // well formed, but cannot be answered: memory, unreachable ranks, not supported
  not_held = 4,    // an `assert:` failed
  fault = 5,       // the machine's or ours: disk full, unwritable folder, internal error
  interrupted = 130
};

}  // namespace tahoma
