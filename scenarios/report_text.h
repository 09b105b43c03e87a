// The result for people: a first screen that answers a planner, then the tables.
//
// First screen: what was simulated, the result at the largest size, the bottleneck, what would help, what the
// figures rest on, warnings. Then the table of nccl-tests with two columns more: the lower bound and how much
// of it was reached. Plain ASCII of ours, 100 columns where names allow it; colour is asked for by the
// caller.
#pragma once

#include <cstddef>
#include <string>

#include "scenarios/result.h"

namespace tahoma {

struct TextStyle {
  bool colour = false;
  bool timings = false;
  std::size_t width = 100;
};

std::string to_text(const Result& result, const TextStyle& style = {});

// Its parts, for tests and for other pages.
std::string summary_text(const Result& result, const TextStyle& style);
std::string collectives_text(const Result& result, const TextStyle& style);
std::string flows_text(const Result& result, const TextStyle& style);
std::string assertions_text(const Result& result, const TextStyle& style);

enum class Ink { bold, dim, red, green, yellow };
std::string paint(const TextStyle& style, Ink ink, const std::string& text);

}  // namespace tahoma
