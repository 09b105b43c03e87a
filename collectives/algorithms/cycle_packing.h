// As many rings as possible at once through a few ranks that are joined by direct links, a link to a ring.
//
// Problem: a server without switches (DGX-1: 16 pairs of V100 with one or two NVLinks) is as fast as the
// number of rings that fit on its links side by side, and which ranks take part decides that number: 2, 3 and
// 4 of its GPUs hold 1, 2 and 4 directed rings, 8 of them 6. Idea: search. An undirected cycle through all
// ranks takes a link of each pair it passes and is two rings, one each way round; two ranks have one ring per
// link. The search goes deep first in the order of the ranks and from the most cycles that could fit (half
// the links of the rank that has the fewest) downwards, so the answer is always the same. Limit: a number of
// steps, after which the most found so far are taken; graphs of 16 ranks and 8 links each are within it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tahoma {

/// `links`: n x n, links between ranks a and b at a * n + b, symmetric. Each cycle is the ranks in its order,
/// from rank 0. For two ranks: one cycle per link. Empty if no cycle passes all.
std::vector<std::vector<std::uint32_t>> pack_cycles(std::span<const std::uint32_t> links, std::uint32_t n);

}  // namespace tahoma
