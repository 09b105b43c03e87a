#include "scenarios/report_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/json_text.h"
#include "scenarios/number_text.h"
#include "scenarios/result_csv.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t most_lines = 40;  // of each kind, for a reader

// "  half: all_reduce of 1 GiB takes 2.1 ms instead of 1.0 ms (+100.0 %); bottleneck still x ring (99 %
// busy)"
std::string pair_line(const std::string& what, const ComparedPair& pair, const TextStyle& style) {
  std::string line = what + " takes " + change_text(pair);
  if (!pair.because.empty()) line += "; " + pair.because;
  return std::string(indent, ' ') + wrapped(printable(line), 2 * indent, style.width) + "\n";
}

// All of a few pairs; of many those that changed most.
std::string pairs_text(const std::vector<ComparedPair>& pairs, const TextStyle& style) {
  std::vector<const ComparedPair*> shown;
  for (const ComparedPair& pair : pairs) {
    if (pairs.size() <= most_lines || pair.change != 0) shown.push_back(&pair);
  }
  const std::size_t changed = shown.size();
  if (changed > most_lines) {
    std::stable_sort(shown.begin(), shown.end(), [](const ComparedPair* a, const ComparedPair* b) {
      return std::abs(a->change) > std::abs(b->change);
    });
    shown.resize(most_lines);
  }
  std::string text;
  for (const ComparedPair* pair : shown) text += pair_line(subject_of(pair->b), *pair, style);
  if (changed > shown.size())
    text += fmt::format("  and {} more that changed less\n", changed - shown.size());
  if (changed < pairs.size()) text += fmt::format("  {} rows did not change\n", pairs.size() - changed);
  return text;
}

// The largest size of each job and collective; the rest is in the tables.
std::vector<const ComparedPair*> at_largest_size(const std::vector<ComparedPair>& pairs) {
  std::vector<const ComparedPair*> largest;
  for (const ComparedPair& pair : pairs) {
    const bool beaten = std::any_of(pairs.begin(), pairs.end(), [&](const ComparedPair& other) {
      return other.a.job == pair.a.job && other.a.collective == pair.a.collective &&
             other.a.bytes > pair.a.bytes;
    });
    if (!beaten) largest.push_back(&pair);
  }
  return largest;
}

void write_side(JsonText& json, const char* name, const ComparedRow& row) {
  json.key(name);
  json.begin_object();
  json.field("algorithm", row.algorithm);
  json.field("ranks", row.ranks);
  json.field("time_s", row.time_s);
  json.field("algbw_GBps", row.algbw_GBps);
  json.field("busbw_GBps", row.busbw_GBps);
  json.field("lower_bound_s", row.lower_bound_s);
  json.field("efficiency", row.efficiency);
  json.field("bottleneck", row.bottleneck);
  json.end_object();
}

void write_subject(JsonText& json, const ComparedRow& row) {
  json.field("variant", row.variant);
  json.field("job", row.job);
  json.field("collective", row.collective);
  json.field("bytes", row.bytes);
}

void write_unmatched(JsonText& json, const char* name, const std::vector<ComparedRow>& rows) {
  json.key(name);
  json.begin_array();
  for (const ComparedRow& row : rows) {
    json.begin_object();
    write_subject(json, row);
    json.field("algorithm", row.algorithm);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string variants_text(const Result& result, const TextStyle& style) {
  std::string text;
  for (const Result& variant : result.variants) {
    Result base;
    base.collectives = result.collectives;
    Result other;
    other.collectives = variant.collectives;
    const Comparison comparison = compare(compared_rows(base), compared_rows(other));
    for (const ComparedPair* pair : at_largest_size(comparison.pairs))
      text += pair_line(variant.name + ": " + subject_of(pair->b), *pair, style);
    for (const std::string& warning : variant.warnings)
      text += std::string(indent, ' ') +
              wrapped(printable(variant.name + ": " + warning), 2 * indent, style.width) + "\n";
    if (comparison.pairs.empty()) {
      text += std::string(indent, ' ') + variant.name + ": has no row in common with the scenario itself\n";
    }
  }
  return text.empty() ? "" : paint(style, Ink::bold, "variants, against the scenario itself") + "\n" + text;
}

std::string comparison_text(const Comparison& comparison, const std::vector<CrossedThreshold>& crossed,
                            const TextStyle& style) {
  std::string text = pairs_text(comparison.pairs, style);
  const auto unmatched = [&](const std::vector<ComparedRow>& rows, const char* where) {
    for (std::size_t i = 0; i < std::min(rows.size(), most_lines); ++i)
      text +=
          fmt::format("  {} by {}: only in the {} result\n", subject_of(rows[i]), rows[i].algorithm, where);
    if (rows.size() > most_lines)
      text += fmt::format("  and {} more only in the {} result\n", rows.size() - most_lines, where);
  };
  unmatched(comparison.only_a, "first");
  unmatched(comparison.only_b, "second");
  for (const CrossedThreshold& crossing : crossed) {
    text += paint(style, Ink::red, "CROSSED ") + crossing.threshold->text + ": " +
            subject_of(crossing.pair->b) + fmt::format(" ({:+.2f} %)\n", crossing.change * 100);
  }
  text += fmt::format("{} row{} compared, {} only in one, {} threshold{} crossed\n", comparison.pairs.size(),
                      comparison.pairs.size() == 1 ? "" : "s",
                      comparison.only_a.size() + comparison.only_b.size(), crossed.size(),
                      crossed.size() == 1 ? "" : "s");
  return text;
}

std::string comparison_json(const Comparison& comparison, const std::vector<CrossedThreshold>& crossed) {
  JsonText json;
  json.begin_object();
  json.field("schema", "tahoma.comparison/1");
  json.key("rows");
  json.begin_array();
  for (const ComparedPair& pair : comparison.pairs) {
    json.begin_object();
    write_subject(json, pair.b);
    json.field("time_ratio", pair.a.time_s > 0 ? pair.b.time_s / pair.a.time_s : 1.0);
    json.field("because", pair.because);
    write_side(json, "a", pair.a);
    write_side(json, "b", pair.b);
    json.key("crossed");
    json.begin_array();
    for (const CrossedThreshold& crossing : crossed) {
      if (crossing.pair == &pair) json.value(crossing.threshold->text);
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  write_unmatched(json, "only_a", comparison.only_a);
  write_unmatched(json, "only_b", comparison.only_b);
  json.end_object();
  return json.take();
}

std::string comparison_csv(const Comparison& comparison) {
  std::string csv =
      "variant,job,collective,bytes,a_algorithm,b_algorithm,a_time_s,b_time_s,time_ratio,a_busbw_GBps,"
      "b_busbw_GBps,a_efficiency,b_efficiency,because\n";
  for (const ComparedPair& pair : comparison.pairs) {
    const double ratio = pair.a.time_s > 0 ? pair.b.time_s / pair.a.time_s : 1.0;
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(pair.b.variant),
                       csv_field(pair.b.job), csv_field(pair.b.collective), pair.b.bytes,
                       csv_field(pair.a.algorithm), csv_field(pair.b.algorithm), shortest(pair.a.time_s),
                       shortest(pair.b.time_s), shortest(ratio), shortest(pair.a.busbw_GBps),
                       shortest(pair.b.busbw_GBps), shortest(pair.a.efficiency), shortest(pair.b.efficiency),
                       csv_field(pair.because));
  }
  return csv;
}

}  // namespace tahoma
