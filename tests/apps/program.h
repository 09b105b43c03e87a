// The program from outside: start it, feed it, see what came out of each stream and how it ended.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tahoma::program {

struct Outcome {
  int code = -1;  // exit code, or 128 + signal
  std::string out, err;
};

enum class Stream { pipe, terminal, full_device, closed };

struct Start {
  std::vector<std::string> arguments;
  Stream out = Stream::pipe;
  Stream err = Stream::pipe;
  std::vector<std::string> environment;  // laid over a small one: PATH, TERM=xterm
  /// Called with the process id and what stderr said so far, each time it says more.
  std::function<void(int process, const std::string& err)> on_err;
};

Outcome run(const Start& start);
Outcome run(const std::vector<std::string>& arguments);

/// A folder of its own, gone at the end, where test scenarios and results live.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name, const std::string& text) const;  // written; returns its path
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

std::string content(const std::string& path);

}  // namespace tahoma::program
