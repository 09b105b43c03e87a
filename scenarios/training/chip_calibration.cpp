#include "scenarios/training/chip_calibration.h"

#include <algorithm>

namespace tahoma {

namespace {

using enum MatrixEngine::Kind;

constexpr Calibration a100{720'000, 450'000, 800'000, 128, {5'000'000}, {20'000'000'000}};
constexpr Calibration h100{640'000, 450'000, 800'000, 256, {4'000'000}, {20'000'000'000}};
constexpr Calibration tpu{800'000, 500'000, 800'000, 0, {1'000'000}, {10'000'000'000}};
constexpr Calibration trn1{550'000, 300'000, 700'000, 0, {3'000'000}, {20'000'000'000}};

constexpr CalibratedChip chips[] = {
    {"v100", "a100", {tiled, 80}, a100, false, "kin"},
    {"a100", "a100", {tiled, 108}, a100, true, "fitted"},
    {"h100", "h100", {tiled, 132}, h100, true, "fitted"},
    {"h200", "h100", {tiled, 132}, h100, true, "fitted"},
    {"h800", "h100", {tiled, 132}, h100, true, "fitted"},
    {"b200", "h100", {tiled, 148}, h100, false, "kin"},
    {"b300", "h100", {tiled, 148}, h100, false, "kin"},
    {"gb200", "h100", {tiled, 148}, h100, false, "kin"},
    {"gb300", "h100", {tiled, 148}, h100, false, "kin"},
    {"mi250x-gcd", "a100", {tiled, 104}, a100, false, "kin"},
    {"mi300x", "h100", {tiled, 304}, h100, false, "kin"},
    {"tpu-v4", "tpu", {systolic, 1, 128, 4096, 64}, tpu, true, "fitted"},
    {"tpu-v5e", "tpu", {systolic, 1, 128, 4096, 64}, tpu, false, "kin"},
    {"tpu-v5p", "tpu", {systolic, 1, 128, 4096, 64}, tpu, true, "fitted"},
    {"tpu-v6e", "tpu", {systolic, 1, 256, 4096, 64}, tpu, false, "kin"},
    {"tpu-v7", "tpu", {systolic, 1, 256, 4096, 64}, tpu, false, "kin"},
    {"trainium1", "trn1", {systolic, 1, 128, 512, 64}, trn1, true, "fitted"},
    {"inferentia2", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, "kin"},
    {"trainium2", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, "kin"},
    {"trainium3", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, "kin"},
    {"trainium4", "trn1", {systolic, 1, 128, 512, 64}, trn1, false, "kin"},
};

}  // namespace

std::span<const CalibratedChip> calibrated_chips() {
  return chips;
}

const CalibratedChip* calibrated_chip(std::string_view chip) {
  const auto found = std::find_if(std::begin(chips), std::end(chips),
                                  [&](const CalibratedChip& row) { return row.chip == chip; });
  return found == std::end(chips) ? nullptr : &*found;
}

}  // namespace tahoma
