#include "collectives/replay/holdings.h"

namespace tahoma {

Holdings::Holdings(const Schedule& schedule) : ranks(schedule.ranks), axes(schedule.axes) {
  const bool gathers =
      schedule.collective == Collective::all_gather || schedule.collective == Collective::gather;
  const bool from_root =
      schedule.collective == Collective::broadcast || schedule.collective == Collective::scatter;
  scattered.assign(axes.size(), gathers);
  words.assign(std::size_t{ranks} * ranks * words_of(ranks), 0);
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    for (std::uint32_t atom = 0; atom < ranks; ++atom)
      if ((!gathers || atom == rank) && (!from_root || rank == schedule.root)) add_rank(at(rank, atom), rank);
}

std::span<const std::uint8_t> own_axes(const Phase& phase, std::span<const Axis> axes) {
  const std::span<const std::uint8_t> all = phase.axes;
  if (phase.goal != PhaseGoal::gather && phase.goal != PhaseGoal::scatter) return all;
  std::uint64_t positions = 1;
  std::size_t count = 0;
  while (count < all.size() && positions < pieces_per_part(phase)) positions *= axes[all[count++]].size;
  return all.first(count);
}

std::vector<std::uint32_t> offsets_along(std::span<const Axis> axes, std::span<const std::uint8_t> picked) {
  std::vector<std::uint32_t> result{0};
  for (const std::uint8_t axis : picked) {
    std::uint32_t stride = 1;
    for (std::uint8_t a = 0; a < axis; ++a) stride *= axes[a].size;
    std::vector<std::uint32_t> wider;
    wider.reserve(result.size() * axes[axis].size);
    for (std::uint32_t c = 0; c < axes[axis].size; ++c)
      for (const std::uint32_t inner : result) wider.push_back(inner + c * stride);
    result = std::move(wider);
  }
  return result;
}

}  // namespace tahoma
