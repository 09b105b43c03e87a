// A comparison for people and for scripts.
#pragma once

#include <string>

#include "scenarios/compare.h"
#include "scenarios/report_text.h"

namespace tahoma {

/// The variants of a result beside it, at the largest size of each collective; "" if there are none.
std::string variants_text(const Result& result, const TextStyle& style);

std::string comparison_text(const Comparison& comparison, const std::vector<CrossedThreshold>& crossed,
                            const TextStyle& style);
/// schema tahoma.comparison/1.
std::string comparison_json(const Comparison& comparison, const std::vector<CrossedThreshold>& crossed);
std::string comparison_csv(const Comparison& comparison);

}  // namespace tahoma
