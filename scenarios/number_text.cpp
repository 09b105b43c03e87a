#include "scenarios/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::int64_t ps_in_second = 1'000'000'000'000;

// |ps| without the overflow of the most negative number.
std::uint64_t magnitude(std::int64_t ps) {
  return ps < 0 ? ~static_cast<std::uint64_t>(ps) + 1 : static_cast<std::uint64_t>(ps);
}

std::string padded(std::uint64_t value, std::size_t digits) {
  std::string text = std::to_string(value);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

std::string group_digits(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

// ps / unit with `digits` decimals, half up; integers all the way.
std::string in_unit(std::int64_t ps, std::uint64_t unit, std::size_t digits) {
  std::uint64_t scale = 1;
  for (std::size_t i = 0; i < digits; ++i) scale *= 10;
  const u128 scaled = (u128{magnitude(ps)} * scale * 2 + unit) / (u128{unit} * 2);
  const auto whole = static_cast<std::uint64_t>(scaled / scale);
  std::string text = ps < 0 ? "-" : "";
  text += grouped(whole);
  if (digits > 0) text += "." + padded(static_cast<std::uint64_t>(scaled % scale), digits);
  return text;
}

}  // namespace

std::string seconds_text(std::int64_t ps) {
  const std::uint64_t size = magnitude(ps);
  std::string fraction = padded(size % ps_in_second, 12);
  while (fraction.size() > 1 && fraction.back() == '0') fraction.pop_back();
  return (ps < 0 ? "-" : "") + std::to_string(size / ps_in_second) + "." + fraction;
}

std::string shortest(double value) {
  TAHOMA_ASSERT(std::isfinite(value), "a result holds a number that is not finite");
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string fixed(double value, int digits) {
  TAHOMA_ASSERT(std::isfinite(value), "a result holds a number that is not finite");
  std::array<char, 400> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                 std::chars_format::fixed, digits)
                       .ptr;
  const std::string text(buffer.data(), end);
  const std::size_t point = text.find('.');
  const std::string sign =
      std::signbit(value) && text.find_first_of("123456789") != std::string::npos ? "-" : "";
  return sign + group_digits(text.substr(0, point)) + (point == std::string::npos ? "" : text.substr(point));
}

std::string grouped(std::uint64_t value) {
  return group_digits(std::to_string(value));
}

std::string micros_text(Duration d) {
  return in_unit(d.ps, 1'000'000, 2);
}

std::string readable(Duration d) {
  struct Unit {
    std::uint64_t ps;
    const char* name;
  };
  constexpr std::array<Unit, 4> units{
      {{1'000'000'000'000, " s"}, {1'000'000'000, " ms"}, {1'000'000, " us"}, {1'000, " ns"}}};
  if (d.ps == 0) return "0 s";
  for (const Unit& unit : units) {
    if (magnitude(d.ps) >= unit.ps) return in_unit(d.ps, unit.ps, 3) + unit.name;
  }
  return std::to_string(d.ps) + " ps";
}

std::string readable_bytes(std::uint64_t bytes) {
  struct Unit {
    std::uint64_t size;
    const char* name;
  };
  constexpr std::array<Unit, 8> units{{{1ULL << 40, " TiB"},
                                       {1'000'000'000'000ULL, " TB"},
                                       {1ULL << 30, " GiB"},
                                       {1'000'000'000ULL, " GB"},
                                       {1ULL << 20, " MiB"},
                                       {1'000'000ULL, " MB"},
                                       {1ULL << 10, " KiB"},
                                       {1'000ULL, " kB"}}};
  for (const Unit& unit : units) {
    if (bytes >= unit.size && bytes % unit.size == 0) return grouped(bytes / unit.size) + unit.name;
  }
  return grouped(bytes) + " B";
}

}  // namespace tahoma
