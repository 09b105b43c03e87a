// The pattern of a permute: shift(k), random, a list of destinations, or a file of them.
#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::size_t most_listed_bytes = std::size_t{64} << 20;
constexpr std::string_view accepted = "shift(k), random, a list of destinations, or a file with one a line";

PermutePattern shift_of(const Field& pattern) {
  const std::string_view text = pattern.text();
  const std::string_view number = text.substr(6, text.size() - std::min<std::size_t>(text.size(), 7));
  std::int64_t shift = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), shift);
  if (!text.ends_with(')') || error != std::errc{} || end != number.data() + number.size()) {
    refuse(pattern, {"is no shift by a whole number", "shift(k), such as shift(1) or shift(-4)", ""});
  }
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (shift > most || shift < -most) refuse(pattern, {"is too far", "within 2^31", ""});
  return {PermutePattern::Kind::shift, shift, {}};
}

/// Each destination exactly once.
void check_permutation(const Field& pattern, const std::vector<std::uint32_t>& destinations) {
  std::vector<bool> seen(destinations.size());
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const std::uint32_t to = destinations[i];
    const BadText wrong{fmt::format("is no permutation: position {} sends to {}, which is {}", i, to,
                                    to >= seen.size() ? "past the last one" : "taken"),
                        "each position from 0 once", ""};
    if (to >= seen.size() || seen[to]) refuse({pattern.place(), pattern.path, "", wrong});
    seen[to] = true;
  }
}

}  // namespace

std::vector<std::string> lines_beside(const Field& field, const std::string& of_what) {
  const std::string text = read_text_file(file_beside(field), field.place(), most_listed_bytes);
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  if (lines.empty()) refuse(field, {"is a file without " + of_what, "one a line", ""});
  return lines;
}

std::optional<PermutePattern> resolve_pattern(Node& workload, const std::string& path) {
  const Field map{&workload, path};
  Field pattern = map["pattern"];
  if (!pattern) return std::nullopt;
  if (pattern.node->is_scalar()) {
    const std::string& text = pattern.text();
    if (text == "random") return PermutePattern{PermutePattern::Kind::random, 0, {}};
    if (text.starts_with("shift(")) return shift_of(pattern);
    inline_lines(workload, "pattern", lines_beside(pattern, "destinations"));
    pattern = map["pattern"];
  }
  PermutePattern listed{PermutePattern::Kind::file, 0, {}};
  for (const Field& one : each(pattern)) {
    const std::uint64_t to = read_field(one, read_count);
    if (to >= most_ranks) refuse(one, {"is past 2^31", std::string(accepted), ""});
    listed.destinations.push_back(static_cast<std::uint32_t>(to));
  }
  if (listed.destinations.empty()) refuse(pattern, {"is empty", std::string(accepted), ""});
  check_permutation(pattern, listed.destinations);
  return listed;
}

}  // namespace tahoma
