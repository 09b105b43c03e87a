// Sites of different hardware: who meets whom between them, the proof of their schedules, and folded = engine
// = judge on every rank.
//
//   site a  one ring of 4, a NIC of 10 GB/s each        site b  two switches of 6, a NIC of 25 GB/s each
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "collectives/between_sites.h"
#include "collectives/bound.h"
#include "collectives/choose.h"
#include "collectives/verify.h"
#include "core/errors.h"
#include "tests/collectives/random_cluster.h"
#include "tests/support/judge.h"

using namespace tahoma;

namespace {

SchedulePart part(std::uint32_t first, std::uint32_t domain, std::uint32_t domains) {
  SchedulePart made;
  made.name = std::string(1, static_cast<char>('a' + first % 26));
  made.first = first;
  made.ranks = domain * domains;
  made.domain = domain;
  made.axes = {
      {.size = made.ranks, .kind = Axis::Kind::list, .level = Level::site, .rate = {}, .latency = {}}};
  return made;
}

ScheduleRequest request_on(const RankGroups& groups, std::uint64_t bytes) {
  ScheduleRequest request;
  request.size = {bytes};
  request.axes = groups.axes();
  return request;
}

/// `inner` inside the domains of each site and `outer` between them.
Schedule by_sites(const Topology& topology, const ScheduleRequest& request, const std::string& inner,
                  const std::string& outer) {
  const auto parts = parts_of(topology);
  std::vector<SitePlan> plans;
  for (const SchedulePart& site : parts)
    plans.push_back({plan_levels(site.axes, {{"intra", inner}, {"inter", outer}}), {}});
  return make_mixed_schedule(request, parts, plans);
}

/// The same said without sites: every rank of every phase has a role of its own, whose peers are numbers of
/// the whole group. The judge knows no sites.
Schedule without_sites(const Schedule& schedule) {
  Schedule flat = schedule;
  flat.parts.clear();
  flat.axes = {
      {.size = schedule.ranks, .kind = Axis::Kind::list, .level = Level::cluster, .rate = {}, .latency = {}}};
  for (std::size_t p = 0; p < schedule.phases.size(); ++p) {
    const Phase& phase = schedule.phases[p];
    if (phase.part == whole_group) continue;
    const SchedulePart& site = schedule.parts[phase.part];
    // Position within the phase -> within the site, for each of the groups that the phase falls into.
    std::vector<std::uint32_t> stride(site.axes.size(), 1);
    for (std::size_t a = 1; a < site.axes.size(); ++a) stride[a] = stride[a - 1] * site.axes[a - 1].size;
    const auto place = [&](std::uint32_t rank, std::uint32_t inner) {
      for (const std::uint8_t axis : phase.axes) {
        const std::uint32_t size = site.axes[axis].size;
        rank = rank - rank / stride[axis] % size * stride[axis] + inner % size * stride[axis];
        inner /= size;
      }
      return site.first + rank;
    };
    Phase& made = flat.phases[p];
    made.part = whole_group;
    made.axes = {0};
    made.positions = schedule.ranks;
    made.roles.clear();
    for (std::uint32_t rank = 0; rank < site.ranks; ++rank) {
      std::uint32_t inner = 0, unit = 1;
      for (const std::uint8_t axis : phase.axes) {
        inner += rank / stride[axis] % site.axes[axis].size * unit;
        unit *= site.axes[axis].size;
      }
      for (const Role& role : phase.roles) {
        const bool has = inner >= role.first && (inner - role.first) % role.stride == 0 &&
                         (inner - role.first) / role.stride < role.count;
        if (!has) continue;
        Role own{site.first + rank, 1, 1, role.lanes};
        for (Lane& lane : own.lanes) {
          for (Send& send : lane.sends) {
            Peer to;
            to.kind = Peer::Kind::absolute;
            to.value = place(rank, peer_position(phase, site.axes, send.peer, inner));
            send.peer = to;
          }
        }
        made.roles.push_back(std::move(own));
      }
    }
  }
  return flat;
}

std::vector<Time> finishes(const Solution& solution, std::uint32_t ranks) {
  std::vector<Time> result;
  for (ChipId chip = 0; chip < ranks; ++chip) {
    result.push_back(solution.finish(0, chip));
    REQUIRE(result.back() != Time::never());
  }
  return result;
}

std::vector<std::int64_t> judged(const Topology& topology, const Schedule& schedule,
                                 const std::vector<ChipDelay>& delays = {}) {
  judge::Question question;
  question.topology = &topology;
  judge::Job job;
  job.schedule = without_sites(schedule);
  job.groups.emplace_back();
  for (ChipId chip = 0; chip < topology.chips(); ++chip) job.groups.back().push_back(chip);
  for (const ChipDelay& late : delays) job.delays[late.chip] = late.delay;
  question.jobs.push_back(job);
  std::vector<std::int64_t> result;
  const judge::Answer answer = judge::judge(question, judge::Arithmetic::rounded);
  for (const judge::Number& finish : answer.rank_finish.at(0).at(0))
    result.push_back(judge::picoseconds(finish));
  return result;
}

std::uint64_t bytes_of(const Solution& solution, LinkId link) {
  const auto at = std::find_if(solution.links.begin(), solution.links.end(),
                               [&](const LinkUse& use) { return use.link == link; });
  return at == solution.links.end() ? 0 : at->bytes;
}

}  // namespace

TEST_CASE("chips meet chips that agree modulo the common divisor of their domains and domains likewise") {
  // 4 chips x 3 domains and 6 chips x 2 domains: g is 2 for chips and 1 for domains, so each rank of the
  // first meets 6/2 x 2/1 = 6 of the 12 others, and each of those 4/2 x 3/1 = 6; 12 x 6 pairs.
  const SchedulePart a = part(0, 4, 3), b = part(12, 6, 2);
  const Meeting there(a, b), back(b, a);
  CHECK(there.peers() == 6);
  CHECK(back.peers() == 6);
  CHECK(there.cells() == 72);
  CHECK(back.cells() == 72);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t p = 0; p < 12; ++p) {
    for (std::uint32_t k = 0; k < 6; ++k) {
      const std::uint32_t q = there.peer(p, k);
      CHECK(p % 4 % 2 == q % 6 % 2);
      pairs.insert({p, q});
    }
  }
  CHECK(pairs.size() == 72);
  for (std::uint32_t q = 0; q < 12; ++q) {
    for (std::uint32_t k = 0; k < 6; ++k) CHECK(pairs.count({back.peer(q, k), q}) == 1);
  }
}

TEST_CASE("an all-reduce over sites is proven and a message that is lost or doubled is found") {
  Random random(11);
  for (int i = 0; i < 12; ++i) {
    const MixedShape shape = random_mixed_cluster(random);
    const auto topology = make_topology(shape);
    if (topology->chips() > 120) continue;
    const RankGroups groups = RankGroups::all(*topology);
    Schedule schedule = by_sites(*topology, request_on(groups, 100'000), "direct", "ring");
    const Verdict verdict = verify(schedule);
    INFO(verdict.fault);
    CHECK(verdict.ok);
    const auto between = std::find_if(schedule.phases.begin(), schedule.phases.end(),
                                      [](const Phase& phase) { return !phase.between_bytes.empty(); });
    REQUIRE(between != schedule.phases.end());
    Schedule doubled = schedule;
    auto& lanes =
        doubled.phases[static_cast<std::size_t>(between - schedule.phases.begin())].roles.at(0).lanes;
    lanes[0].sends[0].reps = 2;
    CHECK_FALSE(verify(doubled).ok);
    lanes.erase(lanes.begin());
    CHECK_FALSE(verify(doubled).ok);
  }
}

TEST_CASE("mixed clusters folded site by site give every rank the engine's finish and every link its bytes") {
  Random random(5);
  int folded = 0, judged_cases = 0;
  const char* inner[] = {"direct", "ring", "torus", "halving_doubling"};
  for (int i = 0; i < 60; ++i) {
    const MixedShape shape = random_mixed_cluster(random);
    const auto topology = make_topology(shape);
    const RankGroups groups = RankGroups::all(*topology);
    ScheduleRequest request = request_on(groups, 1000 + random.below(300'000));
    request.pipeline = static_cast<std::uint32_t>(1 + random.below(2));
    request.channels = static_cast<std::uint32_t>(1 + random.below(2));
    const std::string in = inner[random.below(4)], out = inner[random.below(2)];
    INFO(i << ": " << topology->chips() << " chips, " << in << ", " << out);
    Schedule schedule;
    try {
      schedule = by_sites(*topology, request, in, out);
    } catch (const ScenarioError&) {
      continue;  // halving-doubling does not serve every number of ranks, torus not every network
    }
    Problem problem;
    problem.topology = topology.get();
    const bool costs = random.below(2) == 0;
    for (std::size_t s = 0; costs && s < shape.sites.size(); ++s) {
      ChipCosts of_site;
      of_site.overhead = {static_cast<std::int64_t>(300'000 * random.below(3))};
      if (random.below(2) == 0) of_site.memory = {Capacity{u128{60'000'000'000} << 20}, 1};
      problem.part_costs.push_back(of_site);
    }
    Program program;
    program.schedule = &schedule;
    program.groups = &groups;
    problem.programs = {program};
    const Solution engine = solve(problem, "engine");
    const auto expected = finishes(engine, topology->chips());
    CHECK(engine.programs[0].finish - Time{} >=
          lower_bound(*topology, groups, Collective::all_reduce, request.size, 0).time);
    const DigitMask mask = foldable_digits(problem);
    if (mask != 0) {
      ++folded;
      const Solution quotient = solve(problem, "quotient");
      CHECK(quotient.rank_classes < topology->chips());
      CHECK(finishes(quotient, topology->chips()) == expected);
      for (const LinkUse& use : engine.links) {
        if (use.bytes > 0) CHECK(bytes_of(quotient, topology->canonical(use.link, mask)) == use.bytes);
      }
    }
    if (!costs && engine.messages <= 1500) {
      ++judged_cases;
      const auto answer = judged(*topology, schedule);
      for (ChipId chip = 0; chip < topology->chips(); ++chip) CHECK(expected[chip].ps == answer[chip]);
    }
  }
  CHECK(folded >= 30);
  CHECK(judged_cases >= 3);
}

TEST_CASE("a fault or a straggler in one site is felt at every rank as the engine says and nothing folds") {
  Random random(23);
  int cases = 0;
  for (int i = 0; i < 60; ++i) {
    const MixedShape shape = random_mixed_cluster(random);
    const auto healthy = make_topology(shape);
    const Faults faults = random_faults(random, *healthy);
    const auto topology = make_topology(shape, faults);
    if (topology->chips() > 60) continue;
    const RankGroups groups = RankGroups::all(*healthy);
    const Schedule schedule = by_sites(*healthy, request_on(groups, 50'000), "direct", "direct");
    Problem problem;
    problem.topology = topology.get();
    problem.healthy = healthy.get();
    problem.delays = random_delays(random, topology->chips());
    Program program;
    program.schedule = &schedule;
    program.groups = &groups;
    problem.programs = {program};
    try {
      const Solution solution = solve(problem);
      const auto expected = finishes(solve(problem, "engine"), topology->chips());
      CHECK(finishes(solution, topology->chips()) == expected);
      if (!problem.delays.empty()) CHECK(foldable_digits(problem) == 0);
      if (solution.messages > 1500) continue;
      const auto answer = judged(*topology, schedule, problem.delays);
      for (ChipId chip = 0; chip < topology->chips(); ++chip) CHECK(expected[chip].ps == answer[chip]);
      ++cases;
    } catch (const InfeasibleError&) {
      continue;  // the fault cuts chips off
    }
  }
  CHECK(cases >= 3);
}

TEST_CASE("auto takes in each site what scatters fastest there") {
  Random random(3);
  const MixedShape shape = random_mixed_cluster(random);
  const auto topology = make_topology(shape);
  const RankGroups groups = RankGroups::all(*topology);
  Problem problem;
  problem.topology = topology.get();
  const Choice choice =
      choose_algorithm(problem, nullptr, groups, request_on(groups, 64 << 20), tahoma::LaneRule::fifo);
  REQUIRE(choice.solution);
  for (const char* const inner : {"ring", "direct"}) {
    const Schedule other = by_sites(*topology, request_on(groups, 64 << 20), inner, "direct");
    Problem asked = problem;
    Program program;
    program.schedule = &other;
    program.groups = &groups;
    asked.programs = {program};
    CHECK(choice.solution->programs[0].finish <= solve(asked).programs[0].finish);
  }
}
