// Numbers as text, the same bytes everywhere.
//
// Problem: a time that goes through a double, a locale or printf's rounding comes out differently somewhere.
// Idea: times are printed from their integer picoseconds; doubles by std::to_chars, which knows no locale.
#pragma once

#include <cstdint>
#include <string>

#include "core/units.h"

namespace tahoma {

/// Exact decimal seconds, no trailing zeros: 1'500'000 ps -> "0.0000015". Valid JSON, at least "0.0".
std::string seconds_text(std::int64_t ps);

/// The shortest text that reads back as the same double. Asserts that it is finite: results hold no nan.
std::string shortest(double value);

/// `value` with exactly `digits` decimals and thousands separators: "1,234.57".
std::string fixed(double value, int digits);

/// "1,234,567"
std::string grouped(std::uint64_t value);

/// Microseconds with two decimals, rounded half up, as in the table of nccl-tests: "123,456.79".
std::string micros_text(Duration d);

/// For reading: "12.346 ms", "1.500 us", "0 s"; four or more significant digits.
std::string readable(Duration d);

/// For reading, never rounded: "4 GiB", "1500 MB", "1,234,567 B".
std::string readable_bytes(std::uint64_t bytes);

}  // namespace tahoma
