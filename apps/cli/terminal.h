// The two streams. stdout carries results only, stderr everything else.
//
// Results go out by write(2), not through a buffer of the library: a full device must become exit code 5, and
// a reader that went away (`| head`) must not be an error at all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scenarios/report_text.h"

namespace tahoma {

/// Before anything else: streams that were closed get a place that refuses to be written, so that no file of
/// ours takes their number; SIGPIPE and SIGXFSZ become errors of write; warnings and errors go to stderr.
void prepare_streams();

/// Writes to stdout. Throws MachineError if that fails; a closed pipe is no failure.
void print(std::string_view text);

/// Colour if stdout is a terminal that has it and NO_COLOR is not set; the terminal's width up to 100.
TextStyle stdout_style();

/// A bar on stderr while rows are computed, if stderr is a terminal; it takes itself away.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(std::size_t done, std::size_t total);
  void show(std::size_t done, std::size_t total, const std::string& note);

 private:
  void draw(std::size_t full, const std::string& note);
  bool wanted_;
  bool shown_ = false;
};

}  // namespace tahoma
