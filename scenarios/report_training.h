// A training step for people, JSON and CSV.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/json_text.h"
#include "scenarios/report_text.h"
#include "scenarios/result.h"

namespace tahoma {

/// Labels and paragraphs of the first screen.
std::vector<std::pair<std::string, std::string>> training_lines(const TrainingRow& row);

/// Parts of the step, memory, and the ranked splits of a search; "" without a training step.
std::string training_text(const Result& result, const TextStyle& style);

void write_training(JsonText& json, const TrainingRow& row);

/// What an assertion may ask of a training step: names and values, in one order.
std::vector<std::pair<std::string, double>> training_metrics(const TrainingRow& row);

}  // namespace tahoma
