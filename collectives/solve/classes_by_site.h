// Classes of ranks where sites of different hardware fold apart, and how many of a class a rank meets.
//
// A site's symmetries move its own chips only. Its classes are those of its own digits, so a class has as
// many chips as its site's symmetries make; what the sites exchange must look the same from every chip of a
// class: as many messages to each class of another site. That is counted, not assumed (all_alike). Then rates
// are constant on classes, as under a group of symmetries (docs/decisions/0007-mixed-sites.md).
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/schedule.h"
#include "collectives/solve/instance.h"

namespace tahoma {

class ClassesBySite {
 public:
  /// `classes` of a folded mixed network.
  explicit ClassesBySite(const ChipClasses& classes) : classes_(classes) {}

  struct Met {
    std::uint32_t from, to;  // sites
    std::uint32_t chip_class;
    ChipId chip;          // one of those met
    std::uint64_t ranks;  // of the class, that the rank meets
  };
  /// All that the rank on `chip` sends to between sites, by class.
  std::vector<Met> met_by(const std::vector<SchedulePart>& parts, ChipId chip) const;

  /// Is what the sites exchange the same from every chip of a class?
  bool all_alike(const std::vector<SchedulePart>& parts) const;

 private:
  const ChipClasses& classes_;
};

}  // namespace tahoma
