// The matrix of the exactness test: networks x algorithms x collectives, each with its own draw of sizes,
// faults, groups, pipelines, channels, rules, overheads, reductions and stragglers.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "collectives/algorithms.h"
#include "collectives/solve/solve.h"
#include "core/random.h"
#include "tests/support/judge.h"
#include "topology/topology.h"

namespace tahoma {

/// Everything that one run needs, kept alive together. `problem()` is the question to the solvers,
/// `question()` the same one to the judge.
struct ExactnessCase {
  std::string name;
  std::unique_ptr<Topology> topology;
  std::unique_ptr<Topology> healthy;  // null if `topology` is
  struct Part {
    std::unique_ptr<RankGroups> groups;
    Schedule schedule;
    LaneRule rule = LaneRule::fifo;
    Time start;
  };
  std::vector<Part> parts;
  std::vector<ChipDelay> delays;
  Duration overhead;
  Capacity reduction_rate;
  ChipMemory memory;

  Problem problem() const;
  judge::Question question() const;
  std::uint64_t messages() const;
  /// Every rank's flows over whole networks of shared links: dear for the engine unless it can fold.
  bool is_crowded() const;
};

struct NamedShape {
  std::string name;
  std::variant<ClusterShape, GraphShape> shape;
};
std::unique_ptr<Topology> make_topology(const NamedShape& network, const Faults& faults = {});

/// Up to 64 chips: of every kind of dimension and of fabric, Clos routing, and several sites.
std::vector<NamedShape> small_networks();
/// 128 to 4,096 chips.
std::vector<NamedShape> large_networks();

/// All that the algorithms offer on `network`, in one level and in two; `draws` variations of each.
std::vector<ExactnessCase> cases_on(const NamedShape& network, std::uint32_t draws, Random& random);

}  // namespace tahoma
