// Trainium2: the chip, the server and the UltraServer.
//
// 128 GB/s of a torus link is 32 lanes of PCIe Gen5 at 4 GB/s; the Z links of an UltraServer have half as
// many. EFA: one 200 Gbps NIC per chip.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow trainium2_table[] = {
    // ---- Trainium2 chip ----
    {"trn2-chip", "extends", "efa-fabric", "ND-trn2", primary},
    {"trn2-chip", "describes", "one Trainium2 with its EFA NIC; several are joined by EFA alone", "ND-trn2",
     primary},
    {"trn2-chip", "cluster.unit", "chip", "ND-trn2", primary},
    {"trn2-chip", "cluster.chip.name", "trainium2", "ND-trn2", primary},
    {"trn2-chip", "facts.fp8_dense", "1299TFLOPS", "ND-trn2", primary, "per chip"},
    {"trn2-chip", "facts.bf16_dense", "667TFLOPS", "ND-trn2", primary, "per chip"},
    {"trn2-chip", "facts.fp32_dense", "181TFLOPS", "ND-trn2", primary, "per chip"},
    {"trn2-chip", "facts.sparse", "2563TFLOPS", "ND-trn2", primary, "per chip"},
    {"trn2-chip", "facts.sparse", "5200TFLOPS", "REG25", press, "per chip; the launch claim of 4:1 sparsity",
     "launch_claim"},
    {"trn2-chip", "facts.fp8_matmul", "1258TFLOPS", "NKI", inferred,
     "per chip; 8 cores x 128 x 128 x 2 x 2 x 2.4 GHz: what a matrix product can reach"},
    {"trn2-chip", "facts.hbm", "96GiB", "ND-trn2", primary, "per chip"},
    {"trn2-chip", "facts.hbm_bandwidth", "2.9TB/s", "ND-trn2", primary, "per chip"},
    {"trn2-chip", "facts.hbm_bandwidth", "3TB/s", "NKI", primary, "per chip", "nki_guide"},
    {"trn2-chip", "facts.neuronlink", "1.28TB/s", "ND-trn2", primary,
     "per chip in an UltraServer, sum of both directions"},
    {"trn2-chip", "facts.tdp", "500W", "Epoch", analyst, "per chip"},

    // ---- Trn2 server ----
    {"trn2-server", "extends", "trn2-chip", "ND-trn2", primary},
    {"trn2-server", "describes", "trn2.48xlarge: 16 Trainium2 in a 4x4 torus, one EFA NIC per chip",
     "ND-trn2", primary, "", ""},
    {"trn2-server", "cluster.unit", "server", "ND-trn2", primary, "", ""},
    {"trn2-server", "fabric.scale_up.0.kind", "torus", "ND-trn2", primary, "device number = 4 row + column",
     ""},
    {"trn2-server", "fabric.scale_up.0.size", "[4, 4]", "ND-trn2", primary, "", ""},
    {"trn2-server", "fabric.scale_up.0.bandwidth", "128GB/s", "SA-t2", analyst,
     "32 lanes of PCIe Gen5; four neighbours make AWS's 1,024 GB/s per chip, both directions", ""},
    {"trn2-server", "fabric.scale_up.0.efficiency", "0.88", "model", assumed,
     "PCIe encoding and headers at large payloads; sweep 0.80-0.95", ""},
    {"trn2-server", "fabric.scale_up.0.latency", "1.5us", "ND-intra", primary,
     "middle of 1-2 us per ring hop", ""},
    {"trn2-server", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst, "", ""},
    {"trn2-server", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers", ""},
    {"trn2-server", "fabric.scale_out.0.rails", "16", "SA-t2", analyst, "rail-optimised; one per chip", ""},
    {"trn2-server", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 servers per leaf, 16 leaves per pod", ""},
    {"trn2-server", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks", ""},
    {"trn2-server", "fabric.scale_out.0.cores", "32", "model", assumed, "", ""},
    {"trn2-server", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8", ""},
    {"trn2-server", "fabric.scale_out.0.bandwidth", "200Gbps", "ND-trn2", primary,
     "16 x 200 Gbps = 3.2 Tbps per server", ""},
    {"trn2-server", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care",
     ""},
    {"trn2-server", "fabric.scale_out.0.latency", "[6.15us, 0.675us, 0.675us]", "ND-cc", inferred,
     "sums to the measured 15 us over five switches; the split is assumed", ""},
    {"trn2-server", "fabric.scale_out.0.routing", "spray", "SRD20", primary,
     "packets of one flow over many paths", ""},
    {"trn2-server", "facts.fp8_dense_total", "20.8PFLOPS", "ND-trn2", primary, "per server"},
    {"trn2-server", "facts.bf16_dense_total", "10.7PFLOPS", "ND-trn2", primary, "per server"},
    {"trn2-server", "facts.sparse_total", "41PFLOPS", "ND-trn2", primary, "per server"},
    {"trn2-server", "facts.hbm_total", "1536GiB", "ND-trn2", primary, "per server"},
    {"trn2-server", "facts.hbm_bandwidth_total", "46.4TB/s", "ND-trn2", primary, "per server"},
    {"trn2-server", "facts.scale_out_total", "3.2Tbps", "ND-trn2", primary, "per server"},
    {"trn2-server", "facts.power", "13.5kW", "SA-t2", analyst, "per server; 27 kW per rack of two"},

    // ---- Trn2 UltraServer ----
    {"trn2-ultraserver", "extends", "trn2-server", "ND-trn2", primary, "", ""},
    {"trn2-ultraserver", "describes", "4 trn2u.48xlarge: 64 Trainium2 in a 4x4x4 torus, Z at half the rate",
     "ND-trn2", primary, "", ""},
    {"trn2-ultraserver", "cluster.unit", "UltraServer", "ND-trn2", primary, "", ""},
    {"trn2-ultraserver", "fabric.scale_up.0.kind", "torus", "ND-trn2", primary, "one server", ""},
    {"trn2-ultraserver", "fabric.scale_up.0.size", "[4, 4]", "ND-trn2", primary, "", ""},
    {"trn2-ultraserver", "fabric.scale_up.0.bandwidth", "128GB/s", "SA-t2", analyst, "32 lanes of PCIe Gen5",
     ""},
    {"trn2-ultraserver", "fabric.scale_up.0.efficiency", "0.88", "model", assumed, "sweep 0.80-0.95", ""},
    {"trn2-ultraserver", "fabric.scale_up.0.latency", "1.5us", "ND-intra", primary,
     "middle of 1-2 us per ring hop", ""},
    {"trn2-ultraserver", "fabric.scale_up.1.kind", "ring", "ND-trn2", primary,
     "equal (row, column) of the four servers", ""},
    {"trn2-ultraserver", "fabric.scale_up.1.size", "4", "ND-trn2", primary, "", ""},
    {"trn2-ultraserver", "fabric.scale_up.1.bandwidth", "64GB/s", "SA-t2", analyst,
     "16 lanes of PCIe Gen5; two make AWS's 256 GB/s per chip between servers, both directions", ""},
    {"trn2-ultraserver", "fabric.scale_up.1.efficiency", "0.88", "model", assumed, "sweep 0.80-0.95", ""},
    {"trn2-ultraserver", "fabric.scale_up.1.latency", "1.5us", "ND-intra", primary,
     "middle of 1-2 us per ring hop", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst, "", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers",
     ""},
    {"trn2-ultraserver", "fabric.scale_out.0.rails", "64", "SA-t2", analyst, "rail-optimised; one per chip",
     ""},
    {"trn2-ultraserver", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 UltraServers per leaf, 16 leaves per pod", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks",
     ""},
    {"trn2-ultraserver", "fabric.scale_out.0.cores", "32", "model", assumed, "", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.bandwidth", "200Gbps", "ND-trn2", primary,
     "64 x 200 Gbps = 12.8 Tbps per UltraServer; the doc's table repeats the figure of one server", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press,
     "0.97 was reached with care", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.latency", "[6.15us, 0.675us, 0.675us]", "ND-cc", inferred,
     "sums to the measured 15 us over five switches; the split is assumed", ""},
    {"trn2-ultraserver", "fabric.scale_out.0.routing", "spray", "SRD20", primary, "", ""},
    {"trn2-ultraserver", "facts.fp8_dense_total", "83.2PFLOPS", "ND-trn2", primary,
     "per UltraServer; 4 x 20.8, where 64 x 1.299 is 83.1"},
    {"trn2-ultraserver", "facts.bf16_dense_total", "42.8PFLOPS", "ND-trn2", primary,
     "per UltraServer; 4 x 10.7, where 64 x 0.667 is 42.7"},
    {"trn2-ultraserver", "facts.sparse_total", "164PFLOPS", "ND-trn2", primary, "per UltraServer"},
    {"trn2-ultraserver", "facts.hbm_total", "6144GiB", "ND-trn2", primary, "per UltraServer"},
    {"trn2-ultraserver", "facts.hbm_bandwidth_total", "185.6TB/s", "ND-trn2", primary, "per UltraServer"},
    {"trn2-ultraserver", "facts.scale_out_total", "12.8Tbps", "arithmetic", inferred,
     "per UltraServer; 4 servers"},
    {"trn2-ultraserver", "facts.scale_out_total", "3.2Tbps", "ND-trn2", primary,
     "per UltraServer, as the table says: it repeats the figure of one server", "doc_table"},
    {"trn2-ultraserver", "facts.power", "48kW", "SA-t2", analyst, "per UltraServer"},
};

}  // namespace

std::span<const PresetRow> trainium2_rows() {
  return trainium2_table;
}

}  // namespace tahoma
