#include "scenarios/training/chip_calibration.h"

#include <fmt/format.h>

#include <algorithm>

namespace tahoma {

namespace {

using enum MatrixEngine::Kind;

constexpr Calibration a100{};
constexpr Calibration h100{};
constexpr Calibration tpu{};
constexpr Calibration trn1{};

constexpr CalibratedChip chip_rows[] = {
    {"v100", "a100", {tiled, 80}, a100, false, 25},
    {"a100", "a100", {tiled, 108}, a100, true, 10},
    {"h100", "h100", {tiled, 132}, h100, true, 10},
    {"h200", "h100", {tiled, 132}, h100, true, 10},
    {"h800", "h100", {tiled, 132}, h100, true, 10},
    {"b200", "h100", {tiled, 148}, h100, false, 25},
    {"b300", "h100", {tiled, 148}, h100, false, 25},
    {"gb200", "h100", {tiled, 148}, h100, false, 25},
    {"gb300", "h100", {tiled, 148}, h100, false, 25},
    {"mi250x-gcd", "a100", {tiled, 104}, a100, false, 25},
    {"mi300x", "h100", {tiled, 304}, h100, false, 25},
    {"tpu-v4", "tpu", {systolic, 1, 128, 4096, 64}, tpu, true, 10},
    {"tpu-v5e", "tpu", {systolic, 1, 128, 4096, 64}, tpu, false, 25},
    {"tpu-v5p", "tpu", {systolic, 1, 128, 4096, 64}, tpu, true, 10},
    {"tpu-v6e", "tpu", {systolic, 1, 256, 4096, 64}, tpu, false, 25},
    {"tpu-v7", "tpu", {systolic, 1, 256, 4096, 64}, tpu, false, 25},
    {"trainium1", "trn1", {systolic, 1, 128, 512, 64}, trn1, true, 10},
    {"inferentia2", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, 25},
    {"trainium2", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, 25},
    {"trainium3", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, 25},
    {"trainium4", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, 25},
};

constexpr FamilyAccuracy accuracies[] = {
    {"a100", 0, "0", "0"},
};

}  // namespace

std::span<const FamilyAccuracy> family_accuracies() {
  return accuracies;
}

std::string evidence_text(const CalibratedChip& chip) {
  const auto found = std::find_if(std::begin(accuracies), std::end(accuracies),
                                  [&](const FamilyAccuracy& row) { return row.family == chip.family; });
  if (found == std::end(accuracies))
    return fmt::format("no measured training step of {} is known: its figures are those of the nearest kin",
                       chip.chip);
  std::string text =
      fmt::format("closed form on {} measured steps of {} and its kin: mean error {} %, worst {} %",
                  found->rows, found->family, found->mape_percent, found->worst_percent);
  if (!chip.measured) text += fmt::format("; of {} itself none is known", chip.chip);
  return text + " (tahoma validate --training)";
}

std::span<const CalibratedChip> calibrated_chips() {
  return chip_rows;
}

const CalibratedChip* calibrated_chip(std::string_view chip) {
  const auto found = std::find_if(std::begin(chip_rows), std::end(chip_rows),
                                  [&](const CalibratedChip& row) { return row.chip == chip; });
  return found == std::end(chip_rows) ? nullptr : &*found;
}

}  // namespace tahoma
