// Predicted against measured training steps: every row, then by source, by family of chips and by sweep.
//
// Counted are all rows but the list in training_exclusions(); a row without a prediction is a failure unless
// what it lacks is in that list too. A sweep is three rows or more of one source that differ in one column;
// it is ranked where its measured times differ by more than a tenth, which is more than runs scatter.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/report_text.h"
#include "scenarios/validation/accuracy_thresholds.h"
#include "scenarios/validation/training_rows.h"

namespace tahoma {

struct JudgedStep {
  MeasuredStep row;
  std::string family;  // whose calibration was used
  std::string split;
  Duration measured;
  std::optional<Duration> predicted;
  bool derived = false, excluded = false;
  std::string why_not;

  bool counted() const { return !excluded; }
  bool compared() const { return counted() && predicted.has_value(); }
  double error() const;  // signed
};

struct StepErrors {
  std::string name;
  std::size_t rows = 0, failed = 0;
  double bias = 0, mape = 0, median = 0, worst = 0;
  std::string worst_id;
};

struct StepSweep {
  std::string source, knob, first_id;
  std::size_t rows = 0;
  double correlation = 0;  // Spearman's, of all rows
  double ordered = 0;      // of pairs that differ by more than runs scatter, the share in the right order
};

struct TrainingValidation {
  std::string data;
  std::vector<JudgedStep> rows;
  std::vector<StepErrors> sources, families;
  std::vector<StepSweep> sweeps;
  StepErrors all;
  std::size_t excluded = 0, failed = 0;
  bool interrupted = false;
};

struct StepOptions {
  std::vector<std::string> sets;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done, std::size_t total)> on_progress;
};

TrainingValidation validate_training(std::string data, const std::vector<MeasuredStep>& rows,
                                     const StepOptions& options = {});

struct StepExclusion {
  std::string_view first, last;  // ids, from first to last of the file
  std::string_view reason;
};
const std::vector<StepExclusion>& training_exclusions();

/// "step_mape=8%". Throws BadText.
AccuracyLimit read_step_limit(std::string_view text);
std::vector<AccuracyOutcome> judge_steps(const TrainingValidation& validation,
                                         const std::vector<AccuracyLimit>& others = {});

std::string training_validation_text(const TrainingValidation& validation,
                                     const std::vector<AccuracyOutcome>& outcomes,
                                     const TextStyle& style = {});
std::string training_validation_json(const TrainingValidation& validation,
                                     const std::vector<AccuracyOutcome>& outcomes);
std::string training_validation_csv(const TrainingValidation& validation);
/// The tables of docs/validation-training.md.
std::string training_validation_page(const TrainingValidation& validation);

}  // namespace tahoma
