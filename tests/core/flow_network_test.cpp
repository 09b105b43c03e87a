// The flow network in time, against the judge's fluid, which solves everything again at every instant.
#include "core/flow_network.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "core/random.h"
#include "tests/support/judge_fluid.h"

using namespace tahoma;
using namespace tahoma::literals;

namespace {

struct Traffic {
  struct Flow {
    std::vector<std::uint32_t> links;
    std::uint64_t cap;  // 0: none
    std::uint64_t bytes;
    std::int64_t start;
  };
  std::vector<std::uint64_t> capacity;
  std::vector<Flow> flows;  // in order of start
};

// A flow may start before or after the ends of its instant are known.
enum class Starts { after_ends, before_ends };

std::vector<std::int64_t> finish_times(const Traffic& traffic, Starts starts = Starts::after_ends) {
  std::vector<Capacity> links;
  for (const std::uint64_t c : traffic.capacity) links.push_back({c});
  std::vector<Crossing> crossings;
  for (const Traffic::Flow& flow : traffic.flows) {
    for (const std::uint32_t link : flow.links) crossings.push_back({link, 1});
  }
  FlowNetwork network(links, crossings, traffic.flows.size());
  std::uint32_t first = 0;
  for (const Traffic::Flow& flow : traffic.flows) {
    const auto count = static_cast<std::uint32_t>(flow.links.size());
    network.add_path(first, count, {flow.cap});
    first += count;
  }
  std::vector<std::int64_t> finish(traffic.flows.size(), -1);
  std::uint32_t next = 0;
  for (;;) {
    Time now = network.next_finish();
    if (next < traffic.flows.size()) now = std::min(now, Time{traffic.flows[next].start});
    if (now == Time::never()) return finish;
    const auto end = [&] {
      std::uint32_t owner = 0;
      while (network.pop_finished(now, owner)) finish[owner] = now.ps;
    };
    if (starts == Starts::after_ends) end();
    for (; next < traffic.flows.size() && traffic.flows[next].start == now.ps; ++next) {
      network.start(next, {traffic.flows[next].bytes}, next, now);
    }
    if (starts == Starts::before_ends) end();
    network.settle(now);
  }
}

std::vector<std::int64_t> finish_times_by_judge(const Traffic& traffic) {
  judge::Fluid fluid(judge::Arithmetic::rounded);
  for (const std::uint64_t c : traffic.capacity) fluid.add_link(c);
  std::vector<std::int64_t> finish(traffic.flows.size(), -1);
  std::size_t next = 0;
  for (;;) {
    std::optional<judge::Number> now = fluid.next_drain();
    if (next < traffic.flows.size() && (!now || traffic.flows[next].start < *now)) {
      now = traffic.flows[next].start;
    }
    if (!now) return finish;
    for (const std::size_t flow : fluid.advance(*now)) {
      finish[flow] = static_cast<std::int64_t>(judge::floor_of(*now));
    }
    for (; next < traffic.flows.size() && traffic.flows[next].start == *now; ++next) {
      const Traffic::Flow& flow = traffic.flows[next];
      std::vector<std::size_t> links(flow.links.begin(), flow.links.end());
      if (flow.cap != 0) links.push_back(fluid.add_link(flow.cap));
      fluid.start_flow(links, flow.bytes);
    }
    fluid.share_out();
  }
}

// Round numbers make many ends and starts fall on one instant; odd ones make none.
Traffic draw_traffic(Random& random) {
  Traffic traffic;
  const bool round = random.below(2) == 0;
  const std::uint64_t gigabyte_per_second = std::uint64_t{1'000'000'000} << 20;
  const auto links = static_cast<std::uint32_t>(1 + random.below(16));
  for (std::uint32_t l = 0; l < links; ++l) {
    traffic.capacity.push_back(round ? (1 + random.below(4)) * 10 * gigabyte_per_second
                                     : 1 + random.below(100 * gigabyte_per_second));
  }
  const std::uint64_t flows = 1 + random.below(60);
  for (std::uint64_t f = 0; f < flows; ++f) {
    Traffic::Flow flow;
    const auto count = static_cast<std::uint32_t>(1 + random.below(std::min(links, 4u)));
    flow.links = draw_without_replacement(random, links, count);
    flow.cap = random.below(5) == 0 ? (1 + random.below(8)) * gigabyte_per_second : 0;
    flow.bytes = round ? (1 + random.below(4)) * 1'000'000 : 1 + random.below(4'000'000);
    flow.start = static_cast<std::int64_t>(round ? random.below(6) * 50'000'000 : random.below(300'000'000));
    traffic.flows.push_back(flow);
  }
  std::stable_sort(traffic.flows.begin(), traffic.flows.end(),
                   [](const auto& a, const auto& b) { return a.start < b.start; });
  return traffic;
}

}  // namespace

TEST_CASE("flow network: a flow that is joined and left again keeps what it has moved") {
  // 50 GB/s, 1 MB each, the second from 10 us: shared from 10 to 30 us (0.5 MB of each), then the second
  // alone for its last 0.5 MB.
  const std::uint64_t fifty = std::uint64_t{50'000'000'000} << 20;
  CHECK(finish_times({{fifty}, {{{0}, 0, 1'000'000, 0}, {{0}, 0, 1'000'000, 10'000'000}}}) ==
        std::vector<std::int64_t>{30'000'000, 40'000'000});
}

TEST_CASE("flow network: a flow alone where others have just left has its own path's rate") {
  //   a, c --[0: 10 GB/s]--   f, g --[1: 100 GB/s]--   all four end at 20 us;
  //   b --[0]-- with a cap of 1 GB/s starts at that instant and needs 20 us for its 20 kB.
  const std::uint64_t gigabyte_per_second = std::uint64_t{1'000'000'000} << 20;
  const Traffic traffic{{10 * gigabyte_per_second, 100 * gigabyte_per_second},
                        {{{0}, 0, 100'000, 0},
                         {{0}, 0, 100'000, 0},
                         {{1}, 0, 1'000'000, 0},
                         {{1}, 0, 1'000'000, 0},
                         {{0}, gigabyte_per_second, 20'000, 20'000'000}}};
  for (const Starts starts : {Starts::after_ends, Starts::before_ends}) {
    CHECK(finish_times(traffic, starts) ==
          std::vector<std::int64_t>{20'000'000, 20'000'000, 20'000'000, 20'000'000, 40'000'000});
  }
}

TEST_CASE("flow network: 500 random traffics end as the judge says, to the picosecond") {
  Random random(42);
  for (int instance = 0; instance < 500; ++instance) {
    INFO("instance " << instance);
    const Traffic traffic = draw_traffic(random);
    const std::vector<std::int64_t> finish = finish_times(traffic);
    REQUIRE(std::count(finish.begin(), finish.end(), -1) == 0);
    REQUIRE(finish == finish_times_by_judge(traffic));
    REQUIRE(finish == finish_times(traffic, Starts::before_ends));
  }
}
