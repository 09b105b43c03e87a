#include "scenarios/validation/validation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "core/errors.h"
#include "scenarios/validation/exclusions.h"
#include "scenarios/validation/statistics.h"

namespace tahoma {

namespace {

constexpr std::uint64_t class_kib = 1024, class_mib = 1024 * class_kib;

using Rows = std::vector<const JudgedRow*>;

template <class Wanted>
Rows chosen(const Rows& rows, const Wanted& wanted) {
  Rows found;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(found),
               [&](const JudgedRow* row) { return wanted(*row); });
  return found;
}

JudgedRow judged(const MeasuredRow& measured, const Prediction& prediction) {
  JudgedRow row{measured, prediction, false, false, ""};
  if (measured.trust == "C") {
    row.why_not = "trust C: shape only";
  } else if (measured.preset.empty()) {
    row.why_not = "the setup is not known";
  } else if (const std::string_view reason = excluded_because(measured); !reason.empty()) {
    row.excluded = true;
    row.why_not = reason;
  } else {
    row.counted = true;
    row.why_not = prediction.why_not;
  }
  return row;
}

// Rows of one sweep differ in size alone.
auto sweep_of(const MeasuredRow& row) {
  return std::tie(row.source, row.collective, row.dtype, row.preset, row.count, row.ranks, row.ranks_per_chip,
                  row.shape, row.nic, row.transport, row.algo);
}

std::vector<Rows> sweeps_of(const Rows& rows) {
  std::vector<Rows> sweeps;
  for (const JudgedRow* row : rows) {
    const auto at = std::find_if(sweeps.begin(), sweeps.end(), [&](const Rows& sweep) {
      return sweep_of(sweep.front()->measured) == sweep_of(row->measured);
    });
    if (at == sweeps.end()) {
      sweeps.push_back({row});
    } else {
      at->push_back(row);
    }
  }
  return sweeps;
}

std::array<ErrorSummary, size_classes> summaries_by_size(const Rows& rows) {
  std::array<ErrorSummary, size_classes> summaries;
  for (std::size_t c = 0; c < size_classes; ++c) {
    summaries[c] = summary_of(chosen(rows, [&](const JudgedRow& row) {
      return size_class(row.measured.bytes) == static_cast<SizeClass>(c);
    }));
  }
  return summaries;
}

void add_rank_correlations(SourceSummary& summary, const Rows& rows) {
  for (const Rows& sweep : sweeps_of(chosen(rows, [](const JudgedRow& row) { return row.compared(); }))) {
    std::vector<double> measured, predicted;
    for (const JudgedRow* row : sweep) {
      measured.push_back(seconds(row->measured.time));
      predicted.push_back(seconds(*row->prediction.time));
    }
    const auto correlation = rank_correlation(measured, predicted);
    if (!correlation) continue;
    ++summary.sweeps;
    summary.least_rank_correlation = std::min(summary.least_rank_correlation.value_or(1), *correlation);
  }
}

SourceSummary source_summary(const std::string& source, const Rows& all) {
  const Rows rows = chosen(all, [&](const JudgedRow& row) { return row.measured.source == source; });
  const Rows counted = chosen(rows, [](const JudgedRow& row) { return row.counted; });
  SourceSummary summary;
  summary.source = source;
  summary.shown = rows.size();
  summary.all = summary_of(counted);
  summary.by_size = summaries_by_size(counted);
  std::vector<double> errors;
  for (const JudgedRow* row : counted) {
    if (row->compared()) errors.push_back(row->error());
  }
  if (!errors.empty()) {
    summary.least = *std::min_element(errors.begin(), errors.end());
    summary.greatest = *std::max_element(errors.begin(), errors.end());
    summary.middle = median(errors);
  }
  add_rank_correlations(summary, counted);
  return summary;
}

}  // namespace

SizeClass size_class(std::uint64_t bytes) {
  if (bytes <= 64 * class_kib) return SizeClass::to_64KiB;
  if (bytes < class_mib) return SizeClass::below_1MiB;
  if (bytes <= 32 * class_mib) return SizeClass::to_32MiB;
  return bytes < 64 * class_mib ? SizeClass::below_64MiB : SizeClass::from_64MiB;
}

std::string_view name_of(SizeClass size) {
  constexpr std::array<std::string_view, size_classes> names{"<= 64 KiB", "64 KiB-1 MiB", "1-32 MiB",
                                                             "32-64 MiB", ">= 64 MiB"};
  return names[static_cast<std::size_t>(size)];
}

double JudgedRow::error() const {
  TAHOMA_ASSERT(prediction.time.has_value(), "no error without a prediction");
  return signed_error(seconds(measured.time), seconds(*prediction.time));
}

double JudgedRow::factor() const {
  TAHOMA_ASSERT(prediction.time.has_value(), "no factor without a prediction");
  return factor_between(seconds(measured.time), seconds(*prediction.time));
}

ErrorSummary summary_of(const Rows& rows) {
  ErrorSummary summary;
  std::vector<double> errors, sizes, factors;
  for (const JudgedRow* row : rows) {
    if (!row->prediction.time) {
      ++summary.failed;
      continue;
    }
    errors.push_back(row->error());
    sizes.push_back(std::abs(errors.back()));
    factors.push_back(row->factor());
    if (summary.worst_id.empty() || sizes.back() > std::abs(summary.worst)) {
      summary.worst = errors.back();
      summary.worst_id = row->measured.id;
    }
    if (factors.back() > summary.worst_factor) {
      summary.worst_factor = factors.back();
      summary.worst_factor_id = row->measured.id;
    }
  }
  summary.rows = errors.size();
  if (errors.empty()) return summary;
  summary.bias = mean(errors);
  summary.mape = mean(sizes);
  summary.median = median(sizes);
  summary.median_factor = median(factors);
  return summary;
}

Validation judge(std::string data, const std::vector<MeasuredRow>& rows,
                 const std::vector<Prediction>& predictions) {
  TAHOMA_ASSERT(rows.size() == predictions.size(), "a prediction for each row");
  Validation validation;
  validation.data = std::move(data);
  for (std::size_t r = 0; r < rows.size(); ++r) validation.rows.push_back(judged(rows[r], predictions[r]));
  Rows all;
  for (const JudgedRow& row : validation.rows) {
    all.push_back(&row);
    validation.counted += row.counted ? 1u : 0u;
    validation.failed += row.failed() ? 1u : 0u;
    validation.excluded += row.excluded ? 1u : 0u;
    validation.shown_only += row.counted || row.excluded ? 0u : 1u;
    const auto known = std::find_if(validation.sources.begin(), validation.sources.end(),
                                    [&](const SourceSummary& s) { return s.source == row.measured.source; });
    if (known == validation.sources.end())
      validation.sources.push_back({row.measured.source, 0, {}, {}, 0, 0, 0, 0, {}});
  }
  for (SourceSummary& source : validation.sources) source = source_summary(source.source, all);
  const Rows counted = chosen(all, [](const JudgedRow& row) { return row.counted; });
  validation.by_size = summaries_by_size(counted);
  validation.all = summary_of(counted);
  return validation;
}

}  // namespace tahoma
