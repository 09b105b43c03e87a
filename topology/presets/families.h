// The catalogue's tables, a file per family of hardware; topology/preset_rows.cpp puts them together in the
// order of `tahoma presets`.
#pragma once

#include <span>

#include "topology/presets.h"

namespace tahoma {

std::span<const PresetRow> fabric_rows();  // what joins servers: EFA, InfiniBand, RoCE
std::span<const PresetRow> trainium1_rows();
std::span<const PresetRow> trainium2_rows();
std::span<const PresetRow> trainium3_rows();
std::span<const PresetRow> trainium4_rows();
std::span<const PresetRow> aws_gpu_rows();
std::span<const PresetRow> nvidia_rows();
std::span<const PresetRow> nvlink_rack_rows();
std::span<const PresetRow> amd_rows();
std::span<const PresetRow> tpu_rows();
std::span<const PresetRow> cluster_rows();

}  // namespace tahoma
