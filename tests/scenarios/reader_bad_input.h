// A row of bad input and its check: the exit class, the place, and a sentence that helps.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/scenarios/reader_support.h"

namespace tahoma {

struct BadInput {
  const char* what;
  std::string text;  // ^ stands before the word whose place the message must tell
  int exit_code;
  const char* starts;  // right after the place; with the place where there is no mark
  std::vector<std::string> says;
};

/// "x.yaml:LINE:COLUMN: " of the mark, which is taken out of the text.
inline std::string take_place(std::string& text) {
  const std::size_t mark = text.find('^');
  if (mark == std::string::npos) return {};
  text.erase(mark, 1);
  const std::string before = text.substr(0, mark);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 = 0
  return "x.yaml:" + std::to_string(line) + ":" + std::to_string(mark - line_start + 1) + ": ";
}

inline void check(const BadInput& bad) {
  std::string text = bad.text;
  const std::string start = take_place(text) + bad.starts;
  INFO(bad.what << "\n" << text.substr(0, 600));
  const Refusal refusal = refusal_of(text_request(text));
  CAPTURE(refusal.message);
  CHECK(refusal.exit_code == bad.exit_code);
  CHECK(refusal.message.substr(0, start.size()) == start);
  for (const std::string& word : bad.says) {
    CAPTURE(word);
    CHECK(refusal.message.find(word) != std::string::npos);
  }
}

inline std::string ring_with(const std::string& dimension) {
  return "cluster: {count: 1}\nfabric:\n  scale_up:\n    - {kind: ring, " + dimension + "}\n" +
         one_all_reduce;
}

}  // namespace tahoma
