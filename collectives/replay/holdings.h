// What every rank holds of the whole buffer, between phases.
//
// The buffer is cut into one atom per rank (a coordinate per axis). Scattering over an axis leaves a rank the
// atoms with its own coordinate there; gathering undoes it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/replay/contributions.h"
#include "collectives/schedule.h"

namespace tahoma {

struct Holdings {
  explicit Holdings(const Schedule& schedule);

  MutableContributions at(std::uint32_t rank, std::uint32_t atom) {
    return {words.data() + index(rank, atom), words_of(ranks)};
  }
  Contributions at(std::uint32_t rank, std::uint32_t atom) const {
    return {words.data() + index(rank, atom), words_of(ranks)};
  }

  std::uint32_t ranks;
  std::vector<Axis> axes;
  std::vector<bool> scattered;       // by axis
  std::vector<std::uint64_t> words;  // sets, by rank and atom

 private:
  std::size_t index(std::uint32_t rank, std::uint32_t atom) const {
    return (std::size_t{rank} * ranks + atom) * words_of(ranks);
  }
};

/// The axes along which a phase's pieces are numbered: all of its axes, but for a gather or scatter among the
/// ranks that share the root's place on the others.
std::span<const std::uint8_t> own_axes(const Phase& phase, std::span<const Axis> axes);

/// Rank offsets of all combinations of coordinates on the picked axes, the first axis fastest.
std::vector<std::uint32_t> offsets_along(std::span<const Axis> axes, std::span<const std::uint8_t> picked);

}  // namespace tahoma
