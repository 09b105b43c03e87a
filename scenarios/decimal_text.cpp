#include "scenarios/decimal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tahoma {

namespace {

constexpr int most_digits = 18;             // 10^18 < 2^63
constexpr std::int32_t most_exponent = 60;  // far past every unit; keeps later arithmetic small

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_leading_blanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

void refuse_non_numbers(std::string_view text) {
  if (text.empty()) throw BadText{"is empty", "", ""};
  std::string lower;
  for (const char c : text.substr(0, 5)) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  const std::string_view unsigned_text =
      lower.front() == '-' || lower.front() == '+' ? std::string_view(lower).substr(1) : lower;
  for (const std::string_view word : {"nan", ".nan", "inf", ".inf"}) {
    if (unsigned_text.starts_with(word)) throw BadText{"is not a finite number", "", ""};
  }
  if (text.front() == '-' && text.size() > 1 && (is_digit(text[1]) || text[1] == '.')) {
    throw BadText{"is negative", "", std::string(text.substr(1))};
  }
}

/// Reads "e-7" at the start of `rest` if it is one; leaves units such as "eggs" alone.
std::int32_t take_exponent(std::string_view& rest) {
  if (rest.empty() || (rest.front() != 'e' && rest.front() != 'E')) return 0;
  std::size_t i = 1;
  const bool negative = i < rest.size() && rest[i] == '-';
  if (i < rest.size() && (rest[i] == '-' || rest[i] == '+')) ++i;
  if (i >= rest.size() || !is_digit(rest[i])) return 0;
  std::int32_t exponent = 0;
  for (; i < rest.size() && is_digit(rest[i]); ++i)
    exponent = std::min(exponent * 10 + (rest[i] - '0'), 100'000);
  rest.remove_prefix(i);
  return negative ? -exponent : exponent;
}

}  // namespace

LeadingNumber leading_number(std::string_view text) {
  refuse_non_numbers(text);
  if (text.front() == '+') text.remove_prefix(1);
  i128 mantissa = 0;
  int digits = 0;
  std::int32_t after_point = 0, dropped_zeros = 0;
  bool any = false, point = false;
  std::size_t i = 0;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !point)); ++i) {
    if (text[i] == '.') {
      // "1..2" is a range, not a number with a point.
      if (i + 1 < text.size() && text[i + 1] == '.') break;
      point = true;
      continue;
    }
    any = true;
    if (point) ++after_point;
    if (mantissa == 0 && text[i] == '0') continue;
    if (digits == most_digits) {
      if (text[i] != '0') throw BadText{fmt::format("has more than {} digits", most_digits), "", ""};
      ++dropped_zeros;
      continue;
    }
    mantissa = mantissa * 10 + (text[i] - '0');
    ++digits;
  }
  if (!any) throw BadText{"does not start with a number", "", ""};
  std::string_view rest = text.substr(i);
  const std::int32_t exponent = take_exponent(rest);
  if (dropped_zeros > most_exponent || after_point > 2 * most_exponent)
    throw BadText{"is too long a number", "", ""};
  return {normalized(mantissa, exponent - after_point + dropped_zeros), without_leading_blanks(rest)};
}

Decimal normalized(i128 mantissa, std::int32_t exponent) {
  if (mantissa == 0) return {0, 0};
  while (mantissa % 10 == 0) mantissa /= 10, ++exponent;
  constexpr i128 most = std::numeric_limits<std::int64_t>::max();
  if (mantissa > most || mantissa < -most) throw BadText{"is too large or has too many digits", "", ""};
  if (exponent > most_exponent) throw BadText{"is too large", "", ""};
  if (exponent < -most_exponent) throw BadText{"is too small to be told from zero", "", ""};
  return {static_cast<std::int64_t>(mantissa), exponent};
}

Decimal scaled(Decimal value, std::uint64_t multiplier, std::int32_t exponent) {
  return normalized(i128{value.mantissa} * i128{multiplier}, value.exponent + exponent);
}

Integral to_integral(Decimal value) {
  if (value.mantissa < 0) return {};
  u128 number = static_cast<u128>(value.mantissa);
  constexpr u128 most = std::numeric_limits<std::uint64_t>::max();
  if (value.exponent >= 0) {
    for (std::int32_t i = 0; i < value.exponent; ++i) {
      number *= 10;
      if (number > most) return {};
    }
    return {static_cast<std::uint64_t>(number), true, true};
  }
  u128 divisor = 1;
  for (std::int32_t i = 0; i < -value.exponent && i < 25; ++i) divisor *= 10;  // 10^25 is past any mantissa
  const u128 whole = number / divisor;
  const u128 rest = number % divisor;
  return {static_cast<std::uint64_t>(whole + (2 * rest >= divisor ? 1 : 0)), rest == 0, true};
}

int compare(Decimal a, Decimal b) {
  if ((a.mantissa > 0) != (b.mantissa > 0) || a.mantissa == 0 || b.mantissa == 0) {
    return a.mantissa < b.mantissa ? -1 : a.mantissa > b.mantissa ? 1 : 0;
  }
  i128 x = a.mantissa, y = b.mantissa;
  std::int32_t gap = a.exponent - b.exponent;
  // Past 10^19 either side the exponent alone decides; below it the product stays within 127 bits.
  const bool positive = x > 0;
  if (gap > 18) return positive ? 1 : -1;
  if (gap < -18) return positive ? -1 : 1;
  for (; gap > 0; --gap) x *= 10;
  for (; gap < 0; ++gap) y *= 10;
  return x < y ? -1 : x > y ? 1 : 0;
}

std::string to_text(Decimal value) {
  if (value.exponent == 0) return fmt::format("{}", value.mantissa);
  if (value.exponent > 0 && value.exponent <= 18)
    return fmt::format("{}{:0>{}}", value.mantissa, "", value.exponent);
  if (value.exponent < 0 && value.exponent >= -6 && value.mantissa >= 0) {
    std::string digits = fmt::format("{}", value.mantissa);
    const auto places = static_cast<std::size_t>(-value.exponent);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    return digits.insert(digits.size() - places, ".");
  }
  return fmt::format("{}e{}", value.mantissa, value.exponent);
}

}  // namespace tahoma
