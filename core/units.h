// Units as types.
//
// Problem: peers hide units in comments; a GB that is 2^30 in one file and 1e9 in another is a 7 % error
// nobody sees. And doubles make the answer depend on the order of additions.
//
// Idea: every quantity is an integer in one fixed unit, wrapped in its own type. Mixing them does not
// compile. Conversions to and from text live here and in core/quantity only.
//
//   Time, Duration   signed 64-bit picoseconds (106 days of range)
//   Bytes            unsigned 64-bit
//   Capacity         bandwidth of a link, per direction, in 2^-20 B/s, 128 bits (a trunk of a million
//                    chips is 2e16 B/s)
//   Rate             share of one flow, same unit, 64 bits: up to 17.5 TB/s for a single flow
//   Work             bytes still to be moved, in (2^-20 B/s) x ps: bytes x 10^12 x 2^20, 128 bits,
//                    never rounded
//
// Why 2^-20 B/s: whole-B/s shares miss the max-min oracle by 1e-8, this unit meets it on every case.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tahoma {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

struct Duration {
  std::int64_t ps = 0;
  constexpr auto operator<=>(const Duration&) const = default;
};

/// A point on the simulated clock; 0 is the start of the run.
struct Time {
  std::int64_t ps = 0;
  constexpr auto operator<=>(const Time&) const = default;
  static constexpr Time never() { return {std::numeric_limits<std::int64_t>::max()}; }
};

constexpr Duration operator+(Duration a, Duration b) {
  return {a.ps + b.ps};
}
constexpr Duration operator-(Duration a, Duration b) {
  return {a.ps - b.ps};
}
constexpr Duration operator*(Duration a, std::int64_t n) {
  return {a.ps * n};
}
constexpr Duration& operator+=(Duration& a, Duration b) {
  return a = a + b;
}
constexpr Time operator+(Time t, Duration d) {
  return {t.ps + d.ps};
}
constexpr Time operator-(Time t, Duration d) {
  return {t.ps - d.ps};
}
constexpr Duration operator-(Time a, Time b) {
  return {a.ps - b.ps};
}

struct Bytes {
  std::uint64_t count = 0;
  constexpr auto operator<=>(const Bytes&) const = default;
};

constexpr Bytes operator+(Bytes a, Bytes b) {
  return {a.count + b.count};
}
constexpr Bytes operator-(Bytes a, Bytes b) {
  return {a.count - b.count};
}
constexpr Bytes operator*(Bytes a, std::uint64_t n) {
  return {a.count * n};
}
constexpr Bytes& operator+=(Bytes& a, Bytes b) {
  return a = a + b;
}

/// Bandwidth per direction in 2^-20 B/s.
struct Capacity {
  u128 q20 = 0;
  constexpr auto operator<=>(const Capacity&) const = default;
};

/// Bandwidth of one flow in 2^-20 B/s.
struct Rate {
  std::uint64_t q20 = 0;
  constexpr auto operator<=>(const Rate&) const = default;
};

inline constexpr u128 rate_unit_per_byte_per_second = u128{1} << 20;
inline constexpr u128 ps_per_second = 1'000'000'000'000ULL;

/// Bytes still to be moved, in (2^-20 B/s) x ps. Exact.
struct Work {
  u128 units = 0;
  constexpr auto operator<=>(const Work&) const = default;
};

constexpr Work work_of(Bytes b) {
  return {u128{b.count} * ps_per_second * rate_unit_per_byte_per_second};
}

constexpr u128 ceil_div(u128 a, u128 b) {
  const u128 whole = a / b;  // one division: 128 bits are a library call
  return whole + (whole * b != a ? 1 : 0);
}
constexpr std::uint64_t ceil_div64(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// Time to move `work` at `rate`, rounded up to the next picosecond: the only place where time is rounded.
/// Saturates at Time::never() so that a hopeless rate cannot wrap the clock.
constexpr Duration time_to_move(Work work, Rate rate) {
  const u128 ps = ceil_div(work.units, rate.q20);
  constexpr u128 most = static_cast<u128>(std::numeric_limits<std::int64_t>::max());
  return {static_cast<std::int64_t>(ps < most ? ps : most)};
}

/// An exact decimal, mantissa x 10^exponent: what a scenario file says, before any rounding.
struct Decimal {
  std::int64_t mantissa = 0;
  std::int32_t exponent = 0;
  auto operator<=>(const Decimal&) const = default;
};

/// (product of `factors`) x multiply / divide in bytes per second, rounded once, to the nearest 2^-20 B/s
/// (half up). `divide` must not be zero.
Capacity capacity_of(std::initializer_list<Decimal> factors, std::uint64_t multiply = 1,
                     Decimal divide = {1, 0});

/// The nearest double; for reports only, never for a result that is compared.
double to_double(Decimal d);
double bytes_per_second(Capacity c);
double seconds(Duration d);

namespace literals {
constexpr Duration operator""_ps(unsigned long long n) {
  return {static_cast<std::int64_t>(n)};
}
constexpr Duration operator""_ns(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1000};
}
constexpr Duration operator""_us(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1'000'000};
}
constexpr Duration operator""_ms(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1'000'000'000};
}
constexpr Duration operator""_s(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1'000'000'000'000};
}
constexpr Bytes operator""_B(unsigned long long n) {
  return {n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
  return {n << 10};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return {n << 20};
}
constexpr Bytes operator""_GiB(unsigned long long n) {
  return {n << 30};
}
constexpr Capacity operator""_GBps(unsigned long long n) {
  return {u128{n} * 1'000'000'000ULL * rate_unit_per_byte_per_second};
}
}  // namespace literals

// 1 MB over 50 GB/s is 20 us, to the picosecond.
static_assert(time_to_move(work_of(Bytes{1'000'000}), Rate{50'000'000'000ULL << 20}) == Duration{20'000'000});
static_assert(time_to_move(work_of(Bytes{1}), Rate{3ULL << 20}) == Duration{333'333'333'334});

}  // namespace tahoma
