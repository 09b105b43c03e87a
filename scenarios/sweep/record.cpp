#include "scenarios/sweep/record.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <nlohmann/json.hpp>

#include "core/errors.h"
#include "scenarios/assertion.h"
#include "scenarios/number_text.h"
#include "scenarios/report_training.h"
#include "scenarios/result_csv.h"
#include "scenarios/run.h"

namespace tahoma {

namespace {

using Json = nlohmann::json;
using Kind = RowColumn::Kind;

/// Of the columns of result.csv; what is not here is text.
const std::map<std::string_view, Kind> kinds = {
    {"ranks", Kind::whole},
    {"groups", Kind::whole},
    {"bytes", Kind::whole},
    {"count", Kind::whole},
    {"pipeline", Kind::whole},
    {"flows", Kind::whole},
    {"classes", Kind::whole},
    {"start_s", Kind::seconds},
    {"time_s", Kind::seconds},
    {"lower_bound_s", Kind::seconds},
    {"algbw_GBps", Kind::number},
    {"busbw_GBps", Kind::number},
    {"efficiency", Kind::number},
    {"rank_finish_p0_s", Kind::seconds},
    {"rank_finish_p50_s", Kind::seconds},
    {"rank_finish_p99_s", Kind::seconds},
    {"rank_finish_p100_s", Kind::seconds},
    {"launch_s", Kind::seconds},
    {"exact", Kind::boolean},
};

/// The flows of each job as one row: from the first start to the last finish.
std::vector<CollectiveRow> flow_rows(const std::vector<FlowRow>& flows) {
  std::vector<CollectiveRow> rows;
  std::map<std::string, std::size_t> of_job;
  std::vector<Time> finish;
  for (const FlowRow& flow : flows) {
    const auto [at, is_new] = of_job.try_emplace(flow.job, rows.size());
    if (is_new) {
      CollectiveRow& row = rows.emplace_back();
      row.job = flow.job;
      row.collective = "flows";
      row.solver = "engine";
      row.start = flow.start;
      finish.push_back(flow.finish);
    }
    CollectiveRow& row = rows[at->second];
    row.bytes += flow.bytes;
    ++row.flows;
    row.start = std::min(row.start, flow.start);
    finish[at->second] = std::max(finish[at->second], flow.finish);
    row.time = row.p100 = finish[at->second] - row.start;
  }
  return rows;
}

std::vector<CollectiveRow> rows_of(const Result& result) {
  std::vector<CollectiveRow> rows = result.collectives;
  for (CollectiveRow& row : flow_rows(result.flows)) rows.push_back(std::move(row));
  for (const TraceRow& trace : result.traces) {
    CollectiveRow& row = rows.emplace_back();
    row.job = trace.job;
    row.collective = "trace";
    row.solver = "program";
    row.ranks = trace.ranks;
    row.flows = trace.flows;
    row.start = trace.start;
    row.time = row.p100 = trace.time;
  }
  return rows;
}

/// A row's cells: those of result.csv, then the metrics of a training step, which other rows leave empty.
std::vector<std::string> cells_of_row(const CollectiveRow& row, const TrainingRow* training) {
  std::vector<std::string> cells = collective_cells(row);
  if (training == nullptr) {
    cells.resize(row_columns().size());
    return cells;
  }
  for (const auto& [name, value] : training_metrics(*training)) cells.push_back(shortest(value));
  return cells;
}

/// A step as a row: the split of its ranks stands for the algorithm.
CollectiveRow step_row(const TrainingRow& training) {
  CollectiveRow row;
  row.job = training.job;
  row.collective = "training";
  row.algorithm = training.split;
  row.ranks = training.ranks;
  row.dtype = training.dtype;
  row.time = row.p100 = training.step;
  row.solver = training.solver;
  row.solver_why = training.solver_why;
  row.exact = training.exact;
  return row;
}

std::string json_quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The cell of a value that was read back.
bool cell_of(const Json& value, Kind kind, std::string& cell) {
  switch (kind) {
    case Kind::text:
      if (!value.is_string()) return false;
      cell = value.get<std::string>();
      return true;
    case Kind::boolean:
      if (!value.is_boolean()) return false;
      cell = value.get<bool>() ? "true" : "false";
      return true;
    case Kind::whole:
      if (!value.is_number_unsigned()) return false;
      cell = std::to_string(value.get<std::uint64_t>());
      return true;
    case Kind::number:
    case Kind::seconds: {
      if (value.is_null()) {
        cell.clear();
        return true;
      }
      if (!value.is_number()) return false;
      const double number = value.get<double>();
      if (kind == Kind::number) {
        cell = shortest(number);
        return true;
      }
      if (!(std::abs(number) < 9e6)) return false;  // past the clock
      cell = seconds_text(std::llround(number * 1e12));
      return true;
    }
  }
  return false;
}

bool read_rows(const Json& rows, PointRecord& record) {
  const auto& columns = row_columns();
  for (const Json& row : rows) {
    auto& cells = record.rows.emplace_back(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto value = row.find(std::string(columns[i].name));
      if (value == row.end() || !cell_of(*value, columns[i].kind, cells[i])) return false;
    }
  }
  return true;
}

}  // namespace

const std::vector<RowColumn>& row_columns() {
  static const std::vector<RowColumn> columns = [] {
    std::vector<RowColumn> all;
    for (const std::string_view name : collective_column_names()) {
      const auto kind = kinds.find(name);
      all.push_back({name, kind == kinds.end() ? Kind::text : kind->second});
    }
    static const std::vector<std::string> of_training = training_metric_names();
    for (const std::string& name : of_training) all.push_back({name, Kind::number});
    return all;
  }();
  return columns;
}

PointRecord run_point(const SweepPlan& plan, const ScenarioFiles& files, std::uint64_t point) {
  PointRecord record;
  record.point = point;
  record.id = point_id(plan, point);
  const auto stop = [&](const char* status, const std::string& reason) {
    record.status = status;
    record.reason = reason;
  };
  try {
    std::vector<Setting> settings;
    std::string variant;
    for (std::size_t a = 0; a < plan.spec.axes.size(); ++a) {
      const AxisValue& value = coordinate(plan, point, a);
      if (plan.spec.axes[a].path == variant_axis) {
        variant = value.text;
      } else {
        settings.push_back({plan.spec.axes[a].path, value.node});
      }
    }
    RunOptions options;
    options.advise = false;
    const Result result = run(load_point(files, plan.name, variant, settings), options);
    record.status = "ok";
    record.fingerprint = result.fingerprint;
    record.chips = result.cluster.chips;
    record.held = std::all_of(result.assertions.begin(), result.assertions.end(),
                              [](const AssertionOutcome& outcome) { return outcome.held; });
    for (const CollectiveRow& row : rows_of(result)) record.rows.push_back(cells_of_row(row, nullptr));
    for (const TrainingRow& row : result.training) record.rows.push_back(cells_of_row(step_row(row), &row));
  } catch (const ScenarioError& error) {
    stop("invalid", error.what());
  } catch (const InfeasibleError& error) {
    stop("infeasible", error.what());
  } catch (const std::bad_alloc&) {
    stop("infeasible", "needs more memory than this machine gives");
  } catch (const std::exception& error) {
    stop("failed", error.what());
  }
  // Messages name files beside the scenario; where they lie is no property of the point.
  const std::string folder = plan.folder + "/";
  for (std::size_t at = record.reason.find(folder); at != std::string::npos;
       at = record.reason.find(folder, at))
    record.reason.erase(at, folder.size());
  return record;
}

std::string line_of(const SweepPlan& plan, const PointRecord& record) {
  std::string line =
      "{\"point\":" + std::to_string(record.point) + ",\"id\":\"" + record.id + "\",\"coordinates\":{";
  for (std::size_t a = 0; a < plan.spec.axes.size(); ++a) {
    line += a == 0 ? "" : ",";
    line += json_quoted(plan.spec.axes[a].path) + ":" + json_quoted(coordinate(plan, record.point, a).text);
  }
  line += "},\"status\":\"" + record.status + "\",\"reason\":" + json_quoted(record.reason);
  line += ",\"fingerprint\":\"" + record.fingerprint + "\",\"chips\":" + std::to_string(record.chips);
  line += std::string(",\"assertions_held\":") + (record.held ? "true" : "false") + ",\"rows\":[";
  const auto& columns = row_columns();
  for (std::size_t r = 0; r < record.rows.size(); ++r) {
    line += r == 0 ? "{" : ",{";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      line += i == 0 ? "\"" : ",\"";
      line += columns[i].name;
      line += "\":";
      const std::string& cell = record.rows[r][i];
      line += columns[i].kind == Kind::text ? json_quoted(cell) : cell.empty() ? "null" : cell;
    }
    line += '}';
  }
  return line + "]}\n";
}

bool read_line(const SweepPlan& plan, std::string_view line, PointRecord& record) {
  const Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return false;
  record = {};
  try {
    json.at("point").get_to(record.point);
    json.at("id").get_to(record.id);
    json.at("status").get_to(record.status);
    json.at("reason").get_to(record.reason);
    json.at("fingerprint").get_to(record.fingerprint);
    json.at("chips").get_to(record.chips);
    json.at("assertions_held").get_to(record.held);
    if (!read_rows(json.at("rows"), record)) return false;
  } catch (const Json::exception&) {
    return false;
  }
  return record.point < plan.points && record.id == point_id(plan, record.point);
}

}  // namespace tahoma
