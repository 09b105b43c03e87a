// Which rows of two results belong together, what changed, and which thresholds that crosses.
#include "scenarios/compare.h"

#include <catch2/catch.hpp>

#include "core/errors.h"
#include "scenarios/complaint.h"
#include "scenarios/result_json.h"
#include "tests/scenarios/result_sample.h"

using namespace tahoma;

namespace {

ComparedRow compared(const std::string& collective, std::uint64_t bytes, const std::string& algorithm,
                     double time_s, const std::string& bottleneck = "x ring (50.0 % busy)") {
  ComparedRow result;
  result.collective = collective;
  result.bytes = bytes;
  result.algorithm = algorithm;
  result.time_s = time_s;
  result.busbw_GBps = static_cast<double>(bytes) / time_s / 1e9;
  result.bottleneck = bottleneck;
  return result;
}

}  // namespace

TEST_CASE("rows are compared with those of the same algorithm, wherever they stand") {
  const Comparison comparison =
      compare({compared("all_reduce", 1024, "ring", 1), compared("all_reduce", 1024, "torus", 2)},
              {compared("all_reduce", 1024, "torus", 3), compared("all_reduce", 1024, "ring", 1)});
  REQUIRE(comparison.pairs.size() == 2);
  CHECK(comparison.pairs[0].a.algorithm == comparison.pairs[0].b.algorithm);
  CHECK(comparison.pairs[0].change == 0);
  CHECK(comparison.pairs[1].change == Approx(0.5));
  CHECK(comparison.only_a.empty());
  CHECK(comparison.only_b.empty());
}

TEST_CASE("a row whose algorithm was replaced is compared with what replaced it, and that is said") {
  const Comparison comparison =
      compare({compared("all_reduce", 1024, "ring", 1), compared("all_gather", 1024, "ring", 1)},
              {compared("all_reduce", 1024, "torus", 0.5), compared("all_gather", 64, "ring", 1)});
  REQUIRE(comparison.pairs.size() == 1);
  CHECK(comparison.pairs[0].because.find("by torus instead of ring") == 0);
  REQUIRE(comparison.only_a.size() == 1);
  CHECK(comparison.only_a[0].collective == "all_gather");
  REQUIRE(comparison.only_b.size() == 1);
  CHECK(comparison.only_b[0].bytes == 64);
}

TEST_CASE("the cause names the phase that grew most and the tier that became the bottleneck") {
  ComparedRow a = compared("all_reduce", 1024, "x", 3, "z ring (70.0 % busy)");
  ComparedRow b = compared("all_reduce", 1024, "x", 5, "NIC-leaf (95.0 % busy)");
  a.phases = {{"reduce_scatter, torus (server)", 1},
              {"all_reduce, ring (site)", 1},
              {"all_gather, torus (server)", 1}};
  b.phases = {{"reduce_scatter, torus (server)", 1},
              {"all_reduce, ring (site)", 3},
              {"all_gather, torus (server)", 1}};
  const Comparison comparison = compare({a}, {b});
  CHECK(comparison.pairs.at(0).because ==
        "2.000 s more in all_reduce, ring (site); bottleneck now NIC-leaf (95.0 % busy), was z ring (70.0 % "
        "busy)");
  CHECK(change_text(comparison.pairs.at(0)) == "5.000 s instead of 3.000 s (+66.7 %)");
  b.bottleneck = "z ring (42.0 % busy)";
  CHECK(compare({a}, {b}).pairs.at(0).because ==
        "2.000 s more in all_reduce, ring (site); bottleneck still z ring (42.0 % busy)");
}

TEST_CASE(
    "thresholds are crossed upwards, downwards or either way, and a change of just so much crosses none") {
  const Comparison comparison =
      compare({compared("all_reduce", 1000, "ring", 100)}, {compared("all_reduce", 1000, "ring", 103)});
  const auto crossed = [&](const char* text) {
    return !crossings(comparison, {read_threshold(text)}).empty();
  };
  CHECK(crossed("time_s=+2%"));
  CHECK(crossed("time_s=2%"));
  CHECK_FALSE(crossed("time_s=-2%"));
  CHECK_FALSE(crossed("time_s=+4%"));
  CHECK(crossed("busbw_GBps=-2%"));  // 100 / 103 - 1 = -2.9 %
  CHECK_FALSE(crossed("busbw_GBps=+2%"));
  const Comparison exact = compare({compared("a", 1, "r", 100)}, {compared("a", 1, "r", 150)});
  CHECK(crossings(exact, {read_threshold("time_s=+50%")}).empty());
}

TEST_CASE("a threshold that cannot be read says what is accepted and the nearest metric") {
  const auto refusal = [](const char* text) {
    try {
      read_threshold(text);
    } catch (const BadText& bad) {
      return bad.because + "|" + bad.accepted + "|" + bad.meant;
    }
    return std::string("accepted");
  };
  CHECK(refusal("time_s").find("has no equals sign") == 0);
  CHECK(refusal("tim_s=2%").find("|time_s") != std::string::npos);
  CHECK(refusal("time_s=2").find("has no percentage") == 0);
  CHECK(refusal("time_s=x%") != "accepted");
  CHECK(refusal("time_s=%") != "accepted");
}

TEST_CASE("a result read back from its JSON is compared as it was") {
  const Result result = sample::result();
  const auto rows = read_compared_rows(to_json(result, false), "result.json");
  const Comparison comparison = compare(compared_rows(result), rows);
  CHECK(comparison.pairs.size() == result.collectives.size());
  CHECK(comparison.only_a.empty());
  for (const ComparedPair& pair : comparison.pairs) CHECK(pair.change == 0);
}

TEST_CASE("what is no result is refused with the file's name") {
  for (const char* text :
       {"", "{", "[]", "{}", "{\"schema\": \"tahoma.explain/1\"}", "{\"schema\": \"tahoma.result/1\"}",
        "{\"schema\": 1}", "{\"schema\": \"tahoma.result/1\", \"collectives\": [{\"job\": 3}]}",
        "{\"schema\": \"tahoma.result/1\", \"collectives\": {\"a\": 1}}"}) {
    CAPTURE(text);
    try {
      read_compared_rows(text, "some.json");
      FAIL("accepted");
    } catch (const ScenarioError& error) {
      CHECK(std::string(error.what()).find("some.json: is not a result") == 0);
    }
  }
}
