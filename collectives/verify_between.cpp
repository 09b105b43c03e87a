// The proof of an exchange between sites of different hardware, by its roles: for every cell of the buffer
// and every two sites, the rank that holds the cell here sends it to the one that holds it there exactly
// once, to nobody else, and in a message that is large enough.
#include <fmt/format.h>

#include <map>
#include <numeric>

#include "collectives/between_sites.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 20;

/// How often each rank sends to each other, and the bytes of one message.
struct Sent {
  std::uint64_t messages = 0, bytes = 0;
};
using SentTo = std::map<std::pair<std::uint32_t, std::uint32_t>, Sent>;

SentTo sent_in(const Phase& phase) {
  SentTo sent;
  for (const Role& role : phase.roles) {
    for (std::uint32_t i = 0; i < role.count; ++i) {
      const std::uint32_t from = role.first + i * role.stride;
      for (const Lane& lane : role.lanes) {
        for (const Send& send : lane.sends) {
          Sent& entry = sent[{from, static_cast<std::uint32_t>(send.peer.value)}];
          entry.messages += send.reps;
          entry.bytes = send.bytes;
        }
      }
    }
  }
  return sent;
}

std::string fault_of(const Schedule& schedule, const Phase& phase, std::uint64_t shares,
                     std::uint64_t elements) {
  const SentTo sent = sent_in(phase);
  // Cells: (first coordinate, second coordinate), each up to the least common multiple over all sites.
  std::uint64_t chips = 1, domains = 1;
  for (const SchedulePart& part : schedule.parts) {
    chips = std::lcm(chips, std::uint64_t{part.domain});
    domains = std::lcm(domains, std::uint64_t{part.ranks / part.domain});
  }
  if (chips * domains > most_cells) return "too many cells to be proven one by one";
  const auto holder = [](const SchedulePart& part, std::uint64_t c, std::uint64_t d) {
    return part.first +
           static_cast<std::uint32_t>(c % part.domain + d % (part.ranks / part.domain) * part.domain);
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> cells;
  for (std::uint64_t c = 0; c < chips; ++c) {
    for (std::uint64_t d = 0; d < domains; ++d) {
      for (const SchedulePart& from : schedule.parts) {
        for (const SchedulePart& to : schedule.parts) {
          if (&from != &to) ++cells[{holder(from, c, d), holder(to, c, d)}];
        }
      }
    }
  }
  for (const auto& [pair, count] : cells) {
    const auto at = sent.find(pair);
    if (at == sent.end() || at->second.messages != 1)
      return fmt::format("rank {} sends what it shares with rank {} {} times", pair.first, pair.second,
                         at == sent.end() ? 0 : at->second.messages);
    // Of `shares` equal parts of all elements in these cells.
    const std::uint64_t bytes = at->second.bytes * shares * chips * domains;
    if (bytes < elements * count * schedule.element_bytes)
      return fmt::format("the message from rank {} to rank {} is too small", pair.first, pair.second);
  }
  for (const auto& [pair, unused] : sent) {
    if (!cells.contains(pair))
      return fmt::format("rank {} sends to rank {}, with which it shares nothing", pair.first, pair.second);
  }
  return {};
}

}  // namespace

std::string fault_between(const Schedule& schedule, std::size_t first, std::size_t count) {
  if (count != (schedule.parts.size() == 2 ? 1U : 2U)) return "not the phases of an exchange between sites";
  const std::uint64_t elements =
      ceil_div64(ceil_div64(ceil_div64(schedule.size.count, schedule.element_bytes), schedule.channels),
                 schedule.pipeline);
  for (std::size_t p = first; p < first + count; ++p) {
    const Phase& phase = schedule.phases[p];
    const bool adds = p == first;
    if ((phase.between_op == Op::reduce) != adds)
      return fmt::format("phase '{}' adds or copies wrongly", phase.name);
    const std::uint64_t shares = count == 1 ? 1 : schedule.parts.size();
    if (std::string fault = fault_of(schedule, phase, shares, elements); !fault.empty())
      return fmt::format("phase '{}': {}", phase.name, fault);
  }
  return {};
}

}  // namespace tahoma
