// Schedules as JSON: plans of MSCCL++, and what TE-CCL and TACCL found. Hand-made ones with known times, and
// files made to hurt.
#include <catch2/catch.hpp>

#include "collectives/importers/listed_schedule.h"
#include "collectives/program/solve_program.h"
#include "core/errors.h"
#include "tests/support/hand_network.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using namespace tahoma::literals;
using Catch::Matchers::Contains;

namespace {

std::string seed(const std::string& name) {
  return content_of(std::string(TAHOMA_SOURCE_DIR) + "/tests/fuzz/import/" + name);
}

std::string listed_fault(const std::string& text) {
  try {
    read_listed_schedule(text, "a.json");
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

std::string swapped(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// Finish on a switch with ports of 10 GB/s and 1 us to and from it; `elements` of one byte.
Duration time_of(const std::string& name, std::uint64_t elements) {
  const ListedSchedule listed = read_listed_schedule(seed(name), name);
  CHECK(listed.not_proven.empty());
  const judge::HandNetwork star = judge::one_switch(listed.ranks, 10_GBps, 1_us);
  Problem problem;
  problem.topology = &star;
  const Solution solution = solve_program(listed.program(elements, 1, 1), problem, RankGroups::all(star));
  return solution.programs[0].finish - Time{};
}

struct HostileJson {
  const char* what;
  std::string text;
  const char* told;
};

void check_hostile(const std::vector<HostileJson>& table) {
  for (const HostileJson& hostile : table) {
    INFO(hostile.what);
    CHECK_THAT(listed_fault(hostile.text), Contains(hostile.told));
  }
}

}  // namespace

TEST_CASE("schedules as JSON are proven and take the times that can be added up by hand") {
  // 10,000 bytes leave a port of 10 GB/s in 1 us and cross two links in 2 us, so a message takes 3 us.
  //
  // TE-CCL, all-gather on a line of three: rank 1 receives from both and sends to both, so its port has two
  // messages each way: 2 us and 2 us of latency. Then it passes on what came: 4 us again.
  CHECK(time_of("line_of_three.teccl.json", 30'000) == 8_us);
  // TE-CCL, all-to-all of three through rank 1, whose port takes 4 messages in pairs: at 2 us and at 4 us.
  // First comes what goes on from 2 to 0: there at 4 us. The piece from 0 to 2 is second in its lane: there
  // at 6 us, and sent on alone: 1 us and 2 us of latency.
  CHECK(time_of("exchange_of_three.teccl.json", 30'000) == 9_us);
  // TACCL, ring of three: two steps of 3 us.
  CHECK(time_of("ring_of_three.taccl.json", 30'000) == 6_us);
  // TACCL, all-reduce to rank 0 and back. Ranks 1 and 2 send 10,000 bytes each to it and share its port: 2 us
  // and 2 us of latency; back they share its other port: 4 us again.
  CHECK(time_of("reduce_of_three.taccl.json", 10'000) == 8_us);
}

TEST_CASE("a plan of MSCCL++ signals and reads and writes with the latencies of its links") {
  // Two ranks, a half of 10,000 bytes each: signal 2 us; request 2 us; the data back 1 + 2 us; the sum
  // written 1 us, and the signal behind it 2 us: 10 us.
  CHECK(time_of("halves_of_two.mscclpp.json", 20'000) == 10_us);
  // Packets need no signal: 3 us there, added, 3 us back.
  CHECK(time_of("packets_of_two.mscclpp.json", 20'000) == 6_us);
  // By a proxy: put and signal 3 us.
  CHECK(time_of("gather_of_two.mscclpp.json", 20'000) == 3_us);
}

TEST_CASE("a plan that does not wait for what it reads is no collective") {
  const std::string halves = seed("halves_of_two.mscclpp.json");
  // Relaxed signals order nothing that was written before them.
  std::string relaxed = halves;
  for (std::size_t at = 0; (at = relaxed.find("\"signal\"", at)) != std::string::npos; at += 11)
    relaxed.replace(at, 8, "\"rlxsignal\"");
  CHECK(listed_fault(relaxed).empty());  // here nobody reads after the last one
  std::string gather = swapped(seed("gather_of_two.mscclpp.json"), "\"pws\"", "\"put\"");
  CHECK_THAT(listed_fault(gather), Contains("waits 1 times for a signal of gpu 0, which sends 0"));
  CHECK_THAT(listed_fault(swapped(seed("gather_of_two.mscclpp.json"), "\"allgather\"", "\"allreduce\"")),
             Contains("is no allreduce"));
  CHECK_THAT(listed_fault(swapped(seed("packets_of_two.mscclpp.json"), "\"ppkt\"", "\"put\"")),
             Contains("is read as packets, and nothing writes them there"));
}

TEST_CASE("blocks of a plan that wait for each other are named") {
  std::string text = seed("halves_of_two.mscclpp.json");
  // Both wait before they signal.
  for (int rank = 0; rank < 2; ++rank) {
    const std::size_t at =
        text.find("\"signal\"", text.find(rank == 0 ? "\"id\": 0,\n   \"input" : "\"id\": 1,\n   \"input"));
    REQUIRE(at != std::string::npos);
    const std::size_t wait = text.find("\"wait\"", at);
    text.replace(wait, 6, "\"signal\"");
    text.replace(at, 8, "\"wait\"");
  }
  CHECK_THAT(listed_fault(text), Contains("the program waits for itself") && Contains("threadblock 0"));
}

TEST_CASE("hostile plans of MSCCL++ are refused with their place and what is wrong") {
  const std::string good = seed("halves_of_two.mscclpp.json");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"gpus\":[";
  check_hostile({
      {"truncated", good.substr(0, good.size() / 2), "this is no JSON"},
      {"nested 50,000 deep", deep, "nested more than 64 deep"},
      {"a key twice", swapped(good, "\"name\": \"halves\"", "\"name\": \"a\", \"name\": \"b\""),
       "is there twice"},
      {"a mistyped key", swapped(good, "\"inplace\"", "\"in_place\""), "did you mean 'inplace'?"},
      {"huge chunks", swapped(good, "\"input_chunks\": 2", "\"input_chunks\": 99999999999"),
       "/gpus/0/input_chunks is no whole number from 0"},
      {"a negative index", swapped(good, "\"index\": 0", "\"index\": -1"), "is no whole number from 0"},
      {"a chunk past the end", swapped(good, "\"index\": 0", "\"index\": 7"), "chunks 7 to 7 of buffer 'i'"},
      {"a text for a list",
       swapped(good, "\"channel_ids\": [\n        0\n       ]", "\"channel_ids\": \"0\""),
       "is a text; accepted: a list"},
      {"a channel that is not there",
       swapped(good, "\"connected_to\": [\n      1\n     ]", "\"connected_to\": []"),
       "numbers one of a list that is empty"},
      {"an unknown operation", swapped(good, "\"rres\"", "\"rress\""), "did you mean 'rres'?"},
      {"multicast", swapped(good, "\"rres\"", "\"glres\""), "uses multicast in the switch"},
      {"a pipeline", swapped(good, "\"rres\"", "\"pipeline\""), "as often as the size asks for"},
      {"itself as peer", swapped(good, "\"rank\": 1", "\"rank\": 0"), "is the gpu itself"},
      {"a gpu out of turn", swapped(good, "\"id\": 1,\n   \"input", "\"id\": 5,\n   \"input"),
       "is out of turn"},
      {"an unknown collective", swapped(good, "\"allreduce\"", "\"allreduced\""),
       "did you mean 'allreduce'?"},
      {"a lone barrier",
       swapped(good, "\"name\": \"nop\"",
               "\"name\": \"barrier\", \"barrier_id\": 0, \"num_threadblocks\": 2"),
       "2 blocks never meet at barrier 0"},
      {"a semaphore that is not there",
       swapped(good, "\"name\": \"nop\"", "\"name\": \"sem_acquire\", \"semaphore_ids\": [0]"),
       "numbers one of a list that is empty"},
      {"no gpus", swapped(good.substr(0, good.find("\"gpus\"")) + "\"gpus\": []}", "\"name\"", "\"name\""),
       "/gpus holds 0 gpus"},
  });
}

TEST_CASE("hostile schedules of TE-CCL are refused with their place and what is wrong") {
  const std::string good = seed("line_of_three.teccl.json");
  const std::string exchange = seed("exchange_of_three.teccl.json");
  check_hostile({
      {"truncated", good.substr(0, good.size() / 2), "this is no JSON"},
      {"no demand", swapped(good, "6-Demand_Met", "6-Demand"), "is not known; accepted: Epoch_Duration"},
      {"demands of another sentence", swapped(exchange, "Demand at", "Wish at"),
       "accepted: such as 'Demand at 1"},
      {"no flows but the key", "{\"6-Flows\": [], " + exchange.substr(exchange.find("\"7-chunk paths")),
       "holds nothing"},
      {"another sentence", swapped(good, "traveled over", "went over"), "accepted: 'Chunk 0 from 5 traveled"},
      {"a negative epoch", swapped(good, "in epoch 0", "in epoch -1"), "accepted: 'Chunk 0 from 5 traveled"},
      {"a huge number", swapped(good, "Chunk 0 from 0 traveled", "Chunk 99999999999 from 0 traveled"),
       "accepted: 'Chunk 0 from 5 traveled"},
      {"a GPU of no demand", swapped(good, "over 0->1", "over 0->9"), "names GPU 9, which is in no demand"},
      {"to where it is", swapped(good, "over 0->1", "over 0->0"), "sends a chunk to where it is"},
      {"a part of a chunk", swapped(exchange, "volume 1.0", "volume 0.25"), "which part is not said"},
      {"too early", swapped(good, "1->2 in epoch 1", "1->2 in epoch 0"), ""},
      {"never received",
       swapped(good, "Chunk 0 from 0 traveled over 0->1", "Chunk 0 from 0 traveled over 0->2"),
       "holds nothing yet"},
      {"a demand on itself", swapped(good, "\"GPU 1\": {\n    \"Chunk 0\"", "\"GPU 0\": {\n    \"Chunk 0\""),
       "is a demand of a GPU on itself"},
      {"a time that is no number", swapped(good, "3e-06", "\"soon\""), "is no number of at least 0"},
      {"uneven demands", swapped(good, "\"Chunk 0\": 1e-06", "\"Chunk 3\": 1e-06"), "/6-Demand_Met"},
  });
}

TEST_CASE("hostile algorithms of TACCL are refused with their place and what is wrong") {
  const std::string good = seed("ring_of_three.taccl.json");
  const std::string reduce = seed("reduce_of_three.taccl.json");
  check_hostile({
      {"truncated", good.substr(0, good.size() / 2), "this is no JSON"},
      {"another object", "{\"sccl_type\": \"topology\"}", "is no algorithm, so there is nothing to run"},
      {"no steps",
       "{\"sccl_type\": \"algorithm\", \"name\": \"x\", \"collective\": {\"name\": \"Allgather(n=2)\", "
       "\"nodes\": 2, \"chunks\": [{\"addr\": 1}]}, \"steps\": []}",
       "send nothing"},
      {"an unknown collective", swapped(good, "\"Allgather(n=3)\",", "\"Scan(n=3)\","),
       "which cannot be run"},
      {"a negative rank", swapped(good, "\"nodes\": 3", "\"nodes\": -3"), "is no whole number from 2"},
      {"huge ranks", swapped(good, "\"nodes\": 3", "\"nodes\": 1000000000"), "is no whole number from 2"},
      {"an address past the end", swapped(good, "\"addr\": 2", "\"addr\": 1"), "accepted: a multiple of 3"},
      {"a huge address", swapped(good, "\"addr\": 2", "\"addr\": 4000000000"), "is no whole number from 0"},
      {"a pipeline", swapped(good, "\"pipeline\": null", "\"pipeline\": 2"), "pipelines its steps"},
      {"an unknown deed", swapped(reduce, "\"rrc\"", "\"rrx\""), "accepted: r, rrc"},
      {"counted twice", swapped(reduce, "\"r\"", "\"rrc\""), "would count twice"},
      {"stored instead of added", swapped(reduce, "\"rrc\"", "\"r\""), "is no allreduce"},
      {"a mistyped key", swapped(good, "\"rounds\"", "\"round\""), "did you mean 'rounds'?"},
  });
}

TEST_CASE("JSON that is no schedule is told what is accepted") {
  CHECK_THAT(listed_fault("{\"nnodes\": 2, \"internode_sketch\": {}}"),
             Contains("this JSON is no schedule") && Contains("'Flows' (TE-CCL)"));
  CHECK_THAT(listed_fault("{"), Contains("a.json:1:2: this is no JSON"));
  CHECK_THAT(listed_fault("[1]"), Contains("this is no schedule that can be read"));
}
