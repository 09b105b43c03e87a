#include "scenarios/sweep/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenarios/number_text.h"
#include "scenarios/sweep/best.h"
#include "scenarios/sweep/tables.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

constexpr std::size_t most_best = 12;
constexpr std::size_t most_reasons = 6;
constexpr std::size_t most_values_shown = 6;

std::string coordinates_text(const SweepPlan& plan, std::uint64_t point) {
  std::string text;
  for (std::size_t a = 0; a < plan.spec.axes.size(); ++a)
    text +=
        fmt::format("{}{}={}", a == 0 ? "" : " ", plan.spec.axes[a].path, coordinate(plan, point, a).text);
  return text;
}

std::string values_text(const SweepAxis& axis) {
  std::string text;
  const std::size_t shown =
      axis.values.size() <= most_values_shown ? axis.values.size() : most_values_shown - 1;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + axis.values[i].text;
  if (shown < axis.values.size()) text += ", ..., " + axis.values.back().text;
  return text;
}

std::string counts_text(const std::vector<PointRecord>& records) {
  std::map<std::string, std::uint64_t> counts;
  for (const PointRecord& record : records) ++counts[record.status.empty() ? "missing" : record.status];
  std::string text;
  for (const char* status : {"ok", "infeasible", "invalid", "failed", "missing"}) {
    if (counts[status] != 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(counts[status]), status);
  }
  return text;
}

/// The commonest reasons, with a point that has each.
std::string reasons_text(const SweepPlan& plan, const std::vector<PointRecord>& records,
                         const TextStyle& style) {
  struct Reason {
    std::uint64_t points = 0, first = 0;
  };
  std::map<std::string, Reason> reasons;
  for (const PointRecord& record : records) {
    if (record.reason.empty()) continue;
    Reason& reason = reasons[record.reason];
    if (reason.points++ == 0) reason.first = record.point;
  }
  std::vector<std::pair<std::string, Reason>> sorted(reasons.begin(), reasons.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.points > b.second.points; });
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), most_reasons); ++i) {
    const auto& [reason, where] = sorted[i];
    text += "  " +
            wrapped(fmt::format("{} of them, such as {}: {}", grouped(where.points),
                                coordinates_text(plan, where.first), printable(reason)),
                    4, style.width) +
            "\n";
  }
  if (sorted.size() > most_reasons)
    text += fmt::format("  and {} more reasons\n", sorted.size() - most_reasons);
  return text.empty() ? "" : "Not answered\n" + text + "\n";
}

std::string best_text(const SweepPlan& plan, const std::vector<PointRecord>& records) {
  const std::vector<std::uint64_t> front = pareto_front(plan, records);
  if (front.empty()) return "";
  const std::vector<Objective> objectives = objectives_of(plan);
  TextTable table;
  for (const Objective& objective : objectives)
    table.columns.push_back(
        {TextColumn::Align::right, objective.metric, objective.minimize ? "least" : "most"});
  table.columns.push_back({TextColumn::Align::left, "point", ""});
  for (std::size_t i = 0; i < std::min(front.size(), most_best); ++i) {
    std::vector<std::string> cells;
    for (const Objective& objective : objectives)
      cells.push_back(fmt::format("{:.6g}", value_of(records[front[i]], objective.metric).value));
    cells.push_back(coordinates_text(plan, front[i]));
    table.rows.push_back(std::move(cells));
  }
  std::string text =
      objectives.size() > 1 ? "Best points (no other is better in every objective)\n" : "Best point\n";
  text += to_text(table, 2);
  if (front.size() > most_best) text += fmt::format("  and {} more\n", front.size() - most_best);
  return text + "\n";
}

std::string effects_text(const SweepPlan& plan, const std::vector<PointRecord>& records) {
  std::string text;
  for (const AxisEffect& effect : effects(plan, records)) {
    const SweepAxis& axis = plan.spec.axes[effect.axis];
    std::string line;
    std::size_t shown = 0;
    for (std::size_t v = 0; v < axis.values.size(); ++v) {
      const bool middle = axis.values.size() > most_values_shown && shown + 1 >= most_values_shown &&
                          v + 1 < axis.values.size();
      if (effect.relative[v] == 0 || middle) continue;
      line += fmt::format("{}{} x{:.3g}", line.empty() ? "" : ", ", axis.values[v].text, effect.relative[v]);
      ++shown;
    }
    text += fmt::format("  {}: {}\n", axis.path, line);
  }
  if (text.empty()) return "";
  return fmt::format("What each value does to {} (mean of its points / mean of all)\n{}",
                     objectives_of(plan).front().metric, text);
}

}  // namespace

std::string plan_summary(const SweepPlan& plan) {
  static constexpr const char* modes[] = {"grid", "zip", "random", "lhs"};
  std::string text = fmt::format("{}: {} points, mode {}\n", plan.name, grouped(plan.points),
                                 modes[static_cast<std::size_t>(plan.spec.mode)]);
  for (const SweepAxis& axis : plan.spec.axes)
    text += fmt::format("  {}: {} values: {}\n", axis.path, axis.values.size(), values_text(axis));
  text += "first  " + coordinates_text(plan, 0) + "\n";
  text += "last   " + coordinates_text(plan, plan.points - 1) + "\n";
  return text;
}

std::string status_summary(const SweepPlan& plan, const std::vector<PointRecord>& records) {
  return fmt::format("{}: {} points: {}\n", plan.name, grouped(plan.points), counts_text(records));
}

std::string sweep_summary(const SweepPlan& plan, const std::vector<PointRecord>& records,
                          const TextStyle& style) {
  std::string text = paint(style, Ink::bold, status_summary(plan, records)) + "\n";
  text += reasons_text(plan, records, style);
  text += best_text(plan, records);
  text += effects_text(plan, records);
  return text;
}

}  // namespace tahoma
