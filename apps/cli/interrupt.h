// Ctrl-C while a run is under way: the first one lets the row in flight finish, so that what is printed is
// valid and worth its time; the second one ends the program at once.
#pragma once

#include <atomic>

namespace tahoma {

/// Catches SIGINT as long as it lives. One at a time: a signal handler has no other place for its state.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  const std::atomic<bool>& requested() const;
};

}  // namespace tahoma
