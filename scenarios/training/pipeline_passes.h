// The passes of one stage, schedule by schedule: the rows of pipeline_order.cpp.
#pragma once

#include <vector>

#include "scenarios/training/pipeline_order.h"

namespace tahoma {

struct PipelineShape {
  std::uint32_t stages = 1, chunks = 1, micro_batches = 1;
};

std::vector<Pass> gpipe_passes(const PipelineShape& shape, std::uint32_t stage);
std::vector<Pass> one_f_one_b_passes(const PipelineShape& shape, std::uint32_t stage);
std::vector<Pass> interleaved_passes(const PipelineShape& shape, std::uint32_t stage);
std::vector<Pass> zb_1p_passes(const PipelineShape& shape, std::uint32_t stage);
std::vector<Pass> zb_2p_passes(const PipelineShape& shape, std::uint32_t stage);
std::vector<Pass> zb_v_passes(const PipelineShape& shape, std::uint32_t stage);
std::vector<Pass> dualpipe_passes(const PipelineShape& shape, std::uint32_t stage);

}  // namespace tahoma
