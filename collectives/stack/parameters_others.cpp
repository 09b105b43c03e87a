// RCCL, Neuron and XLA. RCCL's tuning table has one launch for all its rings and trees; Neuron and XLA
// publish none, and their floors here are those of the few public runs.
#include <array>

#include "collectives/stack/parameters.h"

namespace tahoma {
namespace {

using enum Provenance;

constexpr std::string_view rccl_tuner = "RCCL src/graph/tuning.cc, its table of latencies";

constexpr std::array other_rows{
    StackParameter{"rccl", "", "", "flat_ring.offered", "no", assumed, "not fitted yet"},
    StackParameter{"rccl", "", "", "ll.floor", "12us", published, rccl_tuner},
    StackParameter{"rccl", "", "", "ll128.floor", "12us", published, rccl_tuner},
    StackParameter{"rccl", "", "", "simple.floor", "17us", published, rccl_tuner},
    StackParameter{"rccl", "", "", "ll.factor_up", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"rccl", "", "", "ll.factor_out", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"rccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"rccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"rccl", "", "", "hierarchical_tree.chunks", "8", assumed, "model"},
    StackParameter{"rccl", "", "", "hierarchical_tree.chunk", "512KiB", assumed, "model"},

    StackParameter{"neuron", "", "", "floor", "15us", assumed, "model"},
    StackParameter{"neuron", "", "trn2-server|trn2-chip", "all_reduce.floor", "40us", fitted, measured_rows},
    StackParameter{"neuron", "", "trn2-server|trn2-chip", "all_gather.floor", "40us", fitted, measured_rows},
    StackParameter{"neuron", "", "trn2-server|trn2-chip", "reduce_scatter.floor", "40us", fitted,
                   measured_rows},
    StackParameter{"neuron", "", "trn2-server", "all_reduce.factor_up", "0.6", fitted, measured_rows},
    StackParameter{"neuron", "", "trn2-server", "all_gather.factor_up", "0.6", fitted, measured_rows},
    StackParameter{"neuron", "", "trn2-server", "reduce_scatter.factor_up", "0.6", fitted, measured_rows},
    StackParameter{"neuron", "", "trn2-server", "all_reduce.least_time", "98us", measured, measured_rows},
    StackParameter{"neuron", "", "trn2-server", "all_gather.least_time", "98us", measured, measured_rows},
    StackParameter{"neuron", "", "trn2-server", "reduce_scatter.least_time", "98us", measured, measured_rows},
    StackParameter{"neuron", "", "trn2-server", "all_to_all.least_time", "98us", measured, measured_rows},
    StackParameter{"neuron", "", "trn1-server", "all_reduce.least_time", "58us", measured, measured_rows},
    StackParameter{"neuron", "", "trn1-server", "all_gather.least_time", "150us", measured, measured_rows},
    StackParameter{"xla", "", "", "floor", "5us", assumed, "model"},
};

}  // namespace

std::span<const StackParameter> other_parameters() {
  return other_rows;
}

}  // namespace tahoma
