// Proof that a program moves the right data: who contributed to what each rank holds in the end.
//
// Idea: memory is cells (a rank's chunk of a buffer), numbered over all ranks. Each operation reads cells,
// writes cells, or passes on what it has just received. Contents are sets of contributions; adding two that
// overlap is a fault, since something would count twice. The program is played once in the order in which it
// can be done; that stands for every order if no two operations that touch a cell, one of them writing, could
// swap: a second pass gives each operation the clock of what is done before it in any order, and looks for
// such pairs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collectives/program/rank_program.h"

namespace tahoma {

/// Sets of contributions by number; equal sets have equal numbers. 0 is "nothing yet".
class Contents {
 public:
  static constexpr std::uint32_t nothing = 0;
  Contents() : sets_{{}}, numbers_{{{}, 0}} {}
  std::uint32_t of(std::uint64_t contribution) { return number({{contribution, contribution + 1}}); }
  /// The contributions first, first + 1, ...
  std::uint32_t of_range(std::uint64_t first, std::uint64_t count) {
    return number({{first, first + count}});
  }
  /// `nothing` if they overlap.
  std::uint32_t sum(std::uint32_t a, std::uint32_t b);

 private:
  using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // [begin, end), ascending, apart
  std::uint32_t number(Runs runs);
  std::vector<Runs> sets_;
  std::map<Runs, std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> sums_;
};

/// What an operation does to memory. `count` cells from each number on.
struct DataMove {
  static constexpr std::uint32_t none = ~0u;
  std::uint32_t read = none;
  std::uint32_t write = none;
  std::uint32_t count = 0;
  bool passes_on = false;    // a send: what the operation before it holds, not what is in memory
  bool adds_target = false;  // a reduction: target = target + source
};

/// Plays `program` in `order`, `cells` being what memory holds at first and then in the end. Throws
/// ScenarioError where a cell is read that holds nothing, or something would count twice.
void replay_data(const RankProgram& program, std::span<const std::uint32_t> order,
                 std::span<const DataMove> moves, Contents& contents, std::vector<std::uint32_t>& cells);

/// Two operations whose order nothing fixes though one writes what the other touches, in words; "" if there
/// are none. `lanes`: of each operation, the chain of needs it belongs to; each lane's operations follow each
/// other.
std::string find_race(const RankProgram& program, std::span<const std::uint32_t> order,
                      std::span<const DataMove> moves, std::span<const std::uint32_t> lanes,
                      std::size_t cells);

/// Clocks that find_race would have to keep; past `most_clocks` it is not asked.
inline constexpr std::uint64_t most_clocks = std::uint64_t{1} << 27;

}  // namespace tahoma
