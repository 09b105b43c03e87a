// MSCCL XML read back: our own, that of the public repositories, and files made to hurt.
#include <catch2/catch.hpp>

#include "collectives/choose.h"
#include "collectives/importers/listed_schedule.h"
#include "collectives/importers/msccl_program.h"
#include "collectives/msccl_text.h"
#include "collectives/program/solve_program.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"
#include "tests/support/hand_network.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using namespace tahoma::literals;
using Catch::Matchers::Contains;

namespace {

Schedule schedule_on(const std::string& algorithm, Collective collective, std::uint32_t ranks,
                     std::uint32_t channels, Bytes size) {
  ScheduleRequest request = request_of(collective, {axis_of(ranks, Axis::Kind::switched)}, algorithm, size);
  request.channels = channels;
  request.pipeline = 1;
  return make_schedule(request);
}

std::string fault_of(const std::string& xml) {
  try {
    prove(read_msccl(xml, "a.xml"));
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

/// Two ranks exchange their halves of an all-gather, in place.
std::string gather_of_two(const std::string& send = "srcoff=\"0\"",
                          const std::string& receive = "dstoff=\"1\"", const std::string& head = "") {
  return "<algo name=\"g\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"2\" ngpus=\"2\" "
         "coll=\"allgather\" "
         "inplace=\"1\" outofplace=\"0\"" +
         head +
         ">\n<gpu id=\"0\" i_chunks=\"0\" o_chunks=\"2\" s_chunks=\"0\">\n"
         "<tb id=\"0\" send=\"1\" recv=\"1\" chan=\"0\">\n"
         "<step s=\"0\" type=\"s\" srcbuf=\"o\" " +
         send +
         " dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
         "<step s=\"1\" type=\"r\" srcbuf=\"o\" srcoff=\"1\" dstbuf=\"o\" " +
         receive +
         " cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n</tb>\n</gpu>\n"
         "<gpu id=\"1\" i_chunks=\"0\" o_chunks=\"2\" s_chunks=\"0\">\n"
         "<tb id=\"0\" send=\"0\" recv=\"0\" chan=\"0\">\n"
         "<step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"1\" dstbuf=\"o\" dstoff=\"1\" cnt=\"1\" "
         "depid=\"-1\" "
         "deps=\"-1\" hasdep=\"0\"/>\n"
         "<step s=\"1\" type=\"r\" srcbuf=\"o\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" "
         "depid=\"-1\" "
         "deps=\"-1\" hasdep=\"0\"/>\n</tb>\n</gpu>\n</algo>\n";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("our own MSCCL XML is read back and written again to the same bytes") {
  int read = 0;
  for (const char* algorithm : {"ring", "bidirectional_ring", "halving_doubling", "direct", "pairwise"}) {
    for (const Collective collective : {Collective::all_reduce, Collective::all_gather,
                                        Collective::reduce_scatter, Collective::all_to_all}) {
      for (const std::uint32_t ranks : {2u, 5u, 8u}) {
        std::string xml;
        try {
          xml = msccl_text(schedule_on(algorithm, collective, ranks, 2, Bytes{1 << 16}));
        } catch (const ScenarioError&) {
          continue;  // not offered
        } catch (const InfeasibleError&) {
          continue;  // the format cannot say it
        }
        INFO(algorithm << " " << name_of(collective) << " " << ranks);
        const Msccl algorithm_read = read_msccl(xml, "own.xml");
        CHECK(to_xml(algorithm_read) == xml);
        CHECK(prove(algorithm_read).empty());
        CHECK(collective_of(algorithm_read) == collective);
        ++read;
      }
    }
  }
  CHECK(read >= 20);
}

TEST_CASE("an exported schedule that is imported again finishes on every rank when the engine says") {
  // On a switch with ports of 50 GB/s and 500 ns.
  const judge::HandNetwork star = judge::one_switch(8, 50_GBps, 500_ns);
  const RankGroups groups = RankGroups::all(star);
  struct Case {
    const char* algorithm;
    Collective collective;
    std::uint32_t channels;
  };
  for (const Case& c :
       {Case{"ring", Collective::all_reduce, 1}, Case{"ring", Collective::all_reduce, 2},
        Case{"ring", Collective::all_gather, 1}, Case{"ring", Collective::reduce_scatter, 1},
        Case{"halving_doubling", Collective::all_reduce, 1}, Case{"direct", Collective::all_to_all, 1},
        Case{"direct", Collective::all_gather, 1}}) {
    for (const bool with_costs : {false, true}) {
      INFO(c.algorithm << " " << name_of(c.collective) << ", channels " << c.channels << ", costs "
                       << with_costs);
      const Schedule schedule = schedule_on(c.algorithm, c.collective, 8, c.channels, Bytes{1 << 20});
      Problem problem;
      problem.topology = &star;
      if (with_costs) {
        problem.overhead = 700_ns;
        if (std::string(c.algorithm) == "ring") problem.delays = {{3, 20_us}};
        problem.reduction_rate = 200_GBps;
      }
      const ListedSchedule listed = read_listed_schedule(msccl_text(schedule), "own.xml");
      const Solution ours = solve_program(listed.program((1 << 20) / 2, 2, 1), problem, groups);
      Program program;
      program.schedule = &schedule;
      program.groups = &groups;
      problem.programs = {program};
      const Solution engine = solve(problem, "engine");
      REQUIRE(engine.programs[0].finish_of_class.size() == 8);
      CHECK(ours.programs[0].finish_of_class == engine.programs[0].finish_of_class);
      CHECK(ours.messages == engine.messages);
    }
  }
}

TEST_CASE("rounds cut the buffer and follow each other in every thread block") {
  const judge::HandNetwork star = judge::one_switch(2, 10_GBps, 0_us);
  Problem problem;
  problem.topology = &star;
  const ListedSchedule listed = read_listed_schedule(gather_of_two(), "g.xml");
  // 2 chunks of 20,000 bytes; each rank sends one: 2 us whole, or 4 rounds of 5,000 bytes in 4 x 500 ns.
  for (const std::uint32_t rounds : {1u, 4u}) {
    const RankProgram program = listed.program(40'000, 1, rounds);
    CHECK(program.ops.size() == 4 * rounds);
    CHECK(solve_program(program, problem, RankGroups::all(star)).programs[0].finish == Time{} + 2_us);
  }
}

TEST_CASE("every MSCCL algorithm of the public repositories is proven by replay") {
  if (!has_inputs()) return;
  std::vector<std::string> files = input_files("msccl", ".xml");
  for (const std::string& file : input_files("teccl", ".xml")) files.push_back(file);
  CHECK(files.size() >= 11);
  for (const std::string& file : files) {
    INFO(file);
    const Msccl algorithm = read_msccl(content_of(file), file);
    CHECK(prove(algorithm).empty());
    const std::string again = to_xml(algorithm);
    CHECK(to_xml(read_msccl(again, file)) == again);
  }
}

TEST_CASE("a correct exchange is proven and each way to spoil it is named") {
  CHECK(fault_of(gather_of_two()).empty());
  CHECK_THAT(fault_of(gather_of_two("srcoff=\"1\"")), Contains("holds nothing yet"));
  CHECK_THAT(fault_of(gather_of_two("srcoff=\"0\"", "dstoff=\"0\"")), Contains("is no allgather in place"));
  CHECK_THAT(fault_of(gather_of_two("srcoff=\"7\"")), Contains("a.xml:4: chunks 7 to 7 of buffer 'o'"));
  CHECK_THAT(fault_of(replaced(gather_of_two(), "type=\"r\"", "type=\"rrc\"")),
             Contains("holds nothing yet"));
  const std::string reduce = replaced(gather_of_two(), "coll=\"allgather\"", "coll=\"allreduce\"");
  CHECK_THAT(fault_of(replaced(reduce, "type=\"r\"", "type=\"rrc\"")), Contains("is no allreduce"));
}

TEST_CASE("a step that could come before or after another one that it spoils is a race") {
  // Rank 1 overwrites chunk 0 from two blocks of which nothing says which is first.
  std::string xml = gather_of_two();
  xml = replaced(xml, "nchannels=\"1\"", "nchannels=\"2\"");
  xml = replaced(
      xml, "</tb>\n</gpu>\n<gpu id=\"1\"",
      "</tb>\n<tb id=\"1\" send=\"1\" recv=\"-1\" chan=\"1\">\n<step s=\"0\" type=\"s\" srcbuf=\"o\" "
      "srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n</tb>\n"
      "</gpu>\n<gpu id=\"1\"");
  xml = replaced(
      xml, "</tb>\n</gpu>\n</algo>",
      "</tb>\n<tb id=\"1\" send=\"-1\" recv=\"0\" chan=\"1\">\n<step s=\"0\" type=\"r\" srcbuf=\"o\" "
      "srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n</tb>\n"
      "</gpu>\n</algo>");
  CHECK_THAT(fault_of(xml), Contains("nothing says which of them is first"));
  CHECK(fault_of(replaced(xml, "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n</tb>\n</gpu>\n</algo>",
                          "cnt=\"1\" depid=\"0\" deps=\"1\" hasdep=\"0\"/>\n</tb>\n</gpu>\n</algo>"))
            .empty());
}

TEST_CASE("hostile MSCCL files are refused with their place and what is wrong") {
  const std::string good = gather_of_two();
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  const std::string bomb =
      "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n";
  struct Hostile {
    const char* what;
    std::string xml;
    const char* told;
  };
  const std::vector<Hostile> table = {
      {"empty", "", "a.xml:1:1: this is no XML"},
      {"binary noise", std::string("\x00\xff\x80\x7f<\x01>", 7), "a.xml:1:"},
      {"truncated", good.substr(0, good.size() / 2), "this is no XML"},
      {"nested 100,000 deep", deep, "this is no XML"},
      {"another element", "<graphs version=\"1\"/>", "accepted: algo"},
      {"an entity bomb", bomb + replaced(good, "id=\"0\"", "id=\"&b;\""), "is no whole number"},
      {"a huge count", replaced(good, "cnt=\"1\"", "cnt=\"4000000000\""), "attribute cnt=\"4000000000\""},
      {"a negative count", replaced(good, "cnt=\"1\"", "cnt=\"-1\""), "is no whole number from 1"},
      {"a word for a number", replaced(good, "srcoff=\"0\"", "srcoff=\"first\""),
       "a.xml:4:2: element 'step'"},
      {"more GPUs than said", replaced(good, "ngpus=\"2\"", "ngpus=\"1\""),
       "attribute send=\"1\" is no whole number from -1 to 0"},
      {"huge numbers of chunks", replaced(good, "o_chunks=\"2\"", "o_chunks=\"99999999\""),
       "is no whole number"},
      {"the same id twice", replaced(good, "gpu id=\"1\"", "gpu id=\"0\""), "out of turn"},
      {"a send to itself", replaced(good, "send=\"1\"", "send=\"0\""), "of gpu 0 has itself as peer"},
      {"an unknown operation", replaced(good, "type=\"s\"", "type=\"rsx\""), "accepted: s, r, rcs"},
      {"an unknown attribute", replaced(good, "chan=\"0\"", "chna=\"0\""), "did you mean 'chan'?"},
      {"an attribute twice", replaced(good, "chan=\"0\"", "chan=\"0\" chan=\"0\""), "is there twice"},
      {"an unknown element", replaced(good, "<step ", "<sync/><step "),
       "element 'sync' is not known inside 'tb'"},
      {"an unknown collective", replaced(good, "\"allgather\"", "\"allgatherv\""),
       "did you mean 'allgather'?"},
      {"a dependency on nobody", replaced(good, "depid=\"-1\"", "depid=\"9\""), "waits for threadblock 9"},
      {"a dependency past the end", replaced(good, "depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"5\""),
       "waits for step 5"},
      {"a dependency on itself", replaced(good, "depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"0\""),
       "waits for itself"},
      {"a receive too few", replaced(good, "type=\"r\"", "type=\"nop\""), "1 sends and 0 receives"},
      {"no placement", replaced(good, "inplace=\"1\"", "inplace=\"0\""),
       "neither for inplace nor for outofplace"},
  };
  for (const Hostile& hostile : table) {
    INFO(hostile.what);
    CHECK_THAT(fault_of(hostile.xml), Contains(hostile.told));
  }
}
