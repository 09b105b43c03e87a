#pragma once

#include <stdexcept>

namespace tahoma {

/// The command line is wrong: exit 1.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tahoma
