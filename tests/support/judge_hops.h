// The judge's reading of links that store and forward: what is left of a message's way, and who waits before
// which link.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>

#include "tests/support/judge_program.h"

namespace tahoma::judge {

struct Journey {
  std::deque<Path> stretches;  // to come; crossed one after another
  std::uint64_t bytes;
  ChipId source;
  Precedence precedence;
  std::array<std::size_t, 2> last_word;  // way, message
  std::function<void()> left, arrived;   // the sender, the receiver
};

/// Before a link that stores: (arrival, precedence seen from the link's chip, last word) -> who waits.
struct Door {
  std::map<std::tuple<Number, Precedence, std::array<std::size_t, 2>>, std::shared_ptr<Journey>> queue;
  bool busy = false;
};

/// A link that stores by itself, others with all that follow. The receiver's memory, the last `memories` of
/// the links, is crossed with the one before.
std::deque<Path> stretches_of(const Path& path, std::size_t memories, const Topology& topology);

/// The journey's precedence with its source as seen from the chip of the link, digit by digit.
Precedence seen_from(LinkId link, const Journey& journey, const Topology& topology);

}  // namespace tahoma::judge
