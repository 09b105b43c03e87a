// Replay of an all_to_all whose pieces are passed on: piece j of a rank is what is to go j places on, and a
// rank holds one of each. Arrivals are kept apart by tag, the highest one counts.
#pragma once

#include <string>

#include "collectives/replay/order.h"

namespace tahoma {

std::string check_relay(const Phase& phase, const ReplayOrder& order);

}  // namespace tahoma
