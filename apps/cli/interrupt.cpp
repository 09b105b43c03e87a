#include "apps/cli/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "apps/cli/exit_code.h"

namespace tahoma {

namespace {

std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) {
  if (interrupt_requested.exchange(true)) ::_exit(static_cast<int>(ExitCode::interrupted));
  constexpr std::string_view note =
      "\ntahoma: interrupted; the row in flight is being finished (again to stop at once)\n";
  (void)!::write(STDERR_FILENO, note.data(), note.size());
}

void set_handler(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  interrupt_requested = false;
  set_handler(on_interrupt);
}

Interrupt::~Interrupt() {
  set_handler(SIG_DFL);
}

const std::atomic<bool>& Interrupt::requested() const {
  return interrupt_requested;
}

}  // namespace tahoma
