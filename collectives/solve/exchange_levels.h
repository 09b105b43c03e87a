// An exchange without a clock: level after level of maxima and sums, where no receiver is asked for too much.
//
// If every message runs at the rate it has alone, with F = overhead + bytes / rate and D = F + latency,
//     begin(level, r)   = max( free(r), arrival(wait of the level, r) )
//     free(r)           = begin + F,      arrival(level, to(r)) = begin + D
// which is one pass over a few arrays, a few nanoseconds a message.
//
// Certificate. Messages arrive at a receiver one after another, or, where they overlap, at rates that fit its
// link together. By uniqueness of the trajectory (docs/decisions/0006-solvers.md) what is certified is the
// engine's answer; what is not says nothing.
// Limit: trunks are not looked at: where one may bind, there is no certificate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/solve/exchange.h"

namespace tahoma {

struct LevelScratch {
  std::vector<std::int64_t> arrival;  // [level x ranks + receiver]
  std::vector<std::int64_t> free, busy_until;
  std::vector<std::uint32_t> crossed;  // receivers whose messages did not come in the order of their levels
  std::vector<std::int64_t> hold;      // [level x ways + way]
};

/// False if receivers are contended: then `finish` is meaningless.
bool evaluate_levels(const ExchangeProgram& program, const ExchangeNetwork& network, Duration overhead,
                     std::span<const Time> ready, std::span<Time> finish, LevelScratch& scratch);

}  // namespace tahoma
