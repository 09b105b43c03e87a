// What measured training steps say about each family of chips: the few figures of the compute model that no
// datasheet has.
#pragma once

#include <span>
#include <string_view>

#include "scenarios/training/chip_math.h"

namespace tahoma {

struct CalibratedChip {
  std::string_view chip;    // cluster.chip.name
  std::string_view family;  // whose measured rows were used, "" = none: figures of the nearest kin
  MatrixEngine engine;
  Calibration calibration;
  bool measured = false;
  std::string_view origin;  // of the figures
};

std::span<const CalibratedChip> calibrated_chips();
const CalibratedChip* calibrated_chip(std::string_view chip);

}  // namespace tahoma
