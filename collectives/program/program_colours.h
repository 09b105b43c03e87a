// The coarsest partition of a program's operations, links and servers that the fold may use (fold_program.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/program/program_network.h"

namespace tahoma {

struct ProgramColours {
  /// Classes are numbered by their first members.
  std::vector<std::uint32_t> class_of_op, class_of_link, class_of_server;  // links: by binding number
  /// By class of links: how many crossings flows of each kind make on each of its links. Ascending by flow.
  struct Crossed {
    std::uint64_t flow, crossings;
    auto operator<=>(const Crossed&) const = default;
  };
  static std::uint64_t flow(std::uint32_t op_class, std::uint32_t way) {
    return std::uint64_t{op_class} << 1 | way;
  }
  std::vector<std::vector<Crossed>> crossed;
  std::uint32_t op_classes = 0, link_classes = 0, server_classes = 0, rounds = 0;
};

/// The program has an order (order_of) and matched partners. Its network may be folded by digits already: a
/// crossing counts as often as its multiplicity says. The partition is verified: asserts.
ProgramColours colours_of(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                          const ProgramNetwork& network);

}  // namespace tahoma
