// AMD servers. An MI250X is two dies that software sees as two GPUs: a die is the chip here. Its mesh is no
// product of rings, so it is an explicit graph; an MI300X has a link to each of the other seven.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow amd_table[] = {
    // ---- MI250X ----
    {"mi250x-server", "describes",
     "8 MI250X, that is 16 dies that count as chips, in an Infinity Fabric mesh; 8 InfiniBand NICs", "TECCL",
     press},
    {"mi250x-server", "cluster.unit", "server", "TECCL", press},
    {"mi250x-server", "cluster.chip.name", "mi250x-gcd", "TECCL", press},
    {"mi250x-server", "fabric.graph.vertices",
     "[{name: g0, kind: chip}, {name: g1, kind: chip}, {name: g9, kind: chip}, {name: g8, kind: chip}, "
     "{name: g12, kind: chip}, {name: g13, kind: chip}, {name: g14, kind: chip}, {name: g15, kind: chip}, "
     "{name: g11, kind: chip}, {name: g10, kind: chip}, {name: g2, kind: chip}, {name: g3, kind: chip}, "
     "{name: g7, kind: chip}, {name: g6, kind: chip}, {name: g5, kind: chip}, {name: g4, kind: chip}, {name: "
     "nic0, kind: nic}, {name: nic1, kind: nic}, {name: nic2, kind: nic}, {name: nic3, kind: nic}, {name: "
     "nic4, kind: nic}, {name: nic5, kind: nic}, {name: nic6, kind: nic}, {name: nic7, kind: nic}]",
     "TECCL", press, "ranked along a ring of links"},
    {"mi250x-server", "fabric.graph.links",
     "[{a: g0, b: g1, bandwidth: 200GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g0, b: g4, "
     "bandwidth: 100GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g0, b: g8, bandwidth: "
     "50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g1, b: g5, bandwidth: 50GB/s, "
     "efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g1, b: g9, bandwidth: 50GB/s, efficiency: 0.75, "
     "latency: 0.8us, two_way: true}, {a: g1, b: g10, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, "
     "two_way: true}, {a: g2, b: g3, bandwidth: 200GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, "
     "{a: g2, b: g6, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g2, b: g9, "
     "bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g2, b: g10, bandwidth: "
     "50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g3, b: g7, bandwidth: 100GB/s, "
     "efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g3, b: g11, bandwidth: 50GB/s, efficiency: 0.75, "
     "latency: 0.8us, two_way: true}, {a: g4, b: g5, bandwidth: 200GB/s, efficiency: 0.75, latency: 0.8us, "
     "two_way: true}, {a: g4, b: g6, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, "
     "{a: g5, b: g6, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g5, b: g7, "
     "bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g6, b: g7, bandwidth: "
     "200GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g8, b: g9, bandwidth: 200GB/s, "
     "efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g8, b: g12, bandwidth: 100GB/s, efficiency: "
     "0.75, latency: 0.8us, two_way: true}, {a: g9, b: g13, bandwidth: 50GB/s, efficiency: 0.75, latency: "
     "0.8us, two_way: true}, {a: g10, b: g11, bandwidth: 200GB/s, efficiency: 0.75, latency: 0.8us, two_way: "
     "true}, {a: g10, b: g14, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g11, "
     "b: g15, bandwidth: 100GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g12, b: g13, "
     "bandwidth: 200GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g12, b: g14, bandwidth: "
     "50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g13, b: g14, bandwidth: 50GB/s, "
     "efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g13, b: g15, bandwidth: 50GB/s, efficiency: "
     "0.75, latency: 0.8us, two_way: true}, {a: g14, b: g15, bandwidth: 200GB/s, efficiency: 0.75, latency: "
     "0.8us, two_way: true}, {a: g0, b: nic0, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g1, b: "
     "nic0, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g2, b: nic1, bandwidth: 25GB/s, latency: "
     "2us, two_way: true}, {a: g3, b: nic1, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g4, b: "
     "nic2, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g5, b: nic2, bandwidth: 25GB/s, latency: "
     "2us, two_way: true}, {a: g6, b: nic3, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g7, b: "
     "nic3, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g8, b: nic4, bandwidth: 25GB/s, latency: "
     "2us, two_way: true}, {a: g9, b: nic4, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g10, b: "
     "nic5, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g11, b: nic5, bandwidth: 25GB/s, latency: "
     "2us, two_way: true}, {a: g12, b: nic6, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g13, b: "
     "nic6, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g14, b: nic7, bandwidth: 25GB/s, latency: "
     "2us, two_way: true}, {a: g15, b: nic7, bandwidth: 25GB/s, latency: 2us, two_way: true}]",
     "TECCL", press,
     "50 GB/s per Infinity Fabric link and direction: 4 within a package, 1 or 2 between; efficiency and "
     "latencies are assumed"},
    {"mi250x-server", "fabric.scale_out.0.kind", "switch", "TECCL", press,
     "one switch joins the NICs of all servers"},
    {"mi250x-server", "fabric.scale_out.0.bandwidth", "200Gbps", "TECCL", press, "HDR, 8 per server"},
    {"mi250x-server", "fabric.scale_out.0.efficiency", "0.97", "model", assumed, "as on later InfiniBand"},
    {"mi250x-server", "fabric.scale_out.0.latency", "1us", "model", assumed},
    {"mi250x-server", "describes", "4 MI250X, that is 8 dies, as in the nodes of Frontier and LUMI; 4 NICs",
     "Frontier", press, "", "frontier"},
    {"mi250x-server", "fabric.graph.vertices",
     "[{name: g0, kind: chip}, {name: g1, kind: chip}, {name: g5, kind: chip}, {name: g4, kind: chip}, "
     "{name: g2, kind: chip}, {name: g3, kind: chip}, {name: g7, kind: chip}, {name: g6, kind: chip}, {name: "
     "nic0, kind: nic}, {name: nic1, kind: nic}, {name: nic2, kind: nic}, {name: nic3, kind: nic}]",
     "Frontier", press, "ranked along a ring of links", "frontier"},
    {"mi250x-server", "fabric.graph.links",
     "[{a: g0, b: g1, bandwidth: 200GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g2, b: g3, "
     "bandwidth: 200GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g4, b: g5, bandwidth: "
     "200GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g6, b: g7, bandwidth: 200GB/s, "
     "efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g0, b: g6, bandwidth: 100GB/s, efficiency: 0.75, "
     "latency: 0.8us, two_way: true}, {a: g2, b: g4, bandwidth: 100GB/s, efficiency: 0.75, latency: 0.8us, "
     "two_way: true}, {a: g0, b: g2, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, "
     "{a: g1, b: g3, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g1, b: g5, "
     "bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g3, b: g7, bandwidth: 50GB/s, "
     "efficiency: 0.75, latency: 0.8us, two_way: true}, {a: g4, b: g6, bandwidth: 50GB/s, efficiency: 0.75, "
     "latency: 0.8us, two_way: true}, {a: g5, b: g7, bandwidth: 50GB/s, efficiency: 0.75, latency: 0.8us, "
     "two_way: true}, {a: g1, b: nic0, bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g3, b: nic1, "
     "bandwidth: 25GB/s, latency: 2us, two_way: true}, {a: g5, b: nic2, bandwidth: 25GB/s, latency: 2us, "
     "two_way: true}, {a: g7, b: nic3, bandwidth: 25GB/s, latency: 2us, two_way: true}]",
     "Frontier", press, "a NIC on the odd die of each package", "frontier"},
    {"mi250x-server", "facts.fp16_dense", "191.5TFLOPS", "AMD-sheet", primary, "per die; 383 per package"},
    {"mi250x-server", "facts.hbm", "64GB", "AMD-sheet", primary, "per die; 128 per package"},
    {"mi250x-server", "facts.hbm_bandwidth", "1.6384TB/s", "AMD-sheet", primary,
     "per die; 3.2768 per package"},
    {"mi250x-server", "facts.tdp", "280W", "AMD-sheet", primary, "per die; 560 W per package"},

    // ---- MI300X ----
    {"mi300x-server", "extends", "roce-fabric", "AMD-sheet", primary},
    {"mi300x-server", "describes", "8 MI300X, each linked to each other; one 400 Gbps NIC per GPU",
     "AMD-sheet", primary},
    {"mi300x-server", "cluster.unit", "server", "AMD-sheet", primary},
    {"mi300x-server", "cluster.chip.name", "mi300x", "AMD-sheet", primary},
    {"mi300x-server", "fabric.scale_up.0.kind", "full", "AMD-sheet", primary},
    {"mi300x-server", "fabric.scale_up.0.size", "8", "AMD-sheet", primary},
    {"mi300x-server", "fabric.scale_up.0.bandwidth", "64GB/s", "AMD-sheet", primary,
     "an Infinity Fabric link per pair: 7 x 64 GB/s per direction"},
    {"mi300x-server", "fabric.scale_up.0.efficiency", "0.75", "model", assumed, "sweep 0.65-0.85"},
    {"mi300x-server", "fabric.scale_up.0.latency", "0.8us", "model", assumed},
    {"mi300x-server", "fabric.scale_out.0.rails", "8", "model", assumed, "rail-optimised: one per GPU"},
    {"mi300x-server", "fabric.scale_out.0.bandwidth", "400Gbps", "AMD-sheet", primary,
     "8 x 400 Gbps in the reference platform"},
    {"mi300x-server", "facts.fp8_dense", "2614.9TFLOPS", "AMD-sheet", primary, "per chip"},
    {"mi300x-server", "facts.bf16_dense", "1307.4TFLOPS", "AMD-sheet", primary, "per chip"},
    {"mi300x-server", "facts.hbm", "192GB", "AMD-sheet", primary, "per chip"},
    {"mi300x-server", "facts.hbm_bandwidth", "5.3TB/s", "AMD-sheet", primary, "per chip"},
    {"mi300x-server", "facts.infinity_fabric", "896GB/s", "AMD-sheet", primary,
     "per chip, sum of both directions"},
    {"mi300x-server", "facts.tdp", "750W", "AMD-sheet", primary, "per chip"},
    {"mi300x-server", "facts.fp8_dense_total", "20.9PFLOPS", "AMD-sheet", primary, "per server"},
    {"mi300x-server", "facts.bf16_dense_total", "10.5PFLOPS", "AMD-sheet", primary, "per server"},
    {"mi300x-server", "facts.hbm_total", "1.5TB", "AMD-sheet", primary, "per server"},
    {"mi300x-server", "facts.hbm_bandwidth_total", "42.4TB/s", "AMD-sheet", primary, "per server"},
};

}  // namespace

std::span<const PresetRow> amd_rows() {
  return amd_table;
}

}  // namespace tahoma
