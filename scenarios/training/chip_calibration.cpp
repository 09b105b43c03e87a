#include "scenarios/training/chip_calibration.h"

#include <fmt/format.h>

#include <algorithm>

namespace tahoma {

namespace {

using enum MatrixEngine::Kind;

/// The fitted figures, on the open rows of the family (docs/validation-training.md): least mean error over
/// rows and over sources, rows further off than a fifth counted more. Times in ps, shares in millionths.
constexpr Calibration of_a100() {
  Calibration c;
  c.matrix = 790'000;
  c.attention = 334'000;
  c.memory = 745'000;
  c.depth = 141;
  c.kernel_gap = {20'700'000};
  c.host_layer = {1'974'000'000};
  c.host_blocking = {4'000'000'000};
  c.launch = {4'780'000};
  c.nic = 930'000;
  return c;
}

constexpr Calibration of_h100() {
  Calibration c;
  c.matrix = 685'000;
  c.narrow = 860'000;
  c.attention = 225'000;
  c.memory = 523'000;
  c.kernel_gap = {230'000};
  c.host_layer = {1'500'000'000};
  c.host_experts = {3'200'000'000};
  c.launch = {2'700'000};
  c.nic = 930'000;
  return c;
}

/// More memory and less throttling: the same figures but for its products.
constexpr Calibration of_h200() {
  Calibration c = of_h100();
  c.matrix = 766'000;
  return c;
}

constexpr Calibration of_tpu() {
  Calibration c;
  c.matrix = 929'000;
  c.attention = 118'000;
  c.memory = 281'000;
  c.kernel_gap = {1'000'000};
  c.launch = {10'200'000};
  c.nic = 460'000;
  return c;
}

constexpr Calibration of_trainium() {
  Calibration c;
  c.matrix = 950'000;
  c.attention = 300'000;
  c.memory = 533'000;
  c.kernel_gap = {1'700'000};
  c.host_layer = {1'700'000'000};
  c.launch = {17'400'000};
  c.link = 240'000;
  return c;
}

/// Assumed: no step of a later Trainium is public. Its products reach what other chips' do, its links what
/// its measured collectives do; the host is Trainium1's.
constexpr Calibration of_later_trainium() {
  Calibration c = of_trainium();
  c.matrix = 700'000;
  c.narrow = 700'000;
  c.link = 1'000'000;
  return c;
}

constexpr Calibration a100 = of_a100(), h100 = of_h100(), h200 = of_h200(), tpu = of_tpu(),
                      trn1 = of_trainium(), trn2 = of_later_trainium();

constexpr CalibratedChip chip_rows[] = {
    {"v100", "a100", {tiled, 80}, a100, false, 25},
    {"a100", "a100", {tiled, 108}, a100, true, 10},
    {"h100", "h100", {tiled, 132}, h100, true, 10},
    {"h200", "h100", {tiled, 132}, h200, true, 10},
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
    {"trainium2", "trn1", {systolic, 1, 128, 512, 64}, trn2, false, 25},
    {"trainium3", "trn1", {systolic, 1, 128, 512, 64}, trn2, false, 25},
    {"trainium4", "trn1", {systolic, 1, 128, 512, 64}, trn2, false, 25},
};

constexpr FamilyAccuracy accuracies[] = {
    {"a100", 223, "6.0", "-24.8"},
    {"h100", 89, "6.5", "-24.9"},
    {"tpu", 18, "6.4", "-17.9"},
    {"trn1", 14, "8.0", "+18.4"},
};

struct FigureName {
  std::string_view name;
  std::uint32_t Calibration::*share;
  Duration Calibration::*time;
};
constexpr FigureName figure_names[] = {
    {"products in 16 bits, of peak", &Calibration::matrix, nullptr},
    {"products in 8 bits, of peak", &Calibration::narrow, nullptr},
    {"fused attention, of peak", &Calibration::attention, nullptr},
    {"streaming, of memory bandwidth", &Calibration::memory, nullptr},
    {"links inside the domain, of their rate", &Calibration::link, nullptr},
    {"NICs, of their rate", &Calibration::nic, nullptr},
    {"gap between kernels", nullptr, &Calibration::kernel_gap},
    {"host, per pass of a layer", nullptr, &Calibration::host_layer},
    {"host, per pass of a layer, where it waits for each kernel", nullptr, &Calibration::host_blocking},
    {"host, per pass of a layer with experts", nullptr, &Calibration::host_experts},
    {"launch of a collective", nullptr, &Calibration::launch},
};

struct FittedFamily {
  std::string_view family;
  const Calibration& fitted;
  const Calibration& against;  // what is as there was not fitted
};

}  // namespace

std::vector<FittedFigure> fitted_figures() {
  static constexpr Calibration nothing{};
  const FittedFamily families[] = {{"a100", a100, nothing},
                                   {"h100", h100, nothing},
                                   {"h200", h200, h100},
                                   {"tpu", tpu, nothing},
                                   {"trn1", trn1, nothing}};
  std::vector<FittedFigure> figures;
  for (const FittedFamily& family : families) {
    for (const FigureName& figure : figure_names) {
      if (figure.share != nullptr && family.fitted.*figure.share != family.against.*figure.share) {
        figures.push_back({std::string(family.family), std::string(figure.name),
                           fmt::format("{:.3f}", family.fitted.*figure.share / 1e6)});
      }
      if (figure.time != nullptr && family.fitted.*figure.time != family.against.*figure.time) {
        figures.push_back(
            {std::string(family.family), std::string(figure.name),
             fmt::format("{:.4g} us", static_cast<double>((family.fitted.*figure.time).ps) / 1e6)});
      }
    }
    if (family.fitted.depth != family.against.depth)
      figures.push_back({std::string(family.family), "depth that filling a tile costs",
                         std::to_string(family.fitted.depth)});
  }
  return figures;
}

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
