// What a result says about itself: the nearest measured cases, and where nothing measured is near.
#include "scenarios/validation/evidence.h"

#include <catch2/catch.hpp>

#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

const std::vector<CheckedCase> cases = read_checked_cases(
    "source,preset,count,ranks,collective,algo,size_class,least_bytes,most_bytes,rows,bias_percent,"
    "mean_error_percent\n"
    "S1,p5,2,16,all_reduce,,0,8,65536,14,-60.0,62.5\n"
    "S1,p5,2,16,all_reduce,,4,67108864,2147483648,6,3.0,4.5\n"
    "S2,hgx-h100,2,16,all_reduce,,4,67108864,67108864,1,1.0,1.0\n"
    "S3,p5,1,8,all_reduce,,4,67108864,67108864,1,2.0,2.0\n"
    "S4,p5,2,16,all_reduce,own:msccl,4,67108864,67108864,1,9.0,9.0\n"
    "S5,p4d,2,16,all_reduce,,4,67108864,67108864,1,8.0,8.0\n"
    "S6,p5,32,256,all_gather,,4,67108864,67108864,1,7.0,7.0\n");

std::string evidence(const std::string& cluster, const std::string& workload) {
  const Scenario scenario = load(text_request("cluster: " + cluster + "\nworkload: " + workload + "\n"));
  RunOptions options;
  options.advise = false;
  std::string text;
  for (const std::string& line : evidence_for(scenario, run(scenario, options), cases)) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("a result names the nearest measured system and the error there of its own sizes") {
  const std::string text = evidence("{preset: p5, count: 2}", "{collective: all_reduce, sizes: 128MiB}");
  CHECK_THAT(text, Contains("compared with 25 measured rows"));
  CHECK_THAT(text, Contains("all_reduce on 16 ranks: measured on 2 x p5, 16 ranks (S1)") &&
                       Contains("4.5 % at >= 64 MiB (6)"));
  CHECK_THAT(text, Contains("(S2)"));  // another server of the same chips
  CHECK_THAT(text, !Contains("62.5 %") && !Contains("S3") && !Contains("S4") && !Contains("S5"));
  CHECK_THAT(text, !Contains("outside"));
}

TEST_CASE("a size more than four times beyond the measured ones is outside") {
  const std::string near = evidence("{preset: p5, count: 2}", "{collective: all_reduce, sizes: 256KiB}");
  CHECK_THAT(near, Contains("62.5 % at <= 64 KiB (14)") && !Contains("outside"));
  const std::string far =
      evidence("{preset: p5, count: 2}", "{collective: all_reduce, sizes: [64KiB, 512KiB]}");
  CHECK_THAT(far,
             Contains("62.5 %") && Contains("all_reduce of 512 KiB on 16 ranks is outside what was checked"));
}

TEST_CASE("a number of ranks more than twice the measured one is outside and the nearest case is named") {
  const std::string twice = evidence("{preset: p5, count: 4}", "{collective: all_reduce, sizes: 64MiB}");
  CHECK_THAT(twice, Contains("all_reduce on 32 ranks: measured on 2 x p5, 16 ranks (S1)"));
  const std::string more = evidence("{preset: p5, count: 8}", "{collective: all_reduce, sizes: 64MiB}");
  CHECK_THAT(more,
             Contains("on 64 ranks is outside what was checked") &&
                 Contains("the nearest measured case of H100 is 2 x p5, 16 ranks, 64 MiB to 2 GiB (S1)"));
}

TEST_CASE("a case inside one server says nothing about several and the other way round") {
  const std::string inside = evidence("{preset: p5, count: 1}", "{collective: all_reduce, sizes: 64MiB}");
  CHECK_THAT(inside, Contains("(S3)") && !Contains("(S1)"));
  const std::string each =
      evidence("{preset: p5, count: 2}", "{collective: all_reduce, sizes: 64MiB, ranks: {by: server}}");
  CHECK_THAT(each, Contains("all_reduce on 8 ranks: measured on p5, 8 ranks (S3)") && !Contains("(S1)"));
}

TEST_CASE("a collective that nobody measured on the family is told") {
  CHECK_THAT(evidence("{preset: p5, count: 2}", "{collective: all_to_all, sizes: 64MiB}"),
             Contains("all_to_all of 64 MiB on 16 ranks is outside") &&
                 Contains("no such row of H100 has been compared"));
}

TEST_CASE("hardware of the scenario's own has no measured neighbour") {
  const Scenario scenario = load(text_request(ring_of_eight));
  RunOptions options;
  options.advise = false;
  const auto lines = evidence_for(scenario, run(scenario, options), cases);
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[1], Contains("no measured row is near it"));
}

TEST_CASE("results for Trn2 UltraServers and Trn3 say that nothing is public about them") {
  const std::string text =
      evidence("{preset: trn2-ultraserver, count: 2}", "{collective: all_reduce, sizes: 1GiB}");
  CHECK_THAT(text, Contains("Nothing is public about collectives across Trn2 UltraServers"));
  CHECK_THAT(text, Contains("no such row of Trainium2"));
}

TEST_CASE("a result of many kinds of rows keeps its evidence short") {
  const std::string text = evidence(
      "{preset: p5, count: 2}",
      "{collective: [all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce], sizes: 1MiB}");
  CHECK_THAT(text, Contains("2 more kinds of rows"));
}
