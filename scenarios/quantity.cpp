#include "scenarios/quantity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "core/nearest.h"
#include "scenarios/decimal_text.h"

namespace tahoma {

namespace {

struct Unit {
  std::string_view name;
  Quantity quantity;
  std::uint64_t multiplier;
  std::int32_t exponent;  // base units = value x multiplier x 10^exponent
};

constexpr std::uint64_t kibi = 1ULL << 10, mebi = 1ULL << 20, gibi = 1ULL << 30, tebi = 1ULL << 40;

constexpr std::array units = {
    Unit{"bps", Quantity::bandwidth, 125, -3},
    Unit{"kbps", Quantity::bandwidth, 125, 0},
    Unit{"Mbps", Quantity::bandwidth, 125, 3},
    Unit{"Gbps", Quantity::bandwidth, 125, 6},
    Unit{"Tbps", Quantity::bandwidth, 125, 9},
    Unit{"B/s", Quantity::bandwidth, 1, 0},
    Unit{"kB/s", Quantity::bandwidth, 1, 3},
    Unit{"MB/s", Quantity::bandwidth, 1, 6},
    Unit{"GB/s", Quantity::bandwidth, 1, 9},
    Unit{"TB/s", Quantity::bandwidth, 1, 12},
    Unit{"KiB/s", Quantity::bandwidth, kibi, 0},
    Unit{"MiB/s", Quantity::bandwidth, mebi, 0},
    Unit{"GiB/s", Quantity::bandwidth, gibi, 0},
    Unit{"TiB/s", Quantity::bandwidth, tebi, 0},
    Unit{"B", Quantity::size, 1, 0},
    Unit{"kB", Quantity::size, 1, 3},
    Unit{"MB", Quantity::size, 1, 6},
    Unit{"GB", Quantity::size, 1, 9},
    Unit{"TB", Quantity::size, 1, 12},
    Unit{"KiB", Quantity::size, kibi, 0},
    Unit{"MiB", Quantity::size, mebi, 0},
    Unit{"GiB", Quantity::size, gibi, 0},
    Unit{"TiB", Quantity::size, tebi, 0},
    Unit{"ps", Quantity::time, 1, 0},
    Unit{"ns", Quantity::time, 1, 3},
    Unit{"us", Quantity::time, 1, 6},
    Unit{"ms", Quantity::time, 1, 9},
    Unit{"s", Quantity::time, 1, 12},
    Unit{"min", Quantity::time, 60, 12},
    Unit{"h", Quantity::time, 3600, 12},
    Unit{"d", Quantity::time, 86400, 12},
    Unit{"m", Quantity::distance, 1, 0},
    Unit{"km", Quantity::distance, 1, 3},
    Unit{"W", Quantity::power, 1, 0},
    Unit{"kW", Quantity::power, 1, 3},
    Unit{"MW", Quantity::power, 1, 6},
    Unit{"$/h", Quantity::money_per_time, 1, 0},
    Unit{"$/kWh", Quantity::energy_price, 1, 0},
    Unit{"pJ/bit", Quantity::energy_per_bit, 1, 0},
};

struct CountSuffix {
  std::string_view name;
  std::uint64_t multiplier;
  std::int32_t exponent;
};
constexpr std::array count_suffixes = {
    CountSuffix{"", 1, 0},      CountSuffix{"K", 1, 3},     CountSuffix{"M", 1, 6},
    CountSuffix{"G", 1, 9},     CountSuffix{"T", 1, 12},    CountSuffix{"Ki", kibi, 0},
    CountSuffix{"Mi", mebi, 0}, CountSuffix{"Gi", gibi, 0},
};
constexpr std::string_view accepted_count = "a whole number, K M G T Ki Mi Gi allowed";

struct QuantityWords {
  std::string_view name, article, usual_unit, example;
};
constexpr std::array<QuantityWords, 8> words = {{{"bandwidth", "a", "GB/s", "50GB/s"},
                                                 {"size", "a", "MiB", "64MiB"},
                                                 {"time", "a", "us", "1.5us"},
                                                 {"distance", "a", "km", "400km"},
                                                 {"power", "a", "kW", "20MW"},
                                                 {"price per time", "a", "$/h", "2.24 $/h"},
                                                 {"energy price", "an", "$/kWh", "0.06 $/kWh"},
                                                 {"energy per bit", "an", "pJ/bit", "5 pJ/bit"}}};

const QuantityWords& words_of(Quantity quantity) {
  return words[static_cast<std::size_t>(quantity)];
}

/// "GB" where a bandwidth belongs becomes "GB/s"; else the nearest unit of that quantity.
std::string_view unit_meant(std::string_view wrong, Quantity quantity) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) {
    if (unit.quantity != quantity) continue;
    if (unit.name == std::string(wrong) + "/s" || std::string(unit.name) + "/s" == wrong) return unit.name;
    names.push_back(unit.name);
  }
  if (wrong == "KB") return quantity == Quantity::size ? "kB" : "";
  const std::string found = nearest(wrong, std::span<const std::string_view>(names));
  for (const std::string_view name : names) {
    if (name == found) return name;
  }
  return "";
}

[[noreturn]] void refuse_unit(std::string_view text, std::string_view unit, Quantity quantity) {
  const std::string_view number = trimmed(text.substr(0, text.size() - unit.size()));
  const std::string_view meant = unit_meant(unit, quantity);
  std::string because = fmt::format("has an unknown unit '{}'", unit);
  for (const Unit& other : units) {
    if (other.name != unit) continue;
    const QuantityWords& is = words_of(other.quantity);
    because = fmt::format("is {} {}, not {} {}", is.article, is.name, words_of(quantity).article,
                          words_of(quantity).name);
  }
  throw BadText{because, accepted_text(quantity), meant.empty() ? "" : fmt::format("{}{}", number, meant)};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view name_of(Quantity quantity) {
  return words_of(quantity).name;
}

std::vector<std::string_view> unit_names(Quantity quantity) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) {
    if (unit.quantity == quantity) names.push_back(unit.name);
  }
  return names;
}

std::string accepted_text(Quantity quantity) {
  const QuantityWords& word = words_of(quantity);
  const std::string names = fmt::format("{}", fmt::join(unit_names(quantity), " "));
  return fmt::format("{} {} such as {} (units {})", word.article, word.name, word.example, names);
}

Decimal read_quantity(std::string_view text, Quantity quantity) {
  text = trimmed(text);
  try {
    const LeadingNumber number = leading_number(text);
    if (number.rest.empty()) {
      throw BadText{"has no unit", "", fmt::format("{}{}", text, words_of(quantity).usual_unit)};
    }
    for (const Unit& unit : units) {
      if (unit.quantity == quantity && unit.name == number.rest) {
        return scaled(number.value, unit.multiplier, unit.exponent);
      }
    }
    refuse_unit(text, number.rest, quantity);
  } catch (BadText& bad) {
    if (bad.accepted.empty()) bad.accepted = accepted_text(quantity);
    throw;
  }
}

Decimal read_bandwidth(std::string_view text) {
  const Decimal value = read_quantity(text, Quantity::bandwidth);
  const std::string accepted = "from 1B/s to 16TB/s";
  if (value.mantissa == 0) throw BadText{"is zero", accepted_text(Quantity::bandwidth), ""};
  if (compare(value, {16, 12}) > 0) throw BadText{"is more than one flow's rate can hold", accepted, ""};
  if (compare(value, {1, 0}) < 0) throw BadText{"is less than a byte per second", accepted, ""};
  return value;
}

Bytes read_bytes(std::string_view text) {
  const Integral bytes = to_integral(read_quantity(text, Quantity::size));
  if (!bytes.fits || bytes.nearest >= 1ULL << 63) throw BadText{"is too large", "less than 2^63 bytes", ""};
  if (!bytes.exact) throw BadText{"is not a whole number of bytes", accepted_text(Quantity::size), ""};
  return {bytes.nearest};
}

Duration read_time(std::string_view text) {
  const Decimal value = read_quantity(text, Quantity::time);
  const Integral ps = to_integral(value);
  if (!ps.fits || ps.nearest >= 1ULL << 62) throw BadText{"is too large", "less than 53 days", ""};
  if (value.mantissa > 0 && compare(value, {1, 0}) < 0) {
    throw BadText{"is less than 1ps, the step of the clock", accepted_text(Quantity::time), ""};
  }
  return {static_cast<std::int64_t>(ps.nearest)};
}

Decimal read_number(std::string_view text) {
  const LeadingNumber number = leading_number(trimmed(text));
  if (number.rest.empty()) return number.value;
  if (number.rest == "%") return scaled(number.value, 1, -2);
  throw BadText{fmt::format("has '{}' after the number", number.rest), "a number such as 0.88, or 88%", ""};
}

std::uint64_t read_count(std::string_view text) {
  try {
    const LeadingNumber number = leading_number(trimmed(text));
    for (const CountSuffix& suffix : count_suffixes) {
      if (suffix.name != number.rest) continue;
      const Integral count = to_integral(scaled(number.value, suffix.multiplier, suffix.exponent));
      if (!count.fits || count.nearest >= 1ULL << 63) throw BadText{"is too large", "less than 2^63", ""};
      if (!count.exact) throw BadText{"is not a whole number", "", ""};
      return count.nearest;
    }
    throw BadText{fmt::format("has '{}' after the number", number.rest), "", ""};
  } catch (BadText& bad) {
    if (bad.accepted.empty()) bad.accepted = accepted_count;
    throw;
  }
}

}  // namespace tahoma
