// The hardware that an imported schedule or trace is to run on.
#pragma once

#include <cstdint>
#include <string>

namespace tahoma {

struct ImportedHardware {
  std::string yaml;   // lines of a scenario
  std::string ranks;  // what `ranks` must say; "" if all chips in their own order
};

/// Enough of `preset` for so many ranks, rank i on the i-th chip by name, which is how other tools count;
/// without one a switch with assumed figures, marked as such.
ImportedHardware hardware_for(std::uint32_t ranks, const std::string& preset);

/// As a value in YAML, in quotes where it needs them.
std::string yaml_scalar(const std::string& text);
/// Without line ends, so that it stays a comment.
std::string one_line_comment(std::string text);

}  // namespace tahoma
