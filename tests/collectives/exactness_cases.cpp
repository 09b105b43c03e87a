#include "tests/collectives/exactness_cases.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr Collective collectives[] = {
    Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all,
    Collective::broadcast,  Collective::permute,    Collective::gather,         Collective::scatter,
    Collective::reduce,     Collective::barrier};

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
    case 4: {
      name += ", scattered";  // the outermost digit runs fastest
      std::vector<Digit> digits(topology.digits().begin(), topology.digits().end());
      std::vector<ChipId> chips{0};
      for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        const std::size_t before = chips.size();
        for (std::uint32_t value = 1; value < digit->size; ++value) {
          for (std::size_t i = 0; i < before; ++i) chips.push_back(chips[i] + value * digit->stride);
        }
      }
      return keep(RankGroups::lists(topology, {chips}));
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
  if (has_root(collective)) request.root = static_cast<std::uint32_t>(random.below(groups.size()));
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
  if (one_in(random, 6)) {
    result.memory = {{u128{300'000'000'000} << 20}, one_in(random, 2) ? 4u : 1u};
    result.name += ", memory of " + std::to_string(result.memory.ranks) + " ranks";
  }
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
    for (const std::string_view inner : {"torus", "direct", "ring", "in_switch", "swing"}) {
      for (const std::string_view outer : {"ring", "halving_doubling", "direct"}) {
        result.push_back({collective, inner, outer});
      }
    }
  }
  for (const Collective collective :
       {Collective::gather, Collective::scatter, Collective::reduce, Collective::barrier}) {
    result.push_back({collective, "direct", "ring"});
    result.push_back({collective, "ring", "halving_doubling"});
  }
  // The exchange of all with all has a solver of its own, which few draws leave alone.
  result.push_back({Collective::all_to_all, "direct", ""});
  result.push_back({Collective::all_gather, "direct", ""});
  result.push_back({Collective::all_reduce, "kangaring", "double_binary_tree"});
  result.push_back({Collective::reduce, "in_switch", "double_binary_tree"});
  return result;
}

}  // namespace

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
  result.memory = memory;
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
    job.memory_rate = memory.rate;
    job.chip_ranks = memory.ranks;
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
