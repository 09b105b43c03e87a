#include "scenarios/training/chip_math.h"

#include <algorithm>
#include <limits>

#include "core/errors.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/training/chip_calibration.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

constexpr u128 whole_ppm = 1'000'000;

Duration time_at(u128 amount, std::uint64_t per_second, std::uint32_t ppm) {
  TAHOMA_ASSERT(per_second > 0 && ppm > 0, "a rate that is used is not zero");
  return {static_cast<std::int64_t>(ceil_div(amount * whole_ppm * ps_per_second, u128{per_second} * ppm))};
}

/// "1299TFLOPS", "2.5PFLOPS", in FLOP/s.
std::uint64_t flops_per_second(std::string_view text) {
  const LeadingNumber number = leading_number(text);
  const std::int32_t exponent = number.rest == "TFLOPS" ? 12 : 15;
  TAHOMA_ASSERT(number.rest == "TFLOPS" || number.rest == "PFLOPS",
                "rates of the catalogue are TFLOPS or PFLOPS");
  return to_integral(scaled(number.value, 1, exponent)).nearest;
}

/// The row of the catalogue that a format is quoted in, and what a product alone can reach, where it differs.
struct RateFact {
  MathType type;
  std::string_view quoted, product;
};
constexpr std::array rate_facts = {
    RateFact{MathType::fp32, "facts.fp32_dense", ""},
    RateFact{MathType::tf32, "facts.tf32_dense", ""},
    RateFact{MathType::bf16, "facts.bf16_dense", "facts.bf16_matmul"},
    RateFact{MathType::bf16, "facts.fp16_dense", ""},
    RateFact{MathType::fp16, "facts.fp16_dense", ""},
    RateFact{MathType::fp16, "facts.bf16_dense", "facts.bf16_matmul"},
    RateFact{MathType::fp8, "facts.fp8_dense", "facts.fp8_matmul"},
    RateFact{MathType::mxfp8, "facts.mxfp8_dense", ""},
    RateFact{MathType::mxfp4, "facts.mxfp4_dense", ""},
};

void read_rates(std::string_view preset, std::uint32_t share, ChipMath& chip) {
  for (const RateFact& fact : rate_facts) {
    const auto at = static_cast<std::size_t>(fact.type);
    const auto quoted = preset_value(preset, fact.quoted);
    if (!quoted || chip.quoted_rate[at] > 0) continue;
    chip.quoted_rate[at] = flops_per_second(*quoted);
    const auto product = fact.product.empty() ? std::nullopt : preset_value(preset, fact.product);
    chip.matrix_rate[at] = flops_per_second(product.value_or(*quoted)) / share;
  }
}

/// One choice of a GPU's output tile, and what of the engine it can use.
struct Tile {
  std::uint32_t rows, columns, ppm;
};
constexpr std::array tiles = {
    Tile{256, 128, 1'000'000}, Tile{128, 256, 1'000'000}, Tile{128, 128, 960'000},
    Tile{128, 64, 800'000},    Tile{64, 64, 600'000},
};

Duration tiled_time(const ChipMath& chip, std::uint64_t rate, std::uint32_t reached, const Product& p) {
  Duration best = Duration{std::numeric_limits<std::int64_t>::max()};
  for (const Tile& tile : tiles) {
    const u128 blocks = u128{p.count} * ceil_div64(p.m, tile.rows) * ceil_div64(p.n, tile.columns);
    const u128 waves = ceil_div(blocks, chip.engine.units);
    const u128 padded =
        waves * chip.engine.units * tile.rows * tile.columns * 2 * (u128{p.k} + chip.calibration.depth);
    const auto ppm = static_cast<std::uint32_t>(std::uint64_t{reached} * tile.ppm / 1'000'000);
    best = std::min(best, time_at(padded, rate, ppm));
  }
  return best;
}

/// Contraction and output are padded to the array's side; every load of weights costs some cycles beside the
/// tokens that stream past it.
Duration systolic_time(const ChipMath& chip, std::uint64_t rate, std::uint32_t reached, const Product& p) {
  const MatrixEngine& e = chip.engine;
  const std::uint64_t k = ceil_div64(p.k, e.side) * e.side, n = ceil_div64(p.n, e.side) * e.side;
  const std::uint64_t loads = ceil_div64(p.m, e.stream);
  const u128 padded = u128{p.count} * 2 * k * n * (p.m + loads * e.load_cycles);
  return time_at(padded, rate, reached);
}

}  // namespace

std::uint32_t element_32nds(MathType type) {
  constexpr std::array<std::uint32_t, 7> sizes = {128, 128, 64, 64, 32, 33, 17};  // MX: a scale byte per 32
  return sizes[static_cast<std::size_t>(type)];
}

std::optional<ChipMath> chip_math(std::string_view preset, std::uint32_t ranks_per_chip) {
  const auto name = preset_value(preset, "cluster.chip.name");
  const auto memory = preset_value(preset, "facts.hbm");
  const auto bandwidth = preset_value(preset, "facts.hbm_bandwidth");
  if (!name || !memory || !bandwidth) return std::nullopt;
  ChipMath chip;
  chip.chip = *name;
  chip.memory = Bytes{read_bytes(*memory).count / ranks_per_chip};
  chip.memory_rate = to_integral(read_quantity(*bandwidth, Quantity::bandwidth)).nearest / ranks_per_chip;
  read_rates(preset, ranks_per_chip, chip);
  const CalibratedChip* row = calibrated_chip(chip.chip);
  if (!row) return std::nullopt;
  chip.engine = row->engine;
  chip.calibration = row->calibration;
  chip.calibrated_as = row->family;
  chip.measured = row->measured;
  return chip;
}

std::string formats_of(const ChipMath& chip) {
  std::string formats;
  for (std::size_t i = 0; i < chip.matrix_rate.size(); ++i) {
    if (chip.matrix_rate[i] == 0) continue;
    if (!formats.empty()) formats += ", ";
    formats += name_of(static_cast<MathType>(i));
  }
  return formats;
}

Duration product_time(const ChipMath& chip, MathType type, const Product& product) {
  if (product.m == 0 || product.n == 0 || product.k == 0 || product.count == 0) return {};
  const std::uint64_t rate = chip.matrix_rate[static_cast<std::size_t>(type)];
  const bool narrow = element_32nds(type) < 64;
  const std::uint32_t reached = narrow ? chip.calibration.narrow : chip.calibration.matrix;
  const Duration engine = chip.engine.kind == MatrixEngine::Kind::tiled
                              ? tiled_time(chip, rate, reached, product)
                              : systolic_time(chip, rate, reached, product);
  const u128 operands = u128{product.count} * product.k * (product.m + product.n) * element_32nds(type) / 32 +
                        u128{product.count} * product.m * product.n * product.result_bytes;
  const Duration memory = time_at(operands, chip.memory_rate, chip.calibration.memory);
  return std::max(engine, memory) + chip.calibration.kernel_gap;
}

Duration attention_time(const ChipMath& chip, MathType type, u128 flops) {
  const std::uint64_t rate = chip.matrix_rate[static_cast<std::size_t>(type)];
  return time_at(flops, rate, chip.calibration.attention) + chip.calibration.kernel_gap;
}

Duration stream_time(const ChipMath& chip, u128 bytes, std::uint32_t kernels) {
  return time_at(bytes, chip.memory_rate, chip.calibration.memory) + chip.calibration.kernel_gap * kernels;
}

}  // namespace tahoma
