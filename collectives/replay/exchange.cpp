#include "collectives/replay/exchange.h"

#include <vector>

#include <fmt/format.h>

namespace tahoma {
namespace {

class Deliveries {
 public:
  Deliveries(const Phase& phase, std::uint32_t part)
      : phase_(phase), part_(part), done_(std::size_t{phase.positions} * phase.positions, false) {}

  std::string add(const Message& message) {
    if (message.send->op != Op::copy)
      return fault(message, message.pieces.front(), "reduces where a copy belongs");
    for (const std::uint32_t piece : message.pieces) {
      const bool wanted = phase_.goal == PhaseGoal::all_to_all ? piece == message.to
                                                               : phase_.table[message.from] == message.to;
      if (!wanted) return fault(message, piece, "receives what is not meant for it");
    }
    if (phase_.goal == PhaseGoal::permute && message.pieces.size() != pieces_per_part(phase_))
      return fault(message, message.pieces.front(), "receives only a part of the buffer");
    auto done = done_[std::size_t{message.from} * phase_.positions + message.to];
    if (done) return fault(message, message.pieces.front(), "delivered twice");
    done = true;
    return {};
  }

  std::string missing() const {
    for (std::uint32_t from = 0; from < phase_.positions; ++from)
      for (std::uint32_t to = 0; to < phase_.positions; ++to) {
        const bool wanted = phase_.goal == PhaseGoal::all_to_all || phase_.table[from] == to;
        if (from != to && wanted && !done_[std::size_t{from} * phase_.positions + to])
          return fmt::format(
              "rank {}, part {}, piece {}: the contribution of rank {} is missing (after phase '{}')", to,
              part_, phase_.goal == PhaseGoal::all_to_all ? to : 0, from, phase_.name);
      }
    return {};
  }

 private:
  std::string fault(const Message& message, std::uint32_t piece, std::string_view what) const {
    return fmt::format("rank {}, part {}, piece {}: {} (message of rank {}, {}, phase '{}')", message.to,
                       part_, piece, what, message.from, to_string(message), phase_.name);
  }

  const Phase& phase_;
  std::uint32_t part_;
  std::vector<bool> done_;  // by sender and receiver
};

}  // namespace

std::string check_exchange(const Phase& phase, const ReplayOrder& order) {
  if (phase.goal == PhaseGoal::permute && phase.table.size() != phase.positions)
    return fmt::format("phase '{}' has no destination for some ranks", phase.name);
  for (std::uint32_t part = 0; part < phase.parts; ++part) {
    Deliveries deliveries(phase, part);
    for (const Message& message : order.messages) {
      if (part_of(*message.send, message.rep) != part) continue;
      if (std::string fault = deliveries.add(message); !fault.empty()) return fault;
    }
    if (std::string fault = deliveries.missing(); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace tahoma
