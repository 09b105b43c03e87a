#include "scenarios/sweep/compare_sweeps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/errors.h"
#include "scenarios/validation/csv_table.h"

namespace tahoma {

namespace {

class SweepTable {
 public:
  SweepTable(const std::string& csv, const std::string& file) : file_(file), table_(read_csv(csv, file)) {
    first_ = column("id") + 1;
    last_ = column("status");
    if (first_ > last_) throw ScenarioError(file_ + ": is no table of a sweep");
  }

  std::size_t column(std::string_view name) const {
    for (std::size_t i = 0; i < table_.names.size(); ++i) {
      if (table_.names[i].text == name) return i;
    }
    throw ScenarioError(
        fmt::format("{}: has no column '{}'; accepted: results.csv of `tahoma sweep`", file_, name));
  }

  std::string coordinates(const std::vector<CsvCell>& record) const {
    std::string text;
    for (std::size_t i = first_; i < last_; ++i)
      text += (text.empty() ? "" : " ") + table_.names[i].text + "=" + record[i].text;
    return text;
  }

  template <class Number>
  Number number(const CsvCell& cell) const {
    Number value{};
    const char* end = cell.text.data() + cell.text.size();
    const auto read = std::from_chars(cell.text.data(), end, value);
    if (read.ec != std::errc{} || read.ptr != end)
      throw ScenarioError(fmt::format("{}: value '{}' is no number", to_string(cell.place), cell.text));
    return value;
  }

  const std::vector<std::vector<CsvCell>>& records() const { return table_.records; }

 private:
  std::string file_;
  CsvTable table_;
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace

std::vector<ComparedRow> read_compared_sweep(const std::string& csv, const std::string& file) {
  const SweepTable table(csv, file);
  const std::size_t status = table.column("status"), job = table.column("job"),
                    collective = table.column("collective"), algorithm = table.column("algorithm"),
                    bytes = table.column("bytes"), ranks = table.column("ranks"),
                    time = table.column("time_s"), algbw = table.column("algbw_GBps"),
                    busbw = table.column("busbw_GBps"), bound = table.column("lower_bound_s"),
                    efficiency = table.column("efficiency"), bottleneck = table.column("bottleneck");
  std::vector<ComparedRow> rows;
  for (const auto& record : table.records()) {
    if (record[status].text != "ok" || record[time].text.empty()) continue;
    ComparedRow& row = rows.emplace_back();
    row.variant = table.coordinates(record);
    row.job = record[job].text;
    row.collective = record[collective].text;
    row.algorithm = record[algorithm].text;
    row.bytes = table.number<std::uint64_t>(record[bytes]);
    row.ranks = table.number<std::uint64_t>(record[ranks]);
    row.time_s = table.number<double>(record[time]);
    row.algbw_GBps = table.number<double>(record[algbw]);
    row.busbw_GBps = table.number<double>(record[busbw]);
    row.lower_bound_s = table.number<double>(record[bound]);
    row.efficiency = table.number<double>(record[efficiency]);
    row.bottleneck = record[bottleneck].text;
  }
  return rows;
}

}  // namespace tahoma
