// RCCL, Neuron and XLA. RCCL's tuning table has one launch for all its rings and trees; Neuron and XLA
// publish none, and their floors here are those of the few public runs.
#include <array>

#include "collectives/stack/parameters.h"

namespace tahoma {
namespace {

using enum Provenance;

constexpr std::string_view rccl_tuner = "RCCL src/graph/tuning.cc, its table of latencies";

constexpr std::string_view neuron_rule =
    "Neuron documentation: mesh below 1 MB, RDH up to 56 MB, KangaRing above";

constexpr std::array other_rows{
    StackParameter{"rccl", "", "", "ll.floor", "12us", published, rccl_tuner},
    StackParameter{"rccl", "", "", "ll128.floor", "12us", published, rccl_tuner},
    StackParameter{"rccl", "", "", "simple.floor", "17us", published, rccl_tuner},
    StackParameter{"rccl", "", "", "floor_per_domain", "55us", fitted, measured_rows},
    StackParameter{"rccl", "", "", "ll.factor_up", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"rccl", "", "", "ll.factor_out", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"rccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"rccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"rccl", "", "", "hierarchical_tree.chunks", "8", assumed, "model"},
    StackParameter{"rccl", "", "", "hierarchical_tree.chunk", "512KiB", assumed, "model"},
    StackParameter{"rccl", "", "mi250x-gcd", "program.channel_rate", "5.7GB/s", fitted, measured_rows},
    StackParameter{"rccl", "", "", "flat_ring.offered", "no", published,
                   "a ring per NIC, where there are several"},
    StackParameter{"rccl", "", "mi250x-gcd", "flat_ring.offered", "yes", assumed,
                   "with 2 channels a ring has one NIC of a server at a time"},
    StackParameter{"rccl", "", "mi250x-gcd", "flat_ring.channels", "2", assumed,
                   "as NCCL_MAX_NCHANNELS was set in the one public run"},
    StackParameter{"rccl", "", "mi250x-gcd", "flat_ring.channel_rate", "3.8GB/s", assumed,
                   "2/3 of a program's: what is passed on is read once and written twice"},

    StackParameter{"neuron", "", "", "floor", "15us", assumed, "model"},
    StackParameter{"neuron", "", "trn2-server|trn2-chip", "all_reduce.floor", "40us", fitted, measured_rows},
    StackParameter{"neuron", "", "trn2-server|trn2-chip", "all_gather.floor", "40us", assumed,
                   "as all_reduce"},
    StackParameter{"neuron", "", "trn2-server|trn2-chip", "reduce_scatter.floor", "40us", assumed,
                   "as all_reduce"},
    StackParameter{"neuron", "", "trn2-server", "factor_chip", "0.62", fitted, measured_rows},
    StackParameter{"neuron", "", "trn1-server|trn2-server", "least_time", "98us", measured, measured_rows},
    StackParameter{"neuron", "", "", "both_ways.chunks", "4", assumed, "model"},
    StackParameter{"neuron", "", "", "both_ways.chunk", "1MiB", assumed, "model"},
    StackParameter{"neuron", "", "", "all_reduce.mesh.most", "1MB", published, neuron_rule},
    StackParameter{"neuron", "", "", "all_gather.mesh.most", "1MB", published, neuron_rule},
    StackParameter{"neuron", "", "", "reduce_scatter.mesh.most", "1MB", published, neuron_rule},
    StackParameter{"neuron", "", "trn1-server", "mesh.floor_per_domain", "650us", fitted, measured_rows},
    StackParameter{"neuron", "", "trn1-server", "floor_per_domain", "1.2ms", fitted, measured_rows},
    StackParameter{"xla", "", "", "floor", "5us", assumed, "model"},
};

}  // namespace

std::span<const StackParameter> other_parameters() {
  return other_rows;
}

}  // namespace tahoma
