#include "tests/collectives/exactness_cases.h"

#include <algorithm>

#include "core/errors.h"
#include "topology/dragonfly.h"

namespace tahoma {

namespace {

constexpr Collective collectives[] = {Collective::all_reduce,     Collective::all_gather,
                                      Collective::reduce_scatter, Collective::all_to_all,
                                      Collective::broadcast,      Collective::permute};

Dimension dimension(DimensionKind kind, std::uint32_t size, std::int64_t gigabytes = 50) {
  Dimension result;
  result.kind = kind;
  result.size = size;
  result.bandwidth = {gigabytes, 9};
  result.efficiency = {93, -2};
  result.latency = {500'000};
  return result;
}

Dimension ring(std::uint32_t size, std::int64_t gigabytes = 50) {
  return dimension(DimensionKind::ring, size, gigabytes);
}

ClusterShape scale_up(std::vector<Dimension> dimensions, std::uint32_t server_dimensions = 1) {
  ClusterShape shape;
  shape.scale_up = std::move(dimensions);
  shape.server_dimensions = server_dimensions;
  shape.sites = {{"", 1}};
  return shape;
}

Clos clos(std::uint32_t tiers, std::uint32_t rails, std::uint32_t leaf_width, std::uint32_t leaves_per_pod,
          Routing routing = Routing::spray, std::int64_t oversubscription = 1) {
  Clos result;
  result.tiers = tiers;
  result.rails = rails;
  result.leaf_width = leaf_width;
  result.leaves_per_pod = leaves_per_pod;
  result.oversubscription = {{oversubscription, 0}, {oversubscription, 0}};
  result.bandwidth = {25, 9};
  result.efficiency = {95, -2};
  result.latency = {{2'000'000}, {700'000}, {700'000}};
  result.routing = routing;
  result.spines_per_pod = 2;
  result.cores = 2;
  return result;
}

ClusterShape with_clos(std::vector<Dimension> dimensions, Clos fabric, std::vector<std::uint32_t> domains) {
  ClusterShape shape = scale_up(std::move(dimensions));
  shape.clos = std::move(fabric);
  shape.sites.clear();
  for (const std::uint32_t count : domains) {
    shape.sites.push_back(
        {domains.size() == 1 ? "" : std::string(1, static_cast<char>('a' + shape.sites.size())), count});
  }
  if (domains.size() == 2) shape.wans = {{"", 0, 1, {30, 9}, {10'000'000}, Bytes{1'000'000}, {}}};
  return shape;
}

Clos rails_apart(Clos fabric) {
  fabric.between_rails = BetweenRails::relay;
  return fabric;
}

Clos of_ports(Clos fabric) {
  fabric.planes = 3;
  fabric.dead_planes = 1;
  fabric.leaves_per_nic = 2;
  return fabric;
}

// Two chips a router, two routers a group, two global links a router: 20 chips.
GraphShape small_dragonfly() {
  Dragonfly dragonfly;
  dragonfly.ends_per_router = dragonfly.routers = dragonfly.global_links = 2;
  dragonfly.groups = 5;
  dragonfly.terminal = {{25, 9}, {500'000}};
  dragonfly.local = {{25, 9}, {300'000}};
  dragonfly.global = {{20, 9}, {1'000'000}};
  return dragonfly_of_chips(dragonfly, 20);
}

// ---- what is drawn for each case
// ---------------------------------------------------------------------------

bool one_in(Random& random, std::uint64_t n) {
  return random.below(n) == 0;
}

LinkId some_link(const Topology& topology, Random& random) {
  const auto src = static_cast<ChipId>(random.below(topology.chips()));
  const auto dst = static_cast<ChipId>((src + 1 + random.below(topology.chips() - 1)) % topology.chips());
  Route route;
  topology.route(src, dst, 0, route);
  return route.path[0].links[random.below(route.path[0].links.size())];
}

bool all_can_reach_all(const Topology& topology) {
  Route route;
  try {
    for (ChipId src = 0; src < topology.chips(); ++src) {
      for (ChipId dst = 0; dst < topology.chips(); ++dst) {
        if (src != dst) topology.route(src, dst, 0, route);
      }
    }
  } catch (const InfeasibleError&) {
    return false;
  }
  return true;
}

// Nothing for most; else a slow link, a dead one, or three slow and two dead ones. The large networks survive
// any one dead link; the others are asked.
void draw_topology(const NamedShape& network, Random& random, ExactnessCase& result) {
  result.topology = make_topology(network);
  const std::uint64_t draw = random.below(9);
  if (draw > 2) return;
  Faults faults;
  const LinkId link = some_link(*result.topology, random);
  if (draw == 0) faults.degraded_links = {{link, {5, -1}}};
  if (draw == 1) faults.failed_links = {link};
  if (draw == 2) {
    for (int i = 0; i < 3; ++i)
      faults.degraded_links.push_back({some_link(*result.topology, random), {5, -1}});
    for (int i = 0; i < 2; ++i) faults.failed_links.push_back(some_link(*result.topology, random));
  }
  auto broken = make_topology(network, faults);
  if (broken->chips() <= 64 && !all_can_reach_all(*broken)) return;
  const char* const what[] = {", slow ", ", dead ", ", five faults with "};
  result.name += what[draw] + result.topology->link_name(link);
  result.healthy = std::move(result.topology);
  result.topology = std::move(broken);
}

std::unique_ptr<RankGroups> draw_groups(const Topology& topology, Random& random, std::string& name) {
  const std::uint32_t inner = topology.digits().front().size;
  const auto keep = [](RankGroups groups) { return std::make_unique<RankGroups>(std::move(groups)); };
  switch (random.below(10)) {
    case 0:
      name += ", by server";
      return keep(RankGroups::by_level(topology, Level::server));
    case 1:
      name += ", stride";
      return keep(RankGroups::with_stride(topology, inner < topology.chips() ? inner : 1));
    case 2: {
      name += ", two lists";  // of chips in no order
      const std::uint32_t half = topology.chips() / 2;
      std::vector<ChipId> chips = draw_without_replacement(random, topology.chips(), 2 * half);
      return keep(RankGroups::lists(
          topology, {{chips.begin(), chips.begin() + half}, {chips.begin() + half, chips.end()}}));
    }
    case 3: {
      name += ", random placement";
      return keep(RankGroups::lists(topology,
                                    {draw_without_replacement(random, topology.chips(), topology.chips())}));
    }
    default:
      return keep(RankGroups::all(topology));
  }
}

ScheduleRequest draw_request(const RankGroups& groups, Collective collective, Random& random,
                             std::string& name) {
  ScheduleRequest request;
  request.collective = collective;
  request.axes = groups.axes();
  request.size =
      one_in(random, 2) ? Bytes{(1 + random.below(64)) << 14} : Bytes{2 + 2 * random.below(300'000)};
  request.pipeline = one_in(random, 3) ? 3 : one_in(random, 2) ? 1 : 0;
  request.channels = one_in(random, 4) ? 2 : 1;
  if (collective == Collective::broadcast)
    request.root = static_cast<std::uint32_t>(random.below(groups.size()));
  if (collective == Collective::permute) {
    const auto shift = static_cast<std::uint32_t>(random.below(groups.size()));
    for (std::uint32_t p = 0; p < groups.size(); ++p) request.table.push_back((p + shift) % groups.size());
  }
  name += ", " + std::to_string(request.size.count) + " B, pipeline " + std::to_string(request.pipeline) +
          ", channels " + std::to_string(request.channels);
  return request;
}

std::vector<LevelPlan> one_level(const std::vector<Axis>& axes, std::string_view algorithm) {
  LevelPlan plan{{}, "all", std::string(algorithm)};
  for (std::uint8_t axis = 0; axis < axes.size(); ++axis) plan.axes.push_back(axis);
  return {plan};
}

// The outermost axis by itself.
std::vector<LevelPlan> two_levels(const std::vector<Axis>& axes, std::string_view inner,
                                  std::string_view outer) {
  LevelPlan inside = one_level(axes, inner)[0];
  LevelPlan outside{{inside.axes.back()}, "cluster", std::string(outer)};
  inside.axes.pop_back();
  return {inside, outside};
}

void draw_rules(ExactnessCase& result, Random& random) {
  for (ExactnessCase::Part& part : result.parts) {
    if (one_in(random, 4)) part.rule = LaneRule::eager, result.name += ", eager";
    if (one_in(random, 4)) part.start = {static_cast<std::int64_t>(random.below(20'000'000))};
  }
  if (one_in(random, 3)) result.overhead = {1'300'000}, result.name += ", overhead";
  if (one_in(random, 3)) result.reduction_rate = {u128{170'000'000'000} << 20}, result.name += ", reduction";
  if (!one_in(random, 5)) return;
  result.name += ", stragglers";
  const std::uint32_t chips = result.topology->chips();
  std::vector<std::uint32_t> late = draw_without_replacement(random, chips, std::min(chips, 2u));
  std::sort(late.begin(), late.end());
  for (const ChipId chip : late) {
    result.delays.push_back({chip, {static_cast<std::int64_t>(random.below(60'000'000))}});
  }
}

struct Offer {
  Collective collective;
  std::string_view inner, outer;  // outer empty: one level
};

void add_part(ExactnessCase& result, const Offer& offer, Random& random) {
  ExactnessCase::Part part;
  part.groups = draw_groups(*result.topology, random, result.name);
  ScheduleRequest request = draw_request(*part.groups, offer.collective, random, result.name);
  request.levels = offer.outer.empty() ? one_level(request.axes, offer.inner)
                                       : two_levels(request.axes, offer.inner, offer.outer);
  part.schedule = make_schedule(request);
  result.parts.push_back(std::move(part));
}

std::vector<Offer> offers() {
  std::vector<Offer> result;
  for (const Collective collective : collectives) {
    for (const Algorithm& algorithm : algorithms()) result.push_back({collective, algorithm.name, ""});
  }
  for (const Collective collective :
       {Collective::all_reduce, Collective::broadcast, Collective::all_gather}) {
    for (const std::string_view inner : {"torus", "direct", "ring"}) {
      for (const std::string_view outer : {"ring", "halving_doubling", "direct"}) {
        result.push_back({collective, inner, outer});
      }
    }
  }
  return result;
}

}  // namespace

std::unique_ptr<Topology> make_topology(const NamedShape& network, const Faults& faults) {
  return std::visit([&](const auto& shape) { return make_topology(shape, faults); }, network.shape);
}

Problem ExactnessCase::problem() const {
  Problem result;
  result.topology = topology.get();
  result.healthy = healthy.get();
  for (std::uint32_t job = 0; job < parts.size(); ++job) {
    const Part& part = parts[job];
    Program program;
    program.schedule = &part.schedule;
    program.groups = part.groups.get();
    program.rule = part.rule;
    program.job = job;
    program.start = part.start;
    result.programs.push_back(program);
  }
  result.delays = delays;
  result.overhead = overhead;
  result.reduction_rate = reduction_rate;
  return result;
}

judge::Question ExactnessCase::question() const {
  judge::Question result;
  result.topology = topology.get();
  for (const Part& part : parts) {
    judge::Job job;
    job.schedule = part.schedule;
    for (std::uint32_t g = 0; g < part.groups->groups(); ++g) {
      auto& chips = job.groups.emplace_back();
      for (std::uint32_t p = 0; p < part.groups->size(); ++p) chips.push_back(part.groups->chip(g, p));
    }
    job.start = part.start;
    for (const ChipDelay& delay : delays) job.delays[delay.chip] = delay.delay;
    job.overhead = overhead;
    job.reduction_rate = reduction_rate;
    job.rule = part.rule == LaneRule::eager ? judge::LaneRule::eager : judge::LaneRule::fifo;
    result.jobs.push_back(std::move(job));
  }
  return result;
}

std::uint64_t ExactnessCase::messages() const {
  return expansion_size(problem(), 0).unfolded_messages;
}

bool ExactnessCase::is_crowded() const {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) {
    const std::string& algorithm = part.schedule.algorithm;
    return part.groups->is_list() || algorithm.find("direct") != algorithm.npos ||
           algorithm.find("pairwise") != algorithm.npos;
  });
}

std::vector<NamedShape> small_networks() {
  const Dimension line = dimension(DimensionKind::line, 3), full = dimension(DimensionKind::full, 5);
  Dimension planes = dimension(DimensionKind::switched, 8, 20), pair = ring(2);
  planes.planes = 2;
  pair.links = 2;
  ClusterShape racks = scale_up({ring(4)});
  racks.scale_out = {dimension(DimensionKind::full, 3, 10)};
  racks.sites = {{"", 3}};
  return {
      {"ring 5", scale_up({ring(5)})},
      {"ring 6", scale_up({ring(6)})},
      {"pair of rings of 2", scale_up({pair, ring(2)})},
      {"mesh 3x3", scale_up({line, line})},
      {"full 5", scale_up({full})},
      {"switch 8, two planes", scale_up({planes})},
      {"torus 4x4", scale_up({ring(4), ring(4)}, 2)},
      {"torus 3x4", scale_up({ring(3), ring(4, 25)})},
      {"torus 4x4x2, slow z", scale_up({ring(4), ring(4), ring(2, 25)}, 2)},
      {"racks of rings of 4, full mesh of 3", racks},
      {"clos of 8 rings of 2, one rail", with_clos({ring(2)}, clos(3, 1, 4, 2), {8})},
      {"clos of 8 rings of 4, rails", with_clos({ring(4)}, clos(3, 4, 2, 2), {8})},
      {"clos of 8 switches of 3, 2:1",
       with_clos({dimension(DimensionKind::switched, 3)}, clos(3, 3, 2, 2, Routing::spray, 2), {8})},
      {"clos of 5 rings of 4", with_clos({ring(4)}, clos(3, 4, 2, 2), {5})},
      {"clos, ecmp", with_clos({ring(4)}, clos(3, 4, 2, 2, Routing::ecmp), {4})},
      {"clos, by source", with_clos({ring(4)}, clos(3, 4, 2, 2, Routing::by_source), {8})},
      {"two sites", with_clos({ring(4)}, clos(2, 4, 2, 0), {2, 2})},
      {"two unequal sites", with_clos({ring(3)}, clos(1, 1, 0, 0), {1, 3})},
      {"clos of 8 switches of 4, rails apart",
       with_clos({dimension(DimensionKind::switched, 4)}, rails_apart(clos(2, 4, 2, 0, Routing::spray, 2)),
                 {8})},
      {"clos of 8 rings of 2, a plane of 3 dead, two leaves a NIC",
       with_clos({ring(2)}, of_ports(clos(3, 2, 2, 2)), {8})},
      {"dragonfly of 5 groups of 2 routers", small_dragonfly()},
  };
}

std::vector<NamedShape> large_networks() {
  return {
      {"torus 8x8x2", scale_up({ring(8), ring(8), ring(2, 25)}, 2)},
      {"clos of 16 tori of 4x4x4", with_clos({ring(4), ring(4), ring(4, 25)}, clos(3, 64, 4, 2), {16})},
      {"clos of 32 switches of 8, 2:1",
       with_clos({dimension(DimensionKind::switched, 8)}, clos(3, 8, 4, 4, Routing::spray, 2), {32})},
      {"clos of 16 tori of 4x4, by source",
       with_clos({ring(4), ring(4)}, clos(3, 16, 4, 2, Routing::by_source), {16})},
      {"two sites of 8 tori of 4x4", with_clos({ring(4), ring(4)}, clos(3, 16, 4, 2), {8, 8})},
      {"clos of 64 tori of 4x4x4", with_clos({ring(4), ring(4), ring(4, 25)}, clos(3, 64, 4, 4), {64})},
      {"clos of 45 switches of 64",
       with_clos({dimension(DimensionKind::switched, 64)}, clos(3, 64, 8, 2), {45})},
  };
}

std::vector<ExactnessCase> cases_on(const NamedShape& network, std::uint32_t draws, Random& random) {
  std::vector<ExactnessCase> result;
  const std::vector<Offer> all = offers();
  for (const Offer& offer : all) {
    for (std::uint32_t draw = 0; draw < draws; ++draw) {
      ExactnessCase one;
      one.name = network.name + ", " + std::string(name_of(offer.collective)) + ", " +
                 std::string(offer.inner) + (offer.outer.empty() ? "" : " + ") + std::string(offer.outer);
      draw_topology(network, random, one);
      try {
        add_part(one, offer, random);
        if (one_in(random, 6)) add_part(one, all[random.below(all.size())], random);
      } catch (const ScenarioError&) {
        if (one.parts.empty()) continue;  // not offered for these ranks
      } catch (const InfeasibleError&) {
        continue;  // the fault cuts ranks off
      }
      draw_rules(one, random);
      result.push_back(std::move(one));
    }
  }
  return result;
}

}  // namespace tahoma
