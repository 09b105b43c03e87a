// Two cycles through all chips of a torus, step by step over its links, none of them used twice.
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "collectives/algorithms/hamiltonian.h"

namespace tahoma {

TEST_CASE("every torus with sides of 3 to 16 has two Hamiltonian cycles that share no link") {
  for (std::uint32_t columns = 3; columns <= 16; ++columns)
    for (std::uint32_t rows = 3; rows <= 16; ++rows) {
      INFO(columns << " x " << rows);
      std::set<std::pair<std::uint32_t, std::uint32_t>> used;
      for (const auto& cycle : disjoint_hamiltonian_cycles(columns, rows)) {
        REQUIRE(cycle.size() == columns * rows);
        REQUIRE(std::set<std::uint32_t>(cycle.begin(), cycle.end()).size() == cycle.size());
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          const std::uint32_t a = cycle[i], b = cycle[(i + 1) % cycle.size()];
          const std::uint32_t across = (a % columns + columns - b % columns) % columns;
          const std::uint32_t along = (a / columns + rows - b / columns) % rows;
          const bool beside = along == 0 && (across == 1 || across == columns - 1);
          const bool above = across == 0 && (along == 1 || along == rows - 1);
          REQUIRE((beside || above));
          REQUIRE(used.insert(std::minmax(a, b)).second);
        }
      }
      CHECK(used.size() == 2 * columns * rows);  // all links of the torus
    }
}

TEST_CASE("a large torus with odd and even sides is served too") {
  for (const auto& cycle : disjoint_hamiltonian_cycles(40, 37)) CHECK(cycle.size() == 40 * 37);
  for (const auto& cycle : disjoint_hamiltonian_cycles(32, 30)) CHECK(cycle.size() == 32 * 30);
}

}  // namespace tahoma
