// How far a result can be trusted: the measured cases nearest to it, and the model's error on them.
//
// The errors are not computed by a run. They are a table that comes with the program (checked_cases.csv),
// written together with docs/validation.md by the test that checks both, TAHOMA_BLESS=1. Near means: the same
// family of hardware, the same collective, both inside one scale-up domain or both beyond it, ranks within a
// factor of 2, and a size within a factor of 4 of the measured ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result.h"
#include "scenarios/scenario.h"
#include "scenarios/validation/validation.h"

namespace tahoma {

/// The compared rows of one source, setup, collective and class of sizes.
struct CheckedCase {
  std::string source, preset;
  std::uint64_t count = 1, ranks = 0;
  std::string collective, algo;
  SizeClass size = SizeClass::to_64KiB;
  std::uint64_t least_bytes = 0, most_bytes = 0, rows = 0;
  double bias = 0, error = 0;  // means of signed and absolute errors
};

std::string checked_cases_csv(const Validation& validation);
std::vector<CheckedCase> read_checked_cases(std::string_view text);

/// What a result rests on; never empty.
std::vector<std::string> evidence_for(const Scenario& scenario, const Result& result);
std::vector<std::string> evidence_for(const Scenario& scenario, const Result& result,
                                      const std::vector<CheckedCase>& cases);

}  // namespace tahoma
