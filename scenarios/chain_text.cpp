#include "scenarios/chain_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/number_text.h"

namespace tahoma {

namespace {

constexpr std::size_t most_late_parts = 7, most_early_parts = 5;

std::string counted(std::uint64_t messages, std::string_view how) {
  return messages == 1 ? "1 message" : grouped(messages) + " messages " + std::string(how);
}

std::string part_text(const ChainPart& part, const Schedule& schedule, const Topology& topology) {
  const std::string from = topology.chip_name(part.from), to = topology.chip_name(part.to);
  std::string what;
  switch (part.kind) {
    case ChainPart::Kind::single:
      what = fmt::format("1 message, {} to {}", from, to);
      break;
    case ChainPart::Kind::relayed:
      what = fmt::format("{}, {} to {}", counted(part.messages, "passed on"), from, to);
      break;
    case ChainPart::Kind::queued:
      what = fmt::format("{}, {} the last to {}", counted(part.messages, "in a row"), from, to);
      break;
  }
  return fmt::format("{} in {}: {}", readable(part.end - part.begin), schedule.phases[part.phase].name, what);
}

}  // namespace

std::vector<std::string> chain_text(const CriticalChain& chain, const Schedule& schedule,
                                    const Topology& topology, Time start) {
  if (!chain.known) return {};
  std::vector<std::string> lines;
  const std::size_t parts = chain.parts.size();
  const bool is_long = parts > most_late_parts + most_early_parts + 1;
  for (std::size_t i = 0; i < parts; ++i) {
    if (is_long && i == most_late_parts) {
      const std::size_t next = parts - most_early_parts;
      lines.push_back(fmt::format("{} in {} more stretches of messages",
                                  readable(chain.parts[i].end - chain.parts[next].end), next - i));
      i = next;
    }
    lines.push_back(part_text(chain.parts[i], schedule, topology));
  }
  const Duration late = chain.origin_start - start;
  lines.push_back(fmt::format("{} before {} {}{}", late.ps == 0 ? "0 s" : readable(late),
                              topology.chip_name(chain.origin),
                              parts == 0 ? "is done, waiting for no message" : "begins",
                              late.ps > 0 && parts > 0 ? ", a straggler" : ""));
  if (chain.of_classes) lines.back() += " (a name stands for all ranks like it)";
  return lines;
}

std::vector<PhaseTime> chain_phases(const CriticalChain& chain, const Schedule& schedule) {
  if (!chain.known) return {};
  std::vector<Duration> time(schedule.phases.size());
  for (const ChainPart& part : chain.parts) time[part.phase] += part.end - part.begin;
  std::vector<PhaseTime> phases;
  for (std::size_t p = 0; p < time.size(); ++p) {
    if (time[p].ps == 0) continue;
    Level level = Level::chip;
    for (const std::uint8_t axis : schedule.phases[p].axes)
      level = std::max(level, axes_of(schedule, schedule.phases[p])[axis].level);
    phases.push_back({schedule.phases[p].name, std::string(name_of(level)), time[p]});
  }
  return phases;
}

}  // namespace tahoma
