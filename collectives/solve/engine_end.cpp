// What is left to do when nothing moves any more: bytes per link, physics, and who waits for whom.
#include <fmt/format.h>

#include <algorithm>

#include "collectives/solve/engine_state.h"
#include "core/errors.h"

namespace tahoma::engine {

// Every message has been sent once by now, so the bytes follow from the program.
void Engine::account_links() {
  result_.link_bytes.assign(in_.links.size(), 0);
  const auto carry = [&](std::uint32_t path_number, std::uint64_t bytes) {
    const Instance::Path& path = in_.paths[path_number];
    for (std::uint32_t i = path.first; i < path.first + path.count; ++i) {
      result_.link_bytes[in_.path_links[i]] += bytes * in_.path_multiplicity[i];
    }
  };
  for (const Instance::SendRow& row : in_.sends) {
    const Instance::SendShape& shape = in_.shape(row);
    const std::uint64_t second = shape.ways == 2 ? shape.bytes / 2 : 0;
    carry(row.path, (shape.bytes - second) * shape.reps);
    if (second > 0) carry(row.path + 1, second * shape.reps);
  }
  for (const Instance::FlowRow& flow : in_.flows) carry(flow.path, flow.bytes.count);
}

// Physics never loses: no link has carried more than it can in the time there was.
void Engine::check_physics() const {
  Time last{};
  for (const Time t : result_.program_finish) last = std::max(last, t);
  for (const Time t : result_.flow_finish) last = std::max(last, t);
  for (std::size_t l = 0; l < in_.links.size(); ++l) {
    const u128 carried = work_of(Bytes{result_.link_bytes[l]}).units;
    const u128 able = in_.links[l].capacity.q20 * static_cast<u128>(last.ps);
    TAHOMA_ASSERT(carried <= able,
                  "a link carried more than it can: " + topology_.link_name(in_.links[l].id));
  }
}

void Engine::deadlock() const {
  std::string who;
  std::size_t named = 0;
  for (std::uint32_t lane = 0; lane < in_.lanes.size() && named < 5; ++lane) {
    const LaneState& state = lanes_[lane];
    if (state.send == none || !state.watching) continue;
    const Instance::Lane& l = in_.lanes[lane];
    const Instance::SendShape& shape = in_.shape(in_.sends[state.send]);
    for (std::uint32_t w = 0; w < shape.waits; ++w) {
      const Instance::WaitRow& wait = in_.wait(shape, w);
      const std::uint32_t needed = wait.count + wait.per_rep * state.rep;
      const std::uint32_t has = counters_[wait.counter + state.node].count;
      if (has >= needed) continue;
      who += fmt::format("{}class {} of program {}, lane {}, send {}: waits for {} messages, has {}",
                         named == 0 ? "" : "; ", in_.nodes[l.node].chip_class, in_.nodes[l.node].program,
                         l.channel, (state.send - l.first_send) / l.stride, needed, has);
      ++named;
      break;
    }
  }
  throw InfeasibleError("the run cannot finish: " +
                        (who.empty() ? "ranks wait for messages nobody sends" : who));
}

}  // namespace tahoma::engine
