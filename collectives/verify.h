// A schedule proves itself: replay from precondition to postcondition, without a clock.
//
// Every message carries the set of contributions it holds per piece. Messages become visible to a rank only
// when a wait demands them (the latest moment the time rules allow), so a missing wait is found, not hidden
// by a lucky order. A reduce of overlapping contributions is a fault ("counted twice"), unlike replays that
// OR. Lanes that can never go on are named: who waits for which tag of whom.
#pragma once

#include <string>

#include "collectives/schedule.h"

namespace tahoma {

struct Verdict {
  bool ok = false;
  std::string fault;  // "rank 3, part 0, piece 5: contribution of rank 2 counted twice in send ..."
};

/// Replays the whole schedule over all its ranks at piece granularity. Cost O(ranks^2 x pieces); meant for
/// ranks <= 256 (tests, `tahoma schedule`) and for imported schedules.
Verdict verify(const Schedule& schedule);

}  // namespace tahoma
