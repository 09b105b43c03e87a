#include "core/units.h"

#include <boost/multiprecision/cpp_int.hpp>

#include "core/errors.h"

namespace tahoma {

namespace {

using boost::multiprecision::cpp_int;

cpp_int ten_to(std::int32_t exponent) {
  return boost::multiprecision::pow(cpp_int{10}, static_cast<unsigned>(exponent));
}

u128 to_u128(const cpp_int& value) {
  TAHOMA_ASSERT(value >= 0 && value < (cpp_int{1} << 126), "a capacity left the 126-bit range");
  const cpp_int low = value & ((cpp_int{1} << 64) - 1);
  const cpp_int high = value >> 64;
  return (u128{high.convert_to<std::uint64_t>()} << 64) | low.convert_to<std::uint64_t>();
}

}  // namespace

Capacity capacity_of(std::initializer_list<Decimal> factors, std::uint64_t multiply, Decimal divide) {
  cpp_int numerator = cpp_int{multiply} << 20;
  cpp_int denominator = divide.mantissa;
  std::int32_t exponent = -divide.exponent;
  for (const Decimal& factor : factors) {
    numerator *= factor.mantissa;
    exponent += factor.exponent;
  }
  if (exponent >= 0) {
    numerator *= ten_to(exponent);
  } else {
    denominator *= ten_to(-exponent);
  }
  TAHOMA_ASSERT(denominator > 0 && numerator >= 0, "a capacity must not be negative");
  return {to_u128((2 * numerator + denominator) / (2 * denominator))};
}

double to_double(Decimal d) {
  double scale = 1;
  const std::int32_t steps = d.exponent < 0 ? -d.exponent : d.exponent;
  for (std::int32_t i = 0; i < steps; ++i) scale *= 10;
  const auto mantissa = static_cast<double>(d.mantissa);
  return d.exponent < 0 ? mantissa / scale : mantissa * scale;
}

double bytes_per_second(Capacity c) {
  return static_cast<double>(c.q20) / static_cast<double>(rate_unit_per_byte_per_second);
}

double seconds(Duration d) {
  return static_cast<double>(d.ps) / 1e12;
}

}  // namespace tahoma
