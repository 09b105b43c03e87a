#include "collectives/msccl_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "collectives/importers/msccl.h"
#include "collectives/replay/holdings.h"
#include "collectives/replay/order.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint32_t most_ranks = 1024;

struct StepId {
  std::uint32_t block = 0, step = 0;
  auto operator<=>(const StepId&) const = default;
};

struct Gpu {
  std::vector<Msccl::Block> blocks;
  std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, std::uint32_t> block_of;  // (sends, peer, channel)
  std::map<std::uint32_t, StepId> written, read;  // the last step to do so, by chunk
};

struct Range {
  std::uint32_t first, count;
};

[[noreturn]] void refuse(const Schedule& schedule, const std::string& why) {
  throw InfeasibleError(
      fmt::format("{} cannot be said in MSCCL XML: {}; what can be said is such as ring, "
                  "halving_doubling over a power of two, torus_sequential, or direct",
                  schedule.algorithm, why));
}

class MscclWriter {
 public:
  explicit MscclWriter(const Schedule& schedule)
      : schedule_(schedule),
        exchange_(schedule.collective == Collective::all_to_all ||
                  schedule.collective == Collective::permute),
        gpus_(schedule.ranks) {}

  std::string write() {
    check();
    for (std::uint32_t copy = 0; copy < schedule_.channels; ++copy) {
      scattered_.assign(schedule_.axes.size(), schedule_.collective == Collective::all_gather);
      for (const Phase& phase : schedule_.phases) add_phase(phase, copy);
    }
    return to_xml(algorithm());
  }

 private:
  void check() const {
    if (schedule_.ranks > most_ranks)
      refuse(schedule_, fmt::format("it has {} ranks (limit: {})", schedule_.ranks, most_ranks));
    constexpr std::array known{Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                               Collective::all_to_all, Collective::permute};
    if (std::find(known.begin(), known.end(), schedule_.collective) == known.end())
      refuse(schedule_, fmt::format("{} is none of its collectives", name_of(schedule_.collective)));
    if (schedule_.pipeline != 1) refuse(schedule_, "its buffer is cut by pipeline (set it to 1)");
    for (const Phase& phase : schedule_.phases) {
      if (phase.unlisted != 0) refuse(schedule_, "its messages are not listed");
      if (phase.has_switch) refuse(schedule_, "its switch adds up what passes through it");
      if (phase.parts != 1)
        refuse(schedule_, fmt::format("phase '{}' has {} parts", phase.name, phase.parts));
      if (!exchange_ && pieces_per_part(phase) != phase.positions)
        refuse(schedule_, fmt::format("phase '{}' has pieces that are no chunks of one rank", phase.name));
    }
  }

  void add_phase(const Phase& phase, std::uint32_t copy) {
    const ReplayOrder order = replay_order(phase, schedule_.axes);
    TAHOMA_ASSERT(order.fault.empty(), "a schedule that cannot be sent: " + order.fault);
    std::uint32_t lanes = 1;
    for (const Message& message : order.messages) lanes = std::max(lanes, message.channel + 1u);
    channels_ = std::max(channels_, lanes * schedule_.channels);
    const auto members = offsets_along(schedule_.axes, phase.axes);
    std::vector<bool> seen(schedule_.ranks, false);
    for (std::uint32_t base = 0; base < schedule_.ranks; ++base) {
      if (seen[base]) continue;
      for (const std::uint32_t member : members) seen[base + member] = true;
      for (const Message& message : order.messages) {
        const std::uint32_t from = base + members[message.from], to = base + members[message.to];
        for (const Range& range : ranges(phase, message, base, from))
          add_message(message, from, to, range, copy * lanes + message.channel, copy);
      }
    }
    for (const std::uint8_t axis : phase.axes) {
      if (phase.goal == PhaseGoal::reduce_scatter) scattered_[axis] = true;
      if (phase.goal == PhaseGoal::all_gather) scattered_[axis] = false;
    }
  }

  // The chunks (one per rank) of a message's pieces, as few ranges as possible.
  std::vector<Range> ranges(const Phase& phase, const Message& message, std::uint32_t base,
                            std::uint32_t from) const {
    std::vector<std::uint32_t> chunks;
    if (exchange_) {
      const bool whole = schedule_.collective == Collective::permute;
      if (!whole && message.pieces.size() != 1)
        refuse(schedule_, "its messages pass on pieces of other ranks");
      chunks.push_back(whole ? 0 : from);
    } else {
      std::vector<std::uint8_t> beside;
      std::uint32_t fixed = 0, stride = 1;
      for (std::size_t axis = 0; axis < schedule_.axes.size(); ++axis) {
        const std::uint32_t size = schedule_.axes[axis].size;
        const auto a = static_cast<std::uint8_t>(axis);
        if (std::find(phase.axes.begin(), phase.axes.end(), a) == phase.axes.end()) {
          if (scattered_[axis]) fixed += base / stride % size * stride;
          if (!scattered_[axis]) beside.push_back(a);
        }
        stride *= size;
      }
      const auto piece_start = offsets_along(schedule_.axes, phase.axes);
      for (const std::uint32_t inside : offsets_along(schedule_.axes, beside)) {
        for (const std::uint32_t piece : message.pieces)
          chunks.push_back(fixed + piece_start[piece] + inside);
      }
    }
    std::sort(chunks.begin(), chunks.end());
    std::vector<Range> result;
    for (const std::uint32_t chunk : chunks) {
      const bool follows = !result.empty() && result.back().first + result.back().count == chunk;
      if (follows && schedule_.channels == 1) {
        ++result.back().count;
      } else {
        result.push_back({chunk, 1});
      }
    }
    return result;
  }

  void add_message(const Message& message, std::uint32_t from, std::uint32_t to, const Range& range,
                   std::uint32_t channel, std::uint32_t copy) {
    const bool reduce = message.send->op == Op::reduce;
    const char input = in_place() == 'o' ? 'o' : 'i';
    // An exchange reads the chunk for its receiver and writes the one of its sender.
    const std::uint32_t source =
        exchange_ ? (schedule_.collective == Collective::permute ? 0 : to) : range.first;
    const std::uint32_t first_source = source * schedule_.channels + copy;
    const std::uint32_t first_target = range.first * schedule_.channels + copy;
    std::set<StepId> before;
    Gpu& sender = gpus_[from];
    if (!exchange_) collect(sender.written, first_source, range.count, before);
    const StepId sent = add_step(
        sender, {true, to, channel},
        step_of(Msccl::Type::send, input, exchange_ ? 'o' : input, first_source, first_target, range.count),
        before);
    if (!exchange_) note(sender.read, first_source, range.count, sent);
    Gpu& receiver = gpus_[to];
    before.clear();
    if (!exchange_) {
      collect(receiver.written, first_target, range.count, before);
      collect(receiver.read, first_target, range.count, before);
    }
    const StepId received =
        add_step(receiver, {false, from, channel},
                 step_of(reduce ? Msccl::Type::reduce_copy : Msccl::Type::receive, input,
                         exchange_ ? 'o' : input, first_source, first_target, range.count),
                 before);
    if (!exchange_) note(receiver.written, first_target, range.count, received);
  }

  static Msccl::Step step_of(Msccl::Type type, char source, char target, std::uint32_t source_chunk,
                             std::uint32_t target_chunk, std::uint32_t count) {
    Msccl::Step step;
    step.type = type;
    step.source = source;
    step.target = target;
    step.source_chunk = source_chunk;
    step.target_chunk = target_chunk;
    step.count = count;
    return step;
  }

  static void collect(const std::map<std::uint32_t, StepId>& last, std::uint32_t first, std::uint32_t count,
                      std::set<StepId>& steps) {
    for (auto at = last.lower_bound(first); at != last.end() && at->first < first + count; ++at)
      steps.insert(at->second);
  }
  static void note(std::map<std::uint32_t, StepId>& last, std::uint32_t first, std::uint32_t count,
                   StepId step) {
    for (std::uint32_t chunk = first; chunk < first + count; ++chunk) last[chunk] = step;
  }

  static Msccl::Step waiting(Msccl::Step step, const StepId& id) {
    step.waits_block = id.block;
    step.waits_step = id.step;
    return step;
  }

  StepId add_step(Gpu& gpu, const std::tuple<bool, std::uint32_t, std::uint32_t>& place, Msccl::Step step,
                  std::set<StepId> before) {
    const auto [at, fresh] = gpu.block_of.try_emplace(place, static_cast<std::uint32_t>(gpu.blocks.size()));
    if (fresh) {
      Msccl::Block block;
      (std::get<0>(place) ? block.send : block.receive) = std::get<1>(place);
      block.channel = std::get<2>(place);
      gpu.blocks.push_back(block);
    }
    Msccl::Block& block = gpu.blocks[at->second];
    // A block does its steps in order, and of another block's steps the last one stands for those before it.
    std::map<std::uint32_t, std::uint32_t> last;
    for (const StepId& id : before) {
      if (id.block != at->second) last[id.block] = std::max(last[id.block], id.step);
    }
    for (const auto& [other, number] : last) gpu.blocks[other].steps[number].is_waited_for = true;
    while (last.size() > 1) {
      const StepId id{last.begin()->first, last.begin()->second};
      block.steps.push_back(waiting(step_of(Msccl::Type::nop, step.source, step.target, 0, 0, 0), id));
      last.erase(last.begin());
    }
    if (!last.empty()) {
      step = waiting(step, {last.begin()->first, last.begin()->second});
    }
    block.steps.push_back(step);
    return {at->second, static_cast<std::uint32_t>(block.steps.size() - 1)};
  }

  // Where the result is: an all_gather's ranks begin with their chunk in place.
  char in_place() const { return schedule_.collective == Collective::all_gather ? 'o' : 'i'; }

  std::string_view collective() const {
    switch (schedule_.collective) {
      case Collective::all_reduce:
        return "allreduce";
      case Collective::all_gather:
        return "allgather";
      case Collective::reduce_scatter:
        return "reducescatter";
      case Collective::all_to_all:
        return "alltoall";
      default:
        return "custom";
    }
  }

  Msccl algorithm() const {
    const std::uint32_t of_rank =
        exchange_ && schedule_.collective == Collective::permute ? 1 : schedule_.ranks;
    const std::uint32_t chunks = of_rank * schedule_.channels;
    const bool in_o = in_place() == 'o';
    Msccl out;
    out.name = schedule_.algorithm;
    std::replace_if(
        out.name.begin(), out.name.end(), [](char c) { return c == ' ' || c == ':' || c == ','; }, '_');
    out.channels = channels_;
    out.chunks = chunks;
    out.collective = collective();
    out.in_place = !exchange_;
    out.out_of_place = exchange_;
    for (std::uint32_t rank = 0; rank < schedule_.ranks; ++rank) {
      Msccl::Gpu gpu;
      gpu.input_chunks = in_o ? 0 : chunks;
      gpu.output_chunks = in_o || exchange_ ? chunks : 0;
      gpu.blocks = gpus_[rank].blocks;
      if (schedule_.collective == Collective::all_to_all) gpu.blocks.push_back(stays_at_home(rank));
      out.gpus.push_back(std::move(gpu));
    }
    return out;
  }

  Msccl::Block stays_at_home(std::uint32_t rank) const {
    Msccl::Block block;
    for (std::uint32_t copy = 0; copy < schedule_.channels; ++copy) {
      const std::uint32_t chunk = rank * schedule_.channels + copy;
      block.steps.push_back(step_of(Msccl::Type::copy, 'i', 'o', chunk, chunk, 1));
    }
    return block;
  }

  const Schedule& schedule_;
  const bool exchange_;
  std::uint32_t channels_ = 1;
  std::vector<Gpu> gpus_;
  std::vector<bool> scattered_;  // by axis: a rank holds the chunks of its own coordinate only
};

}  // namespace

std::string msccl_text(const Schedule& schedule) {
  if (!schedule.parts.empty()) refuse(schedule, "its sites do not do the same");
  return MscclWriter(schedule).write();
}

}  // namespace tahoma
