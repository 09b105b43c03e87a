// Which ranks of a training step talk to each other: the axes of the split, laid onto the numbers of ranks
// and so onto torus dimensions, servers, UltraServers and sites.
//
// Ranks are numbered as the network numbers them; `order` says which axis counts fastest:
//
//   order tp-cp-dp-pp    rank = tp + TP x (cp + CP x (dp + DP x pp))
//
// Experts live on the ranks of one stage, numbered the same way without pp: the first etp of them hold one
// expert's parts, the next ep such blocks different experts, and what is left repeats the experts.
//
// Idea: an axis is a stretch of that mixed radix number, and a stretch that begins and ends between the
// network's own digits, or divides one, is a few numbers however many ranks there are. Anything else is a
// list.
#pragma once

#include <string>
#include <vector>

#include "collectives/groups.h"
#include "scenarios/training/parallel.h"

namespace tahoma {

/// Who talks: data parallelism runs over dp and cp together, since ranks that share a sequence hold the same
/// weights.
enum class StepGroup : std::uint8_t { tp, cp, ep, dp, expert_dp };
inline constexpr std::size_t step_groups = 5;
std::string_view name_of(StepGroup group);

class StepPlacement {
 public:
  /// Throws InfeasibleError where the ranks are more than the network has.
  StepPlacement(const Topology& topology, const Parallel& parallel);

  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t stages() const { return stages_.size; }
  std::uint32_t stage_of(ChipId rank) const { return rank / stages_.stride % stages_.size; }
  /// The rank at the same place of another stage.
  ChipId at_stage(ChipId rank, std::uint32_t stage) const {
    return rank - stage_of(rank) * stages_.stride + stage * stages_.stride;
  }
  std::uint32_t size_of(StepGroup group) const;
  /// The rank `step` places on in its ring of `group`.
  ChipId along(StepGroup group, ChipId rank, std::uint32_t step) const;

  /// All groups of one stage, or of all stages at once.
  RankGroups groups(StepGroup group, std::uint32_t stage) const;
  RankGroups groups_of_all_stages(StepGroup group) const;

  /// Digits of the network no part of which tells stages apart.
  DigitMask without_stages() const;

 private:
  struct Range {  // coordinate k is rank k * stride
    std::uint32_t stride = 1, size = 1;
  };
  std::vector<Range> inside(StepGroup group) const;
  std::vector<Range> outside(StepGroup group) const;
  std::vector<Range> stretch(std::uint64_t first, std::uint64_t last) const;
  RankGroups make(const std::vector<Range>& inside, const std::vector<Range>& outside, ChipId base) const;

  const Topology& topology_;
  const Parallel& parallel_;
  std::uint32_t ranks_ = 1;
  Range stages_;
  struct StageAxis {
    ParallelAxis axis;
    std::uint64_t first;  // its stride among the ranks of a stage
    Range range;
  };
  std::vector<StageAxis> in_stage_;
  std::uint64_t stage_ranks_ = 1;
};

}  // namespace tahoma
