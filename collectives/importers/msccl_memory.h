// Where the buffers of an MSCCL algorithm's ranks lie among the cells of memory, in place or not.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "collectives/importers/msccl.h"

namespace tahoma {

/// Throws ScenarioError with file and line.
[[noreturn]] void refuse_line(const Msccl& algorithm, std::uint32_t line, const std::string& what);

class MscclMemory {
 public:
  MscclMemory(const Msccl& algorithm, bool in_place);

  /// The first of `count` cells; refused past the buffer's end.
  std::uint32_t cell(std::uint32_t rank, char buffer, std::int64_t chunk, std::uint32_t count,
                     std::uint32_t line) const;

  std::uint64_t cells() const { return cells_; }
  bool in_place() const { return in_place_; }
  std::uint32_t part() const { return part_; }
  std::uint32_t input_cell(std::uint32_t rank, std::uint32_t chunk) const {
    return static_cast<std::uint32_t>(buffers_[rank].first[0] + chunk);
  }
  std::uint32_t output_cell(std::uint32_t rank, std::uint32_t chunk) const {
    return static_cast<std::uint32_t>(buffers_[rank].first[1] + chunk);
  }
  std::uint32_t inputs(std::uint32_t rank) const {
    return gathers_ ? part_ : static_cast<std::uint32_t>(buffers_[rank].size[0]);
  }

 private:
  struct Buffers {
    std::array<std::uint64_t, 3> first{};
    std::array<std::uint32_t, 3> size{};
  };
  const Msccl& algorithm_;
  bool in_place_, gathers_ = false, scatters_ = false;
  std::uint32_t part_ = 0;
  std::uint64_t cells_ = 0;
  std::vector<Buffers> buffers_;
};

}  // namespace tahoma
