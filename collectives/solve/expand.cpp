// Schedule x groups x topology -> flat arrays for the engine, for all ranks or one per class.
//
// In the order of the layout (instance.h): phase by phase, role by role, send by send, and only then over the
// members that have the role.
#include <array>

#include "collectives/solve/classes_by_site.h"
#include "collectives/solve/expand_paths.h"
#include "collectives/solve/instance.h"
#include "collectives/solve/phase_shape.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint32_t nowhere = ~0u;

struct Member {
  std::uint32_t group, position;
  ChipId chip;
  std::uint32_t inner;  // position within the phase being added
};

// The switch of a phase is played by the rank at position 0, on lanes of its own.
enum class Sender : std::uint8_t { rank, network_switch };

class Expansion {
 public:
  Expansion(const Problem& problem, DigitMask folded)
      : problem_(problem), folded_(folded), paths_(problem, folded, out_) {
    out_.classes = chip_classes(*problem.topology, folded);
    out_.chips = out_.classes.count;
    out_.overhead = problem.overhead;
    out_.reduction_rate = reduction_rate(problem);
    out_.part_costs = problem.part_costs;
  }

  Instance make() {
    const ExpansionSize size = expansion_size(problem_, folded_);
    out_.sends.reserve(size.send_rows);
    out_.paths.reserve(size.send_rows);
    out_.latency.reserve(size.send_rows);
    out_.path_links.reserve(3 * size.send_rows);
    out_.path_multiplicity.reserve(3 * size.send_rows);
    out_.crossing.reserve(2 * size.send_rows);
    for (const Program& program : problem_.programs) add_program(program);
    for (const PlainFlow& flow : problem_.flows) {
      const Path path{flow.links, flow.latency, flow.cap};
      out_.flows.push_back({paths_.add(path, out_.classes.orbit, 0), flow.bytes, flow.start});
    }
    out_.counters = counters_;
    return std::move(out_);
  }

 private:
  void add_program(const Program& program);
  std::vector<Member> canonical_members(const RankGroups& groups) const;
  void add_nodes(const Program& program);
  void add_phase(std::uint32_t phase_index, std::uint32_t copy);
  struct PlayedLane {
    const Lane* lane;
    Sender sender;
  };
  void add_lanes(const std::vector<PlayedLane>& lanes, std::uint32_t phase_index, std::uint32_t copy);
  struct Column {
    const Send& send;
    Sender sender;
    std::uint32_t phase, stage;
    bool last;  // of its lane
  };
  void add_column(const Column& column);
  std::uint32_t add_shape(const Column& column, std::uint32_t ways);
  void add_between(std::uint32_t phase_index, std::uint32_t copy);
  std::uint32_t part_of(ChipId chip) const;
  ChipId chip_at(const Member& member, std::uint32_t phase_index, std::uint32_t inner) const;
  Duration delay_of(ChipId chip) const;

  const Problem& problem_;
  DigitMask folded_;
  Instance out_;
  PathExpansion paths_;
  std::uint32_t counters_ = 0;

  // Of the program being added. Its nodes are numbered as its members, from first_node_ on.
  const Program* program_ = nullptr;
  std::vector<Member> members_;
  std::vector<PhaseShape> shapes_;
  std::vector<std::uint32_t> tag_base_;  // per phase, within a chunk
  std::uint32_t tags_ = 0;               // of a chunk
  std::vector<std::uint32_t> node_of_class_;
  std::uint32_t first_node_ = 0, first_stage_ = 0, first_counter_ = 0;
  std::vector<std::uint32_t> in_role_;  // members that have the role being added

  std::uint32_t lane_number_ = 0;
};

Duration Expansion::delay_of(ChipId chip) const {
  const auto& delays = problem_.delays;
  const auto at = std::lower_bound(delays.begin(), delays.end(), chip,
                                   [](const ChipDelay& d, ChipId c) { return d.chip < c; });
  return at != delays.end() && at->chip == chip ? at->delay : Duration{};
}

std::uint32_t Expansion::part_of(ChipId chip) const {
  if (problem_.part_costs.empty()) return 0;
  const auto parts = problem_.topology->parts();
  std::uint32_t part = 0;
  while (part + 1 < parts.size() && parts[part + 1].first <= chip) ++part;
  return part;
}

std::vector<Member> Expansion::canonical_members(const RankGroups& groups) const {
  std::vector<Member> members;
  if (folded_ == 0) {
    members.reserve(groups.ranks());
    for (std::uint32_t g = 0; g < groups.groups(); ++g) {
      for (std::uint32_t p = 0; p < groups.size(); ++p) members.push_back({g, p, groups.chip(g, p), 0});
    }
    return members;
  }
  if (!out_.classes.parts.empty()) {
    for (std::uint32_t c = 0; c < out_.classes.count; ++c) {
      const ChipId chip = out_.classes.chip(c);
      members.push_back({0, chip, chip, 0});
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
    for (const std::uint32_t p : coordinates(groups.inside()))
      members.push_back({g, p, groups.chip(g, p), 0});
  }
  return members;
}

// Stage k of all nodes, then stage k + 1; counters likewise.
void Expansion::add_nodes(const Program& program) {
  const Schedule& schedule = *program.schedule;
  const auto phases = static_cast<std::uint32_t>(schedule.phases.size());
  const auto nodes = static_cast<std::uint32_t>(members_.size());
  const std::uint32_t opens = phases == 0 ? 0 : schedule.channels * schedule.pipeline;
  first_node_ = static_cast<std::uint32_t>(out_.nodes.size());
  first_stage_ = static_cast<std::uint32_t>(out_.stages.size());
  first_counter_ = counters_;
  counters_ += opens * tags_ * nodes;
  node_of_class_.assign(out_.classes.count, nowhere);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const ChipId chip = members_[i].chip;
    const std::uint32_t chip_class = out_.classes.of(chip);
    TAHOMA_ASSERT(node_of_class_[chip_class] == nowhere, "a chip is twice in one collective");
    node_of_class_[chip_class] = first_node_ + i;
    out_.nodes.push_back({static_cast<std::uint32_t>(out_.programs.size() - 1), first_stage_ + i,
                          opens * phases, opens, phases, nodes, chip_class, delay_of(chip), part_of(chip)});
  }
  out_.stages.reserve(out_.stages.size() + std::size_t{opens} * phases * nodes);
  for (std::uint32_t k = 0; k < opens * phases; ++k) {
    for (std::uint32_t i = 0; i < nodes; ++i) {
      Instance::Stage stage;
      stage.next = (k + 1) % phases != 0 ? first_stage_ + (k + 1) * nodes + i : Instance::no_stage;
      stage.node = first_node_ + i;
      out_.stages.push_back(stage);
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
    shapes_.push_back(shape_of(schedule, phase));
    tag_base_.push_back(tags_);
    tags_ += phase.tags;
  }
  program_ = &program;
  members_ = canonical_members(*program.groups);
  out_.programs.push_back({static_cast<std::uint32_t>(out_.nodes.size()),
                           static_cast<std::uint32_t>(members_.size()), program.job, program.rule,
                           program.start, program.after, program.pause});
  add_nodes(program);
  paths_.begin_program(members_.size());
  for (std::uint32_t copy = 0; copy < schedule.channels; ++copy) {
    for (std::uint32_t j = 0; j < schedule.phases.size(); ++j) add_phase(j, copy);
  }
}

// The rank at position 0 also plays the switch, if the phase has one: its lanes are more than its role's.
void Expansion::add_phase(std::uint32_t phase_index, std::uint32_t copy) {
  const Phase& phase = program_->schedule->phases[phase_index];
  const PhaseShape& shape = shapes_[phase_index];
  if (!phase.between_bytes.empty() && folded_ != 0) return add_between(phase_index, copy);
  const Role* const of_switch = phase.has_switch ? role_of(phase, shape, phase.positions) : nullptr;
  std::vector<std::vector<std::uint32_t>> members_of(phase.roles.size());
  std::vector<std::uint32_t> play_switch;
  for (std::uint32_t i = 0; i < members_.size(); ++i) {
    if (!takes_part(shape, members_[i].position)) continue;
    members_[i].inner = inner_position(shape, members_[i].position);
    if (of_switch != nullptr && members_[i].inner == 0) {
      play_switch.push_back(i);
      continue;
    }
    const Role* role = role_of(phase, shape, members_[i].inner);
    if (role != nullptr) members_of[static_cast<std::size_t>(role - phase.roles.data())].push_back(i);
  }
  std::vector<PlayedLane> lanes;
  for (std::size_t r = 0; r < phase.roles.size(); ++r) {
    lanes.clear();
    for (const Lane& lane : phase.roles[r].lanes) lanes.push_back({&lane, Sender::rank});
    in_role_ = std::move(members_of[r]);
    if (!in_role_.empty()) add_lanes(lanes, phase_index, copy);
  }
  in_role_ = std::move(play_switch);
  if (in_role_.empty()) return;
  lanes.clear();
  if (const Role* own = role_of(phase, shape, 0)) {
    for (const Lane& lane : own->lanes) lanes.push_back({&lane, Sender::rank});
  }
  for (const Lane& lane : of_switch->lanes) lanes.push_back({&lane, Sender::network_switch});
  add_lanes(lanes, phase_index, copy);
}

// The lanes of a member side by side, for its stage names them as a range; their rows in columns.
void Expansion::add_lanes(const std::vector<PlayedLane>& played, std::uint32_t phase_index,
                          std::uint32_t copy) {
  const Schedule& schedule = *program_->schedule;
  const auto phases = static_cast<std::uint32_t>(schedule.phases.size());
  const auto nodes = static_cast<std::uint32_t>(members_.size());
  const auto first_lane = static_cast<std::uint32_t>(out_.lanes.size());
  const auto lanes = static_cast<std::uint32_t>(played.size());
  const auto stride = static_cast<std::uint32_t>(in_role_.size());
  out_.lanes.resize(first_lane + std::size_t{lanes} * stride);
  for (std::uint32_t l = 0; l < lanes; ++l) {
    const Lane& lane = *played[l].lane;
    const auto first_send = static_cast<std::uint32_t>(out_.sends.size());
    const auto sends = static_cast<std::uint32_t>(lane.sends.size());
    lane_number_ = copy * shapes_[phase_index].channels + lane.channel;
    for (std::uint32_t chunk = 0; chunk < schedule.pipeline; ++chunk) {
      const std::uint32_t stage = (copy * schedule.pipeline + chunk) * phases + phase_index;
      for (std::uint32_t s = 0; s < sends; ++s) {
        const bool last = chunk + 1 == schedule.pipeline && s + 1 == sends;
        add_column({lane.sends[s], played[l].sender, phase_index, stage, last});
      }
    }
    for (std::uint32_t i = 0; i < stride; ++i) {
      out_.lanes[first_lane + i * lanes + l] = {first_send + i, sends * schedule.pipeline, stride,
                                                first_node_ + in_role_[i],
                                                static_cast<std::uint16_t>(lane_number_)};
    }
  }
  for (std::uint32_t chunk = 0; chunk < schedule.pipeline; ++chunk) {
    const std::uint32_t stage =
        first_stage_ + ((copy * schedule.pipeline + chunk) * phases + phase_index) * nodes;
    for (std::uint32_t i = 0; i < stride; ++i) {
      out_.stages[stage + in_role_[i]].first_lane = first_lane + i * lanes;
      out_.stages[stage + in_role_[i]].lanes = lanes;
    }
  }
}

ChipId Expansion::chip_at(const Member& member, std::uint32_t phase_index, std::uint32_t inner) const {
  return program_->groups->chip(member.group, outer_position(shapes_[phase_index], member.position, inner));
}

void Expansion::add_column(const Column& column) {
  const Schedule& schedule = *program_->schedule;
  const Phase& phase = schedule.phases[column.phase];
  const PhaseShape& shape = shapes_[column.phase];
  std::array<std::uint32_t, 3> shape_of_ways{nowhere, nowhere, nowhere};
  for (const std::uint32_t i : in_role_) {
    const Member& member = members_[i];
    const std::uint32_t to = peer_position(phase, shape, column.send.peer, member.inner);
    const bool up = phase.has_switch && to == phase.positions;
    const bool down = column.sender == Sender::network_switch;
    const std::uint32_t inner = up ? 0 : to;
    const std::uint32_t position = outer_position(shape, member.position, inner);
    const ChipId target = program_->groups->chip(member.group, position);
    const Leg leg = up ? Leg::up : down ? Leg::down : Leg::whole;
    TAHOMA_ASSERT(target != member.chip || leg != Leg::whole, "a rank sends to itself");
    ChipId source = member.chip, end = target;
    if (leg != Leg::whole) {
      // A way up or down is that of a message to or from any other rank.
      const ChipId other =
          chip_at(member, column.phase, ((up ? member.inner : inner) + 1) % std::max(1u, phase.positions));
      (up ? end : source) = other;
    }
    const PathExpansion::Found way =
        paths_.path_of(i, {source, end, lane_number_, column.send.op, leg, phase.paired_ranks});
    std::uint32_t& made = shape_of_ways[way.ways];
    if (made == nowhere) {
      made = add_shape(column, way.ways);
      if (up) out_.shapes[made].reduce = false;  // the switch adds at line rate
    }
    const std::uint32_t target_node = node_of_class_[out_.classes.of(target)];
    TAHOMA_ASSERT(target_node != nowhere, "a send to a chip outside the collective");
    const bool reduce = out_.shapes[made].reduce;
    out_.sends.push_back(
        {way.path, target_node, made, reduce ? relative(schedule, member.position, position) : 0});
    out_.stages[out_.shapes[made].stage + first_node_ + i].expected += column.send.reps;
    out_.stages[out_.shapes[made].stage + target_node].expected += column.send.reps;
  }
}

// Of a folded network: a rank's messages to all ranks of one class are alike, begin together and end
// together, so they are one row that stands for them all. Each receiver gets a whole number of them.
void Expansion::add_between(std::uint32_t phase_index, std::uint32_t copy) {
  const Schedule& schedule = *program_->schedule;
  const Phase& phase = schedule.phases[phase_index];
  const auto phases = static_cast<std::uint32_t>(schedule.phases.size());
  const auto nodes = static_cast<std::uint32_t>(members_.size());
  const ClassesBySite by_site(out_.classes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const auto met = by_site.met_by(schedule.parts, members_[i].chip);
    const auto first_lane = static_cast<std::uint32_t>(out_.lanes.size());
    const auto lanes = static_cast<std::uint32_t>(met.size());
    in_role_ = {i};
    for (std::uint32_t l = 0; l < lanes; ++l) {
      Send send;
      send.op = phase.between_op;
      send.bytes = phase.between_bytes[met[l].from * schedule.parts.size() + met[l].to];
      const auto first_send = static_cast<std::uint32_t>(out_.sends.size());
      const std::uint32_t target = node_of_class_[met[l].chip_class];
      const std::uint32_t path =
          paths_.bundle({members_[i].chip, met[l].chip, 0, send.op, Leg::whole, false},
                        met[l].ranks * out_.classes.orbit_of(out_.classes.of(members_[i].chip)));
      for (std::uint32_t chunk = 0; chunk < schedule.pipeline; ++chunk) {
        const std::uint32_t stage = (copy * schedule.pipeline + chunk) * phases + phase_index;
        const std::uint32_t made =
            add_shape({send, Sender::rank, phase_index, stage, chunk + 1 == schedule.pipeline}, 1);
        out_.sends.push_back({path, target, made, 0});
        out_.stages[out_.shapes[made].stage + first_node_ + i].expected += 1;
        out_.stages[out_.shapes[made].stage + target].expected += 1;
      }
      out_.lanes.push_back(
          {first_send, schedule.pipeline, 1, first_node_ + i, static_cast<std::uint16_t>(copy * lanes + l)});
    }
    for (std::uint32_t chunk = 0; chunk < schedule.pipeline; ++chunk) {
      Instance::Stage& stage =
          out_.stages[first_stage_ + ((copy * schedule.pipeline + chunk) * phases + phase_index) * nodes + i];
      stage.first_lane = first_lane;
      stage.lanes = lanes;
    }
  }
}

std::uint32_t Expansion::add_shape(const Column& column, std::uint32_t ways) {
  const Send& send = column.send;
  const auto phases = static_cast<std::uint32_t>(program_->schedule->phases.size());
  const auto nodes = static_cast<std::uint32_t>(members_.size());
  const std::uint32_t chunk_tags = column.stage / phases * tags_ + tag_base_[column.phase];
  const auto counter = [&](std::uint32_t tag) {
    return first_counter_ + (chunk_tags + tag) * nodes - first_node_;
  };
  Instance::SendShape shape{};
  shape.bytes = send.bytes;
  shape.reps = send.reps;
  shape.stage = first_stage_ + column.stage * nodes - first_node_;
  shape.counter = counter(send.tag);
  shape.stride = static_cast<std::uint32_t>(in_role_.size());
  shape.more_waits = static_cast<std::uint32_t>(out_.waits.size());
  shape.waits = static_cast<std::uint16_t>(send.waits.size());
  shape.ways = static_cast<std::uint8_t>(ways);
  shape.reduce = send.op == Op::reduce && out_.reduction_rate.q20 != 0;
  shape.last = column.last;
  for (std::size_t w = 0; w < send.waits.size(); ++w) {
    const Wait& wait = send.waits[w];
    const Instance::WaitRow made{counter(wait.tag), wait.count, wait.per_rep};
    if (w == 0) {
      shape.first_wait = made;
    } else {
      out_.waits.push_back(made);
    }
  }
  out_.shapes.push_back(shape);
  return static_cast<std::uint32_t>(out_.shapes.size() - 1);
}

}  // namespace

Instance expand(const Problem& problem, DigitMask folded) {
  return Expansion(problem, folded).make();
}

}  // namespace tahoma
