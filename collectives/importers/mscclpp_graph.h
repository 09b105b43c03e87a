// The operations of a MSCCL++ plan while they are put together: flows into and out of other ranks' memory,
// signals, packets, and who waits for whom. What the blocks do in order is mscclpp_program.cpp's.
//
// A signal's wait and a packet's reader may be added before what they wait for; they are joined at the end.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "collectives/importers/msccl_memory.h"
#include "collectives/importers/msccl_outcome.h"
#include "collectives/importers/mscclpp.h"

namespace tahoma {

class MscclppGraph {
 public:
  static constexpr std::uint32_t none = RankProgram::none;
  /// The last arrival at each rank, by lane, of what a block knows to be written.
  using Written = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // rank there, lane: op
  /// A block, for whom operations are added.
  struct Block {
    std::uint32_t rank = 0, number = 0;
    std::uint32_t tail = none;          // what its next operation waits for
    std::uint32_t port_drained = none;  // the last put or signal by any proxy
    Written written;
  };
  enum LaneKind : std::uint32_t {
    of_block,
    of_sends,
    of_arrivals,
    of_requests,
    of_replies,
    of_port,
    of_barrier
  };

  MscclppGraph(const MscclppPlan& plan, const MscclMemory& memory, std::uint64_t slice_bytes)
      : plan_(plan), memory_(memory), slice_bytes_(slice_bytes) {}

  /// Where in the file the operations added from now on stand.
  void stand_at(const RankProgram::Origin& here) { here_ = here; }

  /// A chain of operations that follow each other.
  std::uint32_t lane(LaneKind kind, std::uint32_t rank, std::uint32_t block, std::uint32_t more = 0);
  std::uint32_t lane(const Block& block) { return lane(of_block, block.rank, block.number); }
  std::uint32_t add(RankProgram::Kind kind, std::uint32_t rank, std::uint32_t lane,
                    std::vector<std::uint32_t> needs, const DataMove& move = {});

  void signal(Block& block, std::uint32_t channel, bool relaxed);
  void wait(Block& block, std::uint32_t channel);

  /// A flow into the memory of another rank; gives the operation that ends when the last byte has left.
  std::uint32_t write_remote(Block& block, const MscclppOp& op, const MscclppRange& from,
                             const MscclppRange& to, std::uint32_t after, std::size_t slot);
  /// A request and the data back to `to`, after `chain`, added to what is in `base` if there is one.
  std::uint32_t read_remote(Block& block, const MscclppRange& from, const MscclppRange* base,
                            const MscclppRange& to, std::uint32_t after, std::uint32_t chain,
                            std::size_t slot);
  std::uint32_t copy_local(Block& block, const MscclppRange& from, const MscclppRange& to,
                           std::uint32_t after);
  std::uint32_t add_local(Block& block, const MscclppRange& from, const MscclppRange& to,
                          std::uint32_t after);

  void write_packets(const MscclppRange& to, std::uint32_t op);
  void read_packets(const MscclppRange& from, std::uint32_t op) {
    packet_reads_.emplace_back(op, from, here_.line);
  }

  std::uint32_t cell(const MscclppRange& range) const;

  /// Throws ScenarioError where something is waited for that nobody does.
  MovingProgram finish();

 private:
  struct Pending {
    RankProgram::Op op;
    RankProgram::Origin origin;
    std::vector<std::uint32_t> needs;
    DataMove move;
    std::uint32_t lane = 0;
  };
  struct Signal {
    std::uint32_t op;
    std::vector<std::uint32_t> covers;
  };
  using Port = std::tuple<std::uint32_t, bool, std::uint32_t, std::uint32_t>;  // from, port, to, of_pair
  struct Ends {
    std::vector<Signal> signals;
    std::vector<std::uint32_t> waits;
    std::uint32_t signaller = none, waiter = none;
  };

  DataMove move_of(const MscclppRange* from, const MscclppRange* to) const;
  std::uint64_t bytes(const MscclppRange& range) const { return range.count * slice_bytes_; }
  void keep_to_one(std::uint32_t& user, const Block& block, std::string_view deed) const;
  void join(std::uint32_t sent, std::uint32_t arrived, std::uint32_t channel, std::uint64_t amount);
  void join_signals();
  void join_packets();

  static constexpr std::size_t most_operations = 50'000'000;
  const MscclppPlan& plan_;
  const MscclMemory& memory_;
  const std::uint64_t slice_bytes_;
  RankProgram::Origin here_;
  std::vector<Pending> ops_;
  std::map<std::tuple<LaneKind, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> lanes_;
  std::map<std::uint32_t, std::uint32_t> last_of_lane_;
  std::map<Port, Ends> ends_;
  std::map<std::uint32_t, std::uint32_t> writer_of_;  // by cell
  std::vector<std::tuple<std::uint32_t, MscclppRange, std::uint32_t>> packet_reads_;
};

}  // namespace tahoma
