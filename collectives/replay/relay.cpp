#include "collectives/replay/relay.h"

#include <vector>

#include <fmt/format.h>

namespace tahoma {
namespace {

class Relay {
 public:
  Relay(const Phase& phase, const ReplayOrder& order, std::uint32_t part)
      : phase_(phase), order_(order), part_(part), arrived_(std::size_t{phase.positions} * phase.positions) {}

  std::string play() {
    contents_.resize(order_.messages.size());
    for (const std::uint32_t m : order_.by_part[part_]) {
      const Message& message = order_.messages[m];
      if (message.send->op != Op::copy) return fault(message, "reduces where a copy belongs");
      for (const std::uint32_t piece : message.pieces) contents_[m].push_back(source(message.from, piece, m));
      for (std::uint32_t place = 0; place < message.pieces.size(); ++place)
        arrived_[std::size_t{message.to} * phase_.positions + message.pieces[place]].push_back({m, place});
    }
    const std::uint32_t n = phase_.positions;
    for (std::uint32_t p = 0; p < n; ++p)
      for (std::uint32_t piece = 0; piece < n; ++piece)
        if (source(p, piece, everything) != (p + n - piece) % n)
          return fmt::format(
              "rank {}, part {}, piece {}: the contribution of rank {} is missing (after phase '{}')", p,
              part_, piece, (p + n - piece) % n, phase_.name);
    return {};
  }

 private:
  static constexpr std::uint32_t everything = ~0u;  // later than any message
  struct Arrived {
    std::uint32_t message, place;  // of the piece within it
  };

  /// Whose piece a rank holds there, of what message `later` is sure of.
  std::uint32_t source(std::uint32_t position, std::uint32_t piece, std::uint32_t later) const {
    std::uint32_t result = position, highest = 0;
    bool any = false;
    for (const Arrived& a : arrived_[std::size_t{position} * phase_.positions + piece]) {
      if (later != everything && !is_sure(order_, later, a.message)) continue;
      const std::uint32_t tag = order_.messages[a.message].send->tag;
      if (any && tag < highest) continue;
      any = true, highest = tag, result = contents_[a.message][a.place];
    }
    return result;
  }

  std::string fault(const Message& message, std::string_view what) const {
    return fmt::format("rank {}, part {}, piece {}: {} (message of rank {}, {}, phase '{}')", message.to,
                       part_, message.pieces.front(), what, message.from, to_string(message), phase_.name);
  }

  const Phase& phase_;
  const ReplayOrder& order_;
  std::uint32_t part_;
  std::vector<std::vector<Arrived>> arrived_;         // by position and piece
  std::vector<std::vector<std::uint32_t>> contents_;  // sources, by message
};

}  // namespace

std::string check_relay(const Phase& phase, const ReplayOrder& order) {
  if (pieces_per_part(phase) != phase.positions)
    return fmt::format("phase '{}' needs one piece per position", phase.name);
  for (std::uint32_t part = 0; part < phase.parts; ++part)
    if (std::string fault = Relay(phase, order, part).play(); !fault.empty()) return fault;
  return {};
}

}  // namespace tahoma
