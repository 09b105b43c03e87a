// Any bytes as a workload of layers: refused with a finished sentence, or read, with groups of as many ranks
// as it says.
#include <cstdint>
#include <string>

#include "collectives/importers/layer_workload.h"
#include "core/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const tahoma::LayerWorkload workload =
        tahoma::read_layer_workload(std::string(data, data + size), "fuzz.txt");
    const std::uint32_t ranks = workload.ranks == 0 || workload.ranks > 4096 ? 64 : workload.ranks;
    for (const auto group : {tahoma::LayerGroup::tensor, tahoma::LayerGroup::data, tahoma::LayerGroup::expert,
                             tahoma::LayerGroup::data_expert})
      tahoma::ranks_of_groups(workload, ranks, group);
  } catch (const tahoma::ScenarioError&) {
  }
  return 0;
}
