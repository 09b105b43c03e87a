#include "collectives/importers/msccl_outcome.h"

#include <fmt/format.h>

#include "collectives/importers/msccl_program.h"
#include "core/errors.h"

namespace tahoma {

namespace {

class OutputCheck {
 public:
  OutputCheck(const Msccl& algorithm, const MscclMemory& memory)
      : algorithm_(algorithm), memory_(memory), n_(static_cast<std::uint32_t>(algorithm.gpus.size())) {}

  std::vector<std::uint32_t> input(Contents& contents) const {
    std::vector<std::uint32_t> cells(memory_.cells(), Contents::nothing);
    const bool gathers = collective_of(algorithm_) == Collective::all_gather;
    for (std::uint32_t rank = 0; rank < n_; ++rank) {
      for (std::uint32_t c = 0; c < memory_.inputs(rank); ++c) {
        const std::uint64_t chunk = gathers ? std::uint64_t{rank} * memory_.part() + c : c;
        cells[memory_.input_cell(rank, c)] = contents.of(chunk * n_ + rank);
      }
    }
    return cells;
  }

  void check(Contents& contents, const std::vector<std::uint32_t>& cells) const {
    const auto collective = collective_of(algorithm_);
    if (!collective) return;
    const bool scatters = collective == Collective::reduce_scatter;
    const std::uint32_t outputs = scatters ? memory_.part() : algorithm_.chunks;
    std::uint32_t root = 0;
    if (collective == Collective::broadcast) root = root_of(contents, cells);
    for (std::uint32_t rank = 0; rank < n_; ++rank) {
      for (std::uint32_t c = 0; c < outputs; ++c) {
        const std::uint32_t holds = cells[memory_.output_cell(rank, c)];
        if (holds == wanted(contents, *collective, rank, c, root)) continue;
        throw ScenarioError(
            fmt::format("{}: is no {}{}: in the end chunk {} of the output of gpu {} {}", algorithm_.file,
                        algorithm_.collective, memory_.in_place() ? " in place" : "", c, rank,
                        holds == Contents::nothing ? "holds nothing" : "does not hold what it should"));
      }
    }
  }

 private:
  std::uint32_t wanted(Contents& contents, Collective collective, std::uint32_t rank, std::uint32_t c,
                       std::uint32_t root) const {
    const std::uint64_t n = n_, part = memory_.part();
    switch (collective) {
      case Collective::all_reduce:
        return contents.of_range(c * n, n);
      case Collective::reduce_scatter:
        return contents.of_range((rank * part + c) * n, n);
      case Collective::all_gather:
        return contents.of(c * n + c / part);
      case Collective::all_to_all:
        return contents.of((rank * part + c % part) * n + c / part);
      default:
        return contents.of(c * n + root);
    }
  }

  // The format does not say it: the rank whose chunk all have.
  std::uint32_t root_of(Contents& contents, const std::vector<std::uint32_t>& cells) const {
    for (std::uint32_t root = 0; root < n_; ++root) {
      if (cells[memory_.output_cell((root + 1) % n_, 0)] == contents.of(root)) return root;
    }
    return 0;
  }

  const Msccl& algorithm_;
  const MscclMemory& memory_;
  const std::uint32_t n_;
};

}  // namespace

std::string prove_outcome(const Msccl& algorithm, const MscclMemory& memory, const MovingProgram& played) {
  const OutputCheck check(algorithm, memory);
  try {
    const std::vector<std::uint32_t> order = order_of(played.program);
    Contents contents;
    std::vector<std::uint32_t> cells = check.input(contents);
    replay_data(played.program, order, played.moves, contents, cells);
    check.check(contents, cells);
    std::uint64_t lanes = 0;
    for (const std::uint32_t lane : played.lanes) lanes = std::max<std::uint64_t>(lanes, lane + 1);
    if (lanes * played.lanes.size() > most_clocks)
      return "it was played in one order only: it has too many threadblocks to look at all others";
    const std::string race = find_race(played.program, order, played.moves, played.lanes, memory.cells());
    if (!race.empty()) throw ScenarioError(race);
  } catch (const ScenarioError& error) {
    const std::string what = error.what();
    throw ScenarioError(what.starts_with(algorithm.file) ? what : algorithm.file + ": " + what);
  }
  return "";
}

}  // namespace tahoma
