// How fast a chip computes: a roofline with the shapes that its matrix engine likes.
//
// Problem: the quoted peak is reached by no training step, and one constant for all of them is wrong by a
// third: small products leave engines idle, memory-bound work does not use them at all, and a shape that
// misses the engine's tiles pays for the padding.
//
// Idea: a matrix product costs the padded product over (peak x efficiency), or the time to move its operands,
// whichever is longer; everything else costs the bytes it moves. Every kernel adds a fixed gap. Figures of
// the hardware come from the catalogue (topology/presets/), the few that are fitted on measured steps from
// the table in chip_calibration.cpp, each with its origin.
//
// Limit: no compiler, no power cap, no kernel that is better or worse than its family's.
//
// All arithmetic is in integers, so that a time does not depend on who compiled it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "scenarios/training/parallel.h"

namespace tahoma {

/// How a matrix engine pads a product.
struct MatrixEngine {
  enum class Kind : std::uint8_t {
    tiled,     // tiles of the output, in waves over independent units (GPU)
    systolic,  // a square array: weights stand, tokens stream (Trainium, TPU)
  } kind = Kind::tiled;
  std::uint32_t units = 1;         // streaming multiprocessors of a GPU
  std::uint32_t side = 128;        // of a systolic array
  std::uint32_t stream = 512;      // tokens streamed past one load of weights
  std::uint32_t load_cycles = 64;  // of the array that a load leaves exposed
};

/// What no datasheet says, by family; fitted on measured steps. Fractions are in millionths.
struct Calibration {
  std::uint32_t matrix = 700'000;     // of peak, reached by large products
  std::uint32_t narrow = 700'000;     // the same in 8 and 4 bits
  std::uint32_t attention = 500'000;  // of peak, reached by fused attention
  std::uint32_t memory = 800'000;     // of HBM bandwidth, reached by streaming
  std::uint32_t depth = 128;          // of a product: filling and draining a tile costs as much again
  Duration kernel_gap{2'000'000};     // between two kernels
  Duration host_layer{};              // of the host to launch a layer's pass: a chip that is faster waits
  Duration host_blocking{};           // the same where it waits for each kernel
  Duration host_experts{};            // the same of a layer with experts
  Duration launch{10'000'000};        // of a collective
  std::uint32_t link = 1'000'000;     // of the scale-up rate, reached by collectives beside computation
  std::uint32_t nic = 1'000'000;      // of the NIC's rate, likewise
  Duration step_overhead{20'000'000'000};  // of the host, per step
};

struct ChipMath {
  std::string chip;
  /// Per rank, in FLOP/s, dense; 0: the chip has no such format. `quoted` is the whole chip's, as its maker
  /// prints it: the denominator of utilisation.
  std::array<std::uint64_t, 7> matrix_rate{};
  std::array<std::uint64_t, 7> quoted_rate{};
  Bytes memory;                   // of a rank
  std::uint64_t memory_rate = 0;  // of a rank, B/s
  MatrixEngine engine;
  Calibration calibration;
  std::string calibrated_as;  // the row of the table: "a100"
  bool measured = false;      // a public training step of this family was used
};

/// From the catalogue's rows of a preset; nothing if it has no figures of compute. `ranks_per_chip` ranks
/// share the chip.
std::optional<ChipMath> chip_math(std::string_view preset, std::uint32_t ranks_per_chip);

/// The formats a chip has, "bf16, fp8".
std::string formats_of(const ChipMath& chip);

/// `count` products of (m x k) by (k x n).
struct Product {
  std::uint64_t m = 0, n = 0, k = 0, count = 1;
  std::uint32_t result_bytes = 2;  // per element of the result, read and written if accumulated
};
Duration product_time(const ChipMath& chip, MathType type, const Product& product);

/// Fused attention of so many FLOPs.
Duration attention_time(const ChipMath& chip, MathType type, u128 flops);

/// Bytes that stream through memory, in `kernels` kernels.
Duration stream_time(const ChipMath& chip, u128 bytes, std::uint32_t kernels);

/// Bytes of one element, scales of a block of 32 included for the MX formats, in 1/32 B.
std::uint32_t element_32nds(MathType type);

}  // namespace tahoma
