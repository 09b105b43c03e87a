// all_to_all and permute: every message goes from the sender's buffer as it was into a buffer of its own at
// the receiver, so there is no state to play, only messages to tick off.
#pragma once

#include <span>
#include <string>

#include "collectives/replay/order.h"

namespace tahoma {

/// The fault, or nothing. Positions are ranks: such a collective has one phase over all of them.
std::string check_exchange(const Phase& phase, const ReplayOrder& order);

}  // namespace tahoma
