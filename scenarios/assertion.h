// `assert: "time_s < 20ms"`: a metric of a result row, a relation, a value in the metric's unit or with its
// own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace tahoma {

/// The metrics an assertion may name: fields of a collective's row.
std::vector<std::string> metric_names();

/// Those of a training step.
std::vector<std::string> training_metric_names();

/// Throws BadText. The place is left to the caller.
Assertion parse_assertion(std::string_view text);

}  // namespace tahoma
