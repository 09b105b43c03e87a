#include "scenarios/validation/measured.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "collectives/collective.h"
#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/decimal_text.h"
#include "scenarios/validation/csv_table.h"
#include "scenarios/validation/embedded.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

constexpr std::array<std::string_view, 18> needed_columns{
    "id",    "source_id",      "trust",      "basis",      "collective", "dtype",
    "bytes", "time_us",        "algbw_GBps", "busbw_GBps", "preset",     "count",
    "ranks", "ranks_per_chip", "shape",      "nic",        "transport",  "algo"};

constexpr std::array<std::string_view, 7> bases{
    "time", "bw", "bw_rounded_size", "bw_size_unknown", "median_of_log", "plot", "fit"};

constexpr std::string_view no_size = "bw_size_unknown";
// A measured time and the bandwidth derived from it may be rounded; past this they contradict each other.
constexpr double least_agreement = 0.9, most_agreement = 1.1;

class Record {
 public:
  Record(const std::map<std::string, std::size_t>& columns, const std::vector<CsvCell>& cells)
      : columns_(columns), cells_(cells) {}

  const CsvCell& cell(const std::string& column) const { return cells_[columns_.at(column)]; }
  const std::string& text(const std::string& column) const { return cell(column).text; }
  bool has(const std::string& column) const { return !text(column).empty(); }

  [[noreturn]] void refuse_cell(const std::string& column, const BadText& trouble) const {
    std::string told = "column '" + column + "'";
    if (has(column)) told += ": value '" + text(column) + "'";
    told += " " + trouble.because + "; accepted: " + trouble.accepted;
    if (!trouble.meant.empty()) told += "; did you mean '" + trouble.meant + "'?";
    throw at_place(cell(column).place, "", told);
  }

  std::string one_of(const std::string& column, const std::vector<std::string>& names) const {
    if (std::find(names.begin(), names.end(), text(column)) != names.end()) return text(column);
    const bool many = names.size() > 12;
    refuse_cell(column, {has(column) ? "is not known" : "is missing",
                         many ? "a name of `tahoma presets`" : listed(names), nearest(text(column), names)});
  }

  Decimal positive(const std::string& column) const {
    constexpr std::string_view accepted = "a number above 0";
    try {
      const LeadingNumber number = leading_number(text(column));
      if (!number.rest.empty()) throw BadText{"is no number", std::string(accepted), ""};
      if (number.value.mantissa == 0) throw BadText{"is 0", std::string(accepted), ""};
      return number.value;
    } catch (const BadText& bad) {
      refuse_cell(column, {bad.because, std::string(accepted), ""});
    }
  }

  std::uint64_t whole(const std::string& column, std::uint64_t most) const {
    const Integral value = to_integral(positive(column));
    if (!value.fits || value.nearest > most)
      refuse_cell(column, {"is too large", "at most " + std::to_string(most), ""});
    if (!value.exact) refuse_cell(column, {"is not whole", "a whole number", ""});
    return value.nearest;
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const std::vector<CsvCell>& cells_;
};

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50;
constexpr std::uint32_t most_ranks = 1u << 24;
constexpr double most_seconds = 1e6;  // well inside the clock

std::vector<std::string> collectives_measured() {
  std::vector<std::string> names{"sendrecv"};
  for (const std::string_view name : collective_names()) names.emplace_back(name);
  return names;
}

// bytes / (GB/s) in picoseconds: bytes / (b x 10^9) x 10^12.
double seconds_at(std::uint64_t bytes, Decimal algbw_GBps) {
  return static_cast<double>(bytes) / (to_double(algbw_GBps) * 1e9);
}

Duration time_of(const Record& record, const MeasuredRow& row) {
  const bool by_bandwidth = row.bytes_stated || !record.has("time_us");
  const std::string column = by_bandwidth ? "algbw_GBps" : "time_us";
  const Decimal figure = record.positive(column);
  const double s = by_bandwidth ? seconds_at(row.bytes, figure) : to_double(figure) * 1e-6;
  if (!(s < most_seconds) || s < 1e-12)
    record.refuse_cell(column, {"is no time of a collective", "1 ps to 11 days", ""});
  if (!by_bandwidth && record.has("algbw_GBps")) {
    // Rounded to nothing for the least messages: only what is not is compared.
    const LeadingNumber algbw = leading_number(record.text("algbw_GBps"));
    if (to_double(algbw.value) > 0.01) {
      const double agreement = seconds_at(row.bytes, algbw.value) / s;
      if (agreement < least_agreement || agreement > most_agreement) {
        record.refuse_cell("algbw_GBps", {"contradicts bytes and time_us", "bytes / time in 10^9 B/s", ""});
      }
    }
  }
  const Integral exact = to_integral(scaled(figure, 1, 6));
  if (!by_bandwidth && exact.fits) return {static_cast<std::int64_t>(exact.nearest)};
  return {std::llround(s * 1e12)};
}

MeasuredRow measured_row(const Record& record) {
  static const std::vector<std::string> collectives = collectives_measured();
  static const std::vector<std::string> presets = preset_names_with_variants();
  MeasuredRow row;
  row.place = record.cell("id").place;
  row.id = record.text("id");
  if (row.id.empty()) record.refuse_cell("id", {"is missing", "a name of the row", ""});
  row.source = record.text("source_id");
  if (row.source.empty()) record.refuse_cell("source_id", {"is missing", "a name of the source", ""});
  row.trust = record.one_of("trust", {"A", "B", "C"});
  row.basis = record.one_of("basis", measured_bases());
  row.collective = record.one_of("collective", collectives);
  row.dtype = record.text("dtype");
  row.bytes_stated = row.basis == no_size && !record.has("bytes");
  row.bytes = row.bytes_stated ? stated_bytes : record.whole("bytes", most_bytes);
  row.time = time_of(record, row);
  row.ranks = static_cast<std::uint32_t>(record.whole("ranks", most_ranks));
  if (!record.has("preset")) return row;
  row.preset = record.one_of("preset", presets);
  row.count = static_cast<std::uint32_t>(record.whole("count", most_ranks));
  if (record.has("ranks_per_chip")) {
    row.ranks_per_chip = static_cast<std::uint32_t>(record.whole("ranks_per_chip", most_ranks));
  }
  row.shape = record.text("shape");
  row.nic = record.text("nic");
  row.transport = record.text("transport");
  row.algo = record.text("algo");
  return row;
}

[[noreturn]] void refuse_table(const Place& place, const std::string& trouble, const std::string& accepted) {
  throw at_place(place, "", trouble + "; accepted: " + accepted);
}

std::map<std::string, std::size_t> columns_of(const CsvTable& table, const std::string& file) {
  if (table.names.empty())
    refuse_table({file, 1, 1}, "is empty", "a first line with the names of the columns");
  std::map<std::string, std::size_t> columns;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const CsvCell& cell = table.names[c];
    names.push_back(cell.text);
    if (columns.emplace(cell.text, c).second) continue;
    refuse_table(cell.place, "column '" + cell.text + "' is named for the second time", "each column once");
  }
  for (const std::string_view needed : needed_columns) {
    if (columns.count(std::string(needed)) != 0) continue;
    const std::string meant = nearest(needed, names);
    refuse_table(table.names.front().place,
                 "there is no column '" + std::string(needed) + "'" +
                     (meant.empty() ? "" : " (column '" + meant + "' is near it)"),
                 "the columns named in docs/validation.md, in any order");
  }
  return columns;
}

}  // namespace

std::vector<std::string> measured_bases() {
  return {bases.begin(), bases.end()};
}

std::vector<MeasuredRow> read_measured(std::string_view text, const std::string& file) {
  const CsvTable table = read_csv(text, file);
  const std::map<std::string, std::size_t> columns = columns_of(table, file);
  if (table.records.empty()) refuse_table({file, 1, 1}, "has no row", "a line per measured row");
  std::vector<MeasuredRow> rows;
  std::set<std::string> ids;
  for (const std::vector<CsvCell>& cells : table.records) {
    const Record record(columns, cells);
    rows.push_back(measured_row(record));
    if (!ids.insert(rows.back().id).second) {
      record.refuse_cell("id", {"is there twice", "a name of its own for each row", ""});
    }
  }
  return rows;
}

std::vector<MeasuredRow> only_rows(const std::vector<MeasuredRow>& rows, std::string_view wanted) {
  struct Column {
    std::string_view name;
    std::string MeasuredRow::*text;
  };
  constexpr std::array<Column, 8> columns{{{"id", &MeasuredRow::id},
                                           {"source_id", &MeasuredRow::source},
                                           {"trust", &MeasuredRow::trust},
                                           {"basis", &MeasuredRow::basis},
                                           {"collective", &MeasuredRow::collective},
                                           {"preset", &MeasuredRow::preset},
                                           {"transport", &MeasuredRow::transport},
                                           {"algo", &MeasuredRow::algo}}};
  std::vector<std::string> names;
  for (const Column& column : columns) names.emplace_back(column.name);
  const std::size_t equals = std::min(wanted.find('='), wanted.size());
  const std::string name(wanted.substr(0, equals));
  const auto column =
      std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  if (column == columns.end() || equals == wanted.size()) {
    throw BadText{"is not of the form COLUMN=VALUE", "a COLUMN of " + listed(names), nearest(name, names)};
  }
  const std::string values = "," + std::string(wanted.substr(equals + 1)) + ",";
  std::vector<MeasuredRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), [&](const MeasuredRow& row) {
    return values.find("," + row.*(column->text) + ",") != std::string::npos;
  });
  if (chosen.empty()) throw BadText{"leaves no row", "a value that is in the data", ""};
  return chosen;
}

const std::vector<MeasuredRow>& open_rows() {
  static const std::vector<MeasuredRow> rows = read_measured(embedded_open_rows(), "open_rows.csv");
  return rows;
}

}  // namespace tahoma
