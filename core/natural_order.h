// Natural order of names: digits compare as numbers, so that c9 comes before c10.
#pragma once

#include <cstddef>
#include <string_view>

namespace tahoma {

constexpr bool is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A strict total order: numbers that differ only in leading zeros fall back to plain order.
constexpr bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_decimal_digit(a[i]) || !is_decimal_digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    std::size_t end_i = i, end_j = j;
    while (end_i < a.size() && is_decimal_digit(a[end_i])) ++end_i;
    while (end_j < b.size() && is_decimal_digit(b[end_j])) ++end_j;
    if (end_i - i != end_j - j) return end_i - i < end_j - j;
    const int order = a.substr(i, end_i - i).compare(b.substr(j, end_j - j));
    if (order != 0) return order < 0;
    i = end_i, j = end_j;
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;
}

static_assert(natural_less("us2.c9", "us2.c10") && !natural_less("us2.c10", "us2.c9"));
static_assert(natural_less("leaf1", "leaf1.nic") && !natural_less("a", "a") && natural_less("a01", "a1"));

}  // namespace tahoma
