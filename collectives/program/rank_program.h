// A program: what each rank does, operation by operation.
//
// Problem: schedules of other tools, recorded traces and training steps are no rules repeated over positions
// (collectives/schedule.h); they are lists that name every message. Idea: one flat graph of operations. Each
// one belongs to a rank and begins when the operations it needs are done; a send and the receive of its
// message are partners. What a lane, a thread block or a stream does in order is a chain of needs, so nothing
// here knows of them; what is done one at a time in whatever order it becomes ready has a *server*.
//
// When an operation is done (docs/model.md): a computation when its time is over, a send when its last byte
// has left, a receive when its message is there (and added, where that takes time) and its own needs are
// done.
//
// Limit: operations are listed, so this is for thousands of ranks, not for millions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/units.h"

namespace tahoma {

struct RankProgram {
  static constexpr std::uint32_t none = ~0u;

  /// `some` takes no time, and is done when `amount` of its needs are.
  enum class Kind : std::uint8_t { compute, send, receive, reduce, some };
  struct Op {
    Kind kind = Kind::compute;
    bool adds = false;             // of a receive: what comes is added to what is there
    std::uint32_t rank = 0;        // that does it
    std::uint32_t peer = none;     // of a send or receive: the rank at the other end
    std::uint32_t channel = 0;     // which of the connections between the two; also picks the NIC
    std::uint32_t partner = none;  // the operation at the other end
    std::uint32_t server = none;   // of a computation: what it occupies
    std::uint64_t amount = 0;      // bytes; of a computation picoseconds
  };
  /// Where in the user's file an operation stands.
  struct Origin {
    std::uint32_t lane = 0, step = 0, line = 0;
  };

  std::uint32_t ranks = 0, servers = 0;
  // What the software that runs it costs: before the first send of every rank; and the most that an operation
  // moves, 0 if it is as fast as its links.
  Duration launch;
  Rate send_rate;
  std::vector<Op> ops;
  std::vector<Origin> origins;               // beside ops
  std::vector<std::uint64_t> first_need{0};  // of op i: needs[first_need[i]] up to first_need[i + 1]
  std::vector<std::uint32_t> needs;
  std::string lane_word = "lane";  // as the file's own language says: "threadblock"

  /// `needs` may name operations that are added later.
  std::uint32_t add(const Op& op, const Origin& origin, std::span<const std::uint32_t> needs);
  std::span<const std::uint32_t> needs_of(std::uint32_t op) const {
    return std::span(needs).subspan(first_need[op], first_need[op + 1] - first_need[op]);
  }
  /// "rank 3, threadblock 1, step 2 (line 40)"
  std::string name_of(std::uint32_t op) const;
};

/// Makes partners of the k-th send and the k-th receive of each connection (source, target, channel), but for
/// those that have one, and compares their bytes. Throws ScenarioError naming the first that has no partner.
void match_messages(RankProgram& program);

/// An order in which the operations can be done, whatever the network: the lowest number first where several
/// could be. Throws ScenarioError with the circle of who waits for what.
std::vector<std::uint32_t> order_of(const RankProgram& program);

/// `copies` of a program that do not meet, rank r of copy c being rank c * ranks + r.
RankProgram side_by_side(const RankProgram& program, std::uint32_t copies);

}  // namespace tahoma
