// Schedule x groups x topology -> flat arrays for the engine, for all ranks or one per class.
#include <boost/unordered/unordered_flat_map.hpp>

#include "collectives/solve/instance.h"
#include "collectives/solve/phase_positions.h"
#include "core/errors.h"

namespace tahoma {

namespace {

using expansion::inner_position;
using expansion::outer_position;
using expansion::PhaseShape;

constexpr std::uint32_t nowhere = ~0u;

struct Member {
  std::uint32_t group, position;
  ChipId chip;
};

// The switch of a phase is played by the rank at position 0, on lanes of its own.
enum class Sender : std::uint8_t { rank, network_switch };
// What of a route a message uses: all of it, or the way up to the switch, or the way down from it.
enum class Leg : std::uint8_t { whole, up, down };

class Expansion {
 public:
  Expansion(const Problem& problem, DigitMask folded) : problem_(problem), folded_(folded) {
    out_.classes = chip_classes(*problem.topology, folded);
    out_.chips = out_.classes.count;
    out_.overhead = problem.overhead;
    out_.reduction_rate = problem.reduction_rate;
  }

  Instance make() {
    const ExpansionSize size = expansion_size(problem_, folded_);
    out_.sends.reserve(size.send_rows);
    out_.paths.reserve(size.send_rows);
    out_.path_links.reserve(3 * size.send_rows);
    out_.path_multiplicity.reserve(3 * size.send_rows);
    out_.crossing.reserve(2 * size.send_rows);
    for (const Program& program : problem_.programs) add_program(program);
    for (const PlainFlow& flow : problem_.flows) {
      out_.flows.push_back({add_path(flow.links, flow.latency, flow.cap), flow.bytes, flow.start});
    }
    out_.counters = counters_;
    return std::move(out_);
  }

 private:
  void add_program(const Program& program);
  std::vector<Member> canonical_members(const RankGroups& groups) const;
  void add_nodes(const Program& program, const std::vector<Member>& members);
  void add_lanes(const Program& program, const Member& member, std::uint32_t node);
  void add_lane(const Program& program, const Member& member, std::uint32_t node, std::uint32_t phase_index,
                std::uint32_t copy, const Lane& lane, Sender sender);
  void add_send(const Program& program, const Member& member, std::uint32_t node, std::uint32_t phase_index,
                std::uint32_t stage, const Send& send, Sender sender);
  ChipId chip_at(const Program& program, const Member& member, std::uint32_t phase_index,
                 std::uint32_t inner) const;
  std::uint32_t add_path(const std::vector<LinkId>& links, Duration latency, Rate cap);
  struct KnownPath;
  KnownPath path_to(ChipId source, ChipId target, Leg leg, const Phase& phase, Op op);
  void cut_to(Leg leg, ChipId source, ChipId target);
  std::uint32_t link_number(LinkId id);
  Duration delay_of(ChipId chip) const;

  const Problem& problem_;
  DigitMask folded_;
  Instance out_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> link_numbers_;
  std::vector<std::uint32_t> node_of_class_;  // of the program being added
  std::vector<PhaseShape> shapes_;            // likewise
  std::vector<std::uint32_t> tag_base_;       // likewise, per phase, within a chunk
  std::uint32_t tags_ = 0;                    // likewise, of a chunk
  std::vector<std::uint32_t> counter_base_;   // per node
  std::uint32_t counters_ = 0;
  // The paths of the member being added: its phases meet the same peers again.
  struct KnownPath {
    ChipId source, target;
    std::uint32_t lane, touches, path, ways;
    Leg leg;
    bool paired;
  };
  static constexpr std::size_t most_known_paths = 64;
  std::vector<KnownPath> known_paths_;
  std::uint32_t lane_number_ = 0;
  Route route_;
};

Duration Expansion::delay_of(ChipId chip) const {
  const auto& delays = problem_.delays;
  const auto at = std::lower_bound(delays.begin(), delays.end(), chip,
                                   [](const ChipDelay& d, ChipId c) { return d.chip < c; });
  return at != delays.end() && at->chip == chip ? at->delay : Duration{};
}

std::vector<Member> Expansion::canonical_members(const RankGroups& groups) const {
  std::vector<Member> members;
  if (folded_ == 0) {
    members.reserve(groups.ranks());
    for (std::uint32_t g = 0; g < groups.groups(); ++g) {
      for (std::uint32_t p = 0; p < groups.size(); ++p) members.push_back({g, p, groups.chip(g, p)});
    }
    return members;
  }
  const auto pinned = [&](const RankGroups::DigitAxis& axis) { return (folded_ >> axis.digit & 1) != 0; };
  const auto coordinates = [&](const std::vector<RankGroups::DigitAxis>& axes) {
    std::vector<std::uint32_t> result{0};
    std::uint32_t place = 1;
    for (const auto& axis : axes) {
      const std::size_t before = result.size();
      for (std::uint32_t c = 1; c < axis.size && !pinned(axis); ++c) {
        for (std::size_t i = 0; i < before; ++i) result.push_back(result[i] + c * place);
      }
      place *= axis.size;
    }
    return result;
  };
  for (const std::uint32_t g : coordinates(groups.outside())) {
    for (const std::uint32_t p : coordinates(groups.inside())) members.push_back({g, p, groups.chip(g, p)});
  }
  return members;
}

void Expansion::add_nodes(const Program& program, const std::vector<Member>& members) {
  const Schedule& schedule = *program.schedule;
  const auto phases = static_cast<std::uint32_t>(schedule.phases.size());
  const std::uint32_t opens = phases == 0 ? 0 : schedule.channels * schedule.pipeline;
  node_of_class_.assign(out_.classes.count, nowhere);
  for (const Member& member : members) {
    const auto node = static_cast<std::uint32_t>(out_.nodes.size());
    const std::uint32_t chip_class = out_.classes.of(member.chip);
    TAHOMA_ASSERT(node_of_class_[chip_class] == nowhere, "a chip is twice in one collective");
    node_of_class_[chip_class] = node;
    const auto first_stage = static_cast<std::uint32_t>(out_.stages.size());
    out_.nodes.push_back({static_cast<std::uint32_t>(out_.programs.size() - 1), first_stage, opens * phases,
                          opens, phases, delay_of(member.chip), chip_class});
    counter_base_.push_back(counters_);
    counters_ += opens * tags_;
    for (std::uint32_t i = 0; i < opens; ++i) {
      for (std::uint32_t j = 0; j < phases; ++j) {
        Instance::Stage stage;
        stage.next = j + 1 < phases ? first_stage + i * phases + j + 1 : Instance::no_stage;
        stage.node = node;
        out_.stages.push_back(stage);
      }
    }
  }
}

void Expansion::add_program(const Program& program) {
  const Schedule& schedule = *program.schedule;
  TAHOMA_ASSERT(schedule.ranks == program.groups->size(), "a schedule for another number of ranks");
  shapes_.clear();
  tag_base_.clear();
  tags_ = 0;
  for (const Phase& phase : schedule.phases) {
    shapes_.push_back(expansion::shape_of(schedule, phase));
    tag_base_.push_back(tags_);
    tags_ += phase.tags;
  }
  const std::vector<Member> members = canonical_members(*program.groups);
  const auto first_node = static_cast<std::uint32_t>(out_.nodes.size());
  out_.programs.push_back({first_node, static_cast<std::uint32_t>(members.size()), program.job, program.rule,
                           program.start, program.after});
  add_nodes(program, members);
  for (std::uint32_t i = 0; i < members.size(); ++i) add_lanes(program, members[i], first_node + i);
}

void Expansion::add_lanes(const Program& program, const Member& member, std::uint32_t node) {
  const Schedule& schedule = *program.schedule;
  const auto phases = static_cast<std::uint32_t>(schedule.phases.size());
  known_paths_.clear();
  for (std::uint32_t copy = 0; copy < schedule.channels; ++copy) {
    for (std::uint32_t j = 0; j < phases; ++j) {
      const Phase& phase = schedule.phases[j];
      const std::uint32_t inner = inner_position(shapes_[j], member.position);
      const auto first_lane = static_cast<std::uint32_t>(out_.lanes.size());
      if (const Role* role = expansion::role_of(phase, shapes_[j], inner)) {
        for (const Lane& lane : role->lanes) add_lane(program, member, node, j, copy, lane, Sender::rank);
      }
      const bool plays_switch = phase.has_switch && inner == 0;
      if (const Role* role =
              plays_switch ? expansion::role_of(phase, shapes_[j], phase.positions) : nullptr) {
        for (const Lane& lane : role->lanes)
          add_lane(program, member, node, j, copy, lane, Sender::network_switch);
      }
      for (std::uint32_t chunk = 0; chunk < schedule.pipeline; ++chunk) {
        Instance::Stage& stage =
            out_.stages[out_.nodes[node].first_stage + (copy * schedule.pipeline + chunk) * phases + j];
        stage.first_lane = first_lane;
        stage.lanes = static_cast<std::uint32_t>(out_.lanes.size()) - first_lane;
      }
    }
  }
}

void Expansion::add_lane(const Program& program, const Member& member, std::uint32_t node,
                         std::uint32_t phase_index, std::uint32_t copy, const Lane& lane, Sender sender) {
  const Schedule& schedule = *program.schedule;
  const auto phases = static_cast<std::uint32_t>(schedule.phases.size());
  const auto first_send = static_cast<std::uint32_t>(out_.sends.size());
  lane_number_ = copy * shapes_[phase_index].channels + lane.channel;
  for (std::uint32_t chunk = 0; chunk < schedule.pipeline; ++chunk) {
    const std::uint32_t stage = (copy * schedule.pipeline + chunk) * phases + phase_index;
    for (std::size_t s = 0; s < lane.sends.size(); ++s) {
      add_send(program, member, node, phase_index, stage, lane.sends[s], sender);
    }
  }
  out_.lanes.push_back({first_send, static_cast<std::uint32_t>(out_.sends.size()) - first_send, node,
                        static_cast<std::uint16_t>(lane_number_)});
}

ChipId Expansion::chip_at(const Program& program, const Member& member, std::uint32_t phase_index,
                          std::uint32_t inner) const {
  return program.groups->chip(member.group, outer_position(shapes_[phase_index], member.position, inner));
}

void Expansion::add_send(const Program& program, const Member& member, std::uint32_t node,
                         std::uint32_t phase_index, std::uint32_t stage, const Send& send, Sender sender) {
  const Phase& phase = program.schedule->phases[phase_index];
  const PhaseShape& shape = shapes_[phase_index];
  const std::uint32_t own = inner_position(shape, member.position);
  const std::uint32_t to = expansion::peer_position(phase, shape, send.peer, own);
  const bool up = phase.has_switch && to == phase.positions;
  const bool down = sender == Sender::network_switch;
  const std::uint32_t inner = up ? 0 : to;
  const std::uint32_t position = outer_position(shape, member.position, inner);
  const ChipId target = program.groups->chip(member.group, position);
  // A way up or down is that of a message from or to any other rank.
  const ChipId other =
      chip_at(program, member, phase_index, ((up ? own : inner) + 1) % std::max(1u, phase.positions));
  const Leg leg = up ? Leg::up : down ? Leg::down : Leg::whole;
  TAHOMA_ASSERT(target != member.chip || leg != Leg::whole, "a rank sends to itself");
  const KnownPath way = path_to(down ? other : member.chip, up ? other : target, leg, phase, send.op);
  const std::uint32_t target_node = node_of_class_[out_.classes.of(target)];
  TAHOMA_ASSERT(target_node != nowhere, "a send to a chip outside the collective");
  const std::uint32_t phases = static_cast<std::uint32_t>(program.schedule->phases.size());
  const std::uint32_t chunk_tags = stage / phases * tags_ + tag_base_[phase_index];
  Instance::SendRow row{};
  row.bytes = send.bytes;
  row.reps = send.reps;
  row.path = way.path;
  row.ways = static_cast<std::uint8_t>(way.ways);
  row.stage = out_.nodes[node].first_stage + stage;
  row.target_stage = out_.nodes[target_node].first_stage + stage;
  row.target_counter = counter_base_[target_node] + chunk_tags + send.tag;
  row.more_waits = static_cast<std::uint32_t>(out_.waits.size());
  row.waits = static_cast<std::uint16_t>(send.waits.size());
  row.reduce = send.op == Op::reduce && problem_.reduction_rate.q20 != 0 && !up;
  row.relative_source = expansion::relative(*program.schedule, member.position, position);
  row.target_chip = out_.classes.of(target);
  for (std::size_t w = 0; w < send.waits.size(); ++w) {
    const Wait& wait = send.waits[w];
    const Instance::WaitRow made{counter_base_[node] + chunk_tags + wait.tag, wait.count, wait.per_rep};
    if (w == 0) {
      row.first_wait = made;
    } else {
      out_.waits.push_back(made);
    }
  }
  out_.stages[row.stage].expected += send.reps;
  out_.stages[row.target_stage].expected += send.reps;
  out_.sends.push_back(row);
}

Expansion::KnownPath Expansion::path_to(ChipId source, ChipId target, Leg leg, const Phase& phase, Op op) {
  const std::uint32_t memory =
      problem_.memory.rate.q20 == 0 || leg == Leg::up ? 0 : touches(problem_.memory, op, phase.paired_ranks);
  for (std::size_t i = known_paths_.size(), end = i - std::min(i, most_known_paths); i-- > end;) {
    const KnownPath& known = known_paths_[i];
    if (known.target == target && known.lane == lane_number_ && known.source == source && known.leg == leg &&
        known.touches == memory && known.paired == phase.paired_ranks)
      return known;
  }
  problem_.topology->route(source, target, lane_number_, route_);
  if (leg != Leg::whole) cut_to(leg, source, target);
  known_paths_.push_back({source, target, lane_number_, memory, static_cast<std::uint32_t>(out_.paths.size()),
                          route_.ways, leg, phase.paired_ranks});
  // Steps inside a chip, after the one between chips.
  const std::int64_t inside = phase.paired_ranks ? std::max(1u, problem_.memory.ranks / 2) - 1 : 0;
  for (std::uint32_t way = 0; way < route_.ways; ++way) {
    Path& path = route_.path[way];
    path.links.insert(path.links.end(), memory, memory_link(out_.classes.of(target)));
    add_path(path.links, path.latency + Duration{inside * problem_.overhead.ps}, path.cap);
  }
  return known_paths_.back();
}

void Expansion::cut_to(Leg leg, ChipId source, ChipId target) {
  Path& path = route_.path[0];
  if (route_.ways != 1 || path.links.size() != 2)
    throw InfeasibleError("in_switch needs the ranks' own links to their switch, and the way from " +
                          problem_.topology->chip_name(source) + " to " +
                          problem_.topology->chip_name(target) + " goes round a fault");
  path.links = {leg == Leg::up ? path.links.front() : path.links.back()};
  path.latency = problem_.topology->latency(path.links.front());
}

std::uint32_t Expansion::link_number(LinkId id) {
  const auto [at, fresh] = link_numbers_.try_emplace(id.value, static_cast<std::uint32_t>(out_.links.size()));
  if (fresh && is_memory(id)) {
    const auto binding = static_cast<std::uint32_t>(out_.binding_capacity.size());
    out_.binding_capacity.push_back(problem_.memory.rate);
    out_.links.push_back({id, problem_.memory.rate, out_.classes.orbit, binding});
  } else if (fresh) {
    const Topology& topology = *problem_.topology;
    // An explicit path may enter a trunk without its feeders, so nothing may be left out then.
    const bool skip = problem_.flows.empty() && topology.never_binds(id);
    std::uint32_t binding = Instance::no_link;
    if (!skip) {
      binding = static_cast<std::uint32_t>(out_.binding_capacity.size());
      out_.binding_capacity.push_back(topology.capacity(id));
    }
    out_.links.push_back({id, topology.capacity(id), topology.orbit_size(id, folded_), binding});
  }
  return at->second;
}

// Links of one orbit on the path become one crossing whose multiplicity is a(L, F).
std::uint32_t Expansion::add_path(const std::vector<LinkId>& links, Duration latency, Rate cap) {
  Instance::Path path{static_cast<std::uint32_t>(out_.path_links.size()),
                      0,
                      static_cast<std::uint32_t>(out_.crossing.size()),
                      0,
                      latency,
                      cap};
  for (const LinkId id : links) {
    const bool as_it_is = folded_ == 0 || is_memory(id);
    const std::uint32_t link = link_number(as_it_is ? id : problem_.topology->canonical(id, folded_));
    const std::uint64_t share = out_.classes.orbit / out_.links[link].orbit;
    TAHOMA_ASSERT(share * out_.links[link].orbit == out_.classes.orbit && share < (std::uint64_t{1} << 31),
                  "a link orbit that does not divide the chips'");
    std::uint32_t i = path.first;
    while (i < out_.path_links.size() && out_.path_links[i] != link) ++i;
    if (i < out_.path_links.size()) {
      out_.path_multiplicity[i] += static_cast<std::uint32_t>(share);
    } else {
      out_.path_links.push_back(link);
      out_.path_multiplicity.push_back(static_cast<std::uint32_t>(share));
    }
  }
  path.count = static_cast<std::uint32_t>(out_.path_links.size()) - path.first;
  for (std::uint32_t i = path.first; i < out_.path_links.size(); ++i) {
    const std::uint32_t binding = out_.links[out_.path_links[i]].binding;
    if (binding != Instance::no_link) out_.crossing.push_back({binding, out_.path_multiplicity[i]});
  }
  path.crossings = static_cast<std::uint32_t>(out_.crossing.size()) - path.first_crossing;
  out_.paths.push_back(path);
  return static_cast<std::uint32_t>(out_.paths.size() - 1);
}

}  // namespace

Instance expand(const Problem& problem, DigitMask folded) {
  return Expansion(problem, folded).make();
}

}  // namespace tahoma
