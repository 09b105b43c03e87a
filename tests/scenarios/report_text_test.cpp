#include "scenarios/report_text.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "scenarios/number_text.h"
#include "scenarios/text_table.h"
#include "tests/scenarios/result_sample.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) longest = std::max(longest, screen_width(line));
  return longest;
}

}  // namespace

TEST_CASE(
    "the first screen answers a planner: what, how long, what limits, what would help, on which evidence") {
  const std::string text = summary_text(sample::result(), {});
  CHECK_THAT(text, Contains("64 chips: 1 UltraServer x 4 servers x 16"));
  CHECK_THAT(text, Contains("all_reduce at 2 sizes from 1 MiB to 1 GiB"));
  CHECK_THAT(text, Contains("all_reduce of 1 GiB over 64 ranks takes 20.000 s"));
  CHECK_THAT(text, Contains("75.0 % of the bound of 15.000 s (all links of one chip)"));
  CHECK_THAT(text, Contains("bottleneck  z ring (97 % busy)"));
  CHECK_THAT(text, Contains("would help  twice the z bandwidth would save 11.2 %"));
  CHECK_THAT(text, Contains("evidence    single-server figures only"));
  CHECK_THAT(text, !Contains("1 MiB over"));  // the smaller size is in the table, not on the first screen
}

TEST_CASE("of several algorithms the fastest is the result and the others are compared with it") {
  Result result = sample::result();
  result.collectives = {sample::row("", 1 << 30, "ring", {30'000'000'000}),
                        sample::row("", 1 << 30, "torus", {20'000'000'000})};
  const std::string text = summary_text(result, {});
  CHECK_THAT(text, Contains("takes 20.000 ms"));
  CHECK_THAT(text, Contains("ring takes 30.000 ms, 1.50 times as long"));  // 30 / 20
}

TEST_CASE("the table has the columns of nccl-tests, then bound and efficiency") {
  const std::string text = collectives_text(sample::result(), {});
  std::istringstream in(text);
  std::string caption, shared, heading, units, first, second;
  std::getline(in, caption), std::getline(in, shared), std::getline(in, heading), std::getline(in, units);
  std::getline(in, first), std::getline(in, second);
  CHECK(caption == "all_reduce, 64 ranks");
  CHECK(shared == "  solver quotient: all ranks are alike");
  std::istringstream words(heading);
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(word);
  CHECK(names == std::vector<std::string>{"size", "count", "type", "redop", "time", "algbw", "busbw", "bound",
                                          "eff", "algorithm"});
  // 123'456'789'012 ps = 123'456.789... us, to two decimals
  CHECK_THAT(first, Contains("1048576"));
  CHECK_THAT(first, Contains("524288  bf16    sum"));
  CHECK_THAT(first, Contains("123,456.79"));
  CHECK_THAT(second, Contains("20,000,000.00"));
  CHECK(screen_width(heading) ==
        screen_width(second) + 4);  // "algorithm" is four letters longer than "torus"
}

TEST_CASE("several jobs get a column with their names and their start") {
  Result result = sample::result();
  result.collectives = {sample::row("dp", 1 << 30, "ring", {30'000'000'000}),
                        sample::row("tp", 1 << 30, "ring", {20'000'000'000})};
  result.collectives[1].start = {5'000'000};
  const std::string text = collectives_text(result, {});
  CHECK_THAT(text, Contains("job"));
  CHECK_THAT(text, Contains("tp    5.00"));
}

TEST_CASE("of a repeated job the slowest turn is the result") {
  Result result = sample::result();
  result.collectives = {
      sample::row("dp", 1 << 20, "ring", {10'000'000}), sample::row("tp", 1 << 20, "ring", {20'000'000}),
      sample::row("tp", 1 << 20, "ring", {30'000'000}), sample::row("tp", 1 << 20, "ring", {25'000'000})};
  CHECK_THAT(summary_text(result, {}),
             Contains("tp: all_reduce of 1 MiB over 64 ranks takes 30.000 us (the slowest of 3)"));
  CHECK_THAT(summary_text(result, {}), Contains("dp: all_reduce of 1 MiB over 64 ranks takes 10.000 us\n"));
}

TEST_CASE("long algorithm names become letters with a legend, and the table stays within 100 columns") {
  Result result = sample::result();
  result.collectives[0].algorithm = "ultraserver: torus, site: halving_doubling, cluster: ring";
  result.collectives[1].algorithm = "ultraserver: torus, site: ring, cluster: ring";
  const std::string text = to_text(result);
  CHECK_THAT(text, Contains("A = ultraserver: torus, site: halving_doubling, cluster: ring"));
  CHECK_THAT(text, Contains("B = ultraserver: torus, site: ring, cluster: ring"));
  CHECK(longest_line(text) <= 100);
}

TEST_CASE("a row that is not exact says so") {
  Result result = sample::result();
  CHECK_THAT(collectives_text(result, {}), !Contains("approximate"));
  result.collectives[1].exact = false;
  CHECK_THAT(collectives_text(result, {}), Contains("quotient (approximate)"));
}

TEST_CASE("past forty flows the table shows the first and the last twenty") {
  Result result;
  for (int i = 0; i < 50; ++i) result.flows.push_back(sample::flow("f" + std::to_string(i), i + 1));
  const std::string text = flows_text(result, {});
  CHECK_THAT(text, Contains("f19 "));
  CHECK_THAT(text, !Contains("f20 "));
  CHECK_THAT(text, !Contains("f29 "));
  CHECK_THAT(text, Contains("f30 "));
  CHECK_THAT(text, Contains("10 flows between are not shown"));  // 50 - 40
  result.flows.resize(40);
  CHECK_THAT(flows_text(result, {}), Contains("f20 "));
}

TEST_CASE("colour appears only where it is asked for") {
  Result result = sample::result();
  result.warnings = {"a key changes nothing"};
  CHECK(to_text(result, {}).find('\033') == std::string::npos);
  CHECK(to_text(result, {.colour = true}).find('\033') != std::string::npos);
}

TEST_CASE("an escape sequence in a name does not reach the terminal") {
  Result result = sample::result();
  result.name = "evil\033[31m";
  result.collectives[0].algorithm = "ring\033[2J";
  CHECK(to_text(result, {}).find('\033') == std::string::npos);
  CHECK(printable("a\tb\x7F\xC2\x9B"
                  "31m \xC3\xA9") == "a b??31m \xC3\xA9");
}

TEST_CASE("assertions are listed with their worst value, failed ones with their row") {
  Result result = sample::result();
  result.assertions = {{"time_s < 20ms", "", true, 0.0125},
                       {"efficiency > 0.9", "all_reduce 1 GiB", false, 0.75}};
  const std::string text = assertions_text(result, {});
  CHECK_THAT(text, Contains("held     time_s < 20ms  (worst: 0.0125)"));
  CHECK_THAT(text, Contains("FAILED   efficiency > 0.9  (worst: 0.75)  in all_reduce 1 GiB"));
}

TEST_CASE("an interrupted result says that it is not whole") {
  Result result = sample::result();
  result.interrupted = true;
  CHECK_THAT(to_text(result), Contains("interrupted: only the rows above were finished"));
  result.collectives.clear();
  CHECK_THAT(to_text(result), Contains("nothing was finished"));
}

TEST_CASE("numbers for reading are rounded half up from integers and grouped by thousands") {
  CHECK(readable({0}) == "0 s");
  CHECK(readable({999}) == "999 ps");
  CHECK(readable({1'234'500}) == "1.235 us");  // 1.2345 rounds up
  CHECK(readable({12'345'678'900}) == "12.346 ms");
  CHECK(readable({2'000'000'000'000'000}) == "2,000.000 s");
  CHECK(micros_text({4'999}) == "0.00");
  CHECK(micros_text({5'000}) == "0.01");
  CHECK(grouped(1'179'648) == "1,179,648");
  CHECK(grouped(999) == "999");
  CHECK(fixed(1234.567, 1) == "1,234.6");
  CHECK(fixed(-0.001, 2) == "0.00");
  CHECK(readable_bytes(4ULL << 30) == "4 GiB");
  CHECK(readable_bytes(1'500'000) == "1,500 kB");
  CHECK(readable_bytes(1'234'567) == "1,234,567 B");
}

TEST_CASE("text is wrapped at blanks and keeps its indent") {
  CHECK(wrapped("aa bb cc", 2, 7) == "aa bb\n  cc");
  CHECK(wrapped("a-word-that-is-too-long b", 0, 5) == "a-word-that-is-too-long\nb");
  CHECK(screen_width("\xC3\xA9t\xC3\xA9") == 3);
}

TEST_CASE("the last column of a table is wrapped below itself") {
  TextTable table;
  table.columns = {{TextColumn::Align::left, "key", ""}, {TextColumn::Align::left, "note", ""}};
  table.rows = {{"a", "one two three four five six"}, {"b", ""}};
  // "one ... four" ends at column 5 + 18 = 23; "five" would end at 28, past 26
  CHECK(to_text(table, 0, 26) == "key  note\na    one two three four\n     five six\nb\n");
}
