// The numbers in a component of a selector: "12", "[0-15]", "[0,2,5-7]", "*".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tahoma {

struct NumberSet {
  bool all = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // inclusive, ascending, disjoint

  bool contains(std::uint64_t number) const;
  std::uint64_t largest() const { return ranges.empty() ? 0 : ranges.back().second; }
};

/// A component such as "us[0-3]": a word, then a set of numbers; `given` is false if only the word is there.
struct Component {
  std::string text, word;
  bool given = false;
  NumberSet numbers;
};

/// Throws SelectorError, quoting `whole`.
Component parse_component(std::string_view text, std::string_view whole);

/// Cuts at dots that are not inside brackets.
std::vector<std::string_view> split_components(std::string_view selector);

/// Glob over a name: "*" is any run without a dot, "[...]" a number of the set, all else itself.
bool matches_name(std::string_view pattern, std::string_view name);
/// Throws SelectorError if a bracket in `pattern` is malformed.
void check_pattern(std::string_view pattern);

}  // namespace tahoma
