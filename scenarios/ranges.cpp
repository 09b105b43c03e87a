#include "scenarios/ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"

namespace tahoma {

namespace {

constexpr std::size_t most_values = 10'000;
constexpr std::string_view accepted_ranges =
    "one value, \"1KiB..1GiB *4\", \"1MiB..8MiB +1MiB\", \"log2(1KiB, 1GiB)\" or \"range(1MiB, 8MiB, 1MiB)\"";

/// Several decimals as whole numbers of one common power of ten, so that stepping is exact.
struct Aligned {
  std::vector<i128> values;
  std::int32_t exponent = 0;
};

Aligned align(std::initializer_list<Decimal> decimals) {
  Aligned result;
  result.exponent = std::min_element(decimals.begin(), decimals.end(), [](Decimal a, Decimal b) {
                      return a.exponent < b.exponent;
                    })->exponent;
  for (const Decimal& decimal : decimals) {
    i128 value = decimal.mantissa;
    for (std::int32_t gap = decimal.exponent - result.exponent; gap > 0; --gap) {
      value *= 10;
      if (value > i128{1} << 90)
        throw BadText{"spans too many powers of ten", std::string(accepted_ranges), ""};
    }
    result.values.push_back(value);
  }
  return result;
}

struct Steps {
  Decimal first, last;
  std::optional<std::uint64_t> factor;
  std::optional<Decimal> increment;
};

std::vector<Decimal> walk(const Steps& steps) {
  if (compare(steps.first, steps.last) > 0) throw BadText{"runs backwards", "the smaller end first", ""};
  const Aligned ends = align({steps.first, steps.last, steps.increment.value_or(steps.first)});
  if (steps.factor && ends.values[0] == 0)
    throw BadText{"multiplies from zero", "a first value above zero", ""};
  if (steps.increment && ends.values[2] == 0) throw BadText{"has a step of zero", "a step above zero", ""};
  std::vector<Decimal> values;
  for (i128 at = ends.values[0]; at <= ends.values[1];) {
    if (values.size() == most_values) {
      throw BadText{fmt::format("has more than {} values", most_values), "a wider step", ""};
    }
    values.push_back(normalized(at, ends.exponent));
    at = steps.factor ? at * static_cast<i128>(*steps.factor) : at + ends.values[2];
  }
  return values;
}

std::vector<std::string_view> arguments_of(std::string_view text, std::string_view function,
                                           std::size_t count) {
  text.remove_prefix(function.size());
  if (text.empty() || text.back() != ')') {
    throw BadText{"has no closing bracket",
                  "the whole range in quotes, \"" + std::string(function) + "...)\"", ""};
  }
  text.remove_suffix(1);
  std::vector<std::string_view> arguments;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    arguments.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(comma + 1);
  }
  arguments.push_back(trimmed(text));
  if (arguments.size() != count) {
    throw BadText{fmt::format("has {} arguments, not {}", arguments.size(), count),
                  std::string(accepted_ranges), ""};
  }
  return arguments;
}

std::uint64_t read_factor(std::string_view text) {
  const std::uint64_t factor = read_count(text);
  if (factor < 2 || factor > 1'000'000'000) {
    throw BadText{"has a factor that is not between 2 and 1000000000", std::string(accepted_ranges), ""};
  }
  return factor;
}

std::vector<Decimal> dotted(std::string_view text, std::size_t dots, ReadValue read) {
  Steps steps;
  steps.first = read(trimmed(text.substr(0, dots)));
  const std::string_view rest = trimmed(text.substr(dots + 2));
  const std::size_t step = rest.find_first_of("*+");
  if (step == std::string_view::npos) {
    throw BadText{"has no step", std::string(accepted_ranges), fmt::format("{} *2", text)};
  }
  steps.last = read(trimmed(rest.substr(0, step)));
  const std::string_view by = trimmed(rest.substr(step + 1));
  if (rest[step] == '*') {
    steps.factor = read_factor(by);
  } else {
    steps.increment = read(by);
  }
  return walk(steps);
}

}  // namespace

std::vector<Decimal> expand_range(std::string_view text, ReadValue read) {
  text = trimmed(text);
  if (text.starts_with("log2(")) {
    const auto ends = arguments_of(text, "log2(", 2);
    return walk({read(ends[0]), read(ends[1]), 2, std::nullopt});
  }
  if (text.starts_with("range(")) {
    const auto parts = arguments_of(text, "range(", 3);
    return walk({read(parts[0]), read(parts[1]), std::nullopt, read(parts[2])});
  }
  const std::size_t dots = text.find("..");
  if (dots != std::string_view::npos) return dotted(text, dots, read);
  return {read(text)};
}

std::vector<Bytes> expand_sizes(std::string_view text) {
  const auto read = [](std::string_view one) {
    return normalized(static_cast<i128>(read_bytes(one).count), 0);
  };
  std::vector<Bytes> sizes;
  for (const Decimal& value : expand_range(text, read)) {
    const Integral bytes = to_integral(value);
    if (bytes.nearest == 0) throw BadText{"is zero", "a size above zero", ""};
    sizes.push_back({bytes.nearest});
  }
  return sizes;
}

}  // namespace tahoma
