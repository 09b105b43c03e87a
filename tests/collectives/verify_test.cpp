// The replay accepts every schedule that is offered.
#include <catch2/catch.hpp>

#include "collectives/verify.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

/// The algorithm's reason if it refuses, else what the replay says ("" = proven).
struct Answer {
  bool offered = false;
  std::string fault;
};

Answer ask(const ScheduleRequest& request) {
  try {
    const Schedule schedule = make_schedule(request);
    return {true, verify(schedule).fault};
  } catch (const ScenarioError&) {
    return {};
  }
}

std::vector<std::uint32_t> shift_table(std::uint32_t n, std::uint32_t by) {
  std::vector<std::uint32_t> table(n);
  for (std::uint32_t p = 0; p < n; ++p) table[p] = (p + by) % n;
  return table;
}

}  // namespace

TEST_CASE("every algorithm is proven for every collective and 2 to 64 ranks, or refuses") {
  std::uint32_t proven = 0;
  for (const Algorithm& algorithm : algorithms())
    for (const Collective collective : all_collectives)
      for (std::uint32_t n = 2; n <= 64; ++n) {
        // 1 KiB: the torus cuts it into few chunks, which keeps the replay short
        ScheduleRequest request =
            request_of(collective, {axis_of(n)}, std::string(algorithm.name), Bytes{1024});
        request.table = shift_table(n, n / 2);
        request.root = n / 3;
        const Answer answer = ask(request);
        INFO(algorithm.name << ", " << name_of(collective) << ", " << n << " ranks");
        REQUIRE(answer.fault.empty());
        proven += answer.offered ? 1 : 0;
      }
  // 63 sizes each: ring 8 collectives, bidirectional_ring 3, torus_sequential 3, torus 3, direct 10, pairwise
  // 4, halving_doubling 5, double_binary_tree 3, bruck 5, one_shot 1; 6 powers of two each: halving_doubling
  // 3 more (reduce_scatter, all_gather, barrier), swing 3
  CHECK(proven == 63 * (8 + 3 + 3 + 3 + 10 + 4 + 5 + 3 + 5 + 1) + 6 * (3 + 3));
}

TEST_CASE("rooted collectives are proven from and to every root, with an explicit pipeline too") {
  std::uint32_t proven = 0;
  for (const Collective collective :
       {Collective::broadcast, Collective::gather, Collective::scatter, Collective::reduce})
    for (const char* algorithm : {"ring", "halving_doubling", "direct", "double_binary_tree"})
      for (const std::uint32_t n : {2u, 3u, 4u, 7u, 8u, 12u, 17u})
        for (std::uint32_t root = 0; root < n; ++root)
          for (const std::uint32_t pipeline : {0u, 3u}) {
            ScheduleRequest request = request_of(collective, {axis_of(n)}, algorithm, Bytes{1 << 14});
            request.root = root;
            request.pipeline = pipeline;
            const Answer answer = ask(request);
            INFO(name_of(collective) << " by " << algorithm << ", " << n << " ranks, root " << root);
            REQUIRE(answer.fault == "");
            proven += answer.offered ? 1 : 0;
          }
  // 53 roots, 2 pipelines, 3 algorithms for each of 4 collectives, the trees for broadcast and reduce
  CHECK(proven == 53 * 2 * (3 * 4 + 2));
}

TEST_CASE("the trees are proven on numbers of ranks with long stretches of equal roles") {
  for (const std::uint32_t n : {63u, 64u, 65u, 100u, 128u, 150u})
    for (const Collective collective : {Collective::all_reduce, Collective::broadcast, Collective::reduce}) {
      ScheduleRequest request = request_of(collective, {axis_of(n)}, "double_binary_tree", Bytes{1 << 12});
      request.root = n / 3;
      INFO(name_of(collective) << ", " << n << " ranks");
      CHECK(ask(request).fault == "");
    }
}

TEST_CASE("every algorithm for tori is proven on every torus of up to 64 chips, sides of 3 to 8") {
  std::uint32_t rings = 0, swings = 0;
  for (std::uint32_t x = 2; x <= 8; ++x)
    for (std::uint32_t y = 2; y <= 8 && x * y <= 64; ++y)
      for (const Collective collective :
           {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather})
        for (const char* algorithm :
             {"disjoint_rings", "kangaring", "swing", "bruck", "double_binary_tree"}) {
          const Answer answer = ask(request_of(collective, {axis_of(x), axis_of(y)}, algorithm, Bytes{1024}));
          INFO(algorithm << ", " << x << " x " << y);
          REQUIRE(answer.fault == "");
          if (answer.offered && algorithm == std::string_view("disjoint_rings")) ++rings;
          if (answer.offered && algorithm == std::string_view("swing")) ++swings;
        }
  CHECK(rings == 3 * 6 * 6);   // both sides 3 to 8
  CHECK(swings == 3 * 3 * 3);  // both sides 2, 4 or 8
  CHECK(ask(request_of(Collective::all_reduce, {axis_of(4), axis_of(4), axis_of(4)}, "swing")).fault == "");
}

TEST_CASE("sums in the switch are proven for 2 to 64 ranks, alone and below another level") {
  std::uint32_t proven = 0;
  for (const Collective collective : all_collectives)
    for (std::uint32_t n = 2; n <= 64; ++n) {
      ScheduleRequest request =
          request_of(collective, {axis_of(n, Axis::Kind::switched)}, "in_switch", Bytes{1 << 22});
      request.root = n / 3;
      const Answer answer = ask(request);
      INFO(name_of(collective) << ", " << n << " ranks");
      REQUIRE(answer.fault == "");
      proven += answer.offered ? 1 : 0;
    }
  // all_reduce, reduce_scatter, all_gather, broadcast, reduce, barrier
  CHECK(proven == 63 * 6);
  for (const Collective collective : {Collective::all_reduce, Collective::reduce, Collective::broadcast}) {
    ScheduleRequest request = request_by_level(collective, {axis_of(8, Axis::Kind::switched), axis_of(3)},
                                               {"in_switch", "ring"}, Bytes{1 << 22});
    request.root = 13;
    CHECK(ask(request).fault == "");
  }
  CHECK_FALSE(ask(request_of(Collective::all_reduce, {axis_of(8)}, "in_switch")).offered);
}

}  // namespace tahoma
