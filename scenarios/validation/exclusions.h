// Rows of trust A and B that are not counted, each with its reason: a short list, open to view, at most one
// row in twenty (a threshold of `tahoma validate`).
#pragma once

#include <span>
#include <string_view>

#include "scenarios/validation/measured.h"

namespace tahoma {

struct Exclusion {
  std::string_view source, first, last;  // ids of one source, from first to last
  std::string_view reason;
};

std::span<const Exclusion> exclusions();

/// Why the row is not counted; "" if it is.
std::string_view excluded_because(const MeasuredRow& row);

}  // namespace tahoma
