// Programs: single operations with needs, on networks drawn by hand; expected times by pencil.
#include <catch2/catch.hpp>

#include "collectives/program/run_program.h"
#include "core/errors.h"
#include "tests/support/hand_network.h"

using namespace tahoma;
using namespace tahoma::literals;
using Kind = RankProgram::Kind;

namespace {

// Two chips, 10 GB/s and 1 us each way: 10,000 bytes take 1 us to leave and 1 us to arrive.
const judge::HandNetwork pair = [] {
  judge::HandNetwork network(2);
  network.add_route(0, 1, {network.add_link(10_GBps, 1_us)});
  network.add_route(1, 0, {network.add_link(10_GBps, 1_us)});
  return network;
}();

RankProgram program_of_two() {
  RankProgram program;
  program.ranks = 2;
  return program;
}

std::uint32_t add(RankProgram& program, Kind kind, std::uint32_t rank, std::uint64_t amount,
                  const std::vector<std::uint32_t>& needs = {}, std::uint32_t server = RankProgram::none) {
  RankProgram::Op op;
  op.kind = kind;
  op.rank = rank;
  op.amount = amount;
  op.server = server;
  if (kind == Kind::send || kind == Kind::receive) op.peer = 1 - rank;
  return program.add(op, {rank, static_cast<std::uint32_t>(program.ops.size()), 0}, needs);
}

ProgramRun run_on_pair(RankProgram& program, Problem problem = {}) {
  problem.topology = &pair;
  match_messages(program);
  order_of(program);
  const std::vector<ChipId> chips{0, 1};
  return run_program(program, problem, chips);
}

std::string fault_of(RankProgram program) {
  try {
    match_messages(program);
    order_of(program);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a send is done when its last byte has left and its receive one latency later") {
  RankProgram program = program_of_two();
  add(program, Kind::send, 0, 10'000);
  add(program, Kind::receive, 1, 10'000);
  const ProgramRun run = run_on_pair(program);
  CHECK(run.done[0] == Time{} + 1_us);
  CHECK(run.done[1] == Time{} + 2_us);
  CHECK(run.rank_finish == std::vector<Time>{Time{} + 1_us, Time{} + 2_us});
  REQUIRE(run.links.size() == 1);
  CHECK(run.links[0].bytes == 10'000);
}

TEST_CASE("a chain of needs is a lane and two chains share the link") {
  RankProgram program = program_of_two();
  const std::uint32_t first = add(program, Kind::send, 0, 10'000);
  const std::uint32_t second = add(program, Kind::send, 0, 10'000, {first});
  const std::uint32_t beside = add(program, Kind::send, 0, 10'000);
  for (int i = 0; i < 3; ++i) add(program, Kind::receive, 1, 10'000);
  const ProgramRun run = run_on_pair(program);
  CHECK(run.done[first] == Time{} + 2_us);  // half of the link each
  CHECK(run.done[beside] == Time{} + 2_us);
  CHECK(run.done[second] == Time{} + 3_us);  // alone
}

TEST_CASE("a message waits for its receive and not the other way round") {
  RankProgram program = program_of_two();
  const std::uint32_t work = add(program, Kind::compute, 1, 5'000'000);  // 5 us
  const std::uint32_t send = add(program, Kind::send, 0, 10'000);
  const std::uint32_t receive = add(program, Kind::receive, 1, 10'000, {work});
  const ProgramRun run = run_on_pair(program);
  CHECK(run.done[send] == Time{} + 1_us);
  CHECK(run.done[receive] == Time{} + 5_us);
}

TEST_CASE("a server does one computation at a time in the order in which they become ready") {
  RankProgram program = program_of_two();
  program.servers = 1;
  const std::uint32_t gate = add(program, Kind::compute, 0, 1'000'000);
  const std::uint32_t late = add(program, Kind::compute, 0, 2'000'000, {gate}, 0);  // ready at 1 us
  const std::uint32_t early = add(program, Kind::compute, 0, 3'000'000, {}, 0);     // ready at 0
  const std::uint32_t equal = add(program, Kind::compute, 0, 4'000'000, {gate}, 0);
  const ProgramRun run = run_on_pair(program);
  CHECK(run.done[early] == Time{} + 3_us);
  CHECK(run.done[late] == Time{} + 5_us);  // before its equal by its number
  CHECK(run.begun[equal] == Time{} + 5_us);
  CHECK(run.done[equal] == Time{} + 9_us);
}

TEST_CASE("overhead holds the sender and a straggler begins to send late") {
  RankProgram program = program_of_two();
  const std::uint32_t send = add(program, Kind::send, 0, 10'000);
  add(program, Kind::receive, 1, 10'000);
  Problem problem;
  problem.overhead = 3_us;
  CHECK(run_on_pair(program, problem).done[send] == Time{} + 4_us);
  problem.delays = {{0, 7_us}};
  CHECK(run_on_pair(program, problem).done[send] == Time{} + 11_us);
}

TEST_CASE("what is added is served one after another where a rate is given") {
  RankProgram program = program_of_two();
  program.ranks = 2;
  for (int i = 0; i < 2; ++i) add(program, Kind::send, 0, 10'000);
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t receive = add(program, Kind::receive, 1, 10'000);
    program.ops[receive].adds = true;
  }
  Problem problem;
  problem.reduction_rate = 1_GBps;  // 10 us each; both arrive after 2 + 1 us
  const ProgramRun run = run_on_pair(program, problem);
  CHECK(run.done[2] == Time{} + 13_us);
  CHECK(run.done[3] == Time{} + 23_us);
}

TEST_CASE("a program that waits for itself is refused with the circle") {
  RankProgram program = program_of_two();
  add(program, Kind::receive, 0, 8);
  add(program, Kind::send, 0, 8, {0});
  add(program, Kind::receive, 1, 8);
  add(program, Kind::send, 1, 8, {2});
  const std::string fault = fault_of(program);
  CHECK(fault.find("waits for itself") != std::string::npos);
  CHECK(fault.find("rank 0, lane 0, step 0 receives from rank 1") != std::string::npos);
  CHECK(fault.find("rank 1, lane 1, step 3 sends to rank 0") != std::string::npos);
}

TEST_CASE("a message without a partner or of another size is refused with both ends") {
  RankProgram program = program_of_two();
  add(program, Kind::send, 0, 8);
  CHECK(fault_of(program).find("1 sends and 0 receives") != std::string::npos);
  add(program, Kind::receive, 1, 9);
  CHECK(fault_of(program).find("8 bytes, and the receive that takes them expects 9") != std::string::npos);
}

TEST_CASE("copies of a program side by side take as long as one where they do not meet") {
  RankProgram program = program_of_two();
  add(program, Kind::send, 0, 10'000);
  add(program, Kind::receive, 1, 10'000);
  match_messages(program);
  const judge::HandNetwork star = judge::one_switch(4, 10_GBps, 500_ns);
  Problem problem;
  problem.topology = &star;
  const std::vector<ChipId> chips{0, 1, 2, 3};
  const ProgramRun run = run_program(side_by_side(program, 2), problem, chips);
  CHECK(run.rank_finish == std::vector<Time>{Time{} + 1_us, Time{} + 2_us, Time{} + 1_us, Time{} + 2_us});
}
