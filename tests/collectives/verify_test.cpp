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
  // 63 sizes each: ring 4 collectives, bidirectional_ring 3, torus_sequential 3, torus 3, direct 6, pairwise
  // 4; halving_doubling all_reduce and broadcast, and 6 powers of two of reduce_scatter and all_gather
  CHECK(proven == 63 * (4 + 3 + 3 + 3 + 6 + 4 + 2) + 2 * 6);
}

TEST_CASE("broadcast is proven from every root, over several axes and with an explicit pipeline") {
  for (const char* algorithm : {"ring", "halving_doubling", "direct"})
    for (const std::uint32_t n : {2u, 3u, 4u, 7u, 8u, 12u, 17u})
      for (std::uint32_t root = 0; root < n; ++root)
        for (const std::uint32_t pipeline : {0u, 3u}) {
          ScheduleRequest request = request_of(Collective::broadcast, {axis_of(n)}, algorithm);
          request.root = root;
          request.pipeline = pipeline;
          INFO(algorithm << ", " << n << " ranks, root " << root);
          CHECK(verify(make_schedule(request)).fault == "");
        }
}

}  // namespace tahoma
