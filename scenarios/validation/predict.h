// What the program says to measured rows: the ordinary reader, the ordinary run.
//
// Rows whose scenarios differ in size alone are read once and run as a list of sizes. If one size of a list
// fails, each is asked alone, so that no row suffers from its neighbours. Lists run side by side on all
// cores; the answers do not depend on that.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/validation/measured.h"

namespace tahoma {

struct Prediction {
  std::optional<Duration> time;
  std::string algorithm;
  std::string why_not;  // if there is no time: cannot be mapped, or cannot be run
};

struct PredictOptions {
  std::vector<std::string> sets;  // laid over every scenario: "path=value"
  unsigned threads = 0;           // 0: as many as the machine has
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done, std::size_t total)> on_progress;  // one call at a time
};

/// One for each row, in their order. What goes wrong with a row is in its prediction, not thrown.
std::vector<Prediction> predict(const std::vector<MeasuredRow>& rows, const PredictOptions& options = {});

}  // namespace tahoma
