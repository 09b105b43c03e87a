// Servers of 8 NVIDIA GPUs as sold by many. An NVSwitch crossbar is a `switch` whose planes are the switch
// chips; the NVLinks of a GPU to one of them are its port.
//
// The V100 has no switches: 16 pairs of GPUs are joined by one or two NVLinks, in
// two squares with their diagonals, and four rungs between them:
//
//     1 === 2   5 === 6         0-1 1   0-2 1   0-3 2   1-2 2   1-3 1   2-3 2
//     | \ / |   | \ / |         4-5 1   4-6 1   4-7 2   5-6 2   5-7 1   6-7 2
//     | / \ |   | / \ |         0-4 2   1-5 2   2-6 1   3-7 1
//     0 === 3   4 === 7
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow nvidia_table[] = {
    // ---- DGX-1 with V100 ----
    {"dgx1-v100", "describes",
     "8 V100 in a hybrid cube mesh of NVLinks, 6 per GPU; 4 InfiniBand NICs, each for two GPUs", "NV-dgx1",
     primary},
    {"dgx1-v100", "cluster.unit", "server", "NV-dgx1", primary},
    {"dgx1-v100", "cluster.chip.name", "v100", "NV-dgx1", primary},
    {"dgx1-v100", "fabric.graph.vertices",
     "[{name: g0, kind: chip}, {name: g1, kind: chip}, {name: g2, kind: chip}, {name: g3, kind: chip}, "
     "{name: g7, kind: chip}, {name: g6, kind: chip}, {name: g5, kind: chip}, {name: g4, kind: chip}, {name: "
     "nic0, kind: nic}, {name: nic1, kind: nic}, {name: nic2, kind: nic}, {name: nic3, kind: nic}]",
     "NCCL-671", primary, "ranked along a ring of NVLinks: 0 1 2 3 7 6 5 4"},
    {"dgx1-v100", "fabric.graph.links",
     "[{a: g0, b: g1, bandwidth: 25GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g0, b: g2, "
     "bandwidth: 25GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g0, b: g3, bandwidth: 50GB/s, "
     "efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g0, b: g4, bandwidth: 50GB/s, efficiency: 0.90, "
     "latency: 0.6us, two_way: true}, {a: g1, b: g2, bandwidth: 50GB/s, efficiency: 0.90, latency: 0.6us, "
     "two_way: true}, {a: g1, b: g3, bandwidth: 25GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, "
     "{a: g1, b: g5, bandwidth: 50GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g2, b: g3, "
     "bandwidth: 50GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g2, b: g6, bandwidth: 25GB/s, "
     "efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g3, b: g7, bandwidth: 25GB/s, efficiency: 0.90, "
     "latency: 0.6us, two_way: true}, {a: g4, b: g5, bandwidth: 25GB/s, efficiency: 0.90, latency: 0.6us, "
     "two_way: true}, {a: g4, b: g6, bandwidth: 25GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, "
     "{a: g4, b: g7, bandwidth: 50GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g5, b: g6, "
     "bandwidth: 50GB/s, efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g5, b: g7, bandwidth: 25GB/s, "
     "efficiency: 0.90, latency: 0.6us, two_way: true}, {a: g6, b: g7, bandwidth: 50GB/s, efficiency: 0.90, "
     "latency: 0.6us, two_way: true}, {a: g0, b: nic0, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: "
     "g1, b: nic0, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: g2, b: nic1, bandwidth: 16GB/s, "
     "latency: 2us, two_way: true}, {a: g3, b: nic1, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: "
     "g4, b: nic2, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: g5, b: nic2, bandwidth: 16GB/s, "
     "latency: 2us, two_way: true}, {a: g6, b: nic3, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: "
     "g7, b: nic3, bandwidth: 16GB/s, latency: 2us, two_way: true}]",
     "NCCL-671", primary,
     "25 GB/s per NVLink and direction, pairs with two links have 50; 0.90 is what measured rings reach; "
     "PCIe to the NICs"},
    {"dgx1-v100", "fabric.scale_out.0.kind", "switch", "NV-dgx1", primary,
     "one switch joins the NICs of all servers"},
    {"dgx1-v100", "fabric.scale_out.0.bandwidth", "100Gbps", "NV-dgx1", primary, "EDR, 4 per server"},
    {"dgx1-v100", "fabric.scale_out.0.efficiency", "0.97", "model", assumed, "as on later InfiniBand"},
    {"dgx1-v100", "fabric.scale_out.0.latency", "1us", "model", assumed},
    {"dgx1-v100", "facts.fp16_dense", "125TFLOPS", "NV-dgx1", primary, "per chip"},
    {"dgx1-v100", "facts.fp32_dense", "15.7TFLOPS", "NV-dgx1", primary, "per chip"},
    {"dgx1-v100", "facts.hbm", "32GB", "NV-dgx1", primary, "per chip; 16 GB in the first DGX-1"},
    {"dgx1-v100", "facts.hbm_bandwidth", "900GB/s", "NV-dgx1", primary, "per chip"},
    {"dgx1-v100", "facts.nvlink", "300GB/s", "NV-dgx1", primary, "per chip, sum of both directions"},
    {"dgx1-v100", "facts.tdp", "300W", "NV-dgx1", primary, "per chip"},
    {"dgx1-v100", "facts.fp16_dense_total", "1PFLOPS", "NV-dgx1", primary, "per server"},
    {"dgx1-v100", "facts.hbm_total", "256GB", "NV-dgx1", primary, "per server"},

    // ---- HGX A100 ----
    {"hgx-a100", "extends", "ib-fabric", "NV-sheet", primary},
    {"hgx-a100", "describes", "8 A100 on 6 NVSwitches, one 200 Gbps InfiniBand NIC per GPU", "NV-sheet",
     primary},
    {"hgx-a100", "cluster.unit", "server", "NV-sheet", primary},
    {"hgx-a100", "cluster.chip.name", "a100", "NV-sheet", primary},
    {"hgx-a100", "fabric.scale_up.0.kind", "switch", "NV-sheet", primary},
    {"hgx-a100", "fabric.scale_up.0.size", "8", "NV-sheet", primary},
    {"hgx-a100", "fabric.scale_up.0.planes", "6", "NV-sheet", primary},
    {"hgx-a100", "fabric.scale_up.0.bandwidth", "50GB/s", "NV-sheet", primary,
     "two NVLinks of 25 GB/s to each switch, 12 in all: 600 GB/s, both directions"},
    {"hgx-a100", "fabric.scale_up.0.efficiency", "0.85", "measured", inferred,
     "255 of 300 GB/s is the best public collective; rings reach 0.77"},
    {"hgx-a100", "fabric.scale_up.0.latency", "0.3us", "OFI", inferred,
     "half of the 0.6 us that NCCL's model gives a step of small messages"},
    {"hgx-a100", "fabric.scale_out.0.rails", "8", "model", assumed, "rail-optimised: one per GPU"},
    {"hgx-a100", "fabric.scale_out.0.bandwidth", "200Gbps", "NV-sheet", primary, "HDR, 8 per server"},
    {"hgx-a100", "facts.bf16_dense", "312TFLOPS", "NV-sheet", primary, "per chip"},
    {"hgx-a100", "facts.int8_dense", "624TOPS", "NV-sheet", primary, "per chip"},
    {"hgx-a100", "facts.hbm", "80GB", "NV-sheet", primary, "per chip; 40 GB on p4d"},
    {"hgx-a100", "facts.hbm_bandwidth", "2.039TB/s", "NV-sheet", primary, "per chip; 1.555 TB/s with 40 GB"},
    {"hgx-a100", "facts.nvlink", "600GB/s", "NV-sheet", primary, "per chip, sum of both directions"},
    {"hgx-a100", "facts.tdp", "400W", "NV-sheet", primary, "per chip"},
    {"hgx-a100", "facts.nvlink_total", "4.8TB/s", "NV-sheet", primary, "per server, sum of both directions"},
    {"hgx-a100", "facts.hbm_total", "640GB", "NV-sheet", primary, "per server"},

    // ---- HGX H100 ----
    {"hgx-h100", "extends", "ib-fabric", "GLK", primary},
    {"hgx-h100", "describes", "8 H100 on 4 NVSwitches, one 400 Gbps InfiniBand NIC per GPU", "GLK", primary},
    {"hgx-h100", "cluster.unit", "server", "GLK", primary},
    {"hgx-h100", "cluster.chip.name", "h100", "GLK", primary},
    {"hgx-h100", "fabric.scale_up.0.kind", "switch", "NVL", primary, "a full crossbar"},
    {"hgx-h100", "fabric.scale_up.0.size", "8", "NVL", primary},
    {"hgx-h100", "fabric.scale_up.0.planes", "4", "NVL", primary,
     "5, 4, 4 and 5 links; 4.5 is their mean, and they are used as one"},
    {"hgx-h100", "fabric.scale_up.0.bandwidth", "112.5GB/s", "NVL", primary,
     "18 NVLinks of 25 GB/s over four switches"},
    {"hgx-h100", "fabric.scale_up.0.efficiency", "0.82", "measured", inferred,
     "741 of 900 GB/s both directions is what a tuned run reached"},
    {"hgx-h100", "fabric.scale_up.0.latency", "0.3us", "OFI", inferred,
     "half of the 0.6 us that NCCL's model gives a step of small messages"},
    {"hgx-h100", "fabric.scale_out.0.rails", "8", "model", assumed, "rail-optimised: one per GPU"},
    {"hgx-h100", "fabric.scale_out.0.bandwidth", "400Gbps", "NV-sheet", primary, "NDR, 8 per server"},
    {"hgx-h100", "facts.fp8_dense", "1979TFLOPS", "GLK", primary, "per chip"},
    {"hgx-h100", "facts.bf16_dense", "989TFLOPS", "GLK", primary, "per chip"},
    {"hgx-h100", "facts.fp8_sparse", "3958TFLOPS", "GLK", primary, "per chip"},
    {"hgx-h100", "facts.hbm", "80GB", "GLK", primary, "per chip"},
    {"hgx-h100", "facts.hbm_bandwidth", "3.35TB/s", "GLK", primary, "per chip"},
    {"hgx-h100", "facts.nvlink", "900GB/s", "NVL", primary, "per chip, sum of both directions"},
    {"hgx-h100", "facts.tdp", "700W", "GLK", primary, "per chip"},
    {"hgx-h100", "facts.power", "10.2kW", "GLK", primary, "per DGX"},
    {"hgx-h100", "facts.hbm_total", "640GB", "GLK", primary, "per server"},
    {"hgx-h100", "facts.nvlink_total", "7.2TB/s", "GLK", primary, "per server, sum of both directions"},

    // ---- HGX H200 ----
    {"hgx-h200", "extends", "hgx-h100", "NV-sheet", primary},
    {"hgx-h200", "describes", "8 H200: HGX H100 with more and faster memory", "NV-sheet", primary},
    {"hgx-h200", "cluster.chip.name", "h200", "NV-sheet", primary},
    {"hgx-h200", "facts.hbm", "141GB", "NV-sheet", primary, "per chip"},
    {"hgx-h200", "facts.hbm_bandwidth", "4.8TB/s", "NV-sheet", primary, "per chip"},
    {"hgx-h200", "facts.hbm_total", "1128GB", "NV-sheet", primary, "per server"},

    // ---- HGX H800 ----
    {"hgx-h800", "extends", "hgx-h100", "NV-h800", press},
    {"hgx-h800", "describes", "8 H800: HGX H100 with 8 of 18 NVLinks per GPU", "NV-h800", press},
    {"hgx-h800", "cluster.chip.name", "h800", "NV-h800", press},
    {"hgx-h800", "fabric.scale_up.0.bandwidth", "50GB/s", "NV-h800", press,
     "400 GB/s per GPU, both directions, over four switches"},
    {"hgx-h800", "facts.nvlink", "400GB/s", "NV-h800", press, "per chip, sum of both directions"},
    {"hgx-h800", "facts.nvlink_total", "3.2TB/s", "NV-h800", press, "per server, sum of both directions"},

    // ---- HGX B200 ----
    {"hgx-b200", "extends", "ib-fabric", "NV-sheet", primary},
    {"hgx-b200", "describes", "8 B200 on 2 NVLink switches, one 400 Gbps InfiniBand NIC per GPU", "NV-sheet",
     primary},
    {"hgx-b200", "cluster.unit", "server", "NV-sheet", primary},
    {"hgx-b200", "cluster.chip.name", "b200", "NV-sheet", primary},
    {"hgx-b200", "fabric.scale_up.0.kind", "switch", "NVL", primary, "a full crossbar"},
    {"hgx-b200", "fabric.scale_up.0.size", "8", "NVL", primary},
    {"hgx-b200", "fabric.scale_up.0.planes", "2", "NVL", primary},
    {"hgx-b200", "fabric.scale_up.0.bandwidth", "450GB/s", "NVL", primary,
     "9 NVLinks of 50 GB/s to each switch, 18 in all"},
    {"hgx-b200", "fabric.scale_up.0.efficiency", "0.80", "measured", inferred,
     "689 of 900 GB/s is the best public all_to_all of this NVLink, all_gathers reach 708"},
    {"hgx-b200", "fabric.scale_up.0.latency", "0.3us", "OFI", inferred,
     "half of the 0.6 us that NCCL's model gives a step of small messages"},
    {"hgx-b200", "fabric.scale_out.0.rails", "8", "model", assumed, "rail-optimised: one per GPU"},
    {"hgx-b200", "fabric.scale_out.0.bandwidth", "400Gbps", "NV-sheet", primary, "NDR, 8 per server"},
    {"hgx-b200", "facts.fp4_dense", "9PFLOPS", "GLK", press, "per chip"},
    {"hgx-b200", "facts.fp8_dense", "4.5PFLOPS", "GLK", press, "per chip"},
    {"hgx-b200", "facts.bf16_dense", "2.25PFLOPS", "GLK", press, "per chip"},
    {"hgx-b200", "facts.hbm", "180GB", "GLK", press, "per chip"},
    {"hgx-b200", "facts.hbm_bandwidth", "8TB/s", "GLK", press, "per chip"},
    {"hgx-b200", "facts.nvlink", "1.8TB/s", "NVL", primary, "per chip, sum of both directions"},
    {"hgx-b200", "facts.tdp", "1000W", "GLK", press, "per chip"},
    {"hgx-b200", "facts.hbm_total", "1440GB", "GLK", press, "per server"},
    {"hgx-b200", "facts.nvlink_total", "14.4TB/s", "GLK", press, "per server, sum of both directions"},

    // ---- HGX B300 ----
    {"hgx-b300", "extends", "hgx-b200", "NV-sheet", primary},
    {"hgx-b300", "describes", "8 B300 on 2 NVLink switches, one 800 Gbps NIC per GPU", "NV-sheet", primary},
    {"hgx-b300", "cluster.chip.name", "b300", "NV-sheet", primary},
    {"hgx-b300", "fabric.scale_out.0.bandwidth", "800Gbps", "NV-sheet", primary, "ConnectX-8, 8 per server"},
    {"hgx-b300", "facts.fp4_dense", "13.5PFLOPS", "NV-sheet", primary, "per chip; 108 PFLOPS per server"},
    {"hgx-b300", "facts.fp4_dense", "13.125PFLOPS", "GLK", press, "per chip; an earlier sheet",
     "earlier_sheet"},
    {"hgx-b300", "facts.hbm", "288GB", "NV-sheet", primary, "per chip as built"},
    {"hgx-b300", "facts.hbm", "270GB", "NV-sheet", press, "per chip, as the platform lists 2.1 TB", "usable"},
    {"hgx-b300", "facts.tdp", "1100W", "model", assumed, "per chip; 1,400 W at most in GB300"},
    {"hgx-b300", "facts.hbm_total", "2.3TB", "NV-sheet", primary, "per server"},
};

}  // namespace

std::span<const PresetRow> nvidia_rows() {
  return nvidia_table;
}

}  // namespace tahoma
