// Dimension-order routes through rings, lines, full meshes and switches: innermost dimension first.
//
//   ring    the shorter way; half-way round an even ring both are as short, and way 0 goes `plus` in all such
//           dimensions, way 1 `minus`: two ways, never 2^k, so that routing stays translation-invariant
//   line    the only way
//   full    one link
//   switch  up, then down
#pragma once

#include <cstdint>

#include "topology/geometry.h"
#include "topology/topology.h"

namespace tahoma {

/// Appends the links from `src` to `dst` over dimensions [first, last). True if some ring was half-way round,
/// so that the other way differs.
bool append_dimension_order(const Geometry& geometry, std::uint32_t first, std::uint32_t last, ChipId src,
                            ChipId dst, std::uint32_t way, Path& path);

}  // namespace tahoma
