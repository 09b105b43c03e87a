#include "collectives/importers/msccl_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/importers/msccl_program.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 26;

}  // namespace

void refuse_line(const Msccl& algorithm, std::uint32_t line, const std::string& what) {
  throw ScenarioError(fmt::format("{}:{}: {}", algorithm.file, line, what));
}

MscclMemory::MscclMemory(const Msccl& algorithm, bool in_place) : algorithm_(algorithm), in_place_(in_place) {
  const auto n = static_cast<std::uint32_t>(algorithm.gpus.size());
  const auto collective = collective_of(algorithm);
  gathers_ = collective == Collective::all_gather;
  scatters_ = collective == Collective::reduce_scatter;
  const bool per_rank = gathers_ || scatters_ || collective == Collective::all_to_all;
  if (per_rank && algorithm.chunks % n != 0) {
    throw ScenarioError(
        fmt::format("{}: nchunksperloop=\"{}\" is no multiple of the {} ranks, so {} has no parts",
                    algorithm.file, algorithm.chunks, n, algorithm.collective));
  }
  part_ = per_rank ? algorithm.chunks / n : algorithm.chunks;
  const std::uint32_t input = collective ? (gathers_ ? part_ : algorithm.chunks) : 0;
  const std::uint32_t output = collective ? (scatters_ ? part_ : algorithm.chunks) : 0;
  std::uint64_t cells = 0;
  for (const Msccl::Gpu& gpu : algorithm.gpus) {
    Buffers b;
    b.size[0] = gpu.input_chunks;
    b.size[1] = gpu.output_chunks;
    b.size[2] = gpu.scratch_chunks;
    if (in_place) {
      b.size[0] = std::max(b.size[0], input);
      b.size[1] = std::max(b.size[1], output);
    } else if (b.size[0] < input || b.size[1] < output) {
      refuse_line(
          algorithm, gpu.line,
          fmt::format(
              "an {} of {} chunks, out of place, needs i_chunks {} and o_chunks {}; the gpu has {} and {}",
              algorithm.collective, algorithm.chunks, input, output, b.size[0], b.size[1]));
    }
    b.first[0] = b.first[1] = cells;
    if (in_place) {
      // The smaller buffer is a part of the larger one; of a gather or scatter, this rank's.
      const auto rank = static_cast<std::uint64_t>(buffers_.size());
      if (gathers_) b.first[0] += rank * part_;
      if (scatters_) b.first[1] += rank * part_;
      cells = std::max(b.first[0] + b.size[0], b.first[1] + b.size[1]);
    } else {
      b.first[1] += b.size[0];
      cells += std::uint64_t{b.size[0]} + b.size[1];
    }
    b.first[2] = cells;
    cells += b.size[2];
    if (cells > most_cells)
      refuse_line(algorithm, gpu.line,
                  fmt::format("the ranks have more than {} chunks: too many to follow", most_cells));
    buffers_.push_back(b);
  }
  cells_ = cells;
}

std::uint32_t MscclMemory::cell(std::uint32_t rank, char buffer, std::int64_t chunk, std::uint32_t count,
                                std::uint32_t line) const {
  const std::size_t b = buffer == 'i' ? 0 : buffer == 'o' ? 1 : 2;
  const auto end = static_cast<std::uint64_t>(chunk) + count;
  if (end > buffers_[rank].size[b]) {
    refuse_line(algorithm_, line,
                fmt::format("chunks {} to {} of buffer '{}' of gpu {}, which has {}", chunk, end - 1, buffer,
                            rank, buffers_[rank].size[b]));
  }
  return static_cast<std::uint32_t>(buffers_[rank].first[b] + static_cast<std::uint64_t>(chunk));
}

}  // namespace tahoma
