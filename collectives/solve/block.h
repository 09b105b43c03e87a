// One block of a run of phases: a pure function from the ready times of its ranks to their finish times.
//
// Prepared once per kind (all healthy blocks are one kind), then asked for each distinct vector of ready
// times.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/solve/chain.h"
#include "collectives/solve/exchange.h"
#include "collectives/solve/exchange_levels.h"
#include "collectives/solve/phase_runs.h"
#include "collectives/solve/ring_network.h"
#include "collectives/solve/solve.h"
#include "collectives/solve/stream.h"
#include "collectives/solve/uncontended.h"

namespace tahoma {

class Block {
 public:
  struct Counts {
    std::uint64_t by_stream = 0, by_arithmetic = 0, by_star = 0, by_quotient = 0, by_engine = 0;
    std::uint64_t events = 0, solves = 0;
  };
  struct Scratch {
    Uncontended::Scratch arithmetic;
    LevelScratch levels;
    std::vector<Duration> delays;
  };

  /// The block of `run` that contains `base`. `run` must outlive it.
  Block(const Problem& problem, const Topology& topology, const PhaseRun& run, const Program& program,
        ChipId base);

  /// True if all its links are of `part` (if given) and no other block of the run can take anything from it
  /// on a link.
  bool stays_apart(std::span<const ChipId> offsets, std::optional<NetworkPart> part,
                   std::string& why_not) const;

  /// `ready`, `finish`: by position. Thread-safe.
  void solve(std::span<const Time> ready, std::vector<Time>& finish, Scratch& scratch, Counts& counts) const;

  struct Finish {
    std::span<const Time> ready;  // as solve has them
    std::uint32_t position;       // of the rank
    Duration shift;               // added to all times
    Time time;                    // with the shift
    std::uint32_t phase;          // the number of the run's first one
  };
  /// From the finish of a rank back to the rank that began without waiting, whose position is the answer;
  /// nothing if the block has too many messages to keep.
  std::optional<std::uint32_t> chain(const Finish& of, CriticalChain& chain) const;

  /// True if the block in two runs of phases may be at both at once: on each link that both use one rank
  /// sends. False where that is not known.
  static bool may_overlap(const Block& earlier, const Block& later);

  /// Bytes per link if `blocks` blocks are of this kind.
  std::vector<LinkUse> link_uses(std::uint64_t blocks) const;

  /// Worth keeping for the chain back, without its links: stays_apart and link_uses are not asked again.
  bool is_small() const;
  void forget_links() { links_ = {}; }
  ChipId base() const { return base_; }

 private:
  struct UsedLink {
    LinkId link;
    Capacity capacity;
    std::uint64_t bytes;
    bool binding;
    u128 most_rate;        // that the block can put on it at any time
    std::uint64_t copies;  // links like this one in the block
  };
  struct LinkSender {
    LinkId link;
    std::uint32_t rank;
    auto operator<=>(const LinkSender&) const = default;
  };
  std::optional<std::vector<LinkSender>> senders() const;  // ascending; nothing: not asked of such a block
  bool prepare_ring(const Schedule& schedule);
  bool prepare_exchange();
  void prepare_program();
  void prepare_fold(std::uint64_t most_messages);
  std::uint64_t alike(LinkId link) const;
  std::uint64_t sharers(LinkId link) const;
  std::uint32_t ring_chain(const Finish& of, CriticalChain& chain) const;
  std::uint32_t exchange_chain(const Finish& of, CriticalChain& chain) const;
  std::optional<std::uint32_t> folded_chain(const Finish& of, CriticalChain& chain) const;
  void solve_folded(Time ready, std::vector<Time>& finish, Counts& counts) const;

  const Topology& topology_;
  const Topology& healthy_;
  Problem problem_;  // of this block alone
  RankGroups groups_;
  DigitMask other_digits_;  // along which the blocks lie, if fabric links can be counted along them
  std::uint64_t blocks_;
  ChipId base_;
  std::uint32_t ranks_per_chip_;
  std::uint64_t chip_mates_ = 1;  // blocks, this one too, that have ranks on the chip of its first rank
  std::vector<UsedLink> links_;
  std::vector<RingRank> ring_kinds_;  // empty: not a ring on unshared links
  std::vector<std::uint32_t> ring_kind_of_;
  std::uint64_t ring_sends_ = 0;
  std::shared_ptr<const ExchangeProgram> exchange_;
  std::optional<ExchangeNetwork> network_;  // of the exchange
  Instance instance_;
  const std::optional<Uncontended>& arithmetic() const;
  mutable std::once_flag compiled_;
  mutable std::optional<Uncontended> arithmetic_;
  std::unique_ptr<Instance> folded_;  // for equal ready times
};

}  // namespace tahoma
