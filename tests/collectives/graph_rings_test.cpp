// Rings on the direct links of a small graph. The DGX-1, links per pair of GPUs:
//
//     1 === 2   5 === 6         0-1 1   0-2 1   0-3 2   1-2 2   1-3 1   2-3 2
//     | \ / |   | \ / |         4-5 1   4-6 1   4-7 2   5-6 2   5-7 1   6-7 2
//     | / \ |   | / \ |         0-4 2   1-5 2   2-6 1   3-7 1
//     0 === 3   4 === 7
#include <array>

#include <catch2/catch.hpp>

#include "collectives/algorithms/cycle_packing.h"
#include "collectives/verify.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

struct PairOfGpus {
  std::uint32_t a, b, links;
};
constexpr std::array dgx1 = {
    PairOfGpus{0, 1, 1}, PairOfGpus{0, 2, 1}, PairOfGpus{0, 3, 2}, PairOfGpus{1, 2, 2},
    PairOfGpus{1, 3, 1}, PairOfGpus{2, 3, 2}, PairOfGpus{4, 5, 1}, PairOfGpus{4, 6, 1},
    PairOfGpus{4, 7, 2}, PairOfGpus{5, 6, 2}, PairOfGpus{5, 7, 1}, PairOfGpus{6, 7, 2},
    PairOfGpus{0, 4, 2}, PairOfGpus{1, 5, 2}, PairOfGpus{2, 6, 1}, PairOfGpus{3, 7, 1}};

/// Of the first n GPUs.
std::vector<std::uint32_t> dgx1_links(std::uint32_t n) {
  std::vector<std::uint32_t> links(std::size_t{n} * n);
  for (const PairOfGpus& pair : dgx1)
    if (pair.a < n && pair.b < n) links[pair.a * n + pair.b] = links[pair.b * n + pair.a] = pair.links;
  return links;
}

}  // namespace

TEST_CASE("as many cycles fit on a DGX-1 as NCCL finds and none through five of its GPUs") {
  // Two GPUs: one link, one ring. Three: one cycle, since 0 has two links. Four: two of three links each way.
  // Five: 4 hangs on 0 alone. Eight: all six links of every GPU.
  const std::array<std::size_t, 7> cycles = {1, 1, 2, 0, 1, 2, 3};
  for (std::uint32_t n = 2; n <= 8; ++n) CHECK(pack_cycles(dgx1_links(n), n).size() == cycles[n - 2]);
}

TEST_CASE("the cycles of a packing pass every rank once and no link twice") {
  for (std::uint32_t n = 3; n <= 8; ++n) {
    std::vector<std::uint32_t> left = dgx1_links(n);
    for (const auto& cycle : pack_cycles(left, n)) {
      std::uint64_t seen = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t a = cycle[i], b = cycle[(i + 1) % n];
        seen |= std::uint64_t{1} << a;
        REQUIRE(left[a * n + b] > 0);
        --left[a * n + b], --left[b * n + a];
      }
      CHECK(seen == (std::uint64_t{1} << n) - 1);
    }
  }
}

TEST_CASE("a full mesh of n ranks holds n half less one cycles") {
  // Every rank has n - 1 links, a cycle takes two of them: Walecki's decomposition.
  for (const std::uint32_t n : {3u, 4u, 5u, 6u, 7u, 8u}) {
    std::vector<std::uint32_t> links(std::size_t{n} * n, 1);
    for (std::uint32_t a = 0; a < n; ++a) links[a * n + a] = 0;
    CHECK(pack_cycles(links, n).size() == (n - 1) / 2);
  }
}

TEST_CASE("rings on a graph are proven by replay and refused where there is no ring") {
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather})
    for (std::uint32_t n = 2; n <= 8; ++n)
      for (const std::uint64_t bytes : {2ull, 1000ull, 1ull << 20}) {
        Axis axis = axis_of(n, Axis::Kind::list);
        axis.direct_links = dgx1_links(n);
        const ScheduleRequest request = request_of(collective, {axis}, "graph_rings", Bytes{bytes});
        INFO(name_of(collective) << ", " << n << " ranks, " << bytes << " bytes");
        if (n == 5) {
          CHECK_THROWS_WITH(make_schedule(request), Catch::Contains("these 5 have none"));
          continue;
        }
        CHECK(verify(make_schedule(request)).fault == "");
      }
  CHECK_THROWS_WITH(
      make_schedule(request_of(Collective::all_reduce, {axis_of(8)}, "graph_rings", Bytes{1 << 20})),
      Catch::Contains("direct links of one explicit graph"));
}

}  // namespace tahoma
