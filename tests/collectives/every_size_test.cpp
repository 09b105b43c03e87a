// Every algorithm on every network of 2 to 64 ranks that it fits: the replay accepts the schedule, the run
// ends on every rank, and its time is not below the bound. A tiny buffer, in which most pieces are one
// element or padding, and a large one that is no multiple of anything.
//
// Schedules on one axis are replayed for every number of ranks in verify_test.cpp; here are those that are
// cut for the sides and rates of several. Networks without a symmetry are run rank by rank, and are kept
// smaller. To stay within seconds, numbers past 16 but for 64 take their turns on an eighth of the networks
// each. The whole product, with the networks that nothing folds at all sizes, is run by hand:
//
//     test_collectives "[whole]"            -c "64 ranks" for one number of ranks
#include <catch2/catch.hpp>

#include <map>
#include <variant>

#include "collectives/bound.h"
#include "collectives/choose.h"
#include "collectives/solve/solve.h"
#include "collectives/verify.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"
#include "topology/dragonfly.h"

namespace tahoma {

namespace {

struct SizedNetwork {
  std::string name;
  std::variant<ClusterShape, GraphShape> shape;
};

Dimension side_of(DimensionKind kind, std::uint32_t size) {
  Dimension side;
  side.kind = kind;
  side.size = size;
  side.bandwidth = {50, 9};
  side.efficiency = {93, -2};
  side.latency = {500'000};
  return side;
}

ClusterShape sides_of_one_domain(const std::vector<Dimension>& sides) {
  ClusterShape shape;
  shape.scale_up = sides;
  shape.sites = {{"", 1}};
  return shape;
}

ClusterShape lone_chips(std::uint32_t count) {
  ClusterShape shape;
  Clos fabric;
  fabric.tiers = 2;
  fabric.leaf_width = 4;
  fabric.oversubscription = {{2, 0}};
  fabric.bandwidth = {25, 9};
  fabric.latency = {{2'000'000}};
  shape.clos = fabric;
  shape.sites = {{"", count}};
  return shape;
}

ClusterShape ranks_on_ring(std::uint32_t chips, std::uint32_t ranks) {
  ClusterShape shape = sides_of_one_domain({side_of(DimensionKind::ring, chips)});
  shape.ranks_per_chip = ranks;
  shape.inner = {ranks, {30, 9}, {1, 0}, {250'000}};
  return shape;
}

ClusterShape servers_of_4(std::uint32_t servers) {
  ClusterShape shape = lone_chips(servers);
  shape.scale_up = {side_of(DimensionKind::switched, 4)};
  return shape;
}

/// A cable between every two chips, drawn one by one.
GraphShape drawn_mesh(std::uint32_t n) {
  GraphShape graph;
  for (std::uint32_t a = 0; a < n; ++a) graph.vertices.push_back({"c" + std::to_string(a)});
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) {
      if (a == b) continue;
      GraphLink link;
      link.name = graph.vertices[a].name + "->" + graph.vertices[b].name;
      link.from = a;
      link.to = b;
      link.bandwidth = {50, 9};
      link.latency = {500'000};
      graph.links.push_back(link);
    }
  }
  return graph;
}

/// Two chips a router, two routers a group, over third groups.
GraphShape groups_of_4(std::uint32_t groups) {
  Dragonfly dragonfly;
  dragonfly.ends_per_router = dragonfly.routers = 2;
  dragonfly.groups = groups;
  dragonfly.global_links = groups / 2;
  dragonfly.terminal = dragonfly.local = dragonfly.global = {{25, 9}, {500'000}};
  dragonfly.valiant = true;
  return dragonfly_of_chips(dragonfly, 4 * groups);
}

ClusterShape storing_line(std::uint32_t n) {
  ClusterShape shape = sides_of_one_domain({side_of(DimensionKind::line, n)});
  shape.scale_up[0].stores = true;
  return shape;
}

/// Which have no symmetry, so that every rank is run.
std::vector<SizedNetwork> unlike_networks_of(std::uint32_t n) {
  std::vector<SizedNetwork> networks{{"line", sides_of_one_domain({side_of(DimensionKind::line, n)})},
                                     {"line, store and forward", storing_line(n)},
                                     {"full mesh as a graph", drawn_mesh(n)}};
  if (n % 4 == 0 && n > 4) networks.push_back({"dragonfly", groups_of_4(n / 4)});
  return networks;
}

std::vector<SizedNetwork> networks_of(std::uint32_t n) {
  using enum DimensionKind;
  std::vector<SizedNetwork> networks{{"ring", sides_of_one_domain({side_of(ring, n)})},
                                     {"switch", sides_of_one_domain({side_of(switched, n)})},
                                     {"full mesh", sides_of_one_domain({side_of(full, n)})}};
  if (n <= 9) networks.push_back({"line", sides_of_one_domain({side_of(line, n)})});
  if (n <= 8) networks.push_back({"full mesh as a graph", drawn_mesh(n)});
  if (n % 4 == 0) networks.push_back({"clos of lone chips", lone_chips(n)});
  if (n % 4 == 0 && n > 4) networks.push_back({"servers of 4 on a switch each", servers_of_4(n / 4)});
  if (n % 4 == 0 && n > 4) networks.push_back({"chips of 4 ranks on a ring", ranks_on_ring(n / 4, 4)});
  for (std::uint32_t a = 2; a * a <= n; ++a) {
    if (n % a != 0) continue;
    networks.push_back({"torus", sides_of_one_domain({side_of(ring, n / a), side_of(ring, a)})});
    if (n == a * a * 4) {
      networks.push_back({"torus of three sides",
                          sides_of_one_domain({side_of(ring, a), side_of(ring, a), side_of(ring, 4)})});
    }
  }
  return networks;
}

struct RunCounts {
  int runs = 0;
  std::map<std::string, int> of_algorithm;
};

void run_all(const SizedNetwork& network, std::uint32_t n, RunCounts& counts) {
  const auto topology = std::visit([](const auto& shape) { return make_topology(shape); }, network.shape);
  const RankGroups groups = RankGroups::all(*topology);
  REQUIRE(groups.size() == n);
  for (const Collective collective : all_collectives) {
    for (const Algorithm& algorithm : algorithms()) {
      for (const std::uint64_t bytes : {std::uint64_t{2}, std::uint64_t{1'000'002}}) {
        ScheduleRequest request =
            request_of(collective, groups.axes(), std::string(algorithm.name), Bytes{bytes});
        for (std::uint32_t p = 0; p < n; ++p) request.table.push_back((p + 1) % n);
        INFO(network.name << " of " << n << ", " << name_of(collective) << ", " << algorithm.name << ", "
                          << bytes << " B");
        Schedule schedule;
        try {
          schedule = make_schedule(request);
        } catch (const ScenarioError&) {
          continue;  // refused, with a reason that other tests read
        }
        // What is cut for the rates of several axes; else verify_test.cpp has replayed the same.
        if (groups.axes().size() > 1) {
          const Verdict verdict = verify(schedule);
          if (!verdict.ok) FAIL(verdict.fault);
        }
        Problem problem;
        problem.topology = topology.get();
        problem.programs.resize(1);
        problem.programs[0].schedule = &schedule;
        problem.programs[0].groups = &groups;
        const Solution solution = solve(problem);
        ChipId finished = 0;
        while (finished < n && solution.finish(0, finished) != Time::never()) ++finished;
        REQUIRE(finished == n);
        const AddedBy added_by = algorithm.name == "in_switch" ? AddedBy::switches : AddedBy::hosts;
        const Duration bound =
            lower_bound(*topology, groups, collective, Bytes{bytes}, 0, request.table, added_by).time;
        REQUIRE(solution.programs[0].finish - Time{} >= bound);
        ++counts.runs;
        ++counts.of_algorithm[std::string(algorithm.name)];
      }
    }
  }
}

}  // namespace

TEST_CASE("every algorithm runs on every network of 2 to 64 ranks that it fits and none beats the bound",
          "[slow]") {
  RunCounts counts;
  for (std::uint32_t n = 2; n <= 64; ++n) {
    const std::vector<SizedNetwork> networks = networks_of(n);
    const bool all = n <= 16 || n == 64;
    for (std::uint32_t i = 0; i < networks.size(); ++i) {
      if (all || (i + n) % 8 == 0) run_all(networks[i], n, counts);
    }
  }
  CHECK(counts.of_algorithm.size() == algorithms().size());
  for (const auto& [name, runs] : counts.of_algorithm) {
    INFO(name << ": " << runs);
    CHECK(runs >= 30);
  }
}

TEST_CASE("every algorithm on every network it fits of every number of ranks from 2 to 64",
          "[.][slow][whole]") {
  for (std::uint32_t n = 2; n <= 64; ++n) {
    DYNAMIC_SECTION(n << " ranks") {
      RunCounts counts;
      for (const SizedNetwork& network : networks_of(n)) run_all(network, n, counts);
      for (const SizedNetwork& network : unlike_networks_of(n)) run_all(network, n, counts);
      WARN(n << " ranks: " << counts.runs << " runs of " << counts.of_algorithm.size() << " algorithms");
      CHECK(counts.runs > 0);
    }
  }
}

}  // namespace tahoma
