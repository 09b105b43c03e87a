// Two results side by side: which rows belong together, what changed, and why.
//
// Rows belong together by job, collective, size and algorithm; what is left, by job, collective and size in
// order, so that a run of another algorithm is compared with the one it replaces. Neither counts of chips nor
// presets take part: they are what one changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result.h"

namespace tahoma {

/// What a comparison knows of a row; all of it stands in result.json.
struct ComparedRow {
  std::string variant, job, collective, algorithm;
  std::uint64_t bytes = 0, ranks = 0;
  double time_s = 0, algbw_GBps = 0, busbw_GBps = 0, lower_bound_s = 0, efficiency = 0;
  std::string bottleneck;
  struct Phase {
    std::string name;  // "all_reduce, ring (cluster)"
    double time_s;
  };
  std::vector<Phase> phases;  // of the critical chain; none if it is not known
};

struct ComparedPair {
  ComparedRow a, b;
  double change = 0;    // of the time: b / a - 1
  std::string because;  // "1.2 ms more in all_reduce, ring (cluster); bottleneck now z ring (97.0 % busy),
                        // was NIC-leaf (99.1 % busy)"
};

struct Comparison {
  std::vector<ComparedPair> pairs;
  std::vector<ComparedRow> only_a, only_b;
};

/// The rows of a result, and of its variants.
std::vector<ComparedRow> compared_rows(const Result& result);
/// The same from the text of result.json. Throws ScenarioError naming `file`.
std::vector<ComparedRow> read_compared_rows(const std::string& json, const std::string& file);

Comparison compare(const std::vector<ComparedRow>& a, const std::vector<ComparedRow>& b);

/// How far a metric may go: "time_s=+2%" up, "busbw_GBps=-1%" down, "time_s=2%" either way.
struct Threshold {
  std::string text, metric;
  bool up = true, down = true;
  double share = 0;
};
/// Throws BadText.
Threshold read_threshold(std::string_view text);
std::vector<std::string> threshold_metrics();

struct CrossedThreshold {
  const ComparedPair* pair = nullptr;
  const Threshold* threshold = nullptr;
  double change = 0;  // of the metric
};
/// In the order of the pairs. What only one side has crosses nothing.
std::vector<CrossedThreshold> crossings(const Comparison& comparison,
                                        const std::vector<Threshold>& thresholds);

/// "all_reduce of 1 GiB", with job and variant where there are some.
std::string subject_of(const ComparedRow& row);
/// "12.346 ms instead of 10.000 ms (+23.5 %)"
std::string change_text(const ComparedPair& pair);

}  // namespace tahoma
