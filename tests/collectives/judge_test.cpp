// The judge against the pencil. Every other exactness test trusts it, so its own expectations are worked out
// here by hand. All links are 50 GB/s (1 MB = 20 us) unless a case says otherwise.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/support/hand_network.h"
#include "tests/support/hand_schedule.h"
#include "tests/support/judge.h"

using namespace tahoma;
using namespace tahoma::judge;
using namespace tahoma::literals;

namespace {

constexpr std::uint64_t megabyte = 1'000'000;

std::int64_t us(std::int64_t n) {
  return n * 1'000'000;
}

std::vector<ChipId> chips_from(ChipId first, std::uint32_t count) {
  std::vector<ChipId> chips(count);
  std::iota(chips.begin(), chips.end(), first);
  return chips;
}

Job job_of(Schedule schedule) {
  Job job;
  job.groups = {chips_from(0, schedule.ranks)};
  job.schedule = std::move(schedule);
  return job;
}

std::vector<std::int64_t> finishes(const Answer& answer, std::size_t job = 0, std::size_t group = 0) {
  std::vector<std::int64_t> result;
  for (const Number& finish : answer.rank_finish.at(job).at(group)) result.push_back(picoseconds(finish));
  return result;
}

std::vector<std::int64_t> run(const Topology& network, Job job) {
  return finishes(judge::judge({&network, {}, {std::move(job)}, {}}, Arithmetic::rounded));
}

std::vector<std::int64_t> all(std::size_t ranks, std::int64_t time) {
  return std::vector<std::int64_t>(ranks, time);
}

PlainFlow flow_over(std::vector<LinkId> links, std::uint64_t bytes, Time start = {}, Rate cap = {}) {
  return {{std::move(links), {}, cap}, {bytes}, start};
}

std::vector<std::int64_t> deliveries(const std::map<LinkId, Capacity>& links, std::vector<PlainFlow> flows) {
  std::vector<std::int64_t> result;
  const Answer answer = judge::judge({nullptr, links, {}, std::move(flows)}, Arithmetic::rounded);
  for (const Number& time : answer.delivered) result.push_back(picoseconds(time));
  return result;
}

// Rank 1, 2, 3 -> rank 0 through a port of rank 0 that is wide enough for all: all arrive at 20 us. Each
// sends under the tag of its number. Rank 0 answers `peer` with 1 MB once `tag` is there.
Schedule three_to_one_then_answer(std::uint16_t tag, std::int64_t peer) {
  std::vector<Role> roles = {role_of_one(0, {{0, {send_to(by_number(peer), megabyte, {{tag, 1, 0}}, 7)}}})};
  for (std::uint16_t rank = 1; rank <= 3; ++rank) {
    roles.push_back(role_of_one(rank, {{0, {send_to(by_number(0), megabyte, {}, rank, Op::reduce)}}}));
  }
  return schedule_of(4, roles);
}

HandNetwork four_with_links_of_their_own() {
  HandNetwork network(4);
  for (ChipId rank = 1; rank <= 3; ++rank) {
    network.add_route(rank, 0, {network.add_link(50_GBps)});
    network.add_route(0, rank, {network.add_link(50_GBps)});
  }
  return network;
}

}  // namespace

TEST_CASE("judge: two flows on a link have half of it each, and the rest when one is alone") {
  // Together from 10 us: the first has 0.5 MB left, 20 us at 25 GB/s. The second has moved 0.5 MB by then and
  // needs 10 us more for the other half.
  CHECK(deliveries({{{0}, 50_GBps}}, {flow_over({{0}}, megabyte), flow_over({{0}}, megabyte)}) ==
        std::vector<std::int64_t>{us(40), us(40)});
  CHECK(deliveries({{{0}, 50_GBps}}, {flow_over({{0}}, megabyte), flow_over({{0}}, megabyte, {us(10)})}) ==
        std::vector<std::int64_t>{us(30), us(40)});
}

TEST_CASE("judge: a rate cap leaves the rest of the link to the others") {
  // Capped at 10 GB/s: 1 MB = 100 us. The other has 40 GB/s: 25 us.
  CHECK(deliveries({{{0}, 50_GBps}},
                   {flow_over({{0}}, megabyte, {}, {10'000'000'000ULL << 20}), flow_over({{0}}, megabyte)}) ==
        std::vector<std::int64_t>{us(100), us(25)});
}

TEST_CASE("judge: max-min over three links fills the narrowest first") {
  //   link 0 (10): A B      D is held at 3 by link 2; then link 0 gives 5 to A and B;
  //   link 1 (20): A C D    C has what is left of link 1: 20 - 3 - 5 = 12.
  //   link 2 ( 3): D
  const std::vector<Number> rates = fair_shares({10, 20, 3}, {{0, 1}, {0}, {1}, {1, 2}}, Arithmetic::rounded);
  CHECK(rates == std::vector<Number>{5, 5, 12, 3});
}

TEST_CASE("judge: shares are floored, but compared before the floor") {
  // Link 0: 10/3, link 1: 11/3. Both floors are 3, but link 0 fills first; link 1 then has 11 - 3 = 8 for
  // two.
  const std::vector<std::vector<std::size_t>> paths = {{0}, {0}, {0, 1}, {1}, {1}};
  CHECK(fair_shares({10, 11}, paths, Arithmetic::rounded) == std::vector<Number>{3, 3, 3, 4, 4});
  // Unrounded: 10/3, and (11 - 10/3) / 2 = 23/6.
  const Number third(10, 3), rest(23, 6);
  CHECK(fair_shares({10, 11}, paths, Arithmetic::exact) ==
        std::vector<Number>{third, third, third, rest, rest});
}

TEST_CASE("judge: a flow ends at the next whole picosecond") {
  // 1 B at 3 B/s = 333,333,333,333.3 ps.
  CHECK(deliveries({{{0}, {u128{3} << 20}}}, {flow_over({{0}}, 1)}) ==
        std::vector<std::int64_t>{333'333'333'334});
}

TEST_CASE("judge: a plain flow is delivered its path's latency after it has drained") {
  PlainFlow flow = flow_over({{0}}, megabyte, {us(3)});
  flow.path.latency = 2_us;
  CHECK(deliveries({{{0}, 50_GBps}}, {flow}) == std::vector<std::int64_t>{us(3 + 20 + 2)});
}

TEST_CASE("judge: a ring all-reduce of 64 MiB on 64 chips takes 126 steps of 2^20 B and one latency") {
  const HandNetwork ring = one_way_ring(64, 50_GBps, 500_ns);
  const Answer answer =
      judge::judge({&ring, {}, {job_of(ring_all_reduce(64, 1 << 20))}, {}}, Arithmetic::rounded);
  // 2^20 B / 50 GB/s = 20,971,520 ps.
  CHECK(finishes(answer) == all(64, 126LL * (20'971'520 + 500'000)));
  CHECK(answer.link_bytes.size() == 64);
  CHECK(answer.link_bytes.at({17}) == 126 * (1 << 20));
}

TEST_CASE("judge: an all-to-all on a switch shares each port by 63, with one picosecond of flooring") {
  const HandNetwork star = one_switch(64, 50_GBps, 500_ns);
  std::vector<Lane> lanes;
  for (std::uint16_t k = 1; k < 64; ++k) lanes.push_back({k, {send_to(by_shift(k), 1 << 20)}});
  // 50e9 x 2^20 is no multiple of 63, so the share is a fraction of a unit short: + 1 ps.
  CHECK(run(star, job_of(schedule_of(64, {role_of_all(64, lanes)}))) ==
        all(64, 63 * 20'971'520LL + 1 + 2 * 500'000));
}

TEST_CASE("judge: a lane waits for its last message to drain, unless it is eager") {
  //   chip 1 <--10 GB/s-- chip 0 --50 GB/s--> chip 2
  HandNetwork network(3);
  network.add_route(0, 1, {network.add_link(10_GBps, 7_us)});
  network.add_route(0, 2, {network.add_link(50_GBps, 7_us)});
  Job job = job_of(schedule_of(
      3, {role_of_one(0, {{0, {send_to(by_number(1), megabyte), send_to(by_number(2), megabyte)}}})}));
  // 1 MB takes 100 us to chip 1 and 20 us to chip 2; latency does not hold the lane.
  CHECK(run(network, job) == std::vector<std::int64_t>{us(120), us(107), us(127)});
  job.rule = LaneRule::eager;
  CHECK(run(network, job) == std::vector<std::int64_t>{us(100), us(107), us(27)});
}

TEST_CASE("judge: an eager lane still sends in order") {
  // Rank 0's first message waits for rank 1's, 20 us; its second waits for nothing but stands behind it.
  const HandNetwork star = one_switch(3, 50_GBps, {});
  Job job = job_of(schedule_of(
      3,
      {role_of_one(0, {{0, {send_to(by_number(1), megabyte, {{0, 1, 0}}), send_to(by_number(2), megabyte)}}}),
       role_of_one(1, {{0, {send_to(by_number(0), megabyte)}}})}));
  job.rule = LaneRule::eager;
  // From 20 us on the two share rank 0's port.
  CHECK(run(star, job) == std::vector<std::int64_t>{us(60), us(60), us(60)});
}

TEST_CASE("judge: overhead holds the lane before the message enters, latency does not") {
  const HandNetwork star = one_switch(2, 50_GBps, 500_ns);
  Send two = send_to(by_number(1), megabyte);
  two.reps = 2;
  Job job = job_of(schedule_of(2, {role_of_one(0, {{0, {two}}})}));
  job.overhead = 3_us;
  // 2 x (3 + 20), and two links of 0.5 us for the receiver.
  CHECK(run(star, job) == std::vector<std::int64_t>{us(46), us(47)});
  job.rule = LaneRule::eager;
  // Enter at 3 and 6 us. Alone for 3 us (0.15 MB), then 25 GB/s each: the first ends at 6 + 34 us; the second
  // has 0.15 MB left then, 3 us.
  CHECK(run(star, job) == std::vector<std::int64_t>{us(43), us(44)});
}

TEST_CASE("judge: a ring step costs overhead, bytes, latency and reduction, and copies are not reduced") {
  const HandNetwork ring = one_way_ring(4, 50_GBps, 500_ns);
  Job job = job_of(ring_all_reduce(4, megabyte));
  job.overhead = 1_us;
  job.reduction_rate = 200_GBps;  // 5 us
  CHECK(run(ring, job) == all(4, 3 * us(1 + 20 + 5) + 3 * us(1 + 20) + 6 * 500'000));
}

TEST_CASE("judge: a reducer serves one message at a time, and copies do not queue") {
  const HandNetwork network = four_with_links_of_their_own();
  Job job = job_of(three_to_one_then_answer(1, 2));
  job.reduction_rate = 100_GBps;  // 10 us each
  // All three arrive at 20 us. The nearest source above the receiver goes first, so rank 1 is reduced at 30
  // us and the answer to rank 2 drains at 50 us; rank 3 is reduced at 50 us.
  CHECK(run(network, job) == std::vector<std::int64_t>{us(50), us(20), us(50), us(20)});
}

TEST_CASE("judge: of messages that arrive together, the one from the next rank is reduced first") {
  const HandNetwork network = four_with_links_of_their_own();
  for (std::uint16_t source = 1; source <= 3; ++source) {
    Job job = job_of(three_to_one_then_answer(source, 1));
    job.reduction_rate = 100_GBps;
    // Source s is the s-th: reduced at 20 + 10 s, answered 20 us later.
    CHECK(run(network, job)[1] == us(20 + 10 * source + 20));
  }
}

TEST_CASE("judge: an earlier arrival is reduced before a nearer source") {
  HandNetwork network(3);
  network.add_route(1, 0, {network.add_link(50_GBps, 2_us)});
  network.add_route(2, 0, {network.add_link(50_GBps, 1_us)});
  network.add_route(0, 1, {network.add_link(50_GBps)});
  Job job =
      job_of(schedule_of(3, {role_of_one(0, {{0, {send_to(by_number(1), megabyte, {{1, 1, 0}})}}}),
                             role_of_one(1, {{0, {send_to(by_number(0), megabyte, {}, 1, Op::reduce)}}}),
                             role_of_one(2, {{0, {send_to(by_number(0), megabyte, {}, 2, Op::reduce)}}})}));
  job.reduction_rate = 100_GBps;
  // Rank 2 arrives at 21 us and is reduced at 31 us; rank 1 arrives at 22 and is reduced from 31 to 41 us.
  CHECK(run(network, job) == std::vector<std::int64_t>{us(61), us(61), us(20)});
}

TEST_CASE("judge: two jobs on the same chips share one reducer") {
  HandNetwork network(2);
  network.add_route(1, 0, {network.add_link(50_GBps)});
  Job job =
      job_of(schedule_of(2, {role_of_one(1, {{0, {send_to(by_number(0), megabyte, {}, 0, Op::reduce)}}})}));
  job.reduction_rate = 100_GBps;
  const Answer answer = judge::judge({&network, {}, {job, job}, {}}, Arithmetic::rounded);
  // Both arrive at 40 us; the first job's is reduced first.
  CHECK(finishes(answer, 0) == std::vector<std::int64_t>{us(50), us(40)});
  CHECK(finishes(answer, 1) == std::vector<std::int64_t>{us(60), us(40)});
}

TEST_CASE("judge: a straggler's delay is paid once, by everybody in a ring") {
  const HandNetwork ring = one_way_ring(4, 50_GBps, {});
  Job job = job_of(ring_all_reduce(4, megabyte));
  job.start = {us(5)};
  job.delays[2] = 100_us;
  CHECK(run(ring, job) == all(4, us(5 + 100) + 6 * us(20)));
}

TEST_CASE("judge: a straggler receives while it is late") {
  const HandNetwork star = one_switch(2, 50_GBps, {});
  Job job = job_of(schedule_of(2, {role_of_all(2, {{0, {send_to(by_shift(1), megabyte)}}})}));
  job.delays[1] = 100_us;
  // Rank 1 has its input at 20 us but sends from 100 to 120 us.
  CHECK(run(star, job) == std::vector<std::int64_t>{us(120), us(120)});
  job.delays[1] = 5_us;
  CHECK(run(star, job) == std::vector<std::int64_t>{us(25), us(25)});
}

TEST_CASE("judge: a rank without sends and receives is done when the job starts") {
  const HandNetwork star = one_switch(3, 50_GBps, {});
  Job job = job_of(schedule_of(3, {role_of_one(0, {{0, {send_to(by_number(1), megabyte)}}})}));
  job.start = {us(9)};
  job.delays[2] = 50_us;
  CHECK(run(star, job) == std::vector<std::int64_t>{us(29), us(29), us(9)});
}

TEST_CASE("judge: the two ways of a split route drain together and arrive with the later one") {
  //        way 0: 50 GB/s, 0 us          1,000,001 B: 500,001 on way 0, 500,000 on way 1
  //  chip 0 ====================> chip 1
  //        way 1: 50 GB/s, 5 us
  HandNetwork network(2);
  network.add_route(0, 1, {network.add_link(50_GBps)});
  network.add_route(0, 1, {network.add_link(50_GBps, 5_us)});
  const auto one_message = [](std::uint64_t bytes) {
    return job_of(schedule_of(2, {role_of_one(0, {{0, {send_to(by_number(1), bytes)}}})}));
  };
  // 500,001 B = 10,000,020 ps; way 1 arrives at 10 + 5 us.
  CHECK(run(network, one_message(1'000'001)) == std::vector<std::int64_t>{10'000'020, 15'000'000});
  // One byte is on way 0 alone: 20 ps.
  CHECK(run(network, one_message(1)) == std::vector<std::int64_t>{20, 20});
}

TEST_CASE("judge: a rank enters its next phase when it is done with this one, alone") {
  //  0 - 1     phase 1 along x: 0 <-> 1, 2 <-> 3 (chips 2, 3 at half the rate)
  //  |   |     phase 2 along y: 0 <-> 2, 1 <-> 3
  //  2 - 3
  HandNetwork square(4);
  for (const ChipId chip : {0u, 1u, 2u, 3u}) {
    square.add_route(chip, chip ^ 1u, {square.add_link(chip < 2 ? 50_GBps : 25_GBps)});
    square.add_route(chip, chip ^ 2u, {square.add_link(50_GBps)});
  }
  const std::vector<Role> swap = {role_of_all(2, {{0, {send_to(by_shift(1), megabyte)}}})};
  const Job job = job_of(schedule_of({2, 2}, {phase_of({0}, 2, swap), phase_of({1}, 2, swap)}));
  // 0 and 1 send along y from 20 to 40 us, 2 and 3 from 40 to 60 us; the receives of 2 and 3 come at 40 us.
  CHECK(run(square, job) == std::vector<std::int64_t>{us(60), us(60), us(60), us(60)});
  // Phase 2 one way, from the fast row to the slow one: it arrives just as the slow row ends phase 1.
  const std::vector<Role> down = {role_of_one(0, {{0, {send_to(by_number(1), megabyte)}}})};
  const Job one_way = job_of(schedule_of({2, 2}, {phase_of({0}, 2, swap), phase_of({1}, 2, down)}));
  CHECK(run(square, one_way) == std::vector<std::int64_t>{us(40), us(40), us(40), us(40)});
}

TEST_CASE("judge: pipelined chunks overlap in different phases and queue in the same one") {
  //  x: 50 GB/s, 1 MB = 20 us; y: 1.5 MB = 30 us
  HandNetwork square(4);
  for (const ChipId chip : {0u, 1u, 2u, 3u}) {
    square.add_route(chip, chip ^ 1u, {square.add_link(50_GBps)});
    square.add_route(chip, chip ^ 2u, {square.add_link(50_GBps)});
  }
  Schedule schedule = schedule_of(
      {2, 2}, {phase_of({0}, 2, {role_of_all(2, {{0, {send_to(by_shift(1), megabyte)}}})}),
               phase_of({1}, 2, {role_of_all(2, {{0, {send_to(by_shift(1), 3 * megabyte / 2)}}})})});
  schedule.pipeline = 2;
  // x of chunk 0, then y of chunk 0 and 1 back to back: 20 + 2 x 30.
  CHECK(run(square, job_of(schedule)) == all(4, us(80)));
  schedule.pipeline = 1;
  CHECK(run(square, job_of(schedule)) == all(4, us(50)));
}

TEST_CASE("judge: channels run the program side by side on lanes of their own") {
  const HandNetwork ring = one_way_ring(4, 50_GBps, 500_ns);
  Schedule schedule = ring_all_reduce(4, megabyte);
  schedule.channels = 2;
  // Each has half of the link, and both pay the latency at the same time.
  CHECK(run(ring, job_of(schedule)) == all(4, 6 * (us(40) + 500'000)));
}

TEST_CASE(
    "judge: equal jobs on the same links double the bandwidth term, on other links they are as if alone") {
  const HandNetwork ring = one_way_ring(4, 50_GBps, 500_ns);
  const Job job = job_of(ring_all_reduce(4, megabyte));
  const Answer shared = judge::judge({&ring, {}, {job, job}, {}}, Arithmetic::rounded);
  CHECK(finishes(shared, 0) == all(4, 6 * (us(40) + 500'000)));
  CHECK(finishes(shared, 1) == finishes(shared, 0));

  HandNetwork two_rings(8);
  for (const ChipId chip : chips_from(0, 8)) {
    const ChipId next = chip / 4 * 4 + (chip + 1) % 4;
    two_rings.add_route(chip, next, {two_rings.add_link(50_GBps, 500_ns)});
  }
  Job apart = job;
  apart.groups.push_back(chips_from(4, 4));
  const Answer alone = judge::judge({&two_rings, {}, {apart}, {}}, Arithmetic::rounded);
  CHECK(finishes(alone, 0, 0) == all(4, 6 * (us(20) + 500'000)));
  CHECK(finishes(alone, 0, 1) == finishes(alone, 0, 0));
}

TEST_CASE("judge: peers along an axis stay in their row, peers of the flat place do not") {
  // 2 x 3 ranks, numbered x + 2 y. Shift by 1 along y: 0 -> 2 -> 4 -> 0. Shift by 1 of the flat place of a
  // phase over (x, y): 1 -> 2.
  HandNetwork network(6);
  const LinkId along_y = network.add_link(50_GBps), flat = network.add_link(25_GBps);
  network.add_route(5, 1, {along_y});
  network.add_route(5, 0, {flat});
  const auto from_rank_5 = [](Peer peer) {
    return job_of(
        schedule_of({2, 3}, {phase_of({0, 1}, 6, {role_of_one(5, {{0, {send_to(peer, megabyte)}}})})}));
  };
  CHECK(run(network, from_rank_5({Peer::Kind::shift, 1, 1})) ==
        std::vector<std::int64_t>{0, us(20), 0, 0, 0, us(20)});
  CHECK(run(network, from_rank_5({Peer::Kind::shift, flat_axis, 1})) ==
        std::vector<std::int64_t>{us(40), 0, 0, 0, 0, us(40)});
}

TEST_CASE("judge: a run that cannot finish names who waits for what") {
  const HandNetwork star = one_switch(2, 50_GBps, {});
  const Job job =
      job_of(schedule_of(2, {role_of_all(2, {{0, {send_to(by_shift(1), megabyte, {{3, 2, 0}})}}})}));
  CHECK_THROWS_WITH(run(star, job),
                    Catch::Contains("job 0, group 0, rank 1, channel 0 waits for 2 of tag 3, has 0"));
}
