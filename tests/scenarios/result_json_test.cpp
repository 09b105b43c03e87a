#include "scenarios/result_json.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/errors.h"
#include "scenarios/json_text.h"
#include "scenarios/number_text.h"
#include "tests/scenarios/result_sample.h"

using namespace tahoma;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

}  // namespace

TEST_CASE("the JSON has the promised fields first, in the promised order") {
  const Json json = Json::parse(to_json(sample::result(), false));
  CHECK(keys_of(json) == std::vector<std::string>{"schema", "name", "fingerprint", "warnings", "cluster",
                                                  "collectives", "flows", "links", "evidence", "description",
                                                  "assertions", "suggestions", "interrupted"});
  CHECK(json["schema"] == "tahoma.result/1");
  CHECK(keys_of(json["cluster"]) ==
        std::vector<std::string>{"chips", "servers", "ultraservers", "sites", "links", "summary"});
  std::vector<std::string> row = keys_of(json["collectives"][0]);
  row.resize(19);
  CHECK(row == std::vector<std::string>{"job", "collective", "algorithm", "why", "ranks", "bytes", "start_s",
                                        "time_s", "algbw_GBps", "busbw_GBps", "lower_bound_s", "efficiency",
                                        "solver", "exact", "flows", "classes", "bottleneck", "rank_finish_s",
                                        "critical_chain"});
  CHECK(keys_of(json["collectives"][0]["rank_finish_s"]) ==
        std::vector<std::string>{"p0", "p50", "p99", "p100", "worst"});
}

TEST_CASE("a time in the JSON is the integer number of picoseconds, digit by digit") {
  const std::string text = to_json(sample::result(), false);
  CHECK(text.find("\"time_s\": 0.123456789012,") != std::string::npos);
  CHECK(text.find("\"time_s\": 20.000000000001,") != std::string::npos);
  // 20.000000000001 read as a double and multiplied by 1e12 rounds to 20'000'000'000'001 again.
  const Json json = Json::parse(text);
  CHECK(std::llround(json["collectives"][1]["time_s"].get<double>() * 1e12) == 20'000'000'000'001);
}

TEST_CASE("seconds are exact decimals at every magnitude") {
  CHECK(seconds_text(0) == "0.0");
  CHECK(seconds_text(1) == "0.000000000001");
  CHECK(seconds_text(1'500'000) == "0.0000015");
  CHECK(seconds_text(1'000'000'000'000) == "1.0");
  CHECK(seconds_text(-1'500'000'000'000) == "-1.5");
  CHECK(seconds_text(std::numeric_limits<std::int64_t>::max()) == "9223372.036854775807");
  CHECK(seconds_text(std::numeric_limits<std::int64_t>::min()) == "-9223372.036854775808");
}

TEST_CASE("timings add the field `run` and change nothing else") {
  Result result = sample::result();
  result.stats = {1.25, 1 << 20, 77, 5};
  Json with = Json::parse(to_json(result, true));
  CHECK(keys_of(with["run"]) == std::vector<std::string>{"wall_s", "peak_rss_bytes", "events", "solves"});
  CHECK(with["run"]["events"] == 77);
  with.erase("run");
  CHECK(with.dump() == Json::parse(to_json(result, false)).dump());
}

TEST_CASE("names that hold quotes, control characters or broken UTF-8 still make valid JSON") {
  Result result = sample::result();
  result.name = "a \"quoted\" name\n\x01 and \xff";
  const Json json = Json::parse(to_json(result, false));
  CHECK(json["name"] == "a \"quoted\" name\n\x01 and \xEF\xBF\xBD");
}

TEST_CASE("a number that is not finite never reaches a file") {
  Result result = sample::result();
  result.collectives[0].efficiency = std::nan("");
  CHECK_THROWS_AS(to_json(result, false), InternalError);
  result.collectives[0].efficiency = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(to_json(result, false), InternalError);
}

TEST_CASE("an empty result is valid JSON with empty lists") {
  const Json json = Json::parse(to_json(Result{}, false));
  CHECK(json["collectives"].is_array());
  CHECK(json["collectives"].empty());
  CHECK(json["flows"].empty());
}

TEST_CASE("the JSON lists the busiest links of each row, links.csv has the others") {
  Result result = sample::result();
  result.links.clear();
  for (int i = 0; i < 20; ++i) result.links.push_back({"l" + std::to_string(i), "t", 1, "first row", 1, 0.5});
  result.links.push_back({"m", "t", 1, "second row", 1, 0.1});
  const Json json = Json::parse(to_json(result, false));
  CHECK(json["links"].size() == 9);  // eight of the first row, one of the second
  CHECK(json["links"][8]["link"] == "m");
}

TEST_CASE("JSON text is checked while it is written") {
  JsonText json;
  CHECK_THROWS_AS(json.key("outside"), InternalError);
  json.begin_object();
  CHECK_THROWS_AS(json.value("no key"), InternalError);
  CHECK_THROWS_AS(json.end_array(), InternalError);
  CHECK_THROWS_AS(json.take(), InternalError);
}
