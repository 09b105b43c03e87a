// Why a rank of an exchange (exchange.h) finished when it did, from the arrivals of all its messages.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collectives/solve/exchange.h"

namespace tahoma {

struct ExchangeMessage {
  std::uint32_t from, to;   // ranks
  Time begin, end;          // end: when what it caused began
  bool delayed_by_arrival;  // that waited for its arrival; else for its sender's lane
};

/// Calls `add` for each message of the chain, latest first, and returns the rank that began without waiting.
/// `arrival`: by level x ranks + receiver, in ps, as evaluate_levels and simulate_star leave it.
std::uint32_t chain_in_exchange(const ExchangeProgram& program, const ExchangeNetwork& network,
                                std::span<const Time> ready, std::span<const std::int64_t> arrival,
                                std::uint32_t rank, Time finish,
                                const std::function<void(const ExchangeMessage&)>& add);

}  // namespace tahoma
