#include "collectives/between_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "collectives/groups.h"
#include "core/errors.h"

namespace tahoma {

namespace {

// Roles of more messages than this are left out; a fold needs none.
constexpr std::uint64_t most_spelled_out = std::uint64_t{1} << 20;
constexpr std::uint64_t most_channels = std::uint64_t{1} << 16;

std::uint32_t domains_of(const SchedulePart& part) {
  return part.ranks / part.domain;
}

struct Exchange {
  PhaseGoal goal;
  Op op;
  std::uint64_t shares;  // of each cell, of which one message carries one
};

// Lane k of a rank goes to its k-th peer, site by site.
void spell_out(const std::vector<SchedulePart>& parts, Phase& phase) {
  std::uint64_t messages = 0, channels = 0;
  for (const SchedulePart& from : parts) {
    std::uint64_t of_a_rank = 0;
    for (const SchedulePart& to : parts) of_a_rank += &from == &to ? 0 : Meeting(from, to).peers();
    messages += of_a_rank * from.ranks;
    channels = std::max(channels, of_a_rank);
  }
  if (messages > most_spelled_out || channels > most_channels) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::uint32_t position = 0; position < parts[i].ranks; ++position) {
      Role role{parts[i].first + position, 1, 1, {}};
      for (std::size_t j = 0; j < parts.size(); ++j) {
        if (i == j) continue;
        const Meeting meeting(parts[i], parts[j]);
        for (std::uint32_t k = 0; k < meeting.peers(); ++k) {
          Send send;
          send.peer.kind = Peer::Kind::absolute;
          send.peer.value = parts[j].first + meeting.peer(position, k);
          send.bytes = phase.between_bytes[i * parts.size() + j];
          send.op = phase.between_op;
          role.lanes.push_back({static_cast<std::uint16_t>(role.lanes.size()), {std::move(send)}});
        }
      }
      phase.roles.push_back(std::move(role));
    }
  }
}

Phase exchange_phase(const std::vector<SchedulePart>& parts, std::uint64_t elements,
                     std::uint64_t element_bytes, const Exchange& exchange) {
  Phase phase;
  phase.name = fmt::format("{} between sites, direct", name_of(exchange.goal));
  phase.goal = exchange.goal;
  phase.axes = {0};
  phase.positions = 0;
  for (const SchedulePart& part : parts) phase.positions += part.ranks;
  phase.pieces = 1;
  phase.between_op = exchange.op;
  for (const SchedulePart& from : parts) {
    for (const SchedulePart& to : parts) {
      const bool own = &from == &to;
      const std::uint64_t cell =
          own ? 0 : ceil_div64(ceil_div64(elements, Meeting(from, to).cells()), exchange.shares);
      phase.between_bytes.push_back(cell * element_bytes);
    }
  }
  phase.piece_bytes = {*std::max_element(phase.between_bytes.begin(), phase.between_bytes.end())};
  spell_out(parts, phase);
  return phase;
}

// One label where all sites do the same.
std::string label_of(const std::vector<SchedulePart>& parts, const std::vector<std::string>& labels) {
  const bool same = std::all_of(labels.begin(), labels.end(),
                                [&](const std::string& label) { return label == labels.front(); });
  std::string text;
  for (std::size_t i = 0; i < (same ? 1 : parts.size()); ++i)
    text += same ? labels[0] : fmt::format("{}site {} ({})", i > 0 ? ", " : "", parts[i].name, labels[i]);
  return text + ", between sites: direct";
}

}  // namespace

Meeting::Meeting(const SchedulePart& from, const SchedulePart& to)
    : from_domain_(from.domain),
      to_domain_(to.domain),
      common_chips_(std::gcd(from.domain, to.domain)),
      common_domains_(std::gcd(domains_of(from), domains_of(to))),
      chip_peers_(to.domain / common_chips_),
      domain_peers_(domains_of(to) / common_domains_),
      cells_(std::uint64_t{from.ranks} * chip_peers_ * domain_peers_) {}

std::uint32_t Meeting::peer(std::uint32_t position, std::uint32_t k) const {
  const std::uint32_t chip = position % from_domain_, domain = position / from_domain_;
  return chip % common_chips_ + k % chip_peers_ * common_chips_ +
         (domain % common_domains_ + k / chip_peers_ * common_domains_) * to_domain_;
}

std::vector<SchedulePart> parts_of(const Topology& topology) {
  std::vector<SchedulePart> parts;
  for (const TopologyPart& part : topology.parts()) {
    const RankGroups ranks = RankGroups::all(*part.inside);
    parts.push_back({part.name, part.first, ranks.size(), part.domain_chips, ranks.axes()});
  }
  return parts;
}

std::vector<Phase> phases_between(const std::vector<SchedulePart>& parts, std::uint64_t elements,
                                  std::uint64_t element_bytes) {
  if (parts.size() == 2)
    return {exchange_phase(parts, elements, element_bytes, {PhaseGoal::all_reduce, Op::reduce, 1})};
  return {
      exchange_phase(parts, elements, element_bytes, {PhaseGoal::reduce_scatter, Op::reduce, parts.size()}),
      exchange_phase(parts, elements, element_bytes, {PhaseGoal::all_gather, Op::copy, parts.size()})};
}

Schedule make_mixed_schedule(const ScheduleRequest& request, const std::vector<SchedulePart>& parts,
                             const std::vector<SitePlan>& plans) {
  if (request.collective != Collective::all_reduce) {
    throw InfeasibleError(
        fmt::format("{} over levels is not built for sites of different hardware; all_reduce is, and any "
                    "collective by one algorithm for all ranks",
                    name_of(request.collective)));
  }
  Schedule schedule;
  schedule.collective = request.collective;
  schedule.axes = request.axes;
  for (const Axis& axis : request.axes) schedule.ranks *= axis.size;
  schedule.size = request.size;
  schedule.element_bytes = request.element_bytes;
  schedule.pipeline = std::max<std::uint32_t>(1, request.pipeline);
  schedule.channels = request.channels;
  schedule.parts = parts;
  std::vector<std::string> labels;
  std::vector<std::vector<Phase>> gathers;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    ScheduleRequest inside = request;
    inside.axes = parts[p].axes;
    inside.levels = plans[p].levels;
    inside.overhead = plans[p].overhead;
    for (const Collective half : {Collective::reduce_scatter, Collective::all_gather}) {
      inside.collective = half;
      Schedule made = make_schedule(inside);
      for (Phase& phase : made.phases) {
        phase.part = static_cast<std::uint8_t>(p);
        phase.name = fmt::format("site {}: {}", parts[p].name, phase.name);
      }
      if (half == Collective::all_gather) {
        labels.push_back(made.algorithm);
        gathers.push_back(std::move(made.phases));
        continue;
      }
      std::move(made.phases.begin(), made.phases.end(), std::back_inserter(schedule.phases));
    }
  }
  const std::uint64_t elements = ceil_div64(request.size.count, request.element_bytes);
  const std::uint64_t of_a_chunk = ceil_div64(ceil_div64(elements, request.channels), schedule.pipeline);
  for (Phase& phase : phases_between(parts, of_a_chunk, request.element_bytes))
    schedule.phases.push_back(std::move(phase));
  for (std::vector<Phase>& phases : gathers)
    std::move(phases.begin(), phases.end(), std::back_inserter(schedule.phases));
  schedule.algorithm = label_of(parts, labels);
  return schedule;
}

}  // namespace tahoma
