// `assert:` against the rows of the result.
#pragma once

#include <vector>

#include "scenarios/result.h"
#include "scenarios/scenario.h"

namespace tahoma {

/// Every assertion must hold on every row; the outcome names the first row where one does not.
std::vector<AssertionOutcome> judge_assertions(const std::vector<Assertion>& assertions,
                                               const Result& result);

bool holds(Assertion::Relation relation, double value, double limit);

/// Metric names an assertion may use, in the unit of their name.
std::vector<std::string> assertion_metrics();

}  // namespace tahoma
