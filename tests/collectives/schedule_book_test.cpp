// Phases that `auto`'s candidates have in common are made once, and what nobody could use is not made at all.
#include <catch2/catch.hpp>

#include "collectives/choose.h"
#include "collectives/print_schedule.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"

using namespace tahoma;

namespace {

// What make_schedule says of one plan by itself: the schedule and its floor, or why there is none.
std::string alone(ScheduleRequest request, const std::vector<LevelPlan>& levels) {
  request.levels = levels;
  try {
    const Schedule schedule = make_schedule(request);
    return schedule_text(schedule) + std::to_string(estimate(schedule).ps);
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

std::string by_the_book(ScheduleBook& book, const std::vector<LevelPlan>& levels) {
  try {
    const std::int64_t floor = book.floor(levels).ps;
    return schedule_text(book.schedule(levels)) + std::to_string(floor);
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

struct SwitchOf {
  explicit SwitchOf(std::uint32_t chips) {
    ClusterShape shape;
    Dimension port;
    port.kind = DimensionKind::switched;
    port.size = chips;
    port.bandwidth = {100, 9};
    port.latency = {500'000};
    shape.scale_up = {port};
    shape.sites = {{"", 1}};
    topology = make_topology(shape);
    groups = RankGroups::all(*topology);
    problem.topology = topology.get();
  }
  SwitchOf(const SwitchOf&) = delete;
  SwitchOf& operator=(const SwitchOf&) = delete;

  Problem asked_for(const Schedule& schedule) {
    Program program;
    program.schedule = &schedule;
    program.groups = &groups;
    Problem asked = problem;
    asked.programs = {program};
    return asked;
  }

  std::unique_ptr<Topology> topology;
  RankGroups groups;
  Problem problem;
};

}  // namespace

TEST_CASE("a book of schedules gives each plan what it gets alone") {
  for (const Collective collective :
       {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::broadcast,
        Collective::gather, Collective::scatter, Collective::reduce, Collective::barrier}) {
    ScheduleRequest request =
        request_of(collective, {axis_of(4), axis_of(6, Axis::Kind::fabric, 25)}, "ring", {100'002});
    request.axes[1].level = Level::cluster;
    request.root = 7;
    ScheduleBook book(request);
    std::size_t schedules = 0;
    for (int turn = 0; turn < 2; ++turn) {  // the second finds all phases in the book
      for (const Algorithm& inner : algorithms()) {
        const std::string in(inner.name);
        const auto single = plan_single(request.axes, in);
        CHECK(by_the_book(book, single) == alone(request, single));
        for (const Algorithm& outer : algorithms()) {
          const auto levels = plan_levels(request.axes, {{"intra", in}, {"inter", std::string(outer.name)}});
          const std::string said = by_the_book(book, levels);
          CHECK(said == alone(request, levels));
          schedules += said.find(" ranks, ") != std::string::npos;
        }
      }
    }
    INFO(name_of(collective));
    CHECK(schedules > 0);
  }
}

TEST_CASE("pairwise over very many ranks is listed only where it is wanted") {
  // 2 x 8,999 messages are few enough for the floor to be played, 2 x 11,999 are not.
  for (const std::uint32_t ranks : {9000u, 12'000u}) {
    for (const Collective collective :
         {Collective::all_to_all, Collective::all_gather, Collective::all_reduce}) {
      Schedule schedule = make_schedule(request_of(collective, {axis_of(ranks)}, "pairwise"));
      const std::uint64_t sends = (ranks - 1) * (collective == Collective::all_reduce ? 2ULL : 1ULL);
      CHECK(schedule.phases.at(0).roles.empty());
      CHECK(schedule.phases.at(0).unlisted == sends);
      const Duration floor = estimate(schedule);
      list_sends(schedule);
      CHECK(schedule.phases.at(0).roles.at(0).lanes.at(0).sends.size() == sends);
      CHECK(schedule.phases.at(0).unlisted == 0);
      CHECK(estimate(schedule).ps == floor.ps);
    }
  }
  CHECK_FALSE(make_schedule(request_of(Collective::all_to_all, {axis_of(8191)}, "pairwise"))
                  .phases.at(0)
                  .roles.empty());
}

TEST_CASE("unlisted pairwise is answered where it folds and refused where it does not") {
  constexpr std::uint32_t ranks = 8200;
  SwitchOf network(ranks);
  ScheduleRequest request =
      request_of(Collective::all_to_all, network.groups.axes(), "pairwise", {ranks * 1000ULL});
  const Schedule schedule = make_schedule(request);
  Problem problem = network.asked_for(schedule);
  const Solution solution = solve(problem);
  CHECK(solution.solver == "quotient");
  CHECK(solution.messages == std::uint64_t{ranks} * (ranks - 1));
  // 8,199 messages of 1,000 B at 100 GB/s, 10 ns each, and the last one's way through the switch: 2 x 0.5 us.
  CHECK(solution.programs.at(0).finish == Time{8199 * 10'000 + 1'000'000});
  problem.delays = {{0, Duration{1}}};
  CHECK_THROWS_AS(solve(problem), InfeasibleError);
  CHECK_THROWS_AS(solve(problem, "engine"), InfeasibleError);
}
