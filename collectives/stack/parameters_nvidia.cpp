// NCCL, and MSCCL beside it. The tuning table of NCCL gives a latency per step by algorithm, protocol and
// kind of link; the step includes the wire, which the presets have already: 0.6 us over NVLink is taken off
// here. Between domains the presets' latencies are the measured ones of the whole way. What is fitted holds
// for a generation of hosts or of switches, never for one source; rows that are like another one say so.
#include <array>

#include "collectives/stack/parameters.h"

namespace tahoma {
namespace {

using enum Provenance;

constexpr std::string_view tuner_step = "NCCL src/graph/tuning.cc, less 0.6 us of the preset's links";
constexpr std::string_view nvls_notes =
    "release notes of NCCL 2.17 and 2.18; general knowledge, not archived";
constexpr std::string_view regions = "aws-ofi-nccl src/tuner, regions of p5";
constexpr std::string_view as_nvls = "the same switch as NCCL's nvls inside a server";
constexpr std::string_view hopper = "h100|h200|h800";
constexpr std::string_view blackwell = "b200|b300|gb200|gb300";
constexpr std::string_view p5s = "p5|p5e|p5en";
constexpr std::string_view gbs = "gb200|gb300";
constexpr std::string_view with_nvls = "h100|h200|h800|b200|b300|gb200|gb300";

constexpr std::array nvidia_rows{
    // What a call costs before anything moves.
    StackParameter{"nccl", "", "", "floor", "5us", fitted, measured_rows},
    StackParameter{"nccl", "", "v100|a100", "floor", "39us", fitted, measured_rows},
    StackParameter{"nccl", "", "p4d", "floor", "160us", fitted, measured_rows},

    // Inside a server.
    StackParameter{"nccl", "", "", "ring.ll.step_up", "0.5us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "ring.simple.step_up", "2.8us", published, tuner_step},
    StackParameter{"nccl", "", "", "rail_rings.simple.step_up", "2.8us", published, tuner_step},
    StackParameter{"nccl", "", "", "ll128.step_up", "0.65us", published, tuner_step},
    StackParameter{"nccl", "", "", "simple.step_up", "3.4us", published, tuner_step},
    StackParameter{"nccl", "", "", "ll.factor_up", "0.25", published, "NCCL src/graph/tuning.cc, ring by LL"},
    StackParameter{"nccl", "", "", "ll.factor_out", "0.25", published,
                   "NCCL src/graph/tuning.cc, ring by LL"},
    StackParameter{"nccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"nccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"nccl", "", "", "ring.ll128.factor_up", "0.58", fitted, measured_rows},
    StackParameter{"nccl", "", "v100|p4d|p3dn", "ll128.offered", "no", published,
                   "NCCL: LL128 over networks from Hopper on, on V100 not at all"},
    StackParameter{"nccl", "", "", "ring.simple.factor_up", "0.94", fitted, measured_rows},
    StackParameter{"nccl", "", "a100", "ring.simple.copy_rate", "700GB/s", fitted, measured_rows},
    StackParameter{"nccl", "", "", "tree.offered", "no", published,
                   "NCCL: inside a server a tree is a chain"},

    // In the switch.
    StackParameter{"nccl", "", "", "nvls.offered", "no", published, "needs a switch that adds"},
    StackParameter{"nccl", "2.17", with_nvls, "nvls.offered", "yes", published, nvls_notes},
    StackParameter{"nccl", "", "", "nvls.floor", "60us", fitted, measured_rows},
    StackParameter{"nccl", "", hopper, "nvls.factor_up", "0.73", fitted, measured_rows},
    StackParameter{"nccl", "", blackwell, "nvls.factor_up", "0.65", fitted, measured_rows},
    StackParameter{"nccl", "", "", "nvls_ring.offered", "no", published,
                   "NCCL has trees between servers below NVLS"},
    StackParameter{"nccl", "", "", "nvls_tree.offered", "no", published, "needs a switch that adds"},
    StackParameter{"nccl", "2.18", with_nvls, "nvls_tree.offered", "yes", published, nvls_notes},
    StackParameter{"nccl", "", "", "nvls_tree.floor", "300us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "nvls_tree.floor_per_domain", "100us", fitted, measured_rows},
    StackParameter{"nccl", "", hopper, "nvls_tree.factor_up", "0.73", assumed, as_nvls},
    StackParameter{"nccl", "", blackwell, "nvls_tree.factor_up", "0.65", assumed, as_nvls},
    StackParameter{"nccl", "", "", "nvls_tree.chunks", "64", assumed, "model"},
    StackParameter{"nccl", "", "", "nvls_tree.chunk", "1MiB", assumed, "model"},

    // Between servers: what Simple leaves of the NICs, for trees, rings and exchanges alike.
    StackParameter{"nccl", "", p5s, "simple.factor_out", "0.92", fitted, measured_rows},

    // Between servers: trees.
    StackParameter{"nccl", "", "", "hierarchical_tree.chunks", "8", assumed, "model"},
    StackParameter{"nccl", "", "", "hierarchical_tree.chunk", "512KiB", assumed, "model"},
    StackParameter{"nccl", "", "", "hierarchical_tree.simple.floor", "300us", assumed, "as nvls_tree's"},
    StackParameter{"nccl", "", "p4d|p3dn", "hierarchical_tree.simple.floor", "800us", fitted, measured_rows},
    StackParameter{"nccl", "", "p3dn", "simple.factor_out", "0.36", fitted, measured_rows},
    StackParameter{"nccl", "", "p3dn", "ll.factor_out", "0.18", assumed,
                   "half of Simple's: 4 of 8 bytes are data"},
    StackParameter{"nccl", "", p5s, "hierarchical_tree.simple.offered", "no", published, regions},
    StackParameter{"nccl", "", p5s, "hierarchical_tree.ll.offered", "no", published, regions},
    StackParameter{"nccl", "", p5s, "ll128.step_out", "14us", fitted, measured_rows},
    StackParameter{"nccl", "", "", "hierarchical_tree.ll128.factor_up", "0.58", assumed, "as a ring's"},
    StackParameter{"nccl", "", p5s, "hierarchical_tree.ll128.factor_up", "0.4", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "hierarchical_tree.ll128.factor_out", "0.55", fitted, measured_rows},

    // Between servers: rings.
    StackParameter{"nccl", "", "p4d|p3dn", "rail_rings.simple.floor", "800us", assumed, "as the trees'"},
    StackParameter{"nccl", "", "p4d|p3dn", "flat_ring.simple.floor", "800us", assumed, "as the trees'"},
    StackParameter{"nccl", "", "", "flat_ring.offered", "no", published,
                   "a ring per NIC, where there are several"},
    StackParameter{"nccl", "", "p3dn", "flat_ring.offered", "yes", published, "one NIC a server"},
    StackParameter{"nccl", "", "p3dn", "flat_ring.ll128.offered", "no", published, "NCCL: not on V100"},
    StackParameter{"nccl", "", "", "rail_rings.ll128.floor", "60us", assumed, "as nvls"},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.floor", "5us", assumed,
                   "its launch, as inside a server"},
    StackParameter{"nccl", "", p5s, "rail_rings.ll.offered", "no", published, regions},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.step_up", "3us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.overhead", "4us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "rail_rings.ll128.factor_out", "0.77", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_gather.rail_rings.ll128.most_of_rank", "10MiB", fitted,
                   measured_rows},
    StackParameter{"nccl", "", p5s, "reduce_scatter.rail_rings.ll128.most_of_rank", "10MiB", assumed,
                   "as all_gather"},
    StackParameter{"nccl", "", p5s, "all_gather.rail_rings.simple.overhead", "24us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "reduce_scatter.rail_rings.simple.overhead", "24us", assumed,
                   "as all_gather"},
    StackParameter{"nccl", "", p5s, "all_reduce.rail_rings.simple.least_of_rank", "40MiB", fitted,
                   measured_rows},

    // Sends and receives.
    StackParameter{"nccl", "", "", "exchange.ll.most", "1MiB", published,
                   "NCCL: sends and receives use LL for small sizes"},
    StackParameter{"nccl", "", "a100", "exchange.simple.factor_up", "0.77", fitted, measured_rows},
    StackParameter{"nccl", "", gbs, "exchange.simple.factor_out", "0.66", fitted, measured_rows},
    StackParameter{"nccl", "", "", "narrow_exchange.offered", "no", assumed,
                   "a rule of sizes and channels; seen on p5 alone"},
    StackParameter{"nccl", "", p5s, "narrow_exchange.offered", "yes", published,
                   "NCCL: few channels a peer while messages are small"},
    StackParameter{"nccl", "", p5s, "narrow_exchange.floor_per_rank", "3us", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "narrow_exchange.factor_out", "0.68", fitted, measured_rows},
    StackParameter{"nccl", "", p5s, "all_to_all.exchange.floor_per_rank", "12us", fitted, measured_rows},

    StackParameter{"msccl", "", "", "floor", "5us", assumed, "as NCCL's"},
    StackParameter{"msccl", "", "", "ll.factor_up", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"msccl", "", "", "ll.factor_out", "0.5", published, "4 of 8 bytes are data"},
    StackParameter{"msccl", "", "", "ll128.factor_up", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"msccl", "", "", "ll128.factor_out", "0.9375", published, "120 of 128 bytes are data"},
    StackParameter{"msccl", "", "", "simple.step_up", "2us", assumed, "model"},
    StackParameter{"msccl", "", hopper, "two_shot.factor_up", "0.33", fitted, measured_rows},
    StackParameter{"msccl", "", "", "hierarchical.chunks", "8", assumed, "model"},
    StackParameter{"msccl", "", "", "hierarchical.chunk", "4MiB", assumed, "model"},
    StackParameter{"msccl", "", "", "nvls.offered", "no", published, "needs a switch that adds"},
    StackParameter{"msccl", "", with_nvls, "nvls.offered", "yes", published, "MSCCL++ multimem kernels"},
    StackParameter{"msccl", "", "", "nvls.floor", "60us", assumed, as_nvls},
    StackParameter{"msccl", "", hopper, "nvls.factor_up", "0.73", assumed, as_nvls},
};

}  // namespace

std::span<const StackParameter> nvidia_parameters() {
  return nvidia_rows;
}

}  // namespace tahoma
