#include "collectives/solve/ring_chain.h"

namespace tahoma {

RingCause cause_in_ring(std::span<const RingRank> kinds, std::span<const std::uint32_t> kind_of,
                        std::span<const Time> ready, std::uint64_t sends, std::uint32_t rank) {
  const auto n = static_cast<std::uint32_t>(kind_of.size());
  RingCause best;
  bool found = false;
  Duration way{}, greatest{};  // of the hops, and of the holds on the way
  Duration way_after{};        // from the slowest rank to the one asked about
  std::uint32_t queue = rank, at = rank;
  std::uint64_t queue_hops = 0;
  for (std::uint64_t hops = 0;; ++hops) {
    const RingRank& here = kinds[kind_of[at]];
    if (hops == 0 || here.hold > greatest) {
      greatest = here.hold;
      queue = at;
      queue_hops = hops;
      way_after = way;
    }
    const auto queued = static_cast<std::int64_t>(sends - hops);
    const Time finish = ready[at] + way + greatest * queued;
    if (!found || finish > best.finish) {
      found = true;
      best = {at, queue, hops - queue_hops, sends - hops, queue_hops, {}, finish + way_after * -1, finish};
      best.queue_begin = best.queue_end + greatest * -queued;
    }
    if (hops == sends) return best;
    at = at == 0 ? n - 1 : at - 1;
    way += kinds[kind_of[at]].reach;
  }
}

}  // namespace tahoma
