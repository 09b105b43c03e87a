// A row done by communication software: which of its ways is the fastest, and on which network.
//
// Each way that fits is solved alone on the idle network under its own figures; the fastest is taken, the
// first in the order of the table among equals. A way whose floor (its lanes without contention, the cuts
// of its network) is above the best so far is not tried. Where a way has too many messages to be tried, it is
// left out; if all have, the one with the least floor is taken, as `auto` does.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "collectives/stack/on_network.h"
#include "scenarios/rows.h"

namespace tahoma {

/// The network that a way leaves, and the groups of each job on it.
struct UnderStack {
  Network network;
  std::map<const CollectiveWork*, RankGroups> groups;
};

struct StackedRow {
  Choice choice;
  Problem problem;  // network and costs under the stack; no programs
  const RankGroups* groups = nullptr;
  std::string stack, protocol;  // "nccl 2.28", "ll128"
  Duration launch;
  Rate send_rate;  // of a listed program's thread blocks; 0: as their links
};

class StackRows {
 public:
  explicit StackRows(const Scenario& scenario) : scenario_(scenario), domains_(scenario.network) {}

  /// Throws ScenarioError where the stack has no way to do it.
  StackedRow fastest(const PlannedRow& row);
  /// What a row of a listed program runs on, and what it costs. Throws where the stack runs none of the
  /// program's protocol.
  StackedRow listed(const PlannedRow& row);
  /// Throws what these would, without solving anything.
  void check(const PlannedRow& row);

 private:
  struct Candidate {
    StackCase of;
    StackFigures figures;
    const Network* network = nullptr;
    const RankGroups* groups = nullptr;
    Schedule schedule;
    Duration launch, floor;
  };
  std::vector<Candidate> candidates(const PlannedRow& row);
  std::uint32_t domains(const PlannedRow& row) const { return domains_of(*row.groups, domains_); }
  UnderStack& under(const StackFigures& figures);
  const RankGroups& groups(UnderStack& under, const CollectiveWork& work) const;
  Problem problem_of(const Candidate& candidate) const;
  static Duration bound_of(const Candidate& candidate, const PlannedRow& row);

  using Change = std::tuple<Decimal, Decimal, Decimal, Duration, Duration, Capacity, std::uint32_t>;
  const Scenario& scenario_;
  ScaleUpDomains domains_;
  std::map<Change, std::unique_ptr<UnderStack>> under_;
};

}  // namespace tahoma
