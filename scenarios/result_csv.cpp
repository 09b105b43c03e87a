#include "scenarios/result_csv.h"

#include <algorithm>
#include <vector>

#include "scenarios/number_text.h"

namespace tahoma {

namespace {

template <class Row>
struct Column {
  std::string_view name;
  std::string (*text)(const Row&);
};

template <class Row>
void add_rows(const std::string& name, const std::vector<Row>& rows, const std::vector<Column<Row>>& columns,
              std::string& csv) {
  const std::string first = csv_field(name);
  for (const Row& row : rows) {
    csv += first;
    for (const Column<Row>& column : columns) {
      csv += ',';
      csv += csv_field(column.text(row));
    }
    csv += '\n';
  }
}

// Those of the result itself, then of its variants as NAME@VARIANT.
template <class Row>
std::string table(const Result& result, std::vector<Row> Result::*rows,
                  const std::vector<Column<Row>>& columns) {
  std::string csv = "scenario";
  for (const Column<Row>& column : columns) {
    csv += ',';
    csv += column.name;
  }
  csv += '\n';
  add_rows(result.name, result.*rows, columns, csv);
  for (const Result& variant : result.variants)
    add_rows(result.name + "@" + variant.name, variant.*rows, columns, csv);
  return csv;
}

// The last three are there only where software was asked for: other tables stay as they are.
std::vector<Column<CollectiveRow>> collective_columns(bool with_stack) {
  using R = CollectiveRow;
  static const std::vector<Column<R>> columns{
      {"job", [](const R& r) { return r.job; }},
      {"collective", [](const R& r) { return r.collective; }},
      {"algorithm", [](const R& r) { return r.algorithm; }},
      {"ranks", [](const R& r) { return std::to_string(r.ranks); }},
      {"groups", [](const R& r) { return std::to_string(r.groups); }},
      {"bytes", [](const R& r) { return std::to_string(r.bytes); }},
      {"count", [](const R& r) { return std::to_string(r.count); }},
      {"dtype", [](const R& r) { return r.dtype; }},
      {"redop", [](const R& r) { return r.redop; }},
      {"pipeline", [](const R& r) { return std::to_string(r.pipeline); }},
      {"start_s", [](const R& r) { return seconds_text(r.start.ps); }},
      {"time_s", [](const R& r) { return seconds_text(r.time.ps); }},
      {"algbw_GBps", [](const R& r) { return shortest(r.algbw_GBps); }},
      {"busbw_GBps", [](const R& r) { return shortest(r.busbw_GBps); }},
      {"lower_bound_s", [](const R& r) { return seconds_text(r.lower_bound.ps); }},
      {"bound_by", [](const R& r) { return r.bound_by; }},
      {"efficiency", [](const R& r) { return shortest(r.efficiency); }},
      {"bottleneck", [](const R& r) { return r.bottleneck; }},
      {"rank_finish_p0_s", [](const R& r) { return seconds_text(r.p0.ps); }},
      {"rank_finish_p50_s", [](const R& r) { return seconds_text(r.p50.ps); }},
      {"rank_finish_p99_s", [](const R& r) { return seconds_text(r.p99.ps); }},
      {"rank_finish_p100_s", [](const R& r) { return seconds_text(r.p100.ps); }},
      {"solver", [](const R& r) { return r.solver; }},
      {"exact", [](const R& r) { return std::string(r.exact ? "true" : "false"); }},
      {"flows", [](const R& r) { return std::to_string(r.flows); }},
      {"classes", [](const R& r) { return std::to_string(r.classes); }},
      {"why", [](const R& r) { return r.why; }},
      {"solver_why", [](const R& r) { return r.solver_why; }},
  };
  if (!with_stack) return columns;
  std::vector<Column<R>> all = columns;
  all.push_back({"stack", [](const R& r) { return r.stack; }});
  all.push_back({"protocol", [](const R& r) { return r.protocol; }});
  all.push_back({"launch_s", [](const R& r) { return seconds_text(r.launch.ps); }});
  return all;
}

const std::vector<Column<FlowRow>>& flow_columns() {
  using R = FlowRow;
  static const std::vector<Column<R>> columns{
      {"job", [](const R& r) { return r.job; }},
      {"id", [](const R& r) { return r.id; }},
      {"bytes", [](const R& r) { return std::to_string(r.bytes); }},
      {"start_s", [](const R& r) { return seconds_text(r.start.ps); }},
      {"finish_s", [](const R& r) { return seconds_text(r.finish.ps); }},
      {"time_s", [](const R& r) { return seconds_text((r.finish - r.start).ps); }},
  };
  return columns;
}

const std::vector<Column<TrainingRow>>& training_columns() {
  using R = TrainingRow;
  static const std::vector<Column<R>> columns{
      {"job", [](const R& r) { return r.job; }},
      {"model", [](const R& r) { return r.model; }},
      {"split", [](const R& r) { return r.split; }},
      {"ranks", [](const R& r) { return std::to_string(r.ranks); }},
      {"chips", [](const R& r) { return std::to_string(r.chips); }},
      {"tokens", [](const R& r) { return std::to_string(r.tokens); }},
      {"step_time_s", [](const R& r) { return seconds_text(r.step.ps); }},
      {"tokens_per_s", [](const R& r) { return shortest(r.tokens_per_s); }},
      {"mfu", [](const R& r) { return shortest(r.mfu); }},
      {"flops_convention", [](const R& r) { return r.flops; }},
      {"memory_bytes", [](const R& r) { return std::to_string(r.memory_used); }},
      {"memory_headroom", [](const R& r) { return shortest(r.memory_headroom); }},
      {"largest_loss", [](const R& r) { return r.largest_loss; }},
      {"days", [](const R& r) { return shortest(r.days); }},
      {"solver", [](const R& r) { return r.solver; }},
  };
  return columns;
}

const std::vector<Column<LinkRow>>& link_columns() {
  using R = LinkRow;
  static const std::vector<Column<R>> columns{
      {"row", [](const R& r) { return r.job_row; }},
      {"tier", [](const R& r) { return r.tier; }},
      {"link", [](const R& r) { return r.link; }},
      {"links", [](const R& r) { return std::to_string(r.links); }},
      {"bytes", [](const R& r) { return std::to_string(r.bytes); }},
      {"utilization", [](const R& r) { return shortest(r.utilization); }},
  };
  return columns;
}

}  // namespace

std::vector<std::string_view> collective_column_names() {
  std::vector<std::string_view> names;
  for (const Column<CollectiveRow>& column : collective_columns(true)) names.push_back(column.name);
  return names;
}

std::vector<std::string> collective_cells(const CollectiveRow& row) {
  std::vector<std::string> cells;
  for (const Column<CollectiveRow>& column : collective_columns(true)) cells.push_back(column.text(row));
  return cells;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string collectives_csv(const Result& result) {
  const auto has_stack = [](const Result& one) {
    return std::any_of(one.collectives.begin(), one.collectives.end(),
                       [](const CollectiveRow& row) { return !row.stack.empty(); });
  };
  const bool with_stack =
      has_stack(result) || std::any_of(result.variants.begin(), result.variants.end(), has_stack);
  return table(result, &Result::collectives, collective_columns(with_stack));
}

std::string flows_csv(const Result& result) {
  return table(result, &Result::flows, flow_columns());
}

std::string links_csv(const Result& result) {
  return table(result, &Result::links, link_columns());
}

std::string training_csv(const Result& result) {
  return table(result, &Result::training, training_columns());
}

std::string to_csv(const Result& result) {
  if (!result.training.empty()) return training_csv(result);
  return result.collectives.empty() && !result.flows.empty() ? flows_csv(result) : collectives_csv(result);
}

}  // namespace tahoma
