// One table of the families' tables. Directions: bandwidth is raw, per link and per direction; `facts` say so
// in their notes.
#include "topology/presets.h"
#include "topology/presets/families.h"

namespace tahoma {

namespace {

constexpr PresetRow generic_chip[] = {
    {"generic", "describes", "a chip without overhead or reduction cost: the network alone", "model",
     Confidence::assumed},
    {"generic", "cluster.chip.name", "generic", "model", Confidence::assumed},
};

std::vector<PresetRow> all_families() {
  std::vector<PresetRow> rows;
  for (const std::span<const PresetRow> family :
       {std::span<const PresetRow>(generic_chip), fabric_rows(), trainium1_rows(), trainium2_rows(),
        trainium3_rows(), trainium4_rows(), aws_gpu_rows(), nvidia_rows(), nvlink_rack_rows(), amd_rows(),
        tpu_rows(), cluster_rows()}) {
    rows.insert(rows.end(), family.begin(), family.end());
  }
  return rows;
}

}  // namespace

std::span<const PresetRow> preset_rows() {
  static const std::vector<PresetRow> rows = all_families();
  return rows;
}

}  // namespace tahoma
