// A validation of training steps for people, for scripts, and as a page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/json_text.h"
#include "scenarios/number_text.h"
#include "scenarios/result_csv.h"
#include "scenarios/text_table.h"
#include "scenarios/training/chip_calibration.h"
#include "scenarios/validation/training_mapping.h"
#include "scenarios/validation/training_validation.h"
#include "scenarios/validation/validation_report.h"

namespace tahoma {

namespace {

constexpr auto on_right = TextColumn::Align::right;
constexpr std::size_t worst_listed = 10;

TextTable step_table(const std::string& what) {
  TextTable table;
  table.columns = {{TextColumn::Align::left, what, ""},
                   {on_right, "rows", ""},
                   {on_right, "failed", ""},
                   {on_right, "signed", ""},
                   {on_right, "mean", ""},
                   {on_right, "median", ""},
                   {on_right, "worst", ""},
                   {TextColumn::Align::left, "", ""}};
  return table;
}

std::vector<std::string> step_cells(const StepErrors& e) {
  if (e.rows == 0) return {e.name, "0", std::to_string(e.failed), "", "", "", "", ""};
  return {e.name,
          std::to_string(e.rows),
          e.failed == 0 ? "" : std::to_string(e.failed),
          percent_text(e.bias, true),
          percent_text(e.mape),
          percent_text(e.median),
          percent_text(e.worst, true),
          e.worst_id};
}

std::string outcome_value_text(const AccuracyOutcome& outcome, double value) {
  return outcome.percent ? percent_text(value) : fixed(value, 0);
}

std::vector<const JudgedStep*> worst_of(const TrainingValidation& v) {
  std::vector<const JudgedStep*> rows;
  for (const JudgedStep& row : v.rows) {
    if (row.compared()) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const JudgedStep* a, const JudgedStep* b) {
    return std::abs(a->error()) > std::abs(b->error());
  });
  if (rows.size() > worst_listed) rows.resize(worst_listed);
  return rows;
}

std::string s6(Duration d) {
  return fmt::format("{:.6g}", seconds(d));
}

void write_errors(JsonText& json, const StepErrors& e) {
  json.begin_object();
  json.field("source", e.name);
  json.field("rows", e.rows);
  json.field("failed", e.failed);
  if (e.rows > 0) {
    json.field("bias", e.bias);
    json.field("mape", e.mape);
    json.field("median", e.median);
    json.field("worst", e.worst);
    json.field("worst_id", e.worst_id);
  }
  json.end_object();
}

std::string errors_page(const std::string& title, const std::string& what,
                        const std::vector<StepErrors>& list) {
  std::string text = fmt::format(
      "\n## {}\n\n| {} | rows | failed | signed | mean | median | worst | "
      "|\n|---|--:|--:|--:|--:|--:|--:|---|\n",
      title, what);
  for (const StepErrors& e : list) {
    text += "|";
    for (const std::string& cell : step_cells(e)) text += " " + cell + " |";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string training_validation_text(const TrainingValidation& v,
                                     const std::vector<AccuracyOutcome>& outcomes, const TextStyle& style) {
  std::string text =
      paint(style, Ink::bold, "training steps, predicted against measured: " + v.data) + "\n\n";
  TextTable table = step_table("source");
  for (const StepErrors& e : v.sources) table.rows.push_back(step_cells(e));
  table.rows.push_back(step_cells(v.all));
  text += to_text(table, 2) + "\n";
  TextTable families = step_table("chips");
  for (const StepErrors& e : v.families) families.rows.push_back(step_cells(e));
  text += to_text(families, 2) + "\n";
  TextTable worst;
  worst.columns = {{TextColumn::Align::left, "furthest off", ""},
                   {on_right, "error", ""},
                   {on_right, "measured", "s"},
                   {on_right, "predicted", "s"},
                   {TextColumn::Align::left, "split", ""}};
  for (const JudgedStep* row : worst_of(v))
    worst.rows.push_back(
        {row->row.id, percent_text(row->error(), true), s6(row->measured), s6(*row->predicted), row->split});
  text += to_text(worst, 2) + "\n";
  for (const JudgedStep& row : v.rows) {
    if (row.counted() && !row.predicted) text += fmt::format("  failed  {}: {}\n", row.row.id, row.why_not);
  }
  TextTable limits;
  limits.columns = {{TextColumn::Align::left, "threshold", ""},
                    {on_right, "value", ""},
                    {on_right, "limit", ""},
                    {TextColumn::Align::left, "", ""},
                    {TextColumn::Align::left, "", ""}};
  for (const AccuracyOutcome& o : outcomes)
    limits.rows.push_back({o.name, outcome_value_text(o, o.value), outcome_value_text(o, o.limit),
                           o.held() ? "held" : "PAST", o.meaning});
  text += to_text(limits, 2);
  if (v.interrupted) text += "\ninterrupted: only the rows above were finished\n";
  return text;
}

std::string training_validation_json(const TrainingValidation& v,
                                     const std::vector<AccuracyOutcome>& outcomes) {
  JsonText json;
  json.begin_object();
  json.field("schema", "tahoma.validation/1");
  json.field("data", v.data);
  json.key("rows");
  json.begin_array();
  for (const JudgedStep& row : v.rows) {
    json.begin_object();
    json.field("id", row.row.id);
    json.field("source", row.row.source);
    json.key("measured_s");
    if (row.measured.ps > 0) {
      json.value(row.measured);
    } else {
      json.value(nullptr);
    }
    json.key("predicted_s");
    if (row.predicted) {
      json.value(*row.predicted);
    } else {
      json.value(nullptr);
    }
    json.field("counted", row.counted());
    json.field("why_not", row.why_not);
    json.field("family", row.family);
    json.field("split", row.split);
    json.field("step_derived", row.derived);
    json.end_object();
  }
  json.end_array();
  json.key("sources");
  json.begin_array();
  for (const StepErrors& e : v.sources) write_errors(json, e);
  json.end_array();
  json.key("families");
  json.begin_array();
  for (const StepErrors& e : v.families) write_errors(json, e);
  json.end_array();
  json.key("all");
  write_errors(json, v.all);
  json.key("sweeps");
  json.begin_array();
  for (const StepSweep& sweep : v.sweeps) {
    json.begin_object();
    json.field("source", sweep.source);
    json.field("knob", sweep.knob);
    json.field("first_id", sweep.first_id);
    json.field("rows", sweep.rows);
    json.field("rank_correlation", sweep.correlation);
    json.field("ordered", sweep.ordered);
    json.end_object();
  }
  json.end_array();
  json.key("thresholds");
  json.begin_array();
  for (const AccuracyOutcome& outcome : outcomes) {
    json.begin_object();
    json.field("name", outcome.name);
    json.field("limit", outcome.limit);
    json.field("value", outcome.value);
    json.field("rows", outcome.rows);
    json.field("held", outcome.held());
    json.field("worst", outcome.worst);
    json.end_object();
  }
  json.end_array();
  json.field("interrupted", v.interrupted);
  json.end_object();
  return json.take();
}

std::string training_validation_csv(const TrainingValidation& v) {
  std::string text =
      "id,source,model,family,preset,chips,measured_s,predicted_s,error_percent,split,counted,why_not\n";
  for (const JudgedStep& row : v.rows) {
    const bool any = row.predicted.has_value();
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(row.row.id),
                        csv_field(row.row.source), csv_field(row.row.model), row.family, row.row.preset,
                        row.row.chips, row.measured.ps > 0 ? s6(row.measured) : "",
                        any ? s6(*row.predicted) : "", any ? fmt::format("{:.2f}", row.error() * 100) : "",
                        csv_field(row.split), row.counted() ? "yes" : "no", csv_field(row.why_not));
  }
  return text;
}

std::string training_validation_page(const TrainingValidation& v) {
  std::string text = fmt::format(
      "\n{} rows, {} counted, {} left out, {} failed.\n\n| threshold | value | limit | | of "
      "|\n|---|--:|--:|---|---|\n",
      v.rows.size(), v.rows.size() - v.excluded, v.excluded, v.failed);
  for (const AccuracyOutcome& o : judge_steps(v))
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", o.name, outcome_value_text(o, o.value),
                        outcome_value_text(o, o.limit), o.held() ? "held" : "past it", o.meaning);
  text +=
      errors_page("By source", "source", v.sources) + errors_page("By family of chips", "family", v.families);
  text +=
      "\n## Sweeps of one column\n\n| source | column | first row | rows | rank correlation "
      "|\n|---|---|---|--:|--:|\n";
  for (const StepSweep& sweep : v.sweeps)
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", sweep.source, sweep.knob, sweep.first_id,
                        sweep.rows, fixed(sweep.correlation, 2), percent_text(sweep.ordered));
  text +=
      "\n## Furthest off\n\n| row | model | error | measured, s | predicted, s | split "
      "|\n|---|---|--:|--:|--:|---|\n";
  for (const JudgedStep* row : worst_of(v))
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row->row.id, row->row.model,
                        percent_text(row->error(), true), s6(row->measured), s6(*row->predicted), row->split);
  text += "\n## Left out\n\n| from | to | why |\n|---|---|---|\n";
  for (const StepExclusion& e : training_exclusions())
    text += fmt::format("| {} | {} | {} |\n", e.first, e.last, e.reason);
  text +=
      "\n## Software generations\n\n| name | rows | recompute | attention | gradients | zero "
      "|\n|---|---|---|---|---|---|\n";
  for (const SoftwareGeneration& g : software_generations())
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", g.name, g.when, g.recompute,
                        g.fused_attention ? "fused" : "plain", g.gradients, g.zero);
  text += "\n## Fitted figures\n\n| family | figure | value |\n|---|---|--:|\n";
  for (const FittedFigure& f : fitted_figures())
    text += fmt::format("| {} | {} | {} |\n", f.family, f.name, f.value);
  return text +
         fmt::format("\n{} figures for {} rows.\n", fitted_figures().size(), v.rows.size() - v.excluded);
}

}  // namespace tahoma
