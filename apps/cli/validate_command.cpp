// `tahoma validate`: measured rows as scenarios, run, and set beside what was measured.
#include <algorithm>
#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "core/errors.h"
#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/validation/accuracy_thresholds.h"
#include "scenarios/validation/mapping.h"
#include "scenarios/validation/training_mapping.h"
#include "scenarios/validation/training_validation.h"
#include "scenarios/validation/validation_report.h"
#include "scenarios/write_results.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

std::string with_nearest(const std::string& flag, const std::string& text, const BadText& bad) {
  return flag + " '" + text + "' " + bad.because + "; accepted: " + bad.accepted +
         (bad.meant.empty() ? "" : "; did you mean '" + bad.meant + "'?");
}

std::vector<AccuracyLimit> limits_of(const std::vector<std::string>& texts) {
  std::vector<AccuracyLimit> limits;
  for (const std::string& text : texts) {
    try {
      limits.push_back(read_accuracy_limit(text));
    } catch (const BadText& bad) {
      throw UsageError(with_nearest("--threshold", text, bad));
    }
  }
  return limits;
}

// The file's rows or ours, those that were asked for; and what to call them.
struct NamedRows {
  std::string name = "the rows that come with tahoma";
  std::vector<MeasuredRow> rows;
};

NamedRows rows_asked_for(const Arguments& arguments) {
  NamedRows asked;
  if (arguments.data.empty()) {
    asked.rows = open_rows();
  } else {
    asked.name = arguments.data;
    asked.rows = read_measured(read_text_file(arguments.data, Place{"command line", 0, 0}), arguments.data);
  }
  for (const std::string& only : arguments.only) {
    try {
      asked.rows = only_rows(asked.rows, only);
    } catch (const BadText& bad) {
      throw UsageError(with_nearest("--only", only, bad));
    }
    asked.name += ", only " + only;
  }
  for (const std::string& set : arguments.scenario.sets) asked.name += ", --set " + set;
  return asked;
}

ExitCode show(const std::vector<MeasuredRow>& rows, const std::string& id) {
  const auto at =
      std::find_if(rows.begin(), rows.end(), [&](const MeasuredRow& row) { return row.id == id; });
  if (at == rows.end()) {
    std::vector<std::string> ids;
    for (const MeasuredRow& row : rows) ids.push_back(row.id);
    const std::string meant = nearest(id, ids);
    throw UsageError("there is no row '" + id + "'" +
                     (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
  }
  try {
    print(scenario_text(*at));
    return ExitCode::ok;
  } catch (const Unmapped& unmapped) {
    throw InfeasibleError("row " + id + " has no scenario: " + unmapped.because);
  }
}

void write_files(const std::string& folder, const Validation& validation,
                 const std::vector<AccuracyOutcome>& outcomes) {
  const std::filesystem::path path(folder);
  write_text((path / "validation.txt").string(), validation_text(validation, outcomes));
  write_text((path / "validation.json").string(), validation_json(validation, outcomes));
  write_text((path / "validation.csv").string(), validation_csv(validation));
}

ExitCode show_step(const std::vector<MeasuredStep>& rows, const std::string& id) {
  const auto at =
      std::find_if(rows.begin(), rows.end(), [&](const MeasuredStep& row) { return row.id == id; });
  if (at == rows.end()) throw UsageError("there is no row '" + id + "'");
  try {
    print(step_scenario(*at).text);
    return ExitCode::ok;
  } catch (const Unmapped& unmapped) {
    throw InfeasibleError("row " + id + " has no scenario: " + unmapped.because);
  }
}

ExitCode validate_steps(const Arguments& arguments) {
  if (!arguments.only.empty())
    throw UsageError("--only does not apply to training steps; accepted: --data, --show, --set");
  std::vector<AccuracyLimit> limits;
  for (const std::string& text : arguments.thresholds) {
    try {
      limits.push_back(read_step_limit(text));
    } catch (const BadText& bad) {
      throw UsageError(with_nearest("--threshold", text, bad));
    }
  }
  const std::vector<MeasuredStep> rows =
      arguments.data.empty()
          ? open_steps()
          : read_measured_steps(read_text_file(arguments.data, Place{"command line", 0, 0}), arguments.data);
  if (!arguments.show.empty()) return show_step(rows, arguments.show);
  if (!arguments.out.empty()) prepare_folder(arguments.out);
  const Interrupt interrupt;
  Progress progress;
  StepOptions options;
  options.sets = arguments.scenario.sets;
  options.interrupted = &interrupt.requested();
  options.on_progress = [&](std::size_t done, std::size_t total) { progress.show(done, total); };
  const TrainingValidation validation = validate_training(
      arguments.data.empty() ? "the rows that come with tahoma" : arguments.data, rows, options);
  const std::vector<AccuracyOutcome> outcomes = judge_steps(validation, limits);
  if (!arguments.out.empty()) {
    const std::filesystem::path path(arguments.out);
    write_text((path / "validation.txt").string(), training_validation_text(validation, outcomes));
    write_text((path / "validation.json").string(), training_validation_json(validation, outcomes));
    write_text((path / "validation.csv").string(), training_validation_csv(validation));
  }
  if (arguments.format == "json") {
    print(training_validation_json(validation, outcomes));
  } else if (arguments.format == "csv") {
    print(training_validation_csv(validation));
  } else {
    print(training_validation_text(validation, outcomes, stdout_style()));
  }
  if (validation.interrupted) return ExitCode::interrupted;
  const bool held =
      std::all_of(outcomes.begin(), outcomes.end(), [](const AccuracyOutcome& o) { return o.held(); });
  return held ? ExitCode::ok : ExitCode::not_held;
}

}  // namespace

ExitCode validate_command(const Arguments& arguments) {
  if (arguments.training) return validate_steps(arguments);
  const std::vector<AccuracyLimit> limits = limits_of(arguments.thresholds);
  const NamedRows asked = rows_asked_for(arguments);
  if (!arguments.show.empty()) return show(asked.rows, arguments.show);
  if (!arguments.out.empty()) prepare_folder(arguments.out);
  const Interrupt interrupt;
  Progress progress;
  PredictOptions options;
  options.sets = arguments.scenario.sets;
  options.interrupted = &interrupt.requested();
  options.on_progress = [&](std::size_t done, std::size_t total) { progress.show(done, total); };
  Validation validation = judge(asked.name, asked.rows, predict(asked.rows, options));
  validation.interrupted = interrupt.requested().load();
  const std::vector<AccuracyOutcome> outcomes = judge_accuracy(validation, limits);
  if (!arguments.out.empty()) write_files(arguments.out, validation, outcomes);
  if (arguments.format == "json") {
    print(validation_json(validation, outcomes));
  } else if (arguments.format == "csv") {
    print(validation_csv(validation));
  } else {
    print(validation_text(validation, outcomes, stdout_style()));
  }
  if (validation.interrupted) return ExitCode::interrupted;
  const bool held =
      std::all_of(outcomes.begin(), outcomes.end(), [](const AccuracyOutcome& o) { return o.held(); });
  return held ? ExitCode::ok : ExitCode::not_held;
}

}  // namespace tahoma
