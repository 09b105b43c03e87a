// What is to be done, and the sizes, algbw and busbw of nccl-tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace tahoma {

enum class Collective : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  permute,
  gather,
  scatter,
  reduce,
  barrier,
  custom  // of a listed program: whatever its messages do
};

std::string_view name_of(Collective collective);
std::optional<Collective> collective_named(std::string_view name);
/// All names, in declaration order (for "accepted:" and "nearest"); `custom` is not asked for by name.
std::vector<std::string_view> collective_names();

/// busbw = algbw x factor (nccl-tests PERFORMANCE.md): all_reduce 2(n-1)/n; all_gather, reduce_scatter,
/// all_to_all, gather, scatter (n-1)/n; broadcast, permute, reduce 1; barrier 0, since it moves no data;
/// custom 1.
double busbw_factor(Collective collective, std::uint32_t ranks);

/// `size` is nccl-tests' size column: the larger of one rank's send and receive buffer. all_gather: the
/// gathered buffer; reduce_scatter: the buffer before; all_to_all: all that a rank sends, its own share
/// included; all_reduce, broadcast, permute, reduce: the buffer; gather, scatter: the root's buffer; barrier:
/// one message.
bool has_root(Collective collective);  // broadcast, gather, scatter, reduce

}  // namespace tahoma
