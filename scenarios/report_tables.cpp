// The table of nccl-tests (size, count, type, redop, time, algbw, busbw) with bound, efficiency and
// algorithm, and the table of flows. What is the same in every row of a table moves into its caption.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/number_text.h"
#include "scenarios/report_text.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

constexpr auto left = TextColumn::Align::left;
constexpr auto right = TextColumn::Align::right;
constexpr std::size_t longest_label = 20;  // a longer algorithm gets a letter and a legend
constexpr std::size_t most_flows = 40;     // more are cut to the first and the last twenty

using Rows = std::vector<const CollectiveRow*>;
using TextOf = std::function<std::string(const CollectiveRow&)>;

std::vector<Rows> sections_of(const std::vector<CollectiveRow>& rows) {
  std::vector<Rows> sections;
  for (const CollectiveRow& row : rows) {
    const auto at = std::find_if(sections.begin(), sections.end(), [&](const Rows& section) {
      const CollectiveRow& first = *section.front();
      return first.collective == row.collective && first.ranks == row.ranks && first.groups == row.groups;
    });
    if (at == sections.end()) {
      sections.push_back({&row});
    } else {
      at->push_back(&row);
    }
  }
  return sections;
}

bool differs(const Rows& rows, const TextOf& text_of) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const CollectiveRow* row) { return text_of(*row) != text_of(*rows.front()); });
}

std::string algorithm_of(const CollectiveRow& row) {
  return printable(row.algorithm) + (row.pipeline > 1 ? ", pipeline " + std::to_string(row.pipeline) : "");
}

std::string solver_of(const CollectiveRow& row) {
  return printable(row.solver) + (row.exact ? "" : " (approximate)");
}

// Distinct algorithms in order of appearance, each the name of a letter A, B, ... if any is too long to
// print.
class Legend {
 public:
  explicit Legend(const Rows& rows) {
    for (const CollectiveRow* row : rows) {
      const std::string name = algorithm_of(*row);
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
      lettered_ = lettered_ || screen_width(name) > longest_label;
    }
    lettered_ = lettered_ && names_.size() <= 26;
  }
  std::string shown(const CollectiveRow& row) const {
    std::string name = algorithm_of(row);
    if (!lettered_) return name;
    const auto index = std::find(names_.begin(), names_.end(), name) - names_.begin();
    return {static_cast<char>('A' + index)};
  }
  std::string lines(std::size_t width) const {
    std::string text;
    for (std::size_t i = 0; lettered_ && i < names_.size(); ++i) {
      text += std::string("  ") + static_cast<char>('A' + i) + " = " + wrapped(names_[i], 6, width) + "\n";
    }
    return text;
  }

 private:
  std::vector<std::string> names_;
  bool lettered_ = false;
};

std::string caption(const Rows& rows, const TextStyle& style) {
  const CollectiveRow& first = *rows.front();
  std::string text = first.collective + ", ";
  if (first.groups > 1) text += grouped(first.groups) + " groups of ";
  text += grouped(first.ranks) + (first.ranks == 1 ? " rank" : " ranks");
  std::string shared;  // by all rows
  if (!differs(rows, algorithm_of)) shared = algorithm_of(first) + "; ";
  if (!differs(rows, solver_of)) {
    shared += "solver " + solver_of(first);
    if (!first.solver_why.empty() && !differs(rows, [](const CollectiveRow& r) { return r.solver_why; })) {
      shared += ": " + printable(first.solver_why);
    }
  }
  constexpr std::size_t indent = 2;
  text = paint(style, Ink::bold, text) + "\n";
  if (!shared.empty()) text += "  " + wrapped(shared, indent, style.width) + "\n";
  return text;
}

struct RowColumn {
  TextColumn heading;
  TextOf text;
};

std::string section_text(const Rows& rows, bool with_jobs, const TextStyle& style) {
  const Legend legend(rows);
  std::vector<RowColumn> columns;
  if (with_jobs) {
    columns.push_back({{left, "job", ""}, [](const CollectiveRow& r) { return printable(r.job); }});
    columns.push_back(
        {{right, "start", "(us)"}, [](const CollectiveRow& r) { return micros_text({r.start.ps}); }});
  }
  const std::vector<RowColumn> measured{
      {{right, "size", "(B)"}, [](const CollectiveRow& r) { return std::to_string(r.bytes); }},
      {{right, "count", "(elements)"}, [](const CollectiveRow& r) { return std::to_string(r.count); }},
      {{right, "type", ""}, [](const CollectiveRow& r) { return printable(r.dtype); }},
      {{right, "redop", ""}, [](const CollectiveRow& r) { return printable(r.redop); }},
      {{right, "time", "(us)"}, [](const CollectiveRow& r) { return micros_text(r.time); }},
      {{right, "algbw", "(GB/s)"}, [](const CollectiveRow& r) { return fixed(r.algbw_GBps, 2); }},
      {{right, "busbw", "(GB/s)"}, [](const CollectiveRow& r) { return fixed(r.busbw_GBps, 2); }},
      {{right, "bound", "(us)"}, [](const CollectiveRow& r) { return micros_text(r.lower_bound); }},
      {{right, "eff", "(%)"}, [](const CollectiveRow& r) { return fixed(r.efficiency * 100, 1); }},
  };
  columns.insert(columns.end(), measured.begin(), measured.end());
  const bool several_algorithms = differs(rows, algorithm_of);
  if (several_algorithms) {
    columns.push_back({{left, "algorithm", ""}, [&](const CollectiveRow& r) { return legend.shown(r); }});
  }
  if (differs(rows, solver_of)) columns.push_back({{left, "solver", ""}, solver_of});

  TextTable table;
  for (const RowColumn& column : columns) table.columns.push_back(column.heading);
  for (const CollectiveRow* row : rows) {
    std::vector<std::string> cells;
    for (const RowColumn& column : columns) cells.push_back(column.text(*row));
    table.rows.push_back(std::move(cells));
  }
  return caption(rows, style) + to_text(table, 2) + (several_algorithms ? legend.lines(style.width) : "");
}

std::vector<std::string> flow_cells(const FlowRow& flow, bool with_job) {
  const Duration time = flow.finish - flow.start;
  const double rate = time.ps > 0 ? static_cast<double>(flow.bytes) / (seconds(time) * 1e9) : 0;
  std::vector<std::string> cells;
  if (with_job) cells.push_back(printable(flow.job));
  cells.insert(cells.end(),
               {printable(flow.id), grouped(flow.bytes), micros_text({flow.start.ps}),
                micros_text({flow.finish.ps}), micros_text(time), time.ps > 0 ? fixed(rate, 2) : "-"});
  return cells;
}

}  // namespace

std::string collectives_text(const Result& result, const TextStyle& style) {
  const std::vector<CollectiveRow>& rows = result.collectives;
  const bool with_jobs =
      std::any_of(rows.begin(), rows.end(), [&](const CollectiveRow& r) { return r.job != rows[0].job; });
  std::string text;
  for (const Rows& section : sections_of(rows)) {
    text += (text.empty() ? "" : "\n") + section_text(section, with_jobs, style);
  }
  return text;
}

std::string flows_text(const Result& result, const TextStyle& style) {
  const std::vector<FlowRow>& flows = result.flows;
  if (flows.empty()) return "";
  const bool with_job =
      std::any_of(flows.begin(), flows.end(), [&](const FlowRow& f) { return f.job != flows[0].job; });
  TextTable table;
  if (with_job) table.columns.push_back({left, "job", ""});
  table.columns.insert(table.columns.end(), {{left, "flow", ""},
                                             {right, "size", "(B)"},
                                             {right, "start", "(us)"},
                                             {right, "finish", "(us)"},
                                             {right, "time", "(us)"},
                                             {right, "mean rate", "(GB/s)"}});
  const bool cut = flows.size() > most_flows;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const bool middle = cut && i >= most_flows / 2 && i < flows.size() - most_flows / 2;
    if (!middle) table.rows.push_back(flow_cells(flows[i], with_job));
    if (cut && i == most_flows / 2) {
      table.rows.emplace_back(table.columns.size());
      table.rows.back()[0] = "...";
    }
  }
  std::string text = paint(style, Ink::bold, "flows") + "\n" + to_text(table, 2);
  if (cut) {
    text += "  ... " + grouped(flows.size() - most_flows) +
            " flows between are not shown; --format csv has all of them\n";
  }
  return text;
}

}  // namespace tahoma
