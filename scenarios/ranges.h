// Ranges as strings: "1KiB..1GiB *4", "1MiB..8MiB +1MiB", "log2(1KiB, 1GiB)", "range(50GB/s, 300GB/s,
// 10GB/s)", or one plain value. Both ends belong to a range when they are hit. More than 10,000 values are
// refused: a slip of the pen must not become a night of simulation.
#pragma once

#include <string_view>
#include <vector>

#include "core/units.h"
#include "scenarios/complaint.h"

namespace tahoma {

using ReadValue = Decimal (*)(std::string_view);

/// The values in ascending order. `read` reads one end ("1KiB") and throws BadText.
std::vector<Decimal> expand_range(std::string_view text, ReadValue read);

/// Sizes in whole bytes, none of them zero.
std::vector<Bytes> expand_sizes(std::string_view text);

}  // namespace tahoma
