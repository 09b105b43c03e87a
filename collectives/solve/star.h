// An exchange with contended receivers, message by message: the engine's rules in a narrower body.
//
// Problem: after a straggler, or with slow NICs, messages of neighbouring levels overlap at receivers, and
// rates depend on who is there when. The engine can do that at 2 us a message, most of it cache misses.
// Idea: a sender has one message at a time, so all there is to know of it fits a record of 64 bytes; a
// receiver's link is shared only by the few messages arriving there, so a change is settled among these; and
// a rank waits for exactly one thing at a time (to enter the network, or to have drained), so the future is
// one time per rank. Delivery is no event: when a message drains, its arrival is known, and the receiver's
// next entry with it.
//
//   senders          receiver         rates: max-min among those on the receiver's link, each capped by its
//     a ──┐                                  own sender's link: fractions compared exactly, shares rounded
//     b ──┼─▶ link ─▶ rank                   down, as in core/fair_share.h
//     c ──┘                           times: remaining work is never rounded, a rate that stays leaves the
//                                            finish alone, as in core/flow_network.h
//
// Where trunks join receivers (a leaf that lost an uplink), the joined ones are settled together, by
// core/fair_share itself.
//
// Exact: the same times as the engine's on every rank, which the tests compare. Premises: exchange.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/solve/exchange.h"

namespace tahoma {

struct StarCost {
  std::uint64_t events = 0, solves = 0;
};

/// `arrival` is scratch space.
void simulate_star(const ExchangeProgram& program, const ExchangeNetwork& network, Duration overhead,
                   std::span<const Time> ready, std::span<Time> finish, std::vector<std::int64_t>& arrival,
                   StarCost& cost);

}  // namespace tahoma
