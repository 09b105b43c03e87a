// Two kinds of failure, never mixed.
//
// A mistake of the user is an exception that says where, what, and what to do; a mistake of ours is an
// assertion that is always on. Exit codes are those of the command line's contract.
#pragma once

#include <stdexcept>
#include <string>

namespace tahoma {

/// The scenario or an input file is wrong: exit 2. `what()` is a finished sentence with its place.
class ScenarioError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The question is well formed but cannot be answered (unreachable ranks, memory, not supported): exit 3.
class InfeasibleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The machine failed us (disk full, unwritable folder): exit 5.
class MachineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A broken promise of ours: exit 5 with file and line.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line, const std::string& why);

}  // namespace tahoma

/// Always on, in every build: a wrong answer costs more than the check.
#define TAHOMA_ASSERT(condition, why) \
  (static_cast<bool>(condition) ? void(0) : ::tahoma::assertion_failed(#condition, __FILE__, __LINE__, why))
