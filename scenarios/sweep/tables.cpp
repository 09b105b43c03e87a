#include "scenarios/sweep/tables.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/errors.h"
#include "scenarios/judge_assertions.h"
#include "scenarios/result_csv.h"
#include "scenarios/write_results.h"

namespace tahoma {

namespace {

using Kind = RowColumn::Kind;

struct TableColumn {
  std::string name;
  Kind kind = Kind::text;
};

/// Point, id, coordinates, and what became of it.
std::vector<TableColumn> point_columns(const SweepPlan& plan) {
  std::vector<TableColumn> columns{{"point", Kind::whole}, {"id", Kind::text}};
  for (const SweepAxis& axis : plan.spec.axes)
    columns.push_back({axis.column, axis.numeric ? Kind::number : Kind::text});
  columns.insert(columns.end(), {{"status", Kind::text},
                                 {"reason", Kind::text},
                                 {"fingerprint", Kind::text},
                                 {"chips", Kind::whole},
                                 {"assertions_held", Kind::boolean}});
  if (!plan.spec.constraints.empty()) columns.push_back({"meets", Kind::boolean});
  return columns;
}

std::vector<std::string> point_cells(const SweepPlan& plan, const PointRecord& record) {
  std::vector<std::string> cells{std::to_string(record.point), record.id};
  for (std::size_t a = 0; a < plan.spec.axes.size(); ++a) {
    const AxisValue& value = coordinate(plan, record.point, a);
    cells.push_back(plan.spec.axes[a].numeric ? value.number : value.text);
  }
  const bool ok = record.status == "ok";
  cells.insert(cells.end(),
               {record.status, record.reason, record.fingerprint, ok ? std::to_string(record.chips) : "",
                ok ? (record.held ? "true" : "false") : ""});
  if (!plan.spec.constraints.empty())
    cells.push_back(ok ? (meets_constraints(plan, record) ? "true" : "false") : "");
  return cells;
}

std::vector<TableColumn> result_columns() {
  std::vector<TableColumn> columns;
  for (const RowColumn& column : row_columns()) columns.push_back({std::string(column.name), column.kind});
  return columns;
}

void add_line(std::string& csv, const std::vector<std::string>& first,
              const std::vector<std::string>& second) {
  bool begun = false;
  for (const auto* cells : {&first, &second}) {
    for (const std::string& cell : *cells) {
      if (begun) csv += ',';
      begun = true;
      csv += csv_field(cell);
    }
  }
  csv += '\n';
}

/// Names of a table's columns; what both halves call alike is told apart by its half.
std::vector<std::string> names_of(const std::vector<TableColumn>& columns) {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  return names;
}

/// A database that is made anew; every call that fails throws.
class Database {
 public:
  explicit Database(std::string file) : file_(std::move(file)) {
    const int code =
        sqlite3_open_v2(file_.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code != SQLITE_OK) {
      sqlite3_close(handle_);
      throw MachineError("cannot write " + file_ + ": " + sqlite3_errstr(code));
    }
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql) {
    expect(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  }

  void make_table(const std::string& name, const std::vector<TableColumn>& columns) {
    std::string sql = "CREATE TABLE " + name + " (";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string quoted = columns[i].name;
      sql += (i == 0 ? "\"" : ", \"") + quoted + "\" ";
      sql += columns[i].kind == Kind::text                                         ? "TEXT"
             : columns[i].kind == Kind::number || columns[i].kind == Kind::seconds ? "REAL"
                                                                                   : "INTEGER";
    }
    run(sql + ")");
  }

  /// Rows for one table, by one prepared statement.
  class Rows {
   public:
    Rows(Database& database, const std::string& table, std::vector<TableColumn> columns)
        : database_(database), columns_(std::move(columns)) {
      std::string sql = "INSERT INTO " + table + " VALUES (";
      for (std::size_t i = 0; i < columns_.size(); ++i) sql += i == 0 ? "?" : ",?";
      database_.expect(sqlite3_prepare_v2(database_.handle_, (sql + ")").c_str(), -1, &statement_, nullptr),
                       SQLITE_OK);
    }
    ~Rows() { sqlite3_finalize(statement_); }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    void add(const std::vector<std::string>& cells) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        bind(static_cast<int>(i) + 1, columns_[i].kind, cells[i]);
      database_.expect(sqlite3_step(statement_), SQLITE_DONE);
      database_.expect(sqlite3_reset(statement_), SQLITE_OK);
    }

   private:
    void bind(int at, Kind kind, const std::string& cell) {
      if (kind == Kind::text) {
        database_.expect(
            sqlite3_bind_text(statement_, at, cell.c_str(), static_cast<int>(cell.size()), SQLITE_STATIC),
            SQLITE_OK);
      } else if (cell.empty()) {
        database_.expect(sqlite3_bind_null(statement_, at), SQLITE_OK);
      } else if (kind == Kind::boolean) {
        database_.expect(sqlite3_bind_int(statement_, at, cell == "true"), SQLITE_OK);
      } else if (kind == Kind::whole && cell.size() < 19) {
        database_.expect(sqlite3_bind_int64(statement_, at, std::strtoll(cell.c_str(), nullptr, 10)),
                         SQLITE_OK);
      } else {
        database_.expect(sqlite3_bind_double(statement_, at, std::strtod(cell.c_str(), nullptr)), SQLITE_OK);
      }
    }
    Database& database_;
    std::vector<TableColumn> columns_;
    sqlite3_stmt* statement_ = nullptr;
  };

 private:
  void expect(int code, int wanted) {
    if (code != wanted) throw MachineError("cannot write " + file_ + ": " + sqlite3_errmsg(handle_));
  }
  std::string file_;
  sqlite3* handle_ = nullptr;
};

void fill(Database& database, const SweepPlan& plan, const std::vector<PointRecord>& records) {
  // It is renamed only when whole, so nothing is gained by a journal.
  database.run("PRAGMA journal_mode=OFF");
  database.run("PRAGMA synchronous=OFF");
  database.run("BEGIN");
  const auto of_points = point_columns(plan);
  std::vector<TableColumn> of_rows{{"point", Kind::whole}, {"row", Kind::whole}};
  for (const TableColumn& column : result_columns()) of_rows.push_back(column);
  database.make_table("points", of_points);
  database.make_table("collectives", of_rows);
  {
    Database::Rows points(database, "points", of_points);
    Database::Rows rows(database, "collectives", of_rows);
    for (const PointRecord& record : records) {
      if (record.status.empty()) continue;
      points.add(point_cells(plan, record));
      for (std::size_t i = 0; i < record.rows.size(); ++i) {
        std::vector<std::string> cells{std::to_string(record.point), std::to_string(i)};
        cells.insert(cells.end(), record.rows[i].begin(), record.rows[i].end());
        rows.add(cells);
      }
    }
  }
  database.run("COMMIT");
}

}  // namespace

bool meets_constraints(const SweepPlan& plan, const PointRecord& record) {
  const auto meets = [&](const Assertion& constraint) {
    bool judged = false;  // a metric that no row has is not met
    for (std::size_t c = 0; c < row_columns().size(); ++c) {
      if (row_columns()[c].name != constraint.metric) continue;
      for (const auto& row : record.rows) {
        if (row[c].empty()) continue;
        judged = true;
        if (!holds(constraint.relation, std::strtod(row[c].c_str(), nullptr), constraint.value)) return false;
      }
    }
    return judged;
  };
  return std::all_of(plan.spec.constraints.begin(), plan.spec.constraints.end(), meets);
}

std::string sweep_csv(const SweepPlan& plan, const std::vector<PointRecord>& records) {
  std::string csv;
  const auto columns = result_columns();
  add_line(csv, names_of(point_columns(plan)), names_of(columns));
  const std::vector<std::string> nothing(columns.size());
  for (const PointRecord& record : records) {
    if (record.status.empty()) continue;
    const auto first = point_cells(plan, record);
    if (record.rows.empty()) add_line(csv, first, nothing);
    for (const auto& row : record.rows) add_line(csv, first, row);
  }
  return csv;
}

void write_sqlite(const SweepPlan& plan, const std::vector<PointRecord>& records, const std::string& file) {
  const std::string part = file + ".part";
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  try {
    Database database(part);
    fill(database, plan, records);
  } catch (...) {
    std::filesystem::remove(part, ignored);
    throw;
  }
  if (std::rename(part.c_str(), file.c_str()) != 0) throw MachineError("cannot write " + file);
}

void write_tables(const std::string& folder, const SweepPlan& plan, const std::vector<PointRecord>& records) {
  const std::filesystem::path path = folder;
  write_sqlite(plan, records, (path / "results.sqlite").string());
  write_text((path / "results.csv").string(), sweep_csv(plan, records));
}

}  // namespace tahoma
