#include "topology/number_set.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/natural_order.h"
#include "topology/topology.h"

namespace tahoma {

namespace {

// What is quoted of a hostile selector.
std::string shortened(std::string_view text) {
  constexpr std::size_t most = 80;
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

[[noreturn]] void refuse(std::string_view whole, const std::string& why) {
  throw SelectorError{fmt::format("'{}': {}", shortened(whole), why)};
}

std::uint64_t parse_number(std::string_view text, std::string_view whole) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    refuse(whole, fmt::format("'{}' is no number; accepted in brackets: numbers, ranges 0-15, commas",
                              shortened(text)));
  }
  return value;
}

// The inside of a bracket.
NumberSet parse_list(std::string_view text, std::string_view whole) {
  NumberSet set;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    const std::size_t dash = item.find('-');
    const std::uint64_t low = parse_number(item.substr(0, dash), whole);
    const std::uint64_t high =
        dash == std::string_view::npos ? low : parse_number(item.substr(dash + 1), whole);
    if (high < low) refuse(whole, fmt::format("the range {}-{} runs backwards", low, high));
    set.ranges.emplace_back(low, high);
    begin = end + 1;
  }
  std::sort(set.ranges.begin(), set.ranges.end());
  std::size_t kept = 0;
  for (std::size_t i = 1; i < set.ranges.size(); ++i) {
    if (set.ranges[i].first <= set.ranges[kept].second) {
      set.ranges[kept].second = std::max(set.ranges[kept].second, set.ranges[i].second);
    } else {
      set.ranges[++kept] = set.ranges[i];
    }
  }
  set.ranges.resize(kept + 1);
  return set;
}

}  // namespace

bool NumberSet::contains(std::uint64_t number) const {
  if (all) return true;
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), number,
                                      [](std::uint64_t n, const auto& range) { return n < range.first; });
  return after != ranges.begin() && number <= (after - 1)->second;
}

Component parse_component(std::string_view text, std::string_view whole) {
  Component component;
  component.text = shortened(text);
  std::size_t letters = 0;
  while (letters < text.size() && (text[letters] == '_' || (text[letters] >= 'a' && text[letters] <= 'z') ||
                                   (text[letters] >= 'A' && text[letters] <= 'Z'))) {
    ++letters;
  }
  component.word = shortened(text.substr(0, letters));
  const std::string_view rest = text.substr(letters);
  if (rest.empty()) {
    if (letters == 0) refuse(whole, "a part between dots is empty");
    return component;
  }
  component.given = true;
  if (rest == "*") {
    component.numbers.all = true;
  } else if (rest.front() == '[') {
    if (rest.back() != ']') refuse(whole, "a '[' is not closed");
    component.numbers = parse_list(rest.substr(1, rest.size() - 2), whole);
  } else {
    const std::uint64_t number = parse_number(rest, whole);
    component.numbers.ranges.emplace_back(number, number);
  }
  return component;
}

std::vector<std::string_view> split_components(std::string_view selector) {
  std::vector<std::string_view> parts;
  bool inside = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < selector.size(); ++i) {
    if (selector[i] == '[') inside = true;
    if (selector[i] == ']') inside = false;
    if (selector[i] != '.' || inside) continue;
    parts.push_back(selector.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(selector.substr(begin));
  return parts;
}

void check_pattern(std::string_view pattern) {
  for (std::size_t open = pattern.find('['); open != std::string_view::npos;
       open = pattern.find('[', open + 1)) {
    const std::size_t close = pattern.find(']', open);
    if (close == std::string_view::npos) refuse(pattern, "a '[' is not closed");
    parse_list(pattern.substr(open + 1, close - open - 1), pattern);
  }
}

namespace {

struct Token {
  enum class Kind { character, star, numbers } kind = Kind::character;
  char character = 0;
  NumberSet numbers;
};

std::vector<Token> tokens_of(std::string_view pattern) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    Token token;
    if (pattern[i] == '*') {
      token.kind = Token::Kind::star;
    } else if (pattern[i] == '[') {
      const std::size_t close = pattern.find(']', i);
      token.kind = Token::Kind::numbers;
      token.numbers = parse_list(pattern.substr(i + 1, close - i - 1), pattern);
      i = close;
    } else {
      token.character = pattern[i];
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace

// Positions of the name reachable after each token: linear in tokens x name, whatever the pattern.
bool matches_name(std::string_view pattern, std::string_view name) {
  std::vector<bool> reachable(name.size() + 1, false), next;
  reachable[0] = true;
  for (const Token& token : tokens_of(pattern)) {
    next.assign(name.size() + 1, false);
    for (std::size_t at = 0; at <= name.size(); ++at) {
      if (!reachable[at]) continue;
      if (token.kind == Token::Kind::character) {
        if (at < name.size() && name[at] == token.character) next[at + 1] = true;
      } else if (token.kind == Token::Kind::star) {
        next[at] = true;
        if (at < name.size() && name[at] != '.') reachable[at + 1] = true;
      } else {
        std::uint64_t number = 0;
        for (std::size_t end = at; end < name.size() && is_decimal_digit(name[end]) && end - at < 18;) {
          number = number * 10 + static_cast<std::uint64_t>(name[end] - '0');
          ++end;
          const bool whole_number = end == name.size() || !is_decimal_digit(name[end]);
          if (whole_number && token.numbers.contains(number)) next[end] = true;
        }
      }
    }
    reachable.swap(next);
  }
  return reachable[name.size()];
}

}  // namespace tahoma
