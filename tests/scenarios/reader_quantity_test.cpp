// Quantities are exact, and their spellings are the contract's.
#include <catch2/catch.hpp>

#include <functional>

#include "core/random.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/ranges.h"

using namespace tahoma;

namespace {

std::vector<std::uint64_t> sizes(std::string_view text) {
  std::vector<std::uint64_t> counts;
  for (const Bytes& bytes : expand_sizes(text)) counts.push_back(bytes.count);
  return counts;
}

std::string because(const std::function<void()>& read) {
  try {
    read();
  } catch (const BadText& bad) {
    return bad.because;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("bits and bytes per second of every unit become the same exact bytes per second") {
  CHECK(read_bandwidth("8bps") == Decimal{1, 0});  // 8 bits = 1 byte
  CHECK(read_bandwidth("8kbps") == Decimal{1, 3});
  CHECK(read_bandwidth("200Gbps") == Decimal{25, 9});    // 200e9 / 8 = 25e9
  CHECK(read_bandwidth("100Tbps") == Decimal{125, 11});  // 100e12 / 8 = 12.5e12
  CHECK(read_bandwidth("1Mbps") == Decimal{125, 3});
  CHECK(read_bandwidth("50GB/s") == Decimal{5, 10});
  CHECK(read_bandwidth("50 GB/s") == read_bandwidth("50.0GB/s"));
  CHECK(read_bandwidth("1.5MB/s") == Decimal{15, 5});
  CHECK(read_bandwidth("1kB/s") == Decimal{1, 3});
  CHECK(read_bandwidth("1TB/s") == Decimal{1, 12});
  CHECK(read_bandwidth("7B/s") == Decimal{7, 0});
  CHECK(read_bandwidth("1KiB/s") == Decimal{1024, 0});
  CHECK(read_bandwidth("1MiB/s") == Decimal{1048576, 0});
  CHECK(read_bandwidth("1GiB/s") == Decimal{1073741824, 0});
  CHECK(read_bandwidth("1TiB/s") == Decimal{1099511627776, 0});
}

TEST_CASE("sizes are whole bytes, decimal and binary prefixes kept apart") {
  CHECK(read_bytes("1B").count == 1);
  CHECK(read_bytes("1kB").count == 1'000);
  CHECK(read_bytes("1KiB").count == 1'024);
  CHECK(read_bytes("1.5KiB").count == 1'536);  // 1.5 x 1024
  CHECK(read_bytes("1MB").count == 1'000'000);
  CHECK(read_bytes("1MiB").count == 1'048'576);
  CHECK(read_bytes("1GB").count == 1'000'000'000);
  CHECK(read_bytes("4GiB").count == 4'294'967'296);
  CHECK(read_bytes("1TB").count == 1'000'000'000'000);
  CHECK(read_bytes("1TiB").count == 1'099'511'627'776);
  CHECK(because([] { read_bytes("0.0001KiB"); }) == "is not a whole number of bytes");  // 0.1024 B
}

TEST_CASE("times are picoseconds, to the nearest") {
  CHECK(read_time("1ps").ps == 1);
  CHECK(read_time("1.4ps").ps == 1);
  CHECK(read_time("1.5ps").ps == 2);
  CHECK(read_time("1.5us").ps == 1'500'000);
  CHECK(read_time("0.675us").ps == 675'000);
  CHECK(read_time("500ns").ps == 500'000);
  CHECK(read_time("20ms").ps == 20'000'000'000);
  CHECK(read_time("1s").ps == 1'000'000'000'000);
  CHECK(read_time("8min").ps == 480 * 1'000'000'000'000LL);
  CHECK(read_time("1h").ps == 3'600 * 1'000'000'000'000LL);
  CHECK(read_time("2d").ps == 172'800 * 1'000'000'000'000LL);
  CHECK(read_time("0s").ps == 0);
  CHECK(because([] { read_time("0.5ps"); }) == "is less than 1ps, the step of the clock");
}

TEST_CASE("the other quantities of the grammar keep their exact value") {
  CHECK(read_quantity("400km", Quantity::distance) == Decimal{4, 5});
  CHECK(read_quantity("2.2m", Quantity::distance) == Decimal{22, -1});
  CHECK(read_quantity("20MW", Quantity::power) == Decimal{2, 7});
  CHECK(read_quantity("48kW", Quantity::power) == Decimal{48, 3});
  CHECK(read_quantity("500W", Quantity::power) == Decimal{5, 2});
  CHECK(read_quantity("2.24 $/h", Quantity::money_per_time) == Decimal{224, -2});
  CHECK(read_quantity("0.06 $/kWh", Quantity::energy_price) == Decimal{6, -2});
  CHECK(read_quantity("5 pJ/bit", Quantity::energy_per_bit) == Decimal{5, 0});
}

TEST_CASE("numbers are decimals or percentages, counts are whole with their suffixes") {
  CHECK(read_number("0.88") == read_number("88%"));
  CHECK(read_number("1e-7") == Decimal{1, -7});
  CHECK(read_number("150%") == Decimal{15, -1});
  CHECK(read_count("64") == 64);
  CHECK(read_count("15K") == 15'000);
  CHECK(read_count("1.5M") == 1'500'000);
  CHECK(read_count("27Mi") == 27ULL << 20);
  CHECK(read_count("2Gi") == 2ULL << 30);
  CHECK(read_count("3G") == 3'000'000'000ULL);
  CHECK(read_count("15.6T") == 15'600'000'000'000ULL);
  CHECK(because([] { read_count("1.5"); }) == "is not a whole number");
  CHECK(because([] { read_count("64chips"); }) == "has 'chips' after the number");
  CHECK(because([] { read_count("9999999999G"); }) == "is too large");
}

TEST_CASE("ranges hold both ends when they are hit") {
  CHECK(sizes("64MiB") == std::vector<std::uint64_t>{64ULL << 20});
  CHECK(sizes("1KiB..64KiB *4") == std::vector<std::uint64_t>{1 << 10, 4 << 10, 16 << 10, 64 << 10});
  CHECK(sizes("1KiB..60KiB *4") == std::vector<std::uint64_t>{1 << 10, 4 << 10, 16 << 10});
  CHECK(sizes("1kB..4kB +1kB") == std::vector<std::uint64_t>{1000, 2000, 3000, 4000});
  CHECK(sizes("log2(1KiB, 8KiB)") == std::vector<std::uint64_t>{1 << 10, 2 << 10, 4 << 10, 8 << 10});
  CHECK(sizes("range(1MB, 2MB, 500kB)") == std::vector<std::uint64_t>{1'000'000, 1'500'000, 2'000'000});
  CHECK(sizes("1KiB..1KiB *2") == std::vector<std::uint64_t>{1024});
  const auto rates = expand_range("range(50GB/s, 300GB/s, 10GB/s)", read_bandwidth);
  CHECK(rates.size() == 26);  // (300 - 50) / 10 + 1
  CHECK(rates.back() == Decimal{3, 11});
  CHECK(expand_range("log2(1,64)", [](std::string_view text) {
          return normalized(static_cast<i128>(read_count(text)), 0);
        }).size() == 7);  // 1 2 4 8 16 32 64
}

TEST_CASE("ranges that cannot be meant are refused") {
  CHECK(because([] { sizes("1KiB.."); }) == "has no step");
  CHECK(because([] { sizes("1KiB..1MiB *0"); }) == "has a factor that is not between 2 and 1000000000");
  CHECK(because([] { sizes("1KiB..1MiB *1.5"); }) == "is not a whole number");
  CHECK(because([] { sizes("1KiB..1MiB +0B"); }) == "has a step of zero");
  CHECK(because([] { sizes("0B..1MiB *2"); }) == "multiplies from zero");
  CHECK(because([] { sizes("log2(1KiB)"); }) == "has 1 arguments, not 2");
  CHECK(because([] { sizes("log2(1KiB, 1MiB"); }) == "has no closing bracket");
  CHECK(because([] { sizes("range(1B, 1TiB, 1B)"); }) == "has more than 10000 values");
}

TEST_CASE("a decimal survives being written and read again") {
  Random random(7);
  for (int i = 0; i < 2'000; ++i) {
    const auto digits = static_cast<std::int64_t>(random.next() % 1'000'000'000'000);
    const auto exponent = static_cast<std::int32_t>(random.next() % 25) - 12;
    const Decimal value = normalized(digits, exponent);
    CAPTURE(digits, exponent, to_text(value));
    REQUIRE(read_number(to_text(value)) == value);
  }
}

TEST_CASE("the order of decimals is that of their values") {
  CHECK(compare({15, -1}, {2, 0}) < 0);
  CHECK(compare({1, 3}, {999, 0}) > 0);
  CHECK(compare({1, 3}, {1000, 0}) == 0);
  CHECK(compare({1, 60}, {999'999'999'999'999'999, 0}) > 0);
  CHECK(compare({1, -60}, {1, 0}) < 0);
  CHECK(compare({0, 0}, {1, -60}) < 0);
}
