// Two rings through all chips of a 2-D torus that share no link.
//
// Problem: the ring in the order of the chips' numbers jumps from the end of a row to the next one and uses
// one link of a chip in four. Idea: begin with all rows as one set of cycles and all columns as the other. On
// a square of the torus let the two sets trade their pairs of edges: two rows become one cycle, and so do two
// columns.
//
//     o===o         o   o        === one set       Along the diagonal this joins as many rows and columns as
//     .   .   ->    |   |        ... the other     the torus has in its smaller direction; what is left over
//     o===o         o   o                          is joined by the first square, or pair of them, that
//     lowers
//                                                  the number of cycles, until there are two.
// That it always ends with two was found by trying (all sides from 3 to 16, a test); that two such rings
// exist on every torus is a theorem of Kotzig (1973).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tahoma {

/// Positions x + columns * y in the order of the ring; both sides are 3 or more. Empty if none were found.
std::array<std::vector<std::uint32_t>, 2> disjoint_hamiltonian_cycles(std::uint32_t columns,
                                                                      std::uint32_t rows);

}  // namespace tahoma
