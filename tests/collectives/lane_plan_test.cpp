// The list scheduler and the mixtures of shares behind the torus.
#include <catch2/catch.hpp>

#include "collectives/algorithms/lane_plan.h"
#include "collectives/algorithms/torus_shares.h"

namespace tahoma {

TEST_CASE("a lane takes the step with the longest chain behind it") {
  // chain 0: lane 0 for 2;  chain 1: lane 0 for 1, then lane 1 for 5.
  //   lane 0: 1 first [0,1), then 0 [1,3)        first come, first served would end at 2 + 1 + 5 = 8
  //   lane 1: 1 [1,6)
  const std::vector<Chain> kinds{{{0, Duration{2}, {}}}, {{0, Duration{1}, {}}, {1, Duration{5}, {}}}};
  const LanePlan plan = plan_lanes(kinds, 1, 2);
  REQUIRE(plan.lanes[0].size() == 2);
  CHECK(plan.lanes[0][0].chain == 1);
  CHECK(plan.lanes[0][1].chain == 0);
  CHECK(plan.makespan == Duration{6});
}

TEST_CASE("a step starts when the one before has arrived, a lane is free when it has drained") {
  // two chunks of two steps on the same lane, 3 ps each and 10 ps under way:
  //   chunk 0 [0,3), chunk 1 [3,6), chunk 0 again at 3 + 10 [13,16), chunk 1 [16,19), arrived at 29
  const std::vector<Chain> kinds{{{0, Duration{3}, Duration{10}}, {0, Duration{3}, Duration{10}}}};
  const LanePlan plan = plan_lanes(kinds, 2, 1);
  CHECK(plan.makespan == Duration{29});
  REQUIRE(plan.lanes[0].size() == 4);
  const std::uint32_t chains[] = {0, 1, 0, 1}, steps[] = {0, 0, 1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(plan.lanes[0][i].chain == chains[i]);
    CHECK(plan.lanes[0][i].step == steps[i]);
  }
}

TEST_CASE("equal sides and rates get equal shares of all orders") {
  const auto orders = dimension_orders(3);
  REQUIRE(orders.size() == 6);
  const std::uint32_t sides[] = {4, 4, 4};
  const Capacity rates[] = {{1000}, {1000}, {1000}};
  CHECK(share_candidates(orders, sides, rates) == std::vector<OrderWeights>{OrderWeights(6, 1)});
}

TEST_CASE("the shares of two orders solve the balance of loads and rates") {
  // 4 x 4, y at 3/4 of the rate. A shard of size s loads its first dimension with 3/4 s and its second with
  // 3/16 s. Shares a for xy, b for yx, a + b = 1: (12 a + 3 b) / (3 a + 12 b) = 4/3  =>  36 a + 9 b = 12 a +
  // 48 b
  // => 24 a = 39 b => a = 13/21
  const auto orders = dimension_orders(2);
  const std::uint32_t sides[] = {4, 4};
  const Capacity rates[] = {{4000}, {3000}};
  const auto candidates = share_candidates(orders, sides, rates);
  REQUIRE(!candidates.empty());
  const double all = candidates[0][0] + candidates[0][1];
  CHECK(candidates[0][0] / all == Approx(13.0 / 21).epsilon(1e-4));
}

TEST_CASE("where no mixture can balance the loads, the slowest dimension gets as little as possible") {
  // 4 x 4, y at 1/100: y must carry at least 3/16 of every shard, as the second dimension: only xy is used
  const auto orders = dimension_orders(2);
  const std::uint32_t sides[] = {4, 4};
  const Capacity rates[] = {{100'000}, {1000}};
  for (const OrderWeights& weights : share_candidates(orders, sides, rates)) {
    CHECK(weights[0] > 0);
    CHECK(weights[1] == 0);
  }
}

TEST_CASE("all candidates balance the loads of a torus with one slow dimension") {
  // loads in 64ths of S: 48, 12, 3 along the first, second and third dimension; rates 2 : 2 : 1
  const auto orders = dimension_orders(3);
  const std::uint32_t sides[] = {4, 4, 4};
  const Capacity rates[] = {{2000}, {2000}, {1000}};
  const auto candidates = share_candidates(orders, sides, rates);
  CHECK(candidates.size() > 1);
  for (const OrderWeights& weights : candidates) {
    double load[3] = {}, all = 0;
    for (std::size_t o = 0; o < orders.size(); ++o) {
      const double by_place[] = {48, 12, 3};
      for (std::size_t place = 0; place < 3; ++place) load[orders[o][place]] += weights[o] * by_place[place];
      all += weights[o];
    }
    CHECK(load[0] / all == Approx(63.0 * 2 / 5).epsilon(1e-4));
    CHECK(load[1] / all == Approx(63.0 * 2 / 5).epsilon(1e-4));
    CHECK(load[2] / all == Approx(63.0 * 1 / 5).epsilon(1e-4));
  }
}

}  // namespace tahoma
