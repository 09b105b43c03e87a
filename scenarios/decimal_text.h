// Exact decimals out of text: "1.5e3" is 15 x 10^2, never a double.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/units.h"
#include "scenarios/complaint.h"

namespace tahoma {

struct LeadingNumber {
  Decimal value;
  std::string_view rest;  // what follows, blanks before it removed
};

/// Digits, an optional point and exponent. Throws BadText for a sign, nan, inf, no digits, or more digits
/// than an exact decimal holds (18).
LeadingNumber leading_number(std::string_view text);

/// The one spelling of a decimal: no trailing zeros in the mantissa, 0 has exponent 0. Throws BadText when
/// the digits do not fit.
Decimal normalized(i128 mantissa, std::int32_t exponent);

/// value x multiplier x 10^exponent, exactly.
Decimal scaled(Decimal value, std::uint64_t multiplier, std::int32_t exponent);

struct Integral {
  std::uint64_t nearest = 0;
  bool exact = false;
  bool fits = false;  // in 64 bits
};
Integral to_integral(Decimal value);

/// -1, 0, 1 as a is below, equal to or above b.
int compare(Decimal a, Decimal b);

std::string to_text(Decimal value);  // "1.5", "200000000000", "1e-7"

}  // namespace tahoma
