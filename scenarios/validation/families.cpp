#include "scenarios/validation/families.h"

#include <algorithm>

namespace tahoma {

namespace {

constexpr PresetFamily families[] = {
    {"trn1-server", "Trainium1", "efa", "neuron"},
    {"trn1n-server", "Trainium1", "efa", "neuron"},
    {"inf2-server", "Inferentia2", "", "neuron"},
    {"trn2-chip", "Trainium2", "efa", "neuron"},
    {"trn2-server", "Trainium2", "efa", "neuron"},
    {"trn2-ultraserver", "Trainium2", "efa", "neuron"},
    {"rainier", "Trainium2", "efa", "neuron"},
    {"trn3-gen1-ultraserver", "Trainium3", "efa", "neuron"},
    {"trn3-gen2-ultraserver", "Trainium3", "efa", "neuron"},
    {"ultracluster3", "Trainium3", "efa", "neuron"},
    {"trainium4-nvl72", "Trainium4", "efa", "neuron"},
    {"dgx1-v100", "V100", "ib", "nccl"},
    {"p3dn", "V100", "efa", "nccl"},
    {"hgx-a100", "A100", "ib", "nccl"},
    {"p4d", "A100", "efa", "nccl"},
    {"hgx-h100", "H100", "ib", "nccl"},
    {"hgx-h200", "H100", "ib", "nccl"},
    {"p5", "H100", "efa", "nccl"},
    {"p5e", "H100", "efa", "nccl"},
    {"p5en", "H100", "efa", "nccl"},
    {"meta-24k-h100", "H100", "roce", "nccl"},
    {"colossus-100k", "H100", "roce", "nccl"},
    {"hgx-h800", "H800", "ib", "nccl"},
    {"hgx-b200", "B200", "ib", "nccl"},
    {"p6-b200", "B200", "efa", "nccl"},
    {"hgx-b300", "B200", "ib", "nccl"},
    {"p6-b300", "B200", "efa", "nccl"},
    {"gb200-nvl72", "NVL72", "efa", "nccl"},
    {"gb300-nvl72", "NVL72", "efa", "nccl"},
    {"mi250x-server", "MI250X", "ib", "rccl"},
    {"mi300x-server", "MI300X", "ib", "rccl"},
    {"tpu-v4", "TPU v4", "", "xla"},
    {"tpu-v5e", "TPU v5e", "", "xla"},
    {"tpu-v5p", "TPU v5p", "", "xla"},
    {"tpu-v6e", "TPU v6e", "", "xla"},
    {"tpu-v7", "TPU v7", "", "xla"},
};

}  // namespace

std::span<const PresetFamily> preset_families() {
  return families;
}

const PresetFamily* family_of(std::string_view preset) {
  const std::string_view name = preset.substr(0, preset.find('@'));
  const auto at = std::find_if(std::begin(families), std::end(families),
                               [&](const PresetFamily& family) { return family.preset == name; });
  return at == std::end(families) ? nullptr : &*at;
}

}  // namespace tahoma
