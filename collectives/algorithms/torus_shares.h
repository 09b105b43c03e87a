// How much of the buffer each dimension order of a torus should carry.
//
// Problem: a shard that is reduced along x, then y, then z loads x with (n_x - 1) / n_x of its size, y with
// 1 / n_x of that, and so on. Equal shards over all orders load all dimensions alike, which on unequal rates
// leaves the fast ones idle (0.52 of the bound where a single order is used, 0.75 with Z at half the rate).
// Idea: choose weights of the orders so that the dimensions' total loads are proportional to their rates;
// where that is impossible, so that the slowest is done as early as possible. That is a tiny linear program:
// enumerate its vertices exactly, in integers. Several mixtures are usually optimal; which of them can be
// *scheduled* without gaps is for the lane planner to say, so all of them are handed out, and blends of them.
// Limit: loads and rates are rounded to 12 bits (0.03 %); at most four dimensions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.h"

namespace tahoma {

inline constexpr std::size_t most_torus_dimensions = 4;

/// Dimensions by number, in the order in which a shard is reduced along them. All D! of them up to three
/// dimensions, the rotations of 0 1 2 3 and 3 2 1 0 in four.
using DimensionOrder = std::vector<std::uint8_t>;
std::vector<DimensionOrder> dimension_orders(std::size_t dimensions);

/// Weights by order; a share is weight / (sum of weights).
using OrderWeights = std::vector<std::uint32_t>;

/// All worth trying. The only one is "all alike" if that is optimal. `rates`: of all lanes of a dimension
/// together.
std::vector<OrderWeights> share_candidates(std::span<const DimensionOrder> orders,
                                           std::span<const std::uint32_t> sides,
                                           std::span<const Capacity> rates);

}  // namespace tahoma
