#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/number_text.h"
#include "scenarios/text_table.h"
#include "scenarios/validation/validation_report.h"

namespace tahoma {

namespace {

using enum TextColumn::Align;

constexpr std::size_t plot_width = 31;
constexpr double plot_reach = 0.5;
constexpr std::size_t most_listed = 8;

std::string factor_text(double factor) {
  return fixed(factor, 2);
}

std::string bar(double share) {
  // A letter for each 4 %.
  const double letters = std::min(25.0, std::floor(share * 25 + 0.5));
  return std::string(static_cast<std::size_t>(letters), '#') + (share > 1 ? ">" : "");
}

std::vector<std::string> error_cells(const ErrorSummary& s) {
  const std::string failed = s.failed == 0 ? "" : std::to_string(s.failed);
  if (s.rows == 0) return {"0", failed, "", "", "", "", "", "", ""};
  return {std::to_string(s.rows),
          failed,
          percent_text(s.bias, true),
          percent_text(s.mape),
          percent_text(s.median),
          percent_text(s.worst, true),
          s.worst_id,
          factor_text(s.median_factor),
          factor_text(s.worst_factor)};
}

const std::vector<TextColumn> error_columns{
    {right, "", "rows"},      {right, "", "failed"},       {right, "signed", "error"},
    {right, "mean", "error"}, {right, "median", "error"},  {right, "worst", "error"},
    {left, "", ""},           {right, "median", "factor"}, {right, "worst", "factor"}};

TextTable error_table(const std::string& what, const std::string& last) {
  TextTable table;
  table.columns.push_back({left, "", what});
  table.columns.insert(table.columns.end(), error_columns.begin(), error_columns.end());
  table.columns.push_back({left, "", last});
  return table;
}

void add(TextTable& table, const std::string& name, const ErrorSummary& summary, const std::string& last) {
  std::vector<std::string> row{name};
  for (std::string& cell : error_cells(summary)) row.push_back(std::move(cell));
  row.push_back(last);
  table.rows.push_back(std::move(row));
}

std::string sizes_text(const Validation& validation) {
  TextTable table = error_table("size", "mean error, # = 4 %");
  for (std::size_t c = 0; c < size_classes; ++c) {
    const ErrorSummary& s = validation.by_size[c];
    add(table, std::string(name_of(static_cast<SizeClass>(c))), s, bar(s.mape));
  }
  add(table, "all", validation.all, bar(validation.all.mape));
  return to_text(table, 2);
}

std::string sources_text(const Validation& validation) {
  TextTable table = error_table("source", "-50 %" + std::string(plot_width - 10, ' ') + "+50 %");
  for (const SourceSummary& source : validation.sources) {
    if (source.all.rows + source.all.failed == 0) continue;
    const bool any = source.all.rows > 0;
    add(table, source.source, source.all,
        any ? error_plot(source.least, source.middle, source.greatest, plot_width) : "");
  }
  return to_text(table, 2);
}

std::string source_sizes_text(const Validation& validation) {
  TextTable table;
  table.columns.push_back({left, "source", ""});
  for (std::size_t c = 0; c < size_classes; ++c) {
    table.columns.push_back({right, std::string(name_of(static_cast<SizeClass>(c))), ""});
  }
  table.columns.push_back({right, "rank corr.", "least"});
  for (const SourceSummary& source : validation.sources) {
    if (source.all.rows == 0) continue;
    std::vector<std::string> row{source.source};
    for (const ErrorSummary& s : source.by_size) {
      row.push_back(s.rows == 0 ? "" : fmt::format("{} ({})", percent_text(s.mape), s.rows));
    }
    row.push_back(source.least_rank_correlation ? fixed(*source.least_rank_correlation, 3) : "");
    table.rows.push_back(std::move(row));
  }
  return to_text(table, 2);
}

std::string value_text(const AccuracyOutcome& outcome, double value) {
  return outcome.percent ? percent_text(value) : fmt::format("{:.4g}", value);
}

std::string thresholds_text(const std::vector<AccuracyOutcome>& outcomes, const TextStyle& style) {
  TextTable table;
  table.columns = {{left, "threshold", ""}, {right, "limit", ""}, {right, "is", ""},
                   {right, "rows", ""},     {left, "", ""},       {left, "worst", ""},
                   {left, "what it is", ""}};
  for (const AccuracyOutcome& o : outcomes) {
    table.rows.push_back({o.name, value_text(o, o.limit), o.rows == 0 ? "-" : value_text(o, o.value),
                          std::to_string(o.rows),
                          o.rows == 0 ? "no row"
                          : o.held()  ? "held"
                                      : "CROSSED",
                          o.worst, o.meaning});
  }
  return to_text(table, 2, style.width);
}

// Rows that are not compared, by reason, each with how many and the first few names.
std::string reasons_text(const Validation& validation, bool failures, const TextStyle& style) {
  std::map<std::string, std::vector<std::string>> ids;
  for (const JudgedRow& row : validation.rows) {
    if (row.compared() || row.failed() != failures) continue;
    // A place in a made scenario says nothing to who reads a summary.
    const std::string& id = row.measured.id;
    std::string why = row.why_not;
    if (why.rfind(id + ":", 0) == 0) why = why.substr(std::min(why.find(": "), why.size() - 2) + 2);
    ids[why].push_back(id);
  }
  TextTable table;
  table.columns = {{right, "rows", ""}, {left, "first", ""}, {left, "why", ""}};
  for (const auto& [why, rows] : ids) table.rows.push_back({std::to_string(rows.size()), rows.front(), why});
  return table.rows.empty() ? "" : to_text(table, 2, style.width);
}

std::string worst_rows_text(const Validation& validation) {
  std::vector<const JudgedRow*> rows;
  for (const JudgedRow& row : validation.rows) {
    if (row.compared()) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const JudgedRow* a, const JudgedRow* b) { return a->factor() > b->factor(); });
  rows.resize(std::min(rows.size(), most_listed));
  TextTable table;
  table.columns = {{left, "row", ""},       {left, "source", ""},     {left, "collective", ""},
                   {right, "bytes", ""},    {right, "ranks", ""},     {left, "preset", ""},
                   {right, "measured", ""}, {right, "predicted", ""}, {right, "factor", ""},
                   {left, "algorithm", ""}};
  for (const JudgedRow* row : rows) {
    const MeasuredRow& m = row->measured;
    table.rows.push_back({m.id, m.source, m.collective, readable_bytes(m.bytes), std::to_string(m.ranks),
                          m.preset, readable(m.time), readable(*row->prediction.time),
                          factor_text(row->factor()), row->prediction.algorithm});
  }
  return to_text(table, 2);
}

}  // namespace

std::string percent_text(double share, bool with_sign) {
  const std::string number = fixed(std::abs(share) * 100, 1);
  const bool is_zero = number == "0.0";
  return std::string(share < 0 && !is_zero ? "-" : with_sign ? "+" : "") + number + " %";
}

std::string error_plot(double least, double middle, double greatest, std::size_t width) {
  const auto last = static_cast<double>(width - 1);
  const auto at = [&](double error) {
    const double place = (std::clamp(error, -plot_reach, plot_reach) + plot_reach) / (2 * plot_reach) * last;
    return static_cast<std::size_t>(std::lround(place));
  };
  std::string line(width, ' ');
  for (std::size_t i = at(least); i <= at(greatest); ++i) line[i] = '-';
  line[at(0)] = '|';
  if (least < -plot_reach) line.front() = '<';
  if (greatest > plot_reach) line.back() = '>';
  line[at(middle)] = 'o';
  return line;
}

std::string validation_text(const Validation& validation, const std::vector<AccuracyOutcome>& outcomes,
                            const TextStyle& style) {
  const auto heading = [&](const std::string& text) { return "\n" + paint(style, Ink::bold, text) + "\n"; };
  std::string text =
      paint(style, Ink::bold, "predicted against measured") + ": " + printable(validation.data) + "\n";
  text += fmt::format("  {} rows of {} sources: {} counted ({} of them failed), {} left out, {} shown only\n",
                      validation.rows.size(), validation.sources.size(), validation.counted,
                      validation.failed, validation.excluded, validation.shown_only);
  text += "  error = (predicted - measured) / measured, of times; factor = the larger / the smaller\n";
  if (validation.interrupted) text += "  interrupted: what was not reached counts as failed\n";
  text += heading("by size") + sizes_text(validation);
  text += heading("by source (o the median row, | no error)") + sources_text(validation);
  text += heading("mean error by source and size (rows)") + source_sizes_text(validation);
  text += heading("furthest off") + worst_rows_text(validation);
  if (validation.failed > 0) text += heading("failed") + reasons_text(validation, true, style);
  const std::string others = reasons_text(validation, false, style);
  if (!others.empty()) text += heading("shown, not counted") + others;
  return text + heading("thresholds") + thresholds_text(outcomes, style);
}

}  // namespace tahoma
