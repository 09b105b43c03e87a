// A validation for people (tables with plots in letters), for scripts (JSON, one line of CSV per row), and as
// files.
#pragma once

#include <string>
#include <vector>

#include "scenarios/report_text.h"
#include "scenarios/validation/accuracy_thresholds.h"
#include "scenarios/validation/validation.h"

namespace tahoma {

std::string validation_text(const Validation& validation, const std::vector<AccuracyOutcome>& outcomes,
                            const TextStyle& style = {});
std::string validation_json(const Validation& validation, const std::vector<AccuracyOutcome>& outcomes);
std::string validation_csv(const Validation& validation);

/// "+12.3 %", of a share.
std::string percent_text(double share, bool with_sign = false);

/// Signed errors on a line from -50 % to +50 %, of `width` letters: '-' from least to greatest, 'o' the
/// middle one, '|' no error; '<' and '>' where the line is too short.
std::string error_plot(double least, double middle, double greatest, std::size_t width);

}  // namespace tahoma
