// Predicted against measured: every row, then by source and by size.
//
// Counted are rows of trust A and B whose setup is known, except the list in exclusions.h. A counted row that
// has no prediction is a failure: it is in no mean, and it is in the number of failures, which has a
// threshold of its own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/validation/measured.h"
#include "scenarios/validation/predict.h"

namespace tahoma {

enum class SizeClass : std::uint8_t { to_64KiB, below_1MiB, to_32MiB, below_64MiB, from_64MiB };
inline constexpr std::size_t size_classes = 5;
SizeClass size_class(std::uint64_t bytes);
std::string_view name_of(SizeClass size);

struct JudgedRow {
  MeasuredRow measured;
  Prediction prediction;
  bool counted = false;
  bool excluded = false;  // by the list, not by its trust
  std::string why_not;    // why it is not counted, or why it has no prediction

  bool failed() const { return counted && !prediction.time; }
  bool compared() const { return counted && prediction.time.has_value(); }
  double error() const;  // signed; needs a prediction
  double factor() const;
};

/// Over rows with a prediction.
struct ErrorSummary {
  std::size_t rows = 0, failed = 0;
  double bias = 0;    // mean of signed errors
  double mape = 0;    // mean of absolute errors
  double median = 0;  // of absolute errors
  double worst = 0;   // signed error of the row with the largest absolute one
  std::string worst_id;
  double median_factor = 0, worst_factor = 0;
  std::string worst_factor_id;
};
ErrorSummary summary_of(const std::vector<const JudgedRow*>& rows);

struct SourceSummary {
  std::string source;
  std::size_t shown = 0;  // rows, counted or not
  ErrorSummary all;
  std::array<ErrorSummary, size_classes> by_size;
  double least = 0, middle = 0, greatest = 0;  // signed errors, for the plot
  std::size_t sweeps = 0;                      // of three sizes or more
  std::optional<double> least_rank_correlation;
};

struct Validation {
  std::string data;  // file, or "the rows that come with tahoma"
  std::vector<JudgedRow> rows;
  std::vector<SourceSummary> sources;  // in the order of the file
  std::array<ErrorSummary, size_classes> by_size;
  ErrorSummary all;
  std::size_t counted = 0, failed = 0, excluded = 0, shown_only = 0;
  bool interrupted = false;
};

Validation judge(std::string data, const std::vector<MeasuredRow>& rows,
                 const std::vector<Prediction>& predictions);

}  // namespace tahoma
