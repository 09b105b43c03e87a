// A schedule as text for a person: phases, roles, lanes and sends as the rules they are.
//
//   phase 1 of 1: all_reduce, ring; 8 positions along axis 0; 1 part of 8 pieces, 131072 B each
//     all positions
//       lane 0
//         7 x reduce [own-1-k] to +1, 131072 B, tag 0, after k of tag 0
//
// k is the repetition. Pieces are named relative to the sender (own) or the receiver (peer), one range per
// axis or one over the flat position. Long lists are cut; JSON has all of it.
#pragma once

#include <string>

#include "collectives/schedule.h"

namespace tahoma {

std::string schedule_text(const Schedule& schedule);

}  // namespace tahoma
