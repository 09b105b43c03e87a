// The table. A new algorithm is a file in collectives/algorithms/, two lines in rows.h, a row here, and a
// test.
#include "collectives/algorithms.h"

#include <array>

#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

constexpr std::array table{
    Algorithm{"ring",
              "each rank passes shards to the next one, one way, one lane; broadcast: a chain in chunks",
              "large sizes on a one-way ring, or one NIC per rank; latency grows with the ranks", refuse_ring,
              make_ring},
    Algorithm{"bidirectional_ring", "two rings at once, half of the data each way",
              "large sizes on a ring with a link each way", refuse_bidirectional_ring,
              make_bidirectional_ring},
    Algorithm{"torus_sequential", "one-way rings, one dimension after another, innermost first",
              "a torus, to compare with `torus`; uses one link of a chip at a time", refuse_torus_sequential,
              make_torus_sequential},
    Algorithm{
        "torus",
        "all dimension orders and both directions at once, shards by the rates, sends in a planned order",
        "rings in one to four dimensions, equal or unequal; all links of a chip work", refuse_torus,
        make_torus},
    Algorithm{"halving_doubling",
              "exchange with the rank one bit away, halving then doubling; broadcast: a binomial tree",
              "small and medium sizes on a switched fabric; 2 log2(n) messages", refuse_halving_doubling,
              make_halving_doubling},
    Algorithm{"direct", "every rank sends to every other at once, a channel per peer",
              "a switch or a full mesh; small sizes anywhere", refuse_direct, make_direct},
    Algorithm{"pairwise", "every rank sends to every other, one after another: step k to rank + k",
              "all_to_all where n - 1 messages at once would only queue", refuse_pairwise, make_pairwise},
    Algorithm{"double_binary_tree",
              "up and down two trees in chunks; each rank forwards in one and is a leaf in the other",
              "all_reduce, broadcast, reduce of medium sizes on a switched fabric of many ranks",
              refuse_double_binary_tree, make_double_binary_tree},
    Algorithm{"bruck", "log2(n) messages to the ranks 1, 2, 4, ... places away, for any number of ranks",
              "small sizes, all_to_all too; where halving_doubling lacks a power of two", refuse_bruck,
              make_bruck},
    Algorithm{"swing",
              "halving and doubling with partners 1, 1, 3, 5, ... steps away, all axes and sides at once",
              "small and medium sizes on rings and tori with sides that are powers of two", refuse_swing,
              make_swing},
    Algorithm{"disjoint_rings",
              "four rings at once: two cycles through all chips that share no link, both ways round",
              "large sizes on a torus of two dimensions, sides of 3 or more", refuse_disjoint_rings,
              make_disjoint_rings},
    Algorithm{"graph_rings", "as many rings at once as the direct links of an explicit graph hold",
              "large sizes in a server without switches (DGX-1, MI250X)", refuse_graph_rings,
              make_graph_rings},
    Algorithm{"kangaring", "disjoint_rings with the ranks of a chip in pairs: fewer touches of its memory",
              "large sizes on a Trn2 server; differs where the chip's memory is given", refuse_kangaring,
              make_kangaring},
    Algorithm{"rail_rings", "a ring per chip of a domain, each through all domains: every NIC carries one",
              "large sizes over several domains with a NIC per chip; by name only, as libraries do it",
              refuse_rail_rings, make_rail_rings, true},
    Algorithm{"one_shot", "every rank sends its whole buffer to every other at once and adds what comes",
              "a few KB inside a server; by name only, as libraries do it", refuse_one_shot, make_one_shot,
              true},
    Algorithm{"in_switch", "each rank sends once to the switch, which sums and copies, and receives once",
              "a switch that can add (NVLS, SHARP); by name only, `auto` leaves it out", refuse_in_switch,
              make_in_switch, true},
};

}  // namespace

std::span<const Algorithm> algorithms() {
  return table;
}

const Algorithm* algorithm_named(std::string_view name) {
  for (const Algorithm& row : table)
    if (row.name == name) return &row;
  return nullptr;
}

std::uint64_t shard_elements(std::uint64_t elements, std::uint32_t n) {
  return ceil_div64(elements, n);
}

}  // namespace tahoma
