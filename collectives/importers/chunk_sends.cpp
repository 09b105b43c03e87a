#include "collectives/importers/chunk_sends.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tahoma {

namespace {

struct StepName {
  std::size_t block = 0, step = 0;
  auto operator<=>(const StepName&) const = default;
};

/// What a rank did with a chunk last: the step that wrote it, and those that have read it since.
struct ChunkUse {
  bool written = false;
  StepName writer;
  std::vector<StepName> readers;
};

class ChunkSendBuilder {
 public:
  ChunkSendBuilder(Msccl& algorithm, const std::function<ChunkPlace(std::uint32_t, std::uint32_t)>& place)
      : algorithm_(algorithm), place_(place), ranks_(algorithm.gpus.size()) {}

  void add(const ChunkSend& send) {
    Rank& from = ranks_[send.from];
    Rank& to = ranks_[send.to];
    ChunkUse& sent = from.uses[send.chunk];
    std::vector<StepName> waits;
    if (sent.written) waits.push_back(sent.writer);
    sent.readers.push_back(
        append(send.from, block_of(send.from, send.to, true, send.line), Msccl::Type::send, send, waits));
    ChunkUse& received = to.uses[send.chunk];
    waits = received.readers;
    if (received.written) waits.push_back(received.writer);
    received.writer = append(send.to, block_of(send.to, send.from, false, send.line),
                             send.adds ? Msccl::Type::reduce_copy : Msccl::Type::receive, send, waits);
    received.written = true;
    received.readers.clear();
  }

 private:
  struct Rank {
    std::map<std::pair<bool, std::uint32_t>, std::size_t> blocks;  // sends, peer
    std::map<std::uint32_t, ChunkUse> uses;                        // by chunk
  };

  std::size_t block_of(std::uint32_t rank, std::uint32_t peer, bool sends, std::uint32_t line) {
    auto& blocks = algorithm_.gpus[rank].blocks;
    const auto [at, fresh] = ranks_[rank].blocks.try_emplace({sends, peer}, blocks.size());
    if (fresh) {
      Msccl::Block block;
      (sends ? block.send : block.receive) = peer;
      block.line = line;
      blocks.push_back(std::move(block));
    }
    return at->second;
  }

  // Of the steps of one other block only the last is waited for; a step takes one wait, so further ones go
  // into steps before it that do nothing else.
  StepName append(std::uint32_t rank, std::size_t block, Msccl::Type type, const ChunkSend& send,
                  std::vector<StepName> waits) {
    std::erase_if(waits, [&](const StepName& name) { return name.block == block; });
    std::sort(waits.begin(), waits.end());
    std::vector<StepName> last;
    for (const StepName& name : waits) {
      if (!last.empty() && last.back().block == name.block) last.pop_back();
      last.push_back(name);
    }
    auto& blocks = algorithm_.gpus[rank].blocks;
    const auto put = [&](Msccl::Step step, const StepName* wait) {
      step.line = send.line;
      if (wait != nullptr) {
        step.waits_block = static_cast<std::int64_t>(wait->block);
        step.waits_step = static_cast<std::int64_t>(wait->step);
        blocks[wait->block].steps[wait->step].is_waited_for = true;
      }
      blocks[block].steps.push_back(step);
    };
    for (std::size_t i = 0; i + 1 < last.size(); ++i) {
      Msccl::Step nop;
      nop.source_chunk = nop.target_chunk = -1;
      put(nop, &last[i]);
    }
    const ChunkPlace place = place_(rank, send.chunk);
    Msccl::Step step;
    step.type = type;
    step.source = step.target = place.buffer;
    step.source_chunk = step.target_chunk = place.number;
    step.count = 1;
    put(step, last.empty() ? nullptr : &last.back());
    return {block, blocks[block].steps.size() - 1};
  }

  Msccl& algorithm_;
  const std::function<ChunkPlace(std::uint32_t, std::uint32_t)>& place_;
  std::vector<Rank> ranks_;
};

}  // namespace

void add_chunk_sends(Msccl& algorithm, const std::vector<ChunkSend>& sends,
                     const std::function<ChunkPlace(std::uint32_t, std::uint32_t)>& place) {
  ChunkSendBuilder builder(algorithm, place);
  for (const ChunkSend& send : sends) builder.add(send);
}

}  // namespace tahoma
