// An execution plan of MSCCL++: the JSON that its executor runs, as a value.
//
// The format, in its own words: a plan holds `gpus`, a gpu its channels (`memory`: the block itself reads and
// writes the peer's memory; `port`: a proxy does it), the buffers of other ranks that it may touch and its
// `threadblocks`, a block its `ops`. Ops name chunks of buffers i(nput), o(utput), s(cratch), or of a remote
// buffer. Memory is one-sided: nothing receives; who needs to know waits for a signal, or reads packets,
// whose words carry a flag. Several blocks may share the work of an op (`tbg_info`), so chunks are cut into
// equal slices here: a slice is the cell that is followed.
//
// Limits: multicast in the switch (`switch` channels) and `pipeline`, whose rounds depend on the size, are
// refused.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/importers/json_document.h"
#include "collectives/importers/listed_schedule.h"
#include "collectives/importers/msccl.h"

namespace tahoma {

struct MscclppOpType {
  /// `moves`: source k goes to target k. `folds`: all sources are added up, the first target is local.
  enum class Shape : std::uint8_t { nothing, barrier, signal, wait, flush, acquire, release, moves, folds };
  std::string_view name;
  Shape shape;
  bool reads_packets;   // waits until the scratch that it reads has been written
  bool writes_packets;  // whoever reads what it writes to scratch waits for it
  bool reads_remote, writes_remote;
  bool copies_packets;  // of folds: the second target is local scratch
  bool signals, relaxed;
};

/// So many slices of a buffer of `rank`.
struct MscclppRange {
  std::uint32_t rank = 0;
  char buffer = 'i';
  std::uint32_t first = 0, count = 0;
};

struct MscclppOp {
  const MscclppOpType* type = nullptr;
  std::vector<std::uint32_t> channels;  // numbers of the gpu's channels
  bool by_port = false;
  std::vector<MscclppRange> sources, targets;
  std::uint32_t barrier = 0, blocks = 0;  // of a barrier: its number and how many meet
  std::vector<std::uint32_t> semaphores;
  std::uint32_t line = 0;
};

struct MscclppPlan {
  struct Channel {
    bool is_port = false;
    std::uint32_t peer = 0;
    std::uint32_t of_pair = 0;  // how many of this kind to this peer stand before it
  };
  struct Block {
    std::vector<MscclppOp> ops;
    std::uint32_t line = 0;
  };
  struct Gpu {
    std::vector<Channel> channels;
    std::vector<std::uint32_t> semaphores;  // their first values
    std::vector<Block> blocks;
  };
  /// Name, collective, buffers in slices, sizes and placement; without steps.
  Msccl head;
  std::uint32_t slices = 1;  // of a chunk
  std::vector<Gpu> gpus;
  std::vector<std::string> notes;
};

/// Why `switch` channels are refused.
inline constexpr std::string_view mscclpp_multicast =
    "uses multicast in the switch, which listed programs do not have yet";

/// The type that a plan calls so; refused at `name` if there is none that can be run.
const MscclppOpType& op_type_named(const JsonDocument& json, const JsonValue& name);
/// Refuses an op of `rank` whose buffers are too few, of unlike sizes, or on the wrong side.
void check_op_buffers(const JsonDocument& json, const JsonValue& value, std::uint32_t rank,
                      const MscclppOp& op);

bool is_mscclpp(const JsonDocument& json);
MscclppPlan read_mscclpp(const JsonDocument& json);

/// Proven by replay. Throws ScenarioError.
ListedSchedule listed_of(MscclppPlan plan);

}  // namespace tahoma
