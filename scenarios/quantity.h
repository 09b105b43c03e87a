// Quantities with units, exact: "200Gbps" is 25 x 10^9 B/s, "1.5us" is 1,500,000 ps.
//
// Every function takes the text of one value and throws BadText with what is accepted and, where one can be
// guessed, what was meant. A bare number where a unit belongs is always an error.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "scenarios/complaint.h"

namespace tahoma {

enum class Quantity : std::uint8_t {
  bandwidth,       // base unit B/s
  size,            // B
  time,            // ps
  distance,        // m
  power,           // W
  money_per_time,  // $/h
  energy_price,    // $/kWh
  energy_per_bit,  // pJ/bit
};
std::string_view name_of(Quantity quantity);

std::vector<std::string_view> unit_names(Quantity quantity);

/// Without the blanks, tabs and carriage returns at either end.
std::string_view trimmed(std::string_view text);

/// "a bandwidth such as 50GB/s (units bps, kbps, ...)"
std::string accepted_text(Quantity quantity);

/// In the base unit, exactly. Zero is let through; the callers below refuse it where it is senseless.
Decimal read_quantity(std::string_view text, Quantity quantity);

/// B/s; from 1 B/s to 16 TB/s, which is what a single flow's rate can hold.
Decimal read_bandwidth(std::string_view text);
/// Whole bytes, below 2^63.
Bytes read_bytes(std::string_view text);
/// To the nearest picosecond; more than nothing but less than 1 ps is refused, as is more than half the range
/// of the clock (53 days), so that sums stay inside it.
Duration read_time(std::string_view text);
/// A plain number, "0.88" or "88%", at least 0.
Decimal read_number(std::string_view text);
/// A whole number with an optional K M G T (decimal) or Ki Mi Gi.
std::uint64_t read_count(std::string_view text);

}  // namespace tahoma
