#include "scenarios/validation/accuracy_thresholds.h"

#include <algorithm>
#include <iterator>

#include "core/nearest.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"

namespace tahoma {

namespace {

constexpr std::uint64_t limit_mib = 1 << 20;

// Operations logged inside a training run have neighbours; all other rows come from runs of their own.
bool is_dedicated(const MeasuredRow& row) {
  return row.basis != "median_of_log";
}

bool is_large(const MeasuredRow& row) {
  return is_dedicated(row) && size_class(row.bytes) == SizeClass::from_64MiB;
}

bool is_h100_sweep(const MeasuredRow& row) {
  return row.preset == "hgx-h100" && row.count == 1 && row.ranks == 8 && row.collective == "all_reduce" &&
         row.algo.empty() && row.bytes >= 256 * limit_mib;
}

bool is_p5_sweep(const MeasuredRow& row) {
  return row.preset == "p5" && row.count >= 2 && row.count <= 32 && row.algo.empty() &&
         row.bytes >= 256 * limit_mib;
}

bool is_medium(const MeasuredRow& row) {
  return size_class(row.bytes) == SizeClass::to_32MiB;
}

bool is_small(const MeasuredRow& row) {
  return size_class(row.bytes) == SizeClass::to_64KiB;
}

ErrorSummary over(const Validation& validation, bool (*belongs)(const MeasuredRow&),
                  const std::string& source = "") {
  std::vector<const JudgedRow*> rows;
  for (const JudgedRow& row : validation.rows) {
    if (row.compared() && belongs(row.measured) && (source.empty() || row.measured.source == source))
      rows.push_back(&row);
  }
  return summary_of(rows);
}

struct Found {
  double value = 0;
  std::size_t rows = 0;
  std::string worst;
};

template <bool (*belongs)(const MeasuredRow&)>
Found mape(const Validation& validation) {
  const ErrorSummary s = over(validation, belongs);
  return {s.mape, s.rows, s.worst_id};
}

Found worst_source(const Validation& validation) {
  Found found;
  for (const SourceSummary& source : validation.sources) {
    const ErrorSummary s = over(validation, is_large, source.source);
    found.rows += s.rows;
    if (s.rows > 0 && s.mape > found.value) {
      found.value = s.mape;
      found.worst = source.source;
    }
  }
  return found;
}

Found median_factor_of_small(const Validation& validation) {
  const ErrorSummary s = over(validation, is_small);
  return {s.median_factor, s.rows, s.worst_factor_id};
}

Found worst_factor_of_small(const Validation& validation) {
  const ErrorSummary s = over(validation, is_small);
  return {s.worst_factor, s.rows, s.worst_factor_id};
}

Found failures(const Validation& validation) {
  Found found{static_cast<double>(validation.failed), validation.counted, ""};
  for (const JudgedRow& row : validation.rows) {
    if (row.failed() && found.worst.empty()) found.worst = row.measured.id;
  }
  return found;
}

Found excluded_share(const Validation& validation) {
  const std::size_t eligible = validation.counted + validation.excluded;
  if (eligible == 0) return {};
  return {static_cast<double>(validation.excluded) / static_cast<double>(eligible), eligible, ""};
}

struct Rule {
  std::string_view name;
  bool percent;
  double limit;
  Found (*find)(const Validation&);
  std::string_view meaning;
};

constexpr Rule rules[] = {
    {"large_mape", true, 0.08, mape<is_large>, "mean error from 64 MiB on, all sources together"},
    {"large_source_mape", true, 0.15, worst_source, "mean error from 64 MiB on, of the worst source"},
    {"h100_sweep_mape", true, 0.05, mape<is_h100_sweep>,
     "mean error of all_reduce on 8 H100 from 256 MiB on"},
    {"p5_sweep_mape", true, 0.05, mape<is_p5_sweep>, "mean error on 2 to 32 p5 from 256 MiB on"},
    {"medium_mape", true, 0.15, mape<is_medium>, "mean error from 1 to 32 MiB"},
    {"small_median_factor", false, 1.3, median_factor_of_small, "median factor up to 64 KiB"},
    {"small_worst_factor", false, 2, worst_factor_of_small, "worst factor up to 64 KiB"},
    {"failed_rows", false, 0, failures, "counted rows without a prediction"},
    {"excluded_share", true, 0.05, excluded_share, "rows of trust A and B that are left out"},
};

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names;
  for (const Rule& rule : rules) names.push_back(rule.name);
  return names;
}

std::string all_names() {
  std::string text;
  for (const Rule& rule : rules) text += (text.empty() ? "" : ", ") + std::string(rule.name);
  return text;
}

}  // namespace

AccuracyLimit read_accuracy_limit(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name(text.substr(0, equals));
  const auto rule =
      std::find_if(std::begin(rules), std::end(rules), [&](const Rule& r) { return r.name == name; });
  if (rule == std::end(rules)) {
    throw BadText{"names no threshold", "NAME=VALUE with a NAME of " + all_names(),
                  nearest(name, rule_names())};
  }
  const std::string accepted =
      name + (rule->percent ? "=P%, such as " + name + "=8%" : "=N, such as " + name + "=2");
  if (equals == text.size()) throw BadText{"has no value", accepted, ""};
  std::string_view value = text.substr(equals + 1);
  const bool has_percent = !value.empty() && value.back() == '%';
  if (has_percent != rule->percent) {
    throw BadText{rule->percent ? "needs a percent sign" : "is a plain number, no share", accepted, ""};
  }
  try {
    return {name, to_double(read_number(value))};
  } catch (const BadText& bad) {
    throw BadText{bad.because, accepted, ""};
  }
}

std::vector<AccuracyOutcome> judge_accuracy(const Validation& validation,
                                            const std::vector<AccuracyLimit>& others) {
  std::vector<AccuracyOutcome> outcomes;
  for (const Rule& rule : rules) {
    const Found found = rule.find(validation);
    AccuracyOutcome outcome{std::string(rule.name),
                            std::string(rule.meaning),
                            rule.percent,
                            rule.limit,
                            found.value,
                            found.rows,
                            found.worst};
    for (const AccuracyLimit& other : others) {
      if (other.name == outcome.name) outcome.limit = other.limit;
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace tahoma
