// Errors, factors and correlations against values worked out by hand; who is counted; thresholds.
#include "scenarios/validation/statistics.h"

#include <catch2/catch.hpp>

#include "scenarios/complaint.h"
#include "scenarios/validation/accuracy_thresholds.h"
#include "scenarios/validation/exclusions.h"
#include "scenarios/validation/validation_report.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

MeasuredRow measured(const std::string& id, std::uint64_t bytes, std::int64_t us,
                     const std::string& trust = "A") {
  MeasuredRow row;
  row.id = id;
  row.source = "S1";
  row.trust = trust;
  row.basis = "time";
  row.collective = "all_reduce";
  row.preset = "p5";
  row.count = 2;
  row.ranks = 16;
  row.bytes = bytes;
  row.time = Duration{us * 1'000'000};
  return row;
}

Prediction predicted(std::int64_t us) {
  return {Duration{us * 1'000'000}, "ring", ""};
}

const AccuracyOutcome& named(const std::vector<AccuracyOutcome>& outcomes, const std::string& name) {
  const auto at = std::find_if(outcomes.begin(), outcomes.end(),
                               [&](const AccuracyOutcome& o) { return o.name == name; });
  REQUIRE(at != outcomes.end());
  return *at;
}

constexpr std::uint64_t MiB = 1 << 20;

}  // namespace

TEST_CASE("errors are signed and factors are not") {
  CHECK(signed_error(100, 110) == Approx(0.1));
  CHECK(signed_error(100, 50) == Approx(-0.5));
  CHECK(factor_between(100, 50) == 2);
  CHECK(factor_between(50, 100) == 2);
}

TEST_CASE("the median of an even number of values is the mean of the middle two") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  const std::vector<double> values{1, 2, 6};
  CHECK(mean(values) == 3);
}

TEST_CASE("equal values share the mean of their ranks") {
  const std::vector<double> values{10, 20, 20, 5};
  CHECK(ranks_of(values) == std::vector<double>{2, 3.5, 3.5, 1});
}

TEST_CASE(
    "rank correlation is 1 for the same order and -1 for the reverse and in between what a table says") {
  const std::vector<double> a{1, 2, 3, 4, 5};
  CHECK(*rank_correlation(a, std::vector<double>{10, 100, 1000, 1001, 9999}) == Approx(1));
  CHECK(*rank_correlation(a, std::vector<double>{5, 4, 3, 2, 1}) == Approx(-1));
  // Ranks 2 1 4 3 5: the squared differences are 1 + 1 + 1 + 1 + 0, and 1 - 6 * 4 / (5 * 24) = 0.8.
  CHECK(*rank_correlation(a, std::vector<double>{2, 1, 4, 3, 5}) == Approx(0.8));
  CHECK_FALSE(rank_correlation(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
  CHECK_FALSE(rank_correlation(a, std::vector<double>{7, 7, 7, 7, 7}));
}

TEST_CASE("the classes of sizes meet at their edges as told") {
  CHECK(size_class(65536) == SizeClass::to_64KiB);
  CHECK(size_class(65537) == SizeClass::below_1MiB);
  CHECK(size_class(MiB - 1) == SizeClass::below_1MiB);
  CHECK(size_class(MiB) == SizeClass::to_32MiB);
  CHECK(size_class(32 * MiB) == SizeClass::to_32MiB);
  CHECK(size_class(32 * MiB + 1) == SizeClass::below_64MiB);
  CHECK(size_class(64 * MiB) == SizeClass::from_64MiB);
}

TEST_CASE("rows of trust A and B are counted and failures are in no mean but in their number") {
  std::vector<MeasuredRow> rows{measured("R1", 64 * MiB, 100), measured("R2", 128 * MiB, 200, "B"),
                                measured("R3", 64 * MiB, 100, "C"), measured("R4", 64 * MiB, 100),
                                measured("R5", 64 * MiB, 100)};
  rows[4].preset.clear();
  const Prediction none{std::nullopt, "", "no such key"};
  const Validation v = judge("x.csv", rows, {predicted(110), predicted(160), predicted(900), none, none});
  CHECK(v.counted == 3);
  CHECK(v.failed == 1);
  CHECK(v.shown_only == 2);
  // +10 % and -20 %
  CHECK(v.all.rows == 2);
  CHECK(v.all.mape == Approx(0.15));
  CHECK(v.all.bias == Approx(-0.05));
  CHECK(v.all.median == Approx(0.15));
  CHECK(v.all.worst == Approx(-0.2));
  CHECK(v.all.worst_id == "R2");
  CHECK(v.all.worst_factor == Approx(1.25));  // 200 / 160
  CHECK(v.rows[3].why_not == "no such key");
  CHECK(v.rows[4].why_not == "the setup is not known");
  REQUIRE(v.sources.size() == 1);
  CHECK(v.sources[0].shown == 5);
  CHECK(v.sources[0].all.failed == 1);
  CHECK(v.sources[0].by_size[4].rows == 2);
}

TEST_CASE("a sweep's least rank correlation is told for its source") {
  const std::vector<MeasuredRow> rows{measured("R1", 1, 10), measured("R2", 2, 20), measured("R3", 4, 30)};
  const Validation v = judge("x.csv", rows, {predicted(5), predicted(7), predicted(6)});
  CHECK(v.sources[0].sweeps == 1);
  // Ranks 1 3 2 against 1 2 3: 1 - 6 * (1 + 1) / (3 * 8) = 0.5.
  CHECK(*v.sources[0].least_rank_correlation == Approx(0.5));
}

TEST_CASE("a threshold is crossed past its limit and held at it and another limit changes that") {
  const std::vector<MeasuredRow> rows{measured("R1", 64 * MiB, 100), measured("R2", 256 * MiB, 100),
                                      measured("R3", 8, 100)};
  const Validation v = judge("x.csv", rows, {predicted(104), predicted(112), predicted(50)});
  // Large messages: (4 % + 12 %) / 2 = 8 %, the limit itself but for the rounding of doubles.
  const auto outcomes = judge_accuracy(v);
  CHECK(named(outcomes, "large_mape").value == Approx(0.08));
  CHECK(named(outcomes, "large_mape").rows == 2);
  CHECK(named(outcomes, "large_source_mape").held());
  CHECK(named(outcomes, "large_source_mape").worst == "S1");
  CHECK_FALSE(named(outcomes, "p5_sweep_mape").held());  // 12 % of one row, and 5 % is asked for
  CHECK(named(outcomes, "p5_sweep_mape").rows == 1);
  CHECK(named(outcomes, "h100_sweep_mape").rows == 0);
  CHECK(named(outcomes, "h100_sweep_mape").held());
  CHECK(named(outcomes, "small_worst_factor").value == 2);
  CHECK(named(outcomes, "small_worst_factor").held());
  CHECK_FALSE(named(outcomes, "small_median_factor").held());
  CHECK(named(outcomes, "failed_rows").held());
  const auto looser = judge_accuracy(v, {read_accuracy_limit("p5_sweep_mape=12.5%")});
  CHECK(named(looser, "p5_sweep_mape").held());
}

TEST_CASE("operations logged inside a training run are in no threshold about large messages") {
  std::vector<MeasuredRow> rows{measured("R1", 64 * MiB, 100)};
  rows[0].basis = "median_of_log";
  const Validation v = judge("x.csv", rows, {predicted(1000)});
  CHECK(v.counted == 1);
  CHECK(v.all.mape == Approx(9));
  CHECK(named(judge_accuracy(v), "large_mape").rows == 0);
}

TEST_CASE("a threshold that is mistyped is told with the nearest name and the unit it needs") {
  const auto told = [](const char* text) {
    try {
      read_accuracy_limit(text);
      return std::string();
    } catch (const BadText& bad) {
      return bad.because + "|" + bad.accepted + "|" + bad.meant;
    }
  };
  CHECK_THAT(told("large_map=8%"), Contains("names no threshold") && Contains("|large_mape"));
  CHECK_THAT(told("large_mape"), Contains("has no value"));
  CHECK_THAT(told("large_mape=8"), Contains("needs a percent sign"));
  CHECK_THAT(told("small_worst_factor=2%"), Contains("plain number"));
  CHECK_FALSE(told("small_worst_factor=x").empty());
  CHECK(read_accuracy_limit("large_mape=8%").limit == Approx(0.08));
  CHECK(read_accuracy_limit("small_worst_factor=2.5").limit == 2.5);
}

TEST_CASE("left-out rows are named by source and range") {
  MeasuredRow row = measured("M1180", 8, 1);
  CHECK(excluded_because(row).empty());  // another source may use the same names
  row.source = "G21";
  CHECK_FALSE(excluded_because(row).empty());
  row.id = "M11800";
  CHECK(excluded_because(row).empty());
  row.id = "M1184";
  CHECK(excluded_because(row).empty());
}

TEST_CASE("the plot of errors shows least and middle and greatest and what is beyond its ends") {
  //                                       -50 %  0  +50 %
  CHECK(error_plot(-0.25, 0.0, 0.25, 21) == "     -----o-----     ");
  CHECK(error_plot(-0.9, -0.5, -0.4, 21) == "o--       |          ");
  CHECK(error_plot(-0.9, 0.1, 3, 21) == "<---------|-o------->");
  CHECK(percent_text(-0.123, true) == "-12.3 %");
  CHECK(percent_text(0.0001, true) == "+0.0 %");
  CHECK(percent_text(-0.0001) == "0.0 %");
}
