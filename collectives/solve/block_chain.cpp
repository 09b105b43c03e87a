// The critical chain within one block of a run of phases. The block is solved once more where its solver
// keeps no messages: one block of the many that the run has.
#include <algorithm>

#include "collectives/solve/block.h"
#include "collectives/solve/exchange_chain.h"
#include "collectives/solve/ring_chain.h"
#include "collectives/solve/star.h"
#include "core/errors.h"

namespace tahoma {

std::uint32_t Block::ring_chain(const Finish& of, CriticalChain& chain) const {
  const RingCause cause = cause_in_ring(ring_kinds_, ring_kind_of_, of.ready, ring_sends_, of.position);
  TAHOMA_ASSERT(cause.finish + of.shift == of.time, "the chain of a ring does not add up to its finish");
  const auto chip = [&](std::uint64_t rank) {
    return groups_.chip(0, static_cast<std::uint32_t>(rank % groups_.size()));
  };
  chain.add({ChainPart::Kind::relayed, of.phase, cause.hops_after, chip(cause.queue), chip(of.position),
             cause.queue_end + of.shift, of.time});
  chain.add({ChainPart::Kind::queued, of.phase, cause.queued, chip(cause.queue), chip(cause.queue + 1),
             cause.queue_begin + of.shift, cause.queue_end + of.shift});
  chain.add({ChainPart::Kind::relayed, of.phase, cause.hops_before, chip(cause.origin), chip(cause.queue),
             of.ready[cause.origin] + of.shift, cause.queue_begin + of.shift});
  return cause.origin;
}

std::uint32_t Block::exchange_chain(const Finish& of, CriticalChain& chain) const {
  LevelScratch scratch;
  std::vector<Time> again(of.ready.size());
  if (!evaluate_levels(*exchange_, *network_, problem_.overhead, of.ready, again, scratch)) {
    StarCost cost;
    simulate_star(*exchange_, *network_, problem_.overhead, of.ready, again, scratch.arrival, cost);
  }
  TAHOMA_ASSERT(again[of.position] + of.shift == of.time, "a block solved twice has two answers");
  return chain_in_exchange(*exchange_, *network_, of.ready, scratch.arrival, of.position, again[of.position],
                           [&](const ExchangeMessage& message) {
                             chain.add({of.phase, groups_.chip(0, message.from), groups_.chip(0, message.to),
                                        message.begin + of.shift, message.delayed_by_arrival},
                                       message.end + of.shift);
                           });
}

// One rank of each class; the chain begins at any of the first one's class, since all are ready together.
std::optional<std::uint32_t> Block::folded_chain(const Finish& of, CriticalChain& chain) const {
  if (expansion_size(problem_, foldable_digits(problem_)).messages > most_traced) return std::nullopt;
  const std::vector<Duration> delays(folded_->nodes.size(), of.ready[0] + of.shift - Time{});
  EngineTrace trace;
  const EngineResult run = run_engine(*folded_, topology_, delays, &trace);
  const std::uint32_t chip_class = folded_->classes.of(groups_.chip(0, of.position));
  std::uint32_t node = 0;
  while (folded_->nodes[node].chip_class != chip_class) ++node;
  if (run.node_finish[node] < of.time) return of.position;  // it had all before it entered
  node = chain_of_trace(*folded_, trace, node, of.time, of.phase, chain);
  const std::uint32_t origin_class = folded_->nodes[node].chip_class;
  for (std::uint32_t p = 0; p < groups_.size(); ++p) {
    if (folded_->classes.of(groups_.chip(0, p)) == origin_class) return p;
  }
  TAHOMA_ASSERT(false, "a class without a rank");
  return std::nullopt;
}

std::optional<std::uint32_t> Block::chain(const Finish& of, CriticalChain& chain) const {
  if (!ring_kinds_.empty()) return ring_chain(of, chain);
  const bool together =
      std::all_of(of.ready.begin(), of.ready.end(), [&](Time t) { return t == of.ready[0]; });
  if (folded_ && together) return folded_chain(of, chain);
  if (network_) return exchange_chain(of, chain);
  if (expansion_size(problem_, 0).messages > most_traced) return std::nullopt;
  std::vector<Duration> delays;
  for (const Time ready : of.ready) delays.push_back(ready + of.shift - Time{});
  EngineTrace trace;
  const EngineResult run = run_engine(instance_, topology_, delays, &trace);
  const Time last = run.node_finish[of.position];
  TAHOMA_ASSERT(std::max(last, Time{} + delays[of.position]) == of.time,
                "a block solved twice has two answers");
  if (last < of.time) return of.position;  // it had all before it entered
  return chain_of_trace(instance_, trace, of.position, of.time, of.phase, chain);
}

}  // namespace tahoma
