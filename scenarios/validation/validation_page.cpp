#include "scenarios/validation/validation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "collectives/stack/stack.h"
#include "scenarios/number_text.h"
#include "scenarios/validation/accuracy_thresholds.h"
#include "scenarios/validation/exclusions.h"
#include "scenarios/validation/families.h"
#include "scenarios/validation/sources.h"
#include "scenarios/validation/validation_report.h"

namespace tahoma {

namespace {

std::string counts_table(const Validation& v) {
  return fmt::format(
      "\n## Rows\n\n| rows | counted | of them failed | left out | shown only |\n|--:|--:|--:|--:|--:|\n"
      "| {} | {} | {} | {} | {} |\n",
      v.rows.size(), v.counted, v.failed, v.excluded, v.shown_only);
}

std::string limits_table(const Validation& validation) {
  std::string text =
      "\n## Thresholds\n\n| threshold | what it is | limit | is | rows | held | furthest off |\n"
      "|---|---|--:|--:|--:|---|---|\n";
  for (const AccuracyOutcome& o : judge_accuracy(validation)) {
    const auto shown = [&](double value) {
      return o.percent ? percent_text(value) : fmt::format("{:.3g}", value);
    };
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", o.name, o.meaning, shown(o.limit),
                        shown(o.value), o.rows, o.held() ? "yes" : "no", o.worst);
  }
  return text;
}

std::string classes_table(const Validation& validation) {
  std::string text =
      "\n## By size\n\n| size | rows | failed | signed error | mean error | median error | worst error | "
      "median factor | "
      "worst factor |\n|---|--:|--:|--:|--:|--:|---|--:|---|\n";
  for (std::size_t c = 0; c < size_classes; ++c) {
    const ErrorSummary& s = validation.by_size[c];
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} {} | {} | {} {} |\n",
                        name_of(static_cast<SizeClass>(c)), s.rows, s.failed, percent_text(s.bias, true),
                        percent_text(s.mape), percent_text(s.median), percent_text(s.worst, true), s.worst_id,
                        fixed(s.median_factor, 2), fixed(s.worst_factor, 2), s.worst_factor_id);
  }
  return text;
}

std::string source_errors_table(const Validation& validation) {
  std::string text =
      "\n## By source\n\nMean error of the time, in brackets the rows.\n\n| source | rows | counted | failed "
      "|";
  for (std::size_t c = 0; c < size_classes; ++c)
    text += fmt::format(" {} |", name_of(static_cast<SizeClass>(c)));
  text +=
      " signed, all | worst | rank correlation, least |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|\n";
  for (const SourceSummary& source : validation.sources) {
    const ErrorSummary& all = source.all;
    text +=
        fmt::format("| {} | {} | {} | {} |", source.source, source.shown, all.rows + all.failed, all.failed);
    for (const ErrorSummary& s : source.by_size) {
      text += s.rows == 0 ? " |" : fmt::format(" {} ({}) |", percent_text(s.mape), s.rows);
    }
    text += all.rows == 0 ? " | |"
                          : fmt::format(" {} | {} {} |", percent_text(all.bias, true),
                                        percent_text(all.worst, true), all.worst_id);
    text += source.least_rank_correlation ? fmt::format(" {} |\n", fixed(*source.least_rank_correlation, 3))
                                          : " |\n";
  }
  return text;
}

std::string origins_table() {
  std::string text = "\n## Sources\n\n| source | what | software | where |\n|---|---|---|---|\n";
  for (const MeasuredSource& s : measured_sources()) {
    text += fmt::format("| {} | {} | {} | {} |\n", s.id, s.what, s.software, s.where);
  }
  return text;
}

std::string left_out_table(const Validation& validation) {
  std::string text =
      "\n## Left out\n\nRows of trust A and B that are not counted, at most one in twenty.\n\n"
      "| source | from | to | why |\n|---|---|---|---|\n";
  for (const Exclusion& e : exclusions()) {
    text += fmt::format("| {} | {} | {} | {} |\n", e.source, e.first, e.last, e.reason);
  }
  const std::size_t eligible = validation.counted + validation.excluded;
  return text + fmt::format("\n{} of {} rows.\n", validation.excluded, eligible);
}

// Reasons without the made-up places of made-up scenarios.
std::string failures_table(const Validation& validation) {
  std::map<std::string, std::vector<std::string>> ids;
  for (const JudgedRow& row : validation.rows) {
    if (!row.failed()) continue;
    const std::size_t at = row.why_not.rfind(row.measured.id + ":", 0) == 0 ? row.why_not.find(": ") + 2 : 0;
    ids[row.why_not.substr(at)].push_back(row.measured.id);
  }
  std::string text =
      "\n## Failed\n\nCounted rows without a prediction.\n\n| rows | first | why |\n|--:|---|---|\n";
  if (ids.empty()) return "\n## Failed\n\nNo counted row is without a prediction.\n";
  for (const auto& [why, rows] : ids)
    text += fmt::format("| {} | {} | {} |\n", rows.size(), rows.front(), why);
  return text;
}

std::string families_table() {
  std::string text =
      "\n## Families\n\nWhich presets are near each other, the transport of their own NICs, and the software "
      "that runs "
      "collectives on them.\n\n| preset | family | transport | software |\n|---|---|---|---|\n";
  for (const PresetFamily& f : preset_families()) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", f.preset, f.family, f.transport, f.stack);
  }
  return text;
}

std::string parameters_table(const Validation& validation) {
  std::string text =
      "\n## Fitted parameters\n\nWhat was fitted on the rows above, or read off one of them: at most one for "
      "twenty counted rows. Everything else is published, tied to one of these, or assumed, and `tahoma "
      "stack "
      "NAME` lists it with its source.\n\n| stack | since | platform | parameter | value | how |\n"
      "|---|---|---|---|--:|---|\n";
  std::size_t count = 0;
  for (const Stack& stack : stacks()) {
    for (const StackParameter& p : stack_parameters(stack.name)) {
      if (p.provenance != Provenance::fitted && p.provenance != Provenance::measured) continue;
      ++count;
      std::string platforms(p.platform);
      for (std::size_t bar = 0; (bar = platforms.find('|', bar)) != std::string::npos; bar += 2)
        platforms.replace(bar, 1, ", ");
      text += fmt::format("| {} | {} | {} | `{}` | {} | {} |\n", p.stack, p.since, platforms, p.name, p.value,
                          name_of(p.provenance));
    }
  }
  return text + fmt::format("\n{} of them, {} counted rows.\n", count, validation.counted);
}

}  // namespace

std::string validation_page(const Validation& validation) {
  return counts_table(validation) + limits_table(validation) + classes_table(validation) +
         source_errors_table(validation) + failures_table(validation) + left_out_table(validation) +
         parameters_table(validation) + families_table() + origins_table();
}

}  // namespace tahoma
