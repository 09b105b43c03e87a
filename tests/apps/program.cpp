#include "tests/apps/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tahoma::program {

namespace {

namespace fs = std::filesystem;

struct Ends {
  int ours = -1, theirs = -1;
};

void require(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(std::string("the test harness cannot ") + what);
}

Ends open_stream(Stream stream) {
  Ends ends;
  if (stream == Stream::pipe) {
    std::array<int, 2> pipe_ends{};
    require(::pipe2(pipe_ends.data(), O_CLOEXEC) == 0, "make a pipe");
    ends = {pipe_ends[0], pipe_ends[1]};
  } else if (stream == Stream::terminal) {
    ends.ours = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    require(ends.ours >= 0 && ::grantpt(ends.ours) == 0 && ::unlockpt(ends.ours) == 0, "make a terminal");
    ends.theirs = ::open(::ptsname(ends.ours), O_RDWR | O_NOCTTY | O_CLOEXEC);
    require(ends.theirs >= 0, "open the terminal");
  } else if (stream == Stream::full_device) {
    ends.theirs = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    require(ends.theirs >= 0, "open /dev/full");
  }
  return ends;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void place(int from, int stream) {
  if (from < 0) {
    ::close(stream);
  } else {
    ::dup2(from, stream);
  }
}

// Reads both streams until both have ended. A terminal ends with an error instead of an end of file.
void collect(const Start& start, int process, int out, int err, Outcome& outcome) {
  std::array<pollfd, 2> ends{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    require(::poll(ends.data(), ends.size(), -1) >= 0, "wait for the program");
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      std::array<char, 65536> buffer{};
      const ssize_t size = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (size <= 0) {
        ::close(ends[i].fd);
        ends[i].fd = -1;
        continue;
      }
      (i == 0 ? outcome.out : outcome.err).append(buffer.data(), static_cast<std::size_t>(size));
      if (i == 1 && start.on_err) start.on_err(process, outcome.err);
    }
  }
}

}  // namespace

Outcome run(const Start& start) {
  std::vector<std::string> words{TAHOMA_PROGRAM};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<std::string> environment = start.environment;  // the first one of a name counts
  environment.insert(environment.end(), {"PATH=/usr/bin:/bin", "TERM=xterm"});
  const std::vector<char*> argv = pointers_to(words);
  const std::vector<char*> envp = pointers_to(environment);
  const Ends out = open_stream(start.out);
  const Ends err = open_stream(start.err);

  const pid_t process = ::fork();
  require(process >= 0, "start a process");
  if (process == 0) {
    place(out.theirs, STDOUT_FILENO);
    place(err.theirs, STDERR_FILENO);
    ::execve(TAHOMA_PROGRAM, argv.data(), envp.data());
    ::_exit(127);
  }
  if (out.theirs >= 0) ::close(out.theirs);
  if (err.theirs >= 0) ::close(err.theirs);
  Outcome outcome;
  collect(start, process, out.ours, err.ours, outcome);
  int status = 0;
  require(::waitpid(process, &status, 0) == process, "wait for the program's end");
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

Outcome run(const std::vector<std::string>& arguments) {
  Start start;
  start.arguments = arguments;
  return run(start);
}

Folder::Folder() {
  std::string pattern = (fs::temp_directory_path() / "tahoma-apps-XXXXXX").string();
  require(::mkdtemp(pattern.data()) != nullptr, "make a folder");
  folder_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Folder::file(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace tahoma::program
