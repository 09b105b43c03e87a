#include "collectives/solve/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "collectives/solve/solve.h"
#include "core/errors.h"

namespace tahoma {

namespace {

// Adds `bytes`, spread evenly over [start, end), to the slices.
void spread_over(std::vector<double>& slices, Duration slice, Time start, Time end, double bytes) {
  const double begin = static_cast<double>(start.ps) / static_cast<double>(slice.ps);
  const double stop = std::max(begin, static_cast<double>(end.ps) / static_cast<double>(slice.ps));
  if (stop == begin) return;
  const auto last = std::min(static_cast<std::size_t>(stop), slices.size() - 1);
  for (auto s = static_cast<std::size_t>(begin); s <= last; ++s) {
    const double from = std::max(begin, static_cast<double>(s));
    const double to = std::min(stop, static_cast<double>(s) + 1);
    if (to > from) slices[s] += bytes * (to - from) / (stop - begin);
  }
}

// Bytes of all messages over all links of a tier, by what the links could have carried.
std::vector<TracedTier> tiers_of(const Instance& instance, const Topology& topology, const EngineTrace& trace,
                                 Duration slice, std::uint32_t slices) {
  std::map<std::uint32_t, double> capacity;  // bytes per second of all used links of the tier
  for (const Instance::Link& link : instance.links) {
    if (is_memory(link.id)) continue;  // of no tier
    capacity[topology.tier(link.id)] += bytes_per_second(link.capacity) * static_cast<double>(link.orbit);
  }
  std::map<std::uint32_t, std::vector<double>> carried;
  for (const auto& [tier, unused] : capacity) carried[tier].assign(slices, 0);
  const auto alike = static_cast<double>(instance.classes.orbit);
  const bool by_site = !instance.classes.parts.empty();  // then as many as the link's classes say
  for (const EngineTrace::Message& message : trace.messages) {
    const Instance::SendRow& row = instance.sends[message.row];
    const Instance::SendShape& shape = instance.shape(row);
    const std::uint64_t second = shape.ways == 2 ? shape.bytes / 2 : 0;
    for (std::uint32_t way = 0; way < shape.ways; ++way) {
      const Instance::Path& path = instance.paths[row.path + way];
      const double of_one = static_cast<double>(way == 0 ? shape.bytes - second : second);
      for (std::uint32_t i = path.first; i < path.first + path.count; ++i) {
        const LinkId link = instance.links[instance.path_links[i]].id;
        if (is_memory(link)) continue;
        const std::uint64_t like_it =
            std::uint64_t{instance.path_multiplicity[i]} * instance.links[instance.path_links[i]].orbit;
        const double bytes = of_one * (by_site ? static_cast<double>(like_it) : alike);
        spread_over(carried[topology.tier(link)], slice, message.start, message.left, bytes);
      }
    }
  }
  std::vector<TracedTier> tiers;
  for (auto& [tier, slices_of] : carried) {
    const double possible = capacity[tier] * seconds(slice);
    for (double& bytes : slices_of) bytes = std::min(1.0, bytes / possible);
    tiers.push_back({tier, std::move(slices_of)});
  }
  return tiers;
}

}  // namespace

Trace trace_of(const Problem& problem, std::uint32_t slices) {
  const DigitMask folded = foldable_digits(problem);
  const ExpansionSize size = expansion_size(problem, folded);
  if (size.messages > most_drawn) {
    throw InfeasibleError(fmt::format(
        "a trace of {} messages is too large to draw (limit: {}); what can be drawn is a smaller or "
        "a symmetric case, of which one rank of each class is enough",
        size.messages, most_drawn));
  }
  const ListedProblem listed(problem);
  const Instance instance = expand(listed.problem, folded);
  EngineTrace engine;
  const EngineResult run = run_engine(instance, *problem.topology, {}, &engine);
  Trace trace;
  trace.alike = instance.classes.orbit;
  Time last{1};
  for (const Time finish : run.node_finish) last = std::max(last, finish);
  trace.slice = {(last.ps + slices - 1) / slices};
  for (const EngineTrace::Message& message : engine.messages) {
    const Instance::SendRow& row = instance.sends[message.row];
    const Instance::Lane& lane = instance.lanes[message.lane];
    const Instance::Node& sender = instance.nodes[lane.node];
    trace.messages.push_back(
        {sender.program, instance.phase_of(row, lane.node), instance.classes.chip(sender.chip_class),
         instance.classes.chip(instance.nodes[row.target].chip_class), lane.channel,
         instance.shape(row).bytes, message.start, message.left, message.end, message.cause.message});
  }
  trace.tiers = tiers_of(instance, *problem.topology, engine, trace.slice, slices);
  return trace;
}

}  // namespace tahoma
