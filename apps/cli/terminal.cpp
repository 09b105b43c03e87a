#include "apps/cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::size_t cells = 30;  // of the progress bar

bool environment_has(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_capable_terminal(int stream) {
  if (::isatty(stream) == 0) return false;
  const char* kind = std::getenv("TERM");
  return kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

bool is_coloured(int stream) {
  return is_capable_terminal(stream) && !environment_has("NO_COLOR");
}

// open() takes the lowest free number, which is the closed stream's.
void occupy_if_closed(int stream, int flags) {
  if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", flags);
}

}  // namespace

void prepare_streams() {
  occupy_if_closed(STDIN_FILENO, O_RDONLY);
  occupy_if_closed(STDOUT_FILENO, O_RDONLY);  // a write fails, as it did while the stream was closed
  occupy_if_closed(STDERR_FILENO, O_WRONLY);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
      is_coloured(STDERR_FILENO) ? spdlog::color_mode::always : spdlog::color_mode::never);
  auto log = std::make_shared<spdlog::logger>("tahoma", std::move(sink));
  log->set_pattern("tahoma: %^%l%$: %v");
  log->set_error_handler([](const std::string&) {});  // a broken stderr is nobody's result
  spdlog::set_default_logger(std::move(log));
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno == EPIPE) {
      return;
    } else if (errno != EINTR) {
      throw MachineError("cannot write to stdout: " + std::generic_category().message(errno));
    }
  }
}

TextStyle stdout_style() {
  TextStyle style;
  style.colour = is_coloured(STDOUT_FILENO);
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    constexpr std::size_t narrowest = 60;
    style.width = std::clamp<std::size_t>(size.ws_col, narrowest, style.width);
  }
  return style;
}

Progress::Progress() : wanted_(is_capable_terminal(STDERR_FILENO)) {
  draw(0, "first row");
}

Progress::~Progress() {
  constexpr std::string_view erase_line = "\r\033[K";
  if (shown_) (void)!::write(STDERR_FILENO, erase_line.data(), erase_line.size());
}

void Progress::show(std::size_t done, std::size_t total) {
  show(done, total, "row " + std::to_string(done) + " of " + std::to_string(total));
}

void Progress::show(std::size_t done, std::size_t total, const std::string& note) {
  if (total != 0) draw(std::min(done, total) * cells / total, note);
}

void Progress::draw(std::size_t full, const std::string& note) {
  if (!wanted_) return;
  shown_ = true;
  const std::string line =
      "\r[" + std::string(full, '#') + std::string(cells - full, '.') + "] " + note + "\033[K";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace tahoma
