// KangaRing, the Neuron runtime's ring for large buffers: the rings of `disjoint_rings`, with the ranks of a
// chip in pairs.
//
// Only one rank of a pair stands on a ring. What arrives is written to both at once, and what goes on is the
// sum of both, so that two ranks touch the chip's memory 3 times per gathered byte in place of 4, and 4 times
// per reduced byte in place of 6. With r ranks on a chip there are r / 2 stations on it, and every step
// between chips is followed by r / 2 - 1 steps inside. The runtime's pages count N / 2 steps of N ranks and 1
// to 2 us for each: so a step inside takes the overhead of a message and the latency of a link, as one
// outside.
//
// Both count only where the chip's memory and its ranks are given (`cluster: {chip: {memory: …}}`); without
// them this is `disjoint_rings`. A rank of a schedule is a whole chip here, so the steps inside are a time
// after the arrival, not messages. Source: the Neuron runtime's pages on collectives inside a server.
#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {

std::string refuse_kangaring(const PhaseRequest& request) {
  return cycles_refusal("kangaring", request);
}

std::vector<Phase> make_kangaring(const PhaseRequest& request) {
  Phase phase = rings_on_cycles(request, "kangaring");
  phase.paired_ranks = true;
  return {phase};
}

}  // namespace tahoma
