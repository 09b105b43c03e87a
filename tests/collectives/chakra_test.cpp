// Chakra traces: read from both forms, and run with schedules of our own.
#include <catch2/catch.hpp>

#include "collectives/choose.h"
#include "collectives/importers/chakra.h"
#include "collectives/importers/gunzip.h"
#include "collectives/importers/trace_program.h"
#include "collectives/program/add_schedule.h"
#include "collectives/program/run_program.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"
#include "tests/support/hand_network.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using namespace tahoma::literals;
using Catch::Matchers::Contains;

namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(std::uint32_t field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}
std::string bytes(std::uint32_t field, const std::string& value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}
std::string message(const std::string& value) {
  return varint(value.size()) + value;
}
std::string attribute(const std::string& name, std::uint32_t field, std::uint64_t value) {
  return bytes(10, bytes(1, name) + number(field, value));
}
std::string node(std::uint64_t id, std::uint64_t type, const std::string& more = "") {
  return message(number(1, id) + number(3, type) + more);
}
const std::string head = message(bytes(1, "0.0.4"));
std::string collective(std::uint64_t id, std::uint64_t type, std::uint64_t size,
                       const std::string& more = "") {
  return node(id, 7,
              attribute("comm_type", 9, type) + attribute("comm_size", 9, size) +
                  attribute("is_cpu_op", 27, 0) + more);
}

std::string fault_of(const std::string& content, std::uint32_t ranks = 2) {
  try {
    const std::vector<ChakraTrace> traces{read_chakra(content, "t.et")};
    program_of_traces(traces, ranks,
                      [](RankProgram& program, Collective, std::uint64_t, auto entry, const auto& origin) {
                        std::vector<std::uint32_t> exits;
                        for (const std::uint32_t e : entry)
                          exits.push_back(program.add({}, origin, std::vector{e}));
                        return exits;
                      });
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a trace reads the same from protocol buffers and from the JSON form written of it") {
  const ChakraTrace trace =
      read_chakra(head + node(4, 4, number(7, 20) + attribute("is_cpu_op", 27, 1)) +
                      collective(9, 0, 1 << 20, bytes(5, varint(4) + varint(77))) +
                      node(11, 5,
                           number(5, 9) + attribute("comm_dst", 7, 3) + attribute("comm_size", 9, 64) +
                               attribute("comm_tag", 7, 5)),
                  "t.et");
  REQUIRE(trace.nodes.size() == 3);
  CHECK(trace.nodes[0].micros == 20);
  CHECK(trace.nodes[0].on_host);
  CHECK(trace.nodes[1].needs == std::vector<std::uint64_t>{4});
  CHECK(trace.absent_needs == 1);  // 77
  CHECK(trace.nodes[1].comm_size == 1 << 20);
  CHECK(trace.nodes[2].target == 3);
  CHECK(trace.nodes[2].tag == 5);
  const std::string json = to_json(trace);
  CHECK(to_json(read_chakra(json, "t.json")) == json);
}

TEST_CASE("a schedule added to a program finishes on every rank when the engine says") {
  const judge::HandNetwork star = judge::one_switch(6, 50_GBps, 500_ns);
  const RankGroups groups = RankGroups::all(star);
  for (const char* algorithm :
       {"ring", "bidirectional_ring", "halving_doubling", "direct", "double_binary_tree"}) {
    for (const std::uint32_t copies : {1u, 2u}) {
      for (const bool with_costs : {false, true}) {
        INFO(algorithm << ", copies " << copies << ", costs " << with_costs);
        ScheduleRequest request =
            request_of(Collective::all_reduce, {axis_of(6, Axis::Kind::switched)}, algorithm, Bytes{3 << 20});
        request.pipeline = copies;
        request.channels = copies;
        const Schedule schedule = make_schedule(request);
        Problem problem;
        problem.topology = &star;
        Program alone;
        alone.schedule = &schedule;
        alone.groups = &groups;
        problem.programs = {alone};
        if (with_costs) {
          problem.overhead = 300_ns;
          problem.reduction_rate = 100_GBps;
        }
        const Instance instance = expand(problem, 0);
        RankProgram program;
        program.ranks = 6;
        std::vector<std::uint32_t> entry, ranks;
        std::vector<ChipId> chips;
        for (std::uint32_t r = 0; r < 6; ++r) {
          RankProgram::Op start;
          start.rank = r;
          entry.push_back(program.add(start, {}, {}));
          ranks.push_back(r);
          chips.push_back(r);
        }
        const auto exits = add_schedule(program, instance, ranks, entry, {});
        match_messages(program);
        order_of(program);
        const ProgramRun ours = run_program(program, problem, chips, groups.axes());
        const EngineResult engine = run_engine(instance, star);
        for (std::uint32_t r = 0; r < 6; ++r) CHECK(ours.done[exits[r]] == engine.node_finish[r]);
        CHECK(ours.messages == engine.messages);
      }
    }
  }
}

TEST_CASE("what one rank computes goes one after another and a collective begins when all are there") {
  // 20 us on the device, then a collective that takes nothing, then 5 us more.
  const std::vector<ChakraTrace> traces{
      read_chakra(head + node(1, 4, number(7, 20)) + node(2, 4, number(7, 10)) +
                      collective(3, 0, 64, bytes(5, varint(1) + varint(2))) +
                      node(4, 4, number(7, 5) + number(5, 3)),
                  "a.et"),
      read_chakra(head + collective(3, 0, 64), "b.et")};
  const TraceProgram trace = program_of_traces(
      traces, 2, [](RankProgram& program, Collective, std::uint64_t, auto entry, const auto& origin) {
        std::vector<std::uint32_t> exits;
        for (const std::uint32_t e : entry) exits.push_back(program.add({}, origin, std::vector{e}));
        return exits;
      });
  CHECK(trace.collectives == 1);
  CHECK(trace.nodes == 5);
  const judge::HandNetwork star = judge::one_switch(2, 50_GBps, 500_ns);
  Problem problem;
  problem.topology = &star;
  const std::vector<ChipId> chips{0, 1};
  const ProgramRun run = run_program(trace.program, problem, chips);
  CHECK(*std::max_element(run.rank_finish.begin(), run.rank_finish.end()) == Time{} + 35_us);
}

TEST_CASE("every stored trace is read and packed ones are unpacked") {
  if (!has_inputs()) return;
  std::size_t read = 0;
  for (const std::string& file : input_files("astra-sim", ".et")) {
    CHECK(!read_chakra(content_of(file), file).nodes.empty());
    ++read;
  }
  CHECK(read >= 72);
  for (const char* name : {"chakra.0.et.gz", "chakra.0.json.gz"}) {
    const std::string file = (inputs_folder() / "chakra" / name).string();
    const std::string packed = content_of(file);
    REQUIRE(is_gzip(packed));
    CHECK(read_chakra(gunzip(packed, file, std::size_t{1} << 30), file).nodes.size() == 3664);
    CHECK_THROWS_WITH(gunzip(packed, file, 1000), Contains("when unpacked"));
    CHECK_THROWS_WITH(gunzip(packed.substr(0, packed.size() / 2), file, std::size_t{1} << 30),
                      Contains("cut off"));
  }
}

TEST_CASE("hostile traces are refused with their place and what is wrong") {
  struct Hostile {
    const char* what;
    std::string content;
    const char* told;
  };
  const std::string loop = node(1, 4, number(7, 1) + number(5, 2)) + node(2, 4, number(7, 1) + number(5, 1));
  const std::vector<Hostile> table = {
      {"empty", "", "t.et: byte 0: the file is empty"},
      {"binary noise", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "longer than 64 bits"},
      {"truncated", head + node(1, 4).substr(0, 3), "bytes should follow"},
      {"a huge length", head + varint(std::uint64_t{1} << 60), "bytes should follow"},
      {"no nodes", head, "has no nodes"},
      {"an unknown type", head + node(1, 40), "is of type 40"},
      {"no type", head + message(number(1, 5)), "has no type"},
      {"an id twice", head + node(1, 4) + node(1, 4), "two nodes have the id 1"},
      {"a circle", head + loop, "waits for itself"},
      {"a group", head + message(number(1, 5)), "has no type"},
      {"a wire type that is none", head + message(varint(1 << 3 | 3)), "of a type, 3"},
      {"a time past any clock", head + node(1, 4, number(7, ~std::uint64_t{0})), "past any clock"},
      {"an unknown collective", head + collective(1, 31, 64), "comm_type 31"},
      {"a send in a trace for all", head + node(1, 5, attribute("comm_dst", 7, 1)),
       "one trace stands for all ranks"},
      {"work without a duration", head + node(1, 4, attribute("num_ops", 9, 5)), "no duration"},
      {"a collective of nothing known", head + node(1, 7), "without comm_type"},
      {"no JSON", "{\"workload_graph\": [", "this is no JSON"},
      {"JSON of something else", "{\"a\": 1}", "holds no list 'workload_graph'"},
      {"a negative id", "{\"workload_graph\": [{\"Id\": -1, \"NodeType\": 4}]}",
       "no whole number of at least 0 as 'Id'"},
      {"a word for a number", "{\"workload_graph\": [{\"Id\": 1, \"NodeType\": \"x\"}]}", "as 'NodeType'"},
      {"an unknown key", "{\"workload_graph\": [{\"Id\": 1, \"NodeType\": 4, \"run_time\": 4}]}",
       "'run_time'"},
      {"JSON nested without end", "{\"workload_graph\": " + std::string(200'000, '['), "this is no JSON"},
  };
  for (const Hostile& hostile : table) {
    INFO(hostile.what);
    CHECK_THAT(fault_of(hostile.content), Contains(hostile.told));
  }
}
