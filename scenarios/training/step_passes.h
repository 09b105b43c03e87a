// What a rank does in one pass: stretches of computing, and between them the talk that the next one waits
// for.
//
// Idea: the costs of a chunk say how long it computes and how many collectives of which kind lie in between,
// not where. They are spread evenly: with e of them, the computing is cut into e + 1 equal stretches, and
// those of several kinds alternate. A layer's two all-gathers and two reduce-scatters then come out in their
// places.
#pragma once

#include <optional>
#include <vector>

#include "scenarios/training/pipeline_order.h"
#include "scenarios/training/stage_cost.h"
#include "scenarios/training/step_groups.h"

namespace tahoma {

/// A collective of all ranks of a group at once.
struct StepTalk {
  StepGroup group = StepGroup::tp;
  Collective collective = Collective::all_reduce;
  Bytes bytes;
  auto operator<=>(const StepTalk&) const = default;
};

struct StepStretch {
  std::optional<StepTalk> talk;  // before the computing; under it if `overlapped`
  bool overlapped = false;
  Bytes ring_bytes;              // ring attention: so many bytes go round under the computing,
  std::uint32_t ring_steps = 0;  // which is cut into ring_steps + 1
  Duration computes;
  bool again = false;  // it was computed in the forward pass already
};

/// Of a stage's chunk, whose costs these are. The backward pass begins with what is computed again.
std::vector<StepStretch> stretches_of(Pass::Kind kind, const ChunkCost& cost, const Parallel& parallel);

/// The same with at least `least` stretches: the computing is cut further.
std::vector<StepStretch> cut_further(std::vector<StepStretch> stretches, std::size_t least);

}  // namespace tahoma
