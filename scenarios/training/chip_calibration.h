// What measured training steps say about each family of chips: the few figures of the compute model that no
// datasheet has.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/training/chip_math.h"

namespace tahoma {

struct CalibratedChip {
  std::string_view chip;    // cluster.chip.name
  std::string_view family;  // whose measured rows were used, "" = none: figures of the nearest kin
  MatrixEngine engine;
  Calibration calibration;
  bool measured = false;
  std::uint32_t band_percent = 25;  // that an answer may be off
};

/// A figure that was fitted: a share of what the hardware has, or a time.
struct FittedFigure {
  std::string family, name, value;
};
std::vector<FittedFigure> fitted_figures();

/// How far the model is from the family's open rows (docs/validation-training.md).
struct FamilyAccuracy {
  std::string_view family;
  std::uint32_t rows;
  std::string_view mape_percent, worst_percent;
};
std::span<const FamilyAccuracy> family_accuracies();

/// One line for the evidence of a result.
std::string evidence_text(const CalibratedChip& chip);

std::span<const CalibratedChip> calibrated_chips();
const CalibratedChip* calibrated_chip(std::string_view chip);

}  // namespace tahoma
