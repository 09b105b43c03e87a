// The table of checked cases: written from a validation, read back by a run.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "core/errors.h"
#include "scenarios/result_csv.h"
#include "scenarios/validation/csv_table.h"
#include "scenarios/validation/evidence.h"
#include "scenarios/validation/mapping.h"

namespace tahoma {

namespace {

constexpr std::string_view case_columns =
    "source,preset,count,ranks,collective,algo,size_class,least_bytes,most_bytes,rows,bias_percent,"
    "mean_error_percent";

auto setup_of(const MeasuredRow& row) {
  return std::tie(row.source, row.preset, row.count, row.ranks, row.collective, row.algo);
}

template <class N>
N number_in(const CsvCell& cell) {
  N value{};
  const char* end = cell.text.data() + cell.text.size();
  const auto [at, error] = std::from_chars(cell.text.data(), end, value);
  TAHOMA_ASSERT(error == std::errc{} && at == end,
                to_string(cell.place) + ": no number in the table of checked cases");
  return value;
}

}  // namespace

std::string checked_cases_csv(const Validation& validation) {
  std::vector<std::vector<const JudgedRow*>> cases;
  for (const JudgedRow& row : validation.rows) {
    if (!row.compared()) continue;
    const auto at = std::find_if(cases.begin(), cases.end(), [&](const auto& rows) {
      const MeasuredRow& first = rows.front()->measured;
      return setup_of(first) == setup_of(row.measured) &&
             size_class(first.bytes) == size_class(row.measured.bytes);
    });
    if (at == cases.end()) {
      cases.push_back({&row});
    } else {
      at->push_back(&row);
    }
  }
  std::string text = std::string(case_columns) + "\n";
  for (const auto& rows : cases) {
    const MeasuredRow& m = rows.front()->measured;
    const ErrorSummary summary = summary_of(rows);
    const auto [least, most] = std::minmax_element(
        rows.begin(), rows.end(),
        [](const JudgedRow* a, const JudgedRow* b) { return a->measured.bytes < b->measured.bytes; });
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{:.1f},{:.1f}\n", csv_field(m.source), m.preset,
                        m.count, m.ranks, collective_of(m), csv_field(m.algo),
                        static_cast<unsigned>(size_class(m.bytes)), (*least)->measured.bytes,
                        (*most)->measured.bytes, rows.size(), summary.bias * 100, summary.mape * 100);
  }
  return text;
}

std::vector<CheckedCase> read_checked_cases(std::string_view text) {
  const CsvTable table = read_csv(text, "cases");
  std::vector<CheckedCase> cases;
  for (const auto& r : table.records) {
    TAHOMA_ASSERT(r.size() == 12, "twelve columns in the table of checked cases");
    cases.push_back({r[0].text, r[1].text, number_in<std::uint64_t>(r[2]), number_in<std::uint64_t>(r[3]),
                     r[4].text, r[5].text, static_cast<SizeClass>(number_in<unsigned>(r[6])),
                     number_in<std::uint64_t>(r[7]), number_in<std::uint64_t>(r[8]),
                     number_in<std::uint64_t>(r[9]), number_in<double>(r[10]) / 100,
                     number_in<double>(r[11]) / 100});
  }
  return cases;
}

}  // namespace tahoma
