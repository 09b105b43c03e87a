// NCCL, and MSCCL beside it. The tuning table of NCCL gives a launch and a latency per step by algorithm,
// protocol and kind of link; the step includes the wire, which the presets have already: 0.6 us over NVLink
// is taken off here. Between domains the presets' latencies are the measured ones of the whole way, so that
// nothing is added to them.
#include <array>

#include "collectives/stack/parameters.h"

namespace tahoma {
namespace {

using enum Provenance;

constexpr std::string_view tuner = "NCCL src/graph/tuning.cc, its table of latencies";
constexpr std::string_view tuner_step = "NCCL src/graph/tuning.cc, less 0.6 us of the preset's links";
constexpr std::string_view nvls_notes =
    "release notes of NCCL 2.17 and 2.18; general knowledge, not archived";
constexpr std::string_view with_nvls = "h100|h200|h800|b200|b300|gb200|gb300";

constexpr std::array rows{
    StackParameter{"nccl", "", "", "ring.ll.floor", "6.6us", published, tuner},
    StackParameter{"nccl", "", "", "graph_rings.ll.floor", "6.6us", published, tuner},
    StackParameter{"nccl", "", "", "rail_rings.ll.floor", "6.6us", published, tuner},
    StackParameter{"nccl", "", "", "ring.ll128.floor", "14us", published, tuner},
    StackParameter{"nccl", "", "", "ring.simple.floor", "8.4us", published, tuner},
    StackParameter{"nccl", "", "", "ll.floor", "6.8us", published, tuner},
    StackParameter{"nccl", "", "", "ll128.floor", "14us", published, tuner},
    StackParameter{"nccl", "", "", "simple.floor", "8.4us", published, tuner},
    StackParameter{"nccl", "", "", "ring.ll128.step_up", "1.3us", published, tuner_step},
    StackParameter{"nccl", "", "", "graph_rings.ll128.step_up", "1.3us", published, tuner_step},
    StackParameter{"nccl", "", "", "rail_rings.ll128.step_up", "1.3us", published, tuner_step},
    StackParameter{"nccl", "", "", "ring.simple.step_up", "2.8us", published, tuner_step},
    StackParameter{"nccl", "", "", "graph_rings.simple.step_up", "2.8us", published, tuner_step},
    StackParameter{"nccl", "", "", "rail_rings.simple.step_up", "2.8us", published, tuner_step},
    StackParameter{"nccl", "", "", "ll128.step_up", "0.65us", published, tuner_step},
    StackParameter{"nccl", "", "", "simple.step_up", "3.4us", published, tuner_step},
    StackParameter{"nccl", "", "", "ll.factor_up", "0.25", published, "NCCL src/graph/tuning.cc, ring by LL"},
    StackParameter{"nccl", "", "", "ll.factor_out", "0.25", published,
                   "NCCL src/graph/tuning.cc, ring by LL"},
    StackParameter{"nccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"nccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"nccl", "", "", "tree.factor_up", "0.9", published, "NCCL src/graph/tuning.cc, trees"},
    StackParameter{"nccl", "", "", "hierarchical_tree.factor_out", "0.9", published,
                   "NCCL src/graph/tuning.cc, trees"},
    StackParameter{"nccl", "", "", "nvls.offered", "no", published, "needs a switch that adds"},
    StackParameter{"nccl", "2.17", with_nvls, "nvls.offered", "yes", published, nvls_notes},
    StackParameter{"nccl", "", "", "nvls.floor", "25us", published, tuner},
    StackParameter{"nccl", "", "", "nvls_ring.offered", "no", published, "needs a switch that adds"},
    StackParameter{"nccl", "2.17", with_nvls, "nvls_ring.offered", "yes", published, nvls_notes},
    StackParameter{"nccl", "", "", "nvls_ring.floor", "25us", published, tuner},
    StackParameter{"nccl", "", "", "nvls_ring.chunks", "8", assumed, "model"},
    StackParameter{"nccl", "", "", "nvls_ring.chunk", "1MiB", assumed, "model"},
    StackParameter{"nccl", "", "", "nvls_tree.offered", "no", published, "needs a switch that adds"},
    StackParameter{"nccl", "2.18", with_nvls, "nvls_tree.offered", "yes", published, nvls_notes},
    StackParameter{"nccl", "", "", "nvls_tree.floor", "25us", published, tuner},
    StackParameter{"nccl", "", "", "nvls_tree.chunks", "8", assumed, "model"},
    StackParameter{"nccl", "", "", "nvls_tree.chunk", "1MiB", assumed, "model"},
    StackParameter{"nccl", "", "", "hierarchical_tree.chunks", "8", assumed, "model"},
    StackParameter{"nccl", "", "", "hierarchical_tree.chunk", "512KiB", assumed, "model"},

    StackParameter{"msccl", "", "", "floor", "5us", assumed, "a kernel's launch"},
    StackParameter{"msccl", "", "", "ll.factor_up", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"msccl", "", "", "ll.factor_out", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"msccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"msccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"msccl", "", "", "simple.step_up", "2us", assumed, "model"},
    StackParameter{"msccl", "", "", "nvls.offered", "no", published, "needs a switch that adds"},
    StackParameter{"msccl", "", with_nvls, "nvls.offered", "yes", published, "MSCCL++ multimem kernels"},
};

}  // namespace

std::span<const StackParameter> nvidia_parameters() {
  return rows;
}

}  // namespace tahoma
