// What accuracy is asked for, as a table of named limits: `tahoma validate --threshold NAME=VALUE` overrides
// one; exit code 4 if a value is past its limit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/validation/validation.h"

namespace tahoma {

struct AccuracyLimit {
  std::string name;
  double limit = 0;
};

struct AccuracyOutcome {
  std::string name;
  std::string meaning;
  bool percent = true;  // the value is a share; else a plain number
  double limit = 0;
  double value = 0;
  std::size_t rows = 0;  // it is made of; 0: there is nothing to judge, and the limit holds
  std::string worst;     // the row or source that is furthest off

  bool held() const { return value <= limit; }
};

/// "large_mape=8%", "small_worst_factor=2". Throws BadText.
AccuracyLimit read_accuracy_limit(std::string_view text);

/// All limits, the named ones replaced.
std::vector<AccuracyOutcome> judge_accuracy(const Validation& validation,
                                            const std::vector<AccuracyLimit>& others = {});

}  // namespace tahoma
