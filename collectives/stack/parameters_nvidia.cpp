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
constexpr std::string_view hopper = "h100|h200|h800";
constexpr std::string_view blackwell = "b200|b300|gb200|gb300";
constexpr std::string_view p5s = "p5|p5e|p5en";
constexpr std::string_view gbs = "gb200|gb300";
constexpr std::string_view with_nvls = "h100|h200|h800|b200|b300|gb200|gb300";

constexpr std::array nvidia_rows{
    StackParameter{"nccl", "", "", "ll128.floor", "6us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "simple.floor", "8.4us", published, tuner},
    StackParameter{"nccl", "", "", "ll.floor", "5.5us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "all_reduce.ll.floor", "11us", fitted, measured_rows},
    StackParameter{"nccl", "", "a100", "all_reduce.ll.floor", "33us", fitted, measured_rows},
    StackParameter{"nccl", "", "a100", "ll128.floor", "24us", fitted, measured_rows},
    StackParameter{"nccl", "", "a100", "ring.simple.floor", "30us", fitted, measured_rows},
    StackParameter{"nccl", "", "v100", "ring.simple.floor", "20us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "ring.simple.floor", "8.4us", published, tuner},
    StackParameter{"nccl", "", "", "ring.ll128.step_up", "0.6us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "ring.simple.step_up", "2.8us", published, tuner_step},
    StackParameter{"nccl", "", "", "rail_rings.simple.step_up", "2.8us", published, tuner_step},
    StackParameter{"nccl", "", "", "ll128.step_up", "0.65us", published, tuner_step},
    StackParameter{"nccl", "", "", "simple.step_up", "3.4us", published, tuner_step},
    StackParameter{"nccl", "", "", "ll.factor_up", "0.25", published, "NCCL src/graph/tuning.cc, ring by LL"},
    StackParameter{"nccl", "", "", "ll.factor_out", "0.25", published,
                   "NCCL src/graph/tuning.cc, ring by LL"},
    StackParameter{"nccl", "", "p4d", "ll.factor_out", "0.4", fitted, measured_rows},
    StackParameter{"nccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"nccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"nccl", "", "", "all_reduce.ring.ll128.factor_up", "0.66", fitted, measured_rows},
    StackParameter{"nccl", "", "a100", "all_reduce.ring.ll128.factor_up", "0.51", fitted, measured_rows},
    StackParameter{"nccl", "", "v100|p4d|p3dn", "ll128.offered", "no", published,
                   "NCCL: LL128 over networks from Hopper on, on V100 not at all"},
    StackParameter{"nccl", "", "", "ring.simple.factor_up", "0.95", fitted, measured_rows},
    StackParameter{"nccl", "", "a100", "ring.simple.factor_up", "0.92", fitted, measured_rows},
    StackParameter{"nccl", "", "v100", "ring.simple.factor_up", "1", measured, measured_rows},
    StackParameter{"nccl", "", "a100", "ring.simple.copy_rate", "700GB/s", fitted, measured_rows},
    StackParameter{"nccl", "", "", "tree.offered", "no", published,
                   "NCCL: inside a server a tree is a chain"},
    StackParameter{"nccl", "", "", "flat_ring.offered", "no", assumed, "not fitted yet"},
    StackParameter{"nccl", "", "", "nvls.offered", "no", published, "needs a switch that adds"},
    StackParameter{"nccl", "2.17", with_nvls, "nvls.offered", "yes", published, "NCCL 2.17 release notes"},
    StackParameter{"nccl", "", "", "nvls.floor", "65us", fitted, measured_rows},
    StackParameter{"nccl", "", hopper, "nvls.factor_up", "0.752", fitted, measured_rows},
    StackParameter{"nccl", "", blackwell, "nvls.factor_up", "0.65", fitted, measured_rows},
    StackParameter{"nccl", "", "", "nvls_ring.offered", "no", published,
                   "NCCL has trees between servers below NVLS"},
    StackParameter{"nccl", "", "", "nvls_tree.offered", "no", published, "needs a switch that adds"},
    StackParameter{"nccl", "2.18", with_nvls, "nvls_tree.offered", "yes", published,
                   "NCCL 2.18 release notes"},
    StackParameter{"nccl", "", "", "nvls_tree.floor", "300us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "nvls_tree.floor_per_domain", "100us", fitted, measured_rows},
    StackParameter{"nccl", "", hopper, "nvls_tree.factor_up", "0.752", fitted, measured_rows},
    StackParameter{"nccl", "", blackwell, "nvls_tree.factor_up", "0.65", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "nvls_tree.factor_out", "0.9", fitted, measured_rows},
    StackParameter{"nccl", "", "", "nvls_tree.chunks", "16", assumed, "model"},
    StackParameter{"nccl", "", "", "nvls_tree.chunk", "1MiB", assumed, "model"},
    StackParameter{"nccl", "", "", "hierarchical_tree.chunks", "8", assumed, "model"},
    StackParameter{"nccl", "", "", "hierarchical_tree.chunk", "512KiB", assumed, "model"},
    StackParameter{"nccl", "", p5s, "hierarchical_tree.simple.offered", "no", published,
                   "aws-ofi-nccl src/tuner, regions of p5"},
    StackParameter{"nccl", "", "p4d", "hierarchical_tree.simple.floor", "600us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "hierarchical_tree.simple.floor", "300us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "hierarchical_tree.ll128.factor_out", "0.5", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "hierarchical_tree.ll128.step_out", "40us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "hierarchical_tree.ll128.floor", "60us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "hierarchical_tree.ll.floor", "30us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "rail_rings.ll.floor", "26us", fitted, measured_rows},
    StackParameter{"nccl", "", "a100|v100|p4d|p3dn", "rail_rings.ll.floor", "140us", fitted, measured_rows},
    StackParameter{"nccl", "", "a100|v100|p4d|p3dn", "hierarchical_tree.ll.floor", "140us", fitted,
                   measured_rows},
    StackParameter{"nccl", "", "", "rail_rings.ll128.floor", "60us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.floor", "6us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.step_up", "5.5us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.step_out", "8.8us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.overhead", "1us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.factor_out", "0.745", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_gather.rail_rings.ll128.most_of_rank", "10MiB", published,
                   "where the estimates of NCCL src/graph/tuning.cc for LL128 and Simple cross"},
    StackParameter{"nccl", "", p5s, "reduce_scatter.rail_rings.ll128.most_of_rank", "10MiB", published,
                   "where the estimates of NCCL src/graph/tuning.cc for LL128 and Simple cross"},
    StackParameter{"nccl", "", "", "rail_rings.simple.floor", "100us", fitted, measured_rows},
    StackParameter{"nccl", "", "p4d", "rail_rings.simple.floor", "600us", fitted, measured_rows},
    StackParameter{"nccl", "", "p3dn", "rail_rings.simple.factor_out", "0.34", fitted, measured_rows},
    StackParameter{"nccl", "", "p3dn", "ring.simple.factor_out", "0.34", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.simple.factor_out", "0.98", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.simple.overhead", "25us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_reduce.rail_rings.simple.factor_out", "0.94", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_reduce.rail_rings.simple.overhead", "3us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_reduce.rail_rings.simple.least_of_rank", "40MiB", published,
                   "aws-ofi-nccl src/tuner, regions of p5"},
    StackParameter{"nccl", "", "a100", "exchange.simple.factor_up", "0.77", fitted, measured_rows},
    StackParameter{"nccl", "", blackwell, "exchange.simple.factor_up", "0.95", fitted, measured_rows},
    StackParameter{"nccl", "", gbs, "exchange.simple.factor_out", "0.66", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "exchange.simple.factor_out", "0.905", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_to_all.exchange.floor", "280us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_to_all.exchange.floor_per_rank", "10us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "exchange.ll.most", "1MiB", published,
                   "NCCL: sends and receives use LL for small sizes"},
    StackParameter{"msccl", "", "", "one_shot.offered", "no", assumed, "not fitted yet"},
    StackParameter{"msccl", "", "", "floor", "5.3us", fitted, measured_rows},
    StackParameter{"msccl", "", "", "ll.factor_up", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"msccl", "", "", "ll.factor_out", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"msccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"msccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"msccl", "", "", "simple.step_up", "2us", assumed, "model"},
    StackParameter{"msccl", "", hopper, "two_shot.factor_up", "0.5", fitted, measured_rows},
    StackParameter{"msccl", "", "", "hierarchical.chunks", "8", assumed, "model"},
    StackParameter{"msccl", "", "", "hierarchical.chunk", "4MiB", assumed, "model"},
    StackParameter{"msccl", "", "", "nvls.offered", "no", published, "needs a switch that adds"},
    StackParameter{"msccl", "", with_nvls, "nvls.offered", "yes", published, "MSCCL++ multimem kernels"},
    StackParameter{"msccl", "", "", "nvls.floor", "50us", fitted, measured_rows},
    StackParameter{"msccl", "", hopper, "nvls.factor_up", "0.752", fitted, measured_rows},
};

}  // namespace

std::span<const StackParameter> nvidia_parameters() {
  return nvidia_rows;
}

}  // namespace tahoma
