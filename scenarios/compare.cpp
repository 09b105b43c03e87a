#include "scenarios/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/errors.h"
#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/number_text.h"
#include "scenarios/quantity.h"

namespace tahoma {

namespace {

struct ComparedMetric {
  std::string_view name;
  double ComparedRow::*value;
};
constexpr std::array compared_metrics{ComparedMetric{"time_s", &ComparedRow::time_s},
                                      ComparedMetric{"algbw_GBps", &ComparedRow::algbw_GBps},
                                      ComparedMetric{"busbw_GBps", &ComparedRow::busbw_GBps},
                                      ComparedMetric{"lower_bound_s", &ComparedRow::lower_bound_s},
                                      ComparedMetric{"efficiency", &ComparedRow::efficiency}};

// Nothing that was nothing has not changed; something from nothing has, beyond any threshold.
double relative(double a, double b) {
  if (a == b) return 0;
  return a == 0 ? std::copysign(HUGE_VAL, b) : b / a - 1;
}

// "x ring (97.0 % busy)" -> "x ring"
std::string_view tier_of(std::string_view bottleneck) {
  return bottleneck.substr(0, bottleneck.rfind(" ("));
}

std::string time_text(double s) {
  return readable(Duration{std::llround(s * 1e12)});
}

// The phase whose share of the critical chain changed most, in the direction of the whole.
std::string changed_phase(const ComparedRow& a, const ComparedRow& b) {
  if (a.phases.empty() || b.phases.empty() || a.time_s == b.time_s) return "";
  std::map<std::string, double> difference;
  for (const ComparedRow::Phase& phase : b.phases) difference[phase.name] += phase.time_s;
  for (const ComparedRow::Phase& phase : a.phases) difference[phase.name] -= phase.time_s;
  const double sign = b.time_s > a.time_s ? 1 : -1;
  const auto most = std::max_element(difference.begin(), difference.end(), [&](const auto& x, const auto& y) {
    return x.second * sign < y.second * sign;
  });
  if (most->second * sign <= 0) return "";
  return fmt::format("{} {} in {}; ", time_text(most->second * sign), sign > 0 ? "more" : "less",
                     most->first);
}

std::string cause(const ComparedRow& a, const ComparedRow& b) {
  std::string text = changed_phase(a, b);
  if (a.algorithm != b.algorithm) text += fmt::format("by {} instead of {}; ", b.algorithm, a.algorithm);
  if (a.bottleneck.empty() || b.bottleneck.empty()) return text.substr(0, text.empty() ? 0 : text.size() - 2);
  if (tier_of(a.bottleneck) == tier_of(b.bottleneck)) return text + "bottleneck still " + b.bottleneck;
  return text + fmt::format("bottleneck now {}, was {}", b.bottleneck, a.bottleneck);
}

std::string phase_name(const std::string& phase, const std::string& level) {
  return fmt::format("{} ({})", phase, level);
}

void add_rows(const std::string& variant, const nlohmann::json& result, std::vector<ComparedRow>& rows) {
  for (const nlohmann::json& row : result.at("collectives")) {
    ComparedRow read;
    read.variant = variant;
    read.job = row.at("job");
    read.collective = row.at("collective");
    read.algorithm = row.at("algorithm");
    read.bytes = row.at("bytes");
    read.ranks = row.at("ranks");
    read.bottleneck = row.at("bottleneck");
    for (const ComparedMetric& metric : compared_metrics)
      read.*metric.value = row.at(std::string(metric.name));
    for (const nlohmann::json& phase : row.value("critical_phases", nlohmann::json::array())) {
      read.phases.push_back({phase_name(phase.at("phase"), phase.at("level")), phase.at("time_s")});
    }
    rows.push_back(std::move(read));
  }
}

void add_rows(const std::string& variant, const Result& result, std::vector<ComparedRow>& rows) {
  for (const CollectiveRow& row : result.collectives) {
    rows.push_back({variant,
                    row.job,
                    row.collective,
                    row.algorithm,
                    row.bytes,
                    row.ranks,
                    seconds(row.time),
                    row.algbw_GBps,
                    row.busbw_GBps,
                    seconds(row.lower_bound),
                    row.efficiency,
                    row.bottleneck,
                    {}});
    for (const PhaseTime& phase : row.critical_phases)
      rows.back().phases.push_back({phase_name(phase.phase, phase.level), seconds(phase.time)});
  }
}

// Pairs each row of `left` with the first of `right` that has the same key; both lose what is paired.
template <class Key>
void pair_up(std::vector<ComparedRow>& left, std::vector<ComparedRow>& right, const Key& key,
             std::vector<ComparedPair>& pairs) {
  using Same = std::map<decltype(key(left.front())), std::deque<std::size_t>>;
  Same waiting;
  for (std::size_t i = 0; i < right.size(); ++i) waiting[key(right[i])].push_back(i);
  std::vector<bool> is_paired(right.size(), false);
  std::vector<ComparedRow> unpaired;
  for (ComparedRow& a : left) {
    const auto found = waiting.find(key(a));
    if (found == waiting.end() || found->second.empty()) {
      unpaired.push_back(std::move(a));
      continue;
    }
    const std::size_t at = found->second.front();
    found->second.pop_front();
    is_paired[at] = true;
    const ComparedRow& b = right[at];  // stays: the keys refer to it
    std::string because = cause(a, b);
    const double change = relative(a.time_s, b.time_s);
    pairs.push_back({std::move(a), b, change, std::move(because)});
  }
  waiting.clear();
  std::vector<ComparedRow> rest;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!is_paired[i]) rest.push_back(std::move(right[i]));
  }
  left = std::move(unpaired);
  right = std::move(rest);
}

}  // namespace

std::vector<ComparedRow> compared_rows(const Result& result) {
  std::vector<ComparedRow> rows;
  add_rows("", result, rows);
  for (const Result& variant : result.variants) add_rows(variant.name, variant, rows);
  return rows;
}

std::vector<ComparedRow> read_compared_rows(const std::string& json, const std::string& file) {
  std::vector<ComparedRow> rows;
  try {
    const nlohmann::json result = nlohmann::json::parse(json);
    if (result.at("schema") != "tahoma.result/1") {
      throw ScenarioError(file + ": is not a result; accepted: result.json of `tahoma run`");
    }
    add_rows("", result, rows);
    if (result.contains("variants")) {
      for (const nlohmann::json& variant : result["variants"])
        add_rows(variant.at("name").get<std::string>(), variant, rows);
    }
  } catch (const nlohmann::json::exception& error) {
    throw ScenarioError(
        fmt::format("{}: is not a result ({}); accepted: result.json of `tahoma run`", file, error.what()));
  }
  return rows;
}

Comparison compare(const std::vector<ComparedRow>& a, const std::vector<ComparedRow>& b) {
  Comparison comparison;
  comparison.only_a = a;
  comparison.only_b = b;
  pair_up(
      comparison.only_a, comparison.only_b,
      [](const ComparedRow& r) { return std::tie(r.variant, r.job, r.collective, r.bytes, r.algorithm); },
      comparison.pairs);
  pair_up(
      comparison.only_a, comparison.only_b,
      [](const ComparedRow& r) { return std::tie(r.variant, r.job, r.collective, r.bytes); },
      comparison.pairs);
  return comparison;
}

Threshold read_threshold(std::string_view text) {
  const std::string accepted = "METRIC=+P%, METRIC=-P% or METRIC=P%, such as time_s=+2%";
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) throw BadText{"has no equals sign", accepted, ""};
  Threshold threshold;
  threshold.text = text;
  threshold.metric = trimmed(text.substr(0, equals));
  const std::vector<std::string> names = threshold_metrics();
  if (std::find(names.begin(), names.end(), threshold.metric) == names.end()) {
    throw BadText{fmt::format("names no metric: '{}'", threshold.metric), listed(names),
                  nearest(threshold.metric, std::span<const std::string>(names))};
  }
  std::string_view limit = trimmed(text.substr(equals + 1));
  if (limit.starts_with('+')) threshold.down = false;
  if (limit.starts_with('-')) threshold.up = false;
  if (!threshold.up || !threshold.down) limit.remove_prefix(1);
  if (!limit.ends_with('%')) throw BadText{"has no percentage", accepted, ""};
  try {
    threshold.share = to_double(read_number(limit));
  } catch (BadText& bad) {
    bad.accepted = accepted;
    throw;
  }
  return threshold;
}

std::vector<std::string> threshold_metrics() {
  std::vector<std::string> names;
  for (const ComparedMetric& metric : compared_metrics) names.emplace_back(metric.name);
  return names;
}

std::vector<CrossedThreshold> crossings(const Comparison& comparison,
                                        const std::vector<Threshold>& thresholds) {
  std::vector<CrossedThreshold> crossed;
  for (const ComparedPair& pair : comparison.pairs) {
    for (const Threshold& threshold : thresholds) {
      const auto metric = std::find_if(compared_metrics.begin(), compared_metrics.end(),
                                       [&](const ComparedMetric& m) { return m.name == threshold.metric; });
      const double change = relative(pair.a.*metric->value, pair.b.*metric->value);
      const bool up = threshold.up && change > threshold.share;
      const bool down = threshold.down && change < -threshold.share;
      if (up || down) crossed.push_back({&pair, &threshold, change});
    }
  }
  return crossed;
}

std::string subject_of(const ComparedRow& row) {
  return (row.variant.empty() ? "" : row.variant + ": ") + (row.job.empty() ? "" : row.job + ": ") +
         row.collective + " of " + readable_bytes(row.bytes);
}

std::string change_text(const ComparedPair& pair) {
  if (pair.a.time_s == pair.b.time_s) return time_text(pair.b.time_s) + ", as before";
  const std::string times =
      fmt::format("{} instead of {}", time_text(pair.b.time_s), time_text(pair.a.time_s));
  return std::isinf(pair.change) ? times : fmt::format("{} ({:+.1f} %)", times, pair.change * 100);
}

}  // namespace tahoma
