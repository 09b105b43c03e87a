// An MSCCL algorithm: the XML that MSCCL's and RCCL's executors run, as a value.
//
// The format, in its own words: an `algo` holds a `gpu` per rank, a gpu thread blocks (`tb`) of one peer to
// send to and one to receive from on a channel, a block steps that it does one after another. A step may wait
// for one step of another block (`depid`, `deps`). Steps work on ranges of chunks of the buffers i(nput),
// o(utput) and s(cratch); the buffer of the collective has `nchunksperloop` chunks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

struct Msccl {
  /// What a step does, in order: receive, add what is in its source, store in its target, send on.
  struct StepType {
    std::string_view name;
    bool sends, receives, adds, stores;
  };
  enum class Type : std::uint8_t {
    send,
    receive,
    copy_send,
    reduce_send,
    reduce_copy,
    reduce_copy_send,
    copy,
    reduce,
    nop
  };
  static constexpr std::array<StepType, 9> types = {{
      {"s", true, false, false, false},
      {"r", false, true, false, true},
      {"rcs", true, true, false, true},
      {"rrs", true, true, true, false},
      {"rrc", false, true, true, true},
      {"rrcs", true, true, true, true},
      {"cpy", false, false, false, true},
      {"re", false, false, true, true},
      {"nop", false, false, false, false},
  }};

  struct Step {
    Type type = Type::nop;
    char source = 'i', target = 'i';
    std::int64_t source_chunk = 0, target_chunk = 0;  // -1 in a nop
    std::uint32_t count = 0;
    std::int64_t waits_block = -1, waits_step = -1;
    bool is_waited_for = false;
    std::uint32_t line = 0;
    const StepType& what() const { return types[static_cast<std::size_t>(type)]; }
  };
  struct Block {
    std::int64_t send = -1, receive = -1;
    std::uint32_t channel = 0;
    std::vector<Step> steps;
    std::uint32_t line = 0;
  };
  /// Chunks that are copied from input to output before anything else.
  struct Copy {
    std::uint32_t input, output, line;
  };
  struct Gpu {
    std::uint32_t input_chunks = 0, output_chunks = 0, scratch_chunks = 0;
    std::vector<Copy> copies;
    std::vector<Block> blocks;
    std::uint32_t line = 0;
  };

  std::string name, protocol = "Simple", collective = "custom";
  std::optional<std::string> reduction;    // attribute `redop`
  std::uint32_t channels = 1, chunks = 1;  // nchannels, nchunksperloop
  bool in_place = false, out_of_place = true;
  std::uint64_t least_bytes = 0, most_bytes = 0;  // 0: any
  std::vector<Gpu> gpus;
  std::string file;  // for messages
};

/// Throws ScenarioError with file, line and column for whatever is wrong or not understood.
Msccl read_msccl(std::string_view xml, const std::string& file);

/// The XML. What read_msccl made of our own XML becomes the same bytes again.
std::string to_xml(const Msccl& algorithm);

}  // namespace tahoma
