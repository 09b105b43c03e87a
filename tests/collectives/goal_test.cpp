// GOAL schedules: read, and refused where they cannot be run.
#include <catch2/catch.hpp>

#include "collectives/importers/goal.h"
#include "collectives/importers/trace_program.h"
#include "core/errors.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

std::string goal_fault(const std::string& text) {
  try {
    const std::vector<ChakraTrace> traces = read_goal(text, "a.goal");
    program_of_traces(traces, static_cast<std::uint32_t>(traces.size()),
                      [](RankProgram&, Collective, std::uint64_t, auto, const auto&) {
                        return std::vector<std::uint32_t>{};
                      });
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

std::string two(const std::string& first, const std::string& second = "") {
  return "num_ranks 2\nrank 0 {\n" + first + "}\nrank 1 {\n" + second + "}\n";
}

}  // namespace

TEST_CASE("a GOAL schedule is a trace per rank with lines for ids") {
  const std::string text = content_of(TAHOMA_SOURCE_DIR "/tests/fuzz/import/three_ranks.goal");
  REQUIRE(is_goal(text));
  const std::vector<ChakraTrace> traces = read_goal(text, "t.goal");
  REQUIRE(traces.size() == 3);
  REQUIRE(traces[0].nodes.size() == 4);
  CHECK(traces[0].nodes[0].picos == 1'000'000);
  CHECK(traces[0].nodes[1].needs == std::vector<std::uint64_t>{5});
  CHECK(traces[0].nodes[1].comm_size == 4096);
  CHECK(traces[0].nodes[1].tag == 7);
  CHECK(traces[0].nodes[3].cpu == 1);
  // l3 begins with l2, so it waits for what l2 waits for.
  CHECK(traces[1].nodes[2].needs == traces[1].nodes[1].needs);
  CHECK(goal_fault(text).empty());
}

TEST_CASE("hostile GOAL schedules are refused with their place and what is wrong") {
  struct Hostile {
    const char* what;
    std::string text;
    const char* told;
  };
  std::string chain = "num_ranks 2\nrank 0 {\n";
  for (int i = 0; i < 20'000; ++i) chain += "l" + std::to_string(i) + ": send 1b to 1\n";
  for (int i = 0; i < 20'000; ++i)
    chain += "l" + std::to_string(i) + " irequires l" + std::to_string((i + 1) % 20'000) + "\n";
  const std::vector<Hostile> table = {
      {"empty", "", "a.goal:1:1: 'the end of the file' stands where 'num_ranks' belongs"},
      {"no ranks", "num_ranks 0\n", "accepted: at least 1"},
      {"huge ranks", "num_ranks 99999999999999999999\n",
       "is no number of ranks; accepted: a whole number from 0"},
      {"negative ranks", "num_ranks -3\n", "a.goal:1:11: '-3' is no number of ranks"},
      {"truncated", "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n", "'the end of the file' begins no operation"},
      {"an open comment", "num_ranks 2 /* to the\nend",
       "a.goal:1:13: '/*' opens a comment that is never closed"},
      {"a rank twice", two("", "") + "rank 1 {\n}\n", "a.goal:6:6: '1' is there twice"},
      {"a rank past the end", "num_ranks 2\nrank 2 {\n}\n", "accepted: a whole number from 0 to 1"},
      {"a negative size", two("send -1b to 1\n"), "a.goal:3:6: '-1' is no number of bytes"},
      {"a huge size", two("send 99999999999999999999b to 1\n"), "is no number of bytes"},
      {"a size without its b", two("send 8 to 1\n"), "'to' stands where 'b' belongs"},
      {"to itself", two("send 8b to 0\n"), "a.goal:3:12: '0' is the rank itself"},
      {"from anybody", two("recv 8b from -1\n"), "receives from anybody"},
      {"with any tag", two("recv 8b from 1 tag -1\n"), "takes any tag"},
      {"another nic", two("send 8b to 1 nic 3\n"), "is another nic than 0"},
      {"a label twice", two("l1: calc 5\nl1: calc 6\n"), "a.goal:4:1: 'l1' labels two operations"},
      {"an unknown label", two("l1: calc 5\nl1 requires l7\n"), "a.goal:4:13: 'l7' labels no operation"},
      {"a circle", two("l1: calc 5\nl2: calc 5\nl1 requires l2\nl2 requires l1\n"),
       "node 3 ('l1') waits for itself through its dependencies"},
      {"a long circle of beginnings", chain + "}\n", "begins with itself through irequires"},
      {"the beginning of a computation", two("l1: calc 5\nl2: send 8b to 1\nl2 irequires l1\n"),
       "may have to wait for its cpu"},
      {"an unknown operation", two("l1: sent 8b to 1\n"),
       "a.goal:3:5: 'sent' is no operation; accepted: send"},
      {"two operations on a line", two("l1: calc 5 l2: calc 6\n"), "is not understood here"},
      {"nothing receives", two("send 8b to 1\n"), "1 sends and 0 receives"},
      {"another size", two("send 8b to 1\n", "recv 9b from 0\n"), "the receive that takes them expects 9"},
      {"each waits for the other",
       two("l1: recv 8b from 1\nl2: send 8b to 1\nl2 requires l1\n",
           "l1: recv 8b from 0\nl2: send 8b to 0\nl2 requires l1\n"),
       "the program waits for itself"},
  };
  for (const Hostile& hostile : table) {
    INFO(hostile.what);
    CHECK_THAT(goal_fault(hostile.text), Contains(hostile.told));
  }
}
