#include "scenarios/validation/training_validation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/errors.h"
#include "core/nearest.h"
#include "scenarios/load.h"
#include "scenarios/quantity.h"
#include "scenarios/run.h"
#include "scenarios/training/chip_calibration.h"
#include "scenarios/validation/statistics.h"
#include "scenarios/validation/training_mapping.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

/// Measured times of a sweep that differ by less do not rank it.
constexpr double least_spread = 1.1;
/// Two runs of the same differ by so much.
constexpr double scatter = 1.05;

void predict_step(JudgedStep& judged, const std::vector<std::string>& sets) {
  try {
    const StepScenario scenario = step_scenario(judged.row);
    judged.measured = scenario.measured;
    judged.derived = scenario.derived;
    LoadRequest request;
    request.file = judged.row.id;
    request.text = scenario.text;
    request.sets = sets;
    RunOptions options;
    options.advise = false;
    options.solver = "closed_form";  // whose figures are fitted
    const Result result = run(load(request), options);
    judged.predicted = result.training.front().step;
    judged.split = result.training.front().split;
  } catch (const Unmapped& unmapped) {
    judged.why_not = unmapped.because;
  } catch (const ScenarioError& error) {
    judged.why_not = error.what();
  } catch (const InfeasibleError& error) {
    judged.why_not = error.what();
  }
}

std::string family_of_chip(const MeasuredStep& row) {
  const auto chip = preset_value(row.preset, "cluster.chip.name");
  const CalibratedChip* calibrated = chip ? calibrated_chip(*chip) : nullptr;
  return calibrated ? std::string(calibrated->family) : "";
}

StepErrors errors_of(std::string name, const std::vector<const JudgedStep*>& rows) {
  StepErrors errors;
  errors.name = std::move(name);
  std::vector<double> signed_errors, absolute;
  for (const JudgedStep* row : rows) {
    if (row->counted() && !row->predicted) ++errors.failed;
    if (!row->compared()) continue;
    signed_errors.push_back(row->error());
    absolute.push_back(std::abs(row->error()));
    if (absolute.size() > 1 && absolute.back() <= std::abs(errors.worst)) continue;
    errors.worst = row->error();
    errors.worst_id = row->row.id;
  }
  errors.rows = absolute.size();
  if (absolute.empty()) return errors;
  errors.bias = mean(signed_errors);
  errors.mape = mean(absolute);
  errors.median = median(absolute);
  return errors;
}

std::vector<StepErrors> grouped_errors(const std::vector<JudgedStep>& rows,
                                       const std::string& (*name_of_row)(const JudgedStep&)) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<const JudgedStep*>> groups;
  for (const JudgedStep& row : rows) {
    const std::string& name = name_of_row(row);
    if (!groups.contains(name)) names.push_back(name);
    groups[name].push_back(&row);
  }
  std::vector<StepErrors> all;
  for (const std::string& name : names) all.push_back(errors_of(name, groups[name]));
  return all;
}

/// A column that a sweep varies, and what goes with it.
struct Knob {
  std::string_view name;
  void (*forget)(MeasuredStep&);
};
constexpr Knob knobs[] = {
    {"micro-batch", [](MeasuredStep& s) { s.micro_batch = 0; }},
    {"chips, by dp at one global batch", [](MeasuredStep& s) { s.chips = s.dp = 0; }},
};

/// All columns that a sweep must share.
std::string text_of(const MeasuredStep& s) {
  std::string text =
      s.source + '|' + s.model + '|' + s.recompute + '|' + s.dtype + '|' + s.preset + '|' + s.nic;
  for (const std::uint64_t value :
       {std::uint64_t{s.layers}, std::uint64_t{s.hidden}, s.seq, s.global_batch, s.chips, std::uint64_t{s.tp},
        std::uint64_t{s.pp}, std::uint64_t{s.dp}, std::uint64_t{s.cp}, std::uint64_t{s.ep},
        std::uint64_t{s.vp}, std::uint64_t{s.micro_batch}, std::uint64_t{s.slices}}) {
    text += '|' + std::to_string(value);
  }
  return text;
}

/// Of the pairs whose measured times differ by more than runs scatter, the share that is predicted in their
/// order.
double ordered_share(const std::vector<double>& measured, const std::vector<double>& predicted) {
  std::size_t pairs = 0, ordered = 0;
  for (std::size_t a = 0; a < measured.size(); ++a) {
    for (std::size_t b = 0; b < measured.size(); ++b) {
      if (measured[b] < measured[a] * scatter) continue;
      ++pairs;
      if (predicted[b] > predicted[a]) ++ordered;
    }
  }
  return pairs == 0 ? 1 : static_cast<double>(ordered) / static_cast<double>(pairs);
}

std::vector<StepSweep> sweeps_of(const std::vector<JudgedStep>& rows) {
  std::vector<StepSweep> sweeps;
  for (const Knob& knob : knobs) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<const JudgedStep*>> groups;
    for (const JudgedStep& row : rows) {
      if (!row.compared()) continue;
      MeasuredStep same = row.row;
      knob.forget(same);
      const std::string text = text_of(same);
      if (!groups.contains(text)) order.push_back(text);
      groups[text].push_back(&row);
    }
    for (const std::string& text : order) {
      std::vector<double> measured, predicted;
      for (const JudgedStep* row : groups[text]) {
        measured.push_back(seconds(row->measured));
        predicted.push_back(seconds(*row->predicted));
      }
      if (measured.size() < 3) continue;
      const auto [least, most] = std::minmax_element(measured.begin(), measured.end());
      if (*most < *least * least_spread) continue;
      const auto correlation = rank_correlation(measured, predicted);
      if (!correlation) continue;
      const JudgedStep& first = *groups[text].front();
      sweeps.push_back({first.row.source, std::string(knob.name), first.row.id, measured.size(), *correlation,
                        ordered_share(measured, predicted)});
    }
  }
  return sweeps;
}

}  // namespace

double JudgedStep::error() const {
  return signed_error(seconds(measured), seconds(*predicted));
}

TrainingValidation validate_training(std::string data, const std::vector<MeasuredStep>& rows,
                                     const StepOptions& options) {
  TrainingValidation validation;
  validation.data = std::move(data);
  const StepExclusion* excluded = nullptr;
  for (const MeasuredStep& row : rows) {
    if (options.interrupted != nullptr && options.interrupted->load()) {
      validation.interrupted = true;
      break;
    }
    JudgedStep judged;
    judged.row = row;
    judged.family = family_of_chip(row);
    for (const StepExclusion& exclusion : training_exclusions()) {
      if (exclusion.first == row.id) excluded = &exclusion;
    }
    predict_step(judged, options.sets);
    if (excluded != nullptr) {
      judged.excluded = true;
      judged.why_not = excluded->reason;
      ++validation.excluded;
      if (excluded->last == row.id) excluded = nullptr;
    } else if (!judged.predicted) {
      ++validation.failed;
    }
    validation.rows.push_back(std::move(judged));
    if (options.on_progress) options.on_progress(validation.rows.size(), rows.size());
  }
  std::vector<const JudgedStep*> all;
  for (const JudgedStep& row : validation.rows) all.push_back(&row);
  validation.all = errors_of("all", all);
  validation.sources = grouped_errors(
      validation.rows, [](const JudgedStep& row) -> const std::string& { return row.row.source; });
  validation.families =
      grouped_errors(validation.rows, [](const JudgedStep& row) -> const std::string& { return row.family; });
  validation.sweeps = sweeps_of(validation.rows);
  return validation;
}

const std::vector<StepExclusion>& training_exclusions() {
  static const std::vector<StepExclusion> list = {
      {"W0071", "W0071",
       "twice as slow per sequence as half the micro-batch: the allocator ran at its limit"},
      {"W0097", "W0097",
       "two ranks of tp with 8 or 16 stages: half slower than one and than four, unexplained"},
      {"W0099", "W0099",
       "two ranks of tp with 8 or 16 stages: half slower than one and than four, unexplained"},
      {"W0106", "W0106",
       "two ranks of tp with 8 or 16 stages: half slower than one and than four, unexplained"},
      {"W0292", "W0297", "neither dimensions nor batch are printed"},
      {"W0322", "W0326", "neither the length of a sequence nor the batch is printed"},
  };
  return list;
}

}  // namespace tahoma
