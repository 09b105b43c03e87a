// EC2 instances with 8 NVIDIA GPUs: the servers of nvidia.cpp on EFA. Where a NIC serves several GPUs, each
// has its share; p3dn, a graph, has its one NIC as a vertex.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow aws_gpu_table[] = {
    // ---- p3dn ----
    {"p3dn", "extends", "dgx1-v100", "AWS-ec2", primary},
    {"p3dn", "describes", "p3dn.24xlarge: 8 V100 in a hybrid cube mesh, one 100 Gbps EFA NIC for all",
     "AWS-ec2", primary},
    {"p3dn", "fabric.graph.vertices",
     "[{name: g0, kind: chip}, {name: g1, kind: chip}, {name: g2, kind: chip}, {name: g3, kind: chip}, "
     "{name: g7, kind: chip}, {name: g6, kind: chip}, {name: g5, kind: chip}, {name: g4, kind: chip}, {name: "
     "nic0, kind: nic}]",
     "NCCL-671", primary, "ranked along a ring of NVLinks: 0 1 2 3 7 6 5 4"},
    {"p3dn", "fabric.graph.links",
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
     "g1, b: nic0, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: g2, b: nic0, bandwidth: 16GB/s, "
     "latency: 2us, two_way: true}, {a: g3, b: nic0, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: "
     "g4, b: nic0, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: g5, b: nic0, bandwidth: 16GB/s, "
     "latency: 2us, two_way: true}, {a: g6, b: nic0, bandwidth: 16GB/s, latency: 2us, two_way: true}, {a: "
     "g7, b: nic0, bandwidth: 16GB/s, latency: 2us, two_way: true}]",
     "NCCL-671", primary, "as in a DGX-1; PCIe to the one NIC"},
    {"p3dn", "fabric.scale_out.0.kind", "switch", "AWS-ec2", primary,
     "one switch joins the NICs of all servers"},
    {"p3dn", "fabric.scale_out.0.bandwidth", "100Gbps", "AWS-ec2", primary, "one per server"},
    {"p3dn", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "said of p5"},
    {"p3dn", "fabric.scale_out.0.latency", "8us", "OFI", assumed,
     "20 us between GPUs as on p5; first-generation EFA is not published"},
    {"p3dn", "facts.scale_out_total", "100Gbps", "AWS-ec2", primary, "per server"},

    // ---- p4d ----
    {"p4d", "extends", "hgx-a100", "AWS-ec2", primary},
    {"p4d", "describes", "p4d.24xlarge: 8 A100 of 40 GB, 4 x 100 Gbps EFA, each for two GPUs", "AWS-ec2",
     primary},
    {"p4d", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst},
    {"p4d", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers"},
    {"p4d", "fabric.scale_out.0.rails", "8", "SA-t2", assumed, "one per GPU"},
    {"p4d", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 servers per leaf, 16 leaves per pod"},
    {"p4d", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"p4d", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"p4d", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"p4d", "fabric.scale_out.0.bandwidth", "50Gbps", "AWS-ec2", primary,
     "4 NICs of 100 Gbps: half a NIC per GPU, as if all send"},
    {"p4d", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care"},
    {"p4d", "fabric.scale_out.0.latency", "[8.65us, 0.675us, 0.675us]", "OFI", assumed, "20 us as on p5"},
    {"p4d", "fabric.scale_out.0.routing", "spray", "SRD20", primary, "packets of one flow over many paths"},
    {"p4d", "facts.hbm", "40GB", "AWS-ec2", primary, "per chip"},
    {"p4d", "facts.hbm", "80GB", "AWS-ec2", primary, "per chip, p4de.24xlarge", "p4de"},
    {"p4d", "facts.hbm_bandwidth", "1.555TB/s", "AWS-ec2", primary, "per chip"},
    {"p4d", "facts.hbm_bandwidth", "2.039TB/s", "AWS-ec2", primary, "per chip, p4de.24xlarge", "p4de"},
    {"p4d", "facts.hbm_total", "320GB", "AWS-ec2", primary, "per server"},
    {"p4d", "facts.hbm_total", "640GB", "AWS-ec2", primary, "per server", "p4de"},
    {"p4d", "facts.scale_out_total", "400Gbps", "AWS-ec2", primary, "per server"},

    // ---- p5, p5e, p5en ----
    {"p5", "extends", "hgx-h100", "OFI", primary},
    {"p5", "describes", "p5.48xlarge: 8 H100, four 100 Gbps EFA NICs per GPU", "OFI", primary},
    {"p5", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst},
    {"p5", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers"},
    {"p5", "fabric.scale_out.0.rails", "8", "SA-t2", assumed, "one per GPU"},
    {"p5", "fabric.scale_out.0.size", "[32, 16]", "model", assumed, "32 servers per leaf, 16 leaves per pod"},
    {"p5", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"p5", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"p5", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"p5", "fabric.scale_out.0.bandwidth", "100Gbps", "OFI", primary, "32 x 100 Gbps = 3.2 Tbps per server"},
    {"p5", "fabric.scale_out.0.planes", "4", "OFI", primary, "ports of the chip, used as one"},
    {"p5", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care"},
    {"p5", "fabric.scale_out.0.latency", "[8.65us, 0.675us, 0.675us]", "OFI", inferred,
     "20 us for 8 bytes between two servers; the split is assumed"},
    {"p5", "fabric.scale_out.0.routing", "spray", "SRD20", primary, "packets of one flow over many paths"},
    {"p5", "facts.scale_out_total", "3.2Tbps", "OFI", primary, "per server"},
    {"p5e", "extends", "p5", "OFI", primary},
    {"p5e", "describes", "p5e.48xlarge: 8 H200, four 100 Gbps EFA NICs per GPU", "OFI", primary},
    {"p5e", "cluster.chip.name", "h200", "NV-sheet", primary},
    {"p5e", "facts.hbm", "141GB", "NV-sheet", primary, "per chip"},
    {"p5e", "facts.hbm_bandwidth", "4.8TB/s", "NV-sheet", primary, "per chip"},
    {"p5e", "facts.hbm_total", "1128GB", "NV-sheet", primary, "per server"},
    {"p5en", "extends", "p5e", "OFI", primary},
    {"p5en", "describes", "p5en.48xlarge: 8 H200, two 200 Gbps EFAv3 NICs per GPU", "OFI", primary},
    {"p5en", "fabric.scale_out.0.bandwidth", "200Gbps", "OFI", primary,
     "16 x 200 Gbps = 3.2 Tbps per server"},
    {"p5en", "fabric.scale_out.0.planes", "2", "OFI", primary, "ports of the chip, used as one"},
    {"p5en", "fabric.scale_out.0.latency", "[7.65us, 0.675us, 0.675us]", "OFI", inferred,
     "18 us for 8 bytes between two servers; the split is assumed"},

    // ---- p6 ----
    {"p6-b200", "extends", "hgx-b200", "AWS-SM", primary},
    {"p6-b200", "describes", "p6-b200.48xlarge: 8 B200, one 400 Gbps EFAv4 NIC per GPU", "AWS-SM", primary},
    {"p6-b200", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst},
    {"p6-b200", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers"},
    {"p6-b200", "fabric.scale_out.0.rails", "8", "SA-t2", assumed, "one per GPU"},
    {"p6-b200", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 servers per leaf, 16 leaves per pod"},
    {"p6-b200", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"p6-b200", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"p6-b200", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"p6-b200", "fabric.scale_out.0.bandwidth", "400Gbps", "AWS-SM", primary,
     "8 x 400 Gbps = 3.2 Tbps per server"},
    {"p6-b200", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care"},
    {"p6-b200", "fabric.scale_out.0.latency", "[7.65us, 0.675us, 0.675us]", "OFI", assumed,
     "18 us as on p5en"},
    {"p6-b200", "fabric.scale_out.0.routing", "spray", "SRD20", primary,
     "packets of one flow over many paths"},
    {"p6-b200", "facts.scale_out_total", "3.2Tbps", "AWS-SM", primary, "per server"},
    {"p6-b300", "extends", "hgx-b300", "AWS-ec2", primary},
    {"p6-b300", "describes", "p6-b300.48xlarge: 8 B300, two 400 Gbps EFAv4 NICs per GPU", "AWS-ec2", primary},
    {"p6-b300", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst},
    {"p6-b300", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers"},
    {"p6-b300", "fabric.scale_out.0.rails", "8", "SA-t2", assumed, "one per GPU"},
    {"p6-b300", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 servers per leaf, 16 leaves per pod"},
    {"p6-b300", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"p6-b300", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"p6-b300", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"p6-b300", "fabric.scale_out.0.bandwidth", "400Gbps", "AWS-ec2", primary,
     "16 x 400 Gbps = 6.4 Tbps per server"},
    {"p6-b300", "fabric.scale_out.0.planes", "2", "AWS-ec2", primary, "ports of the chip, used as one"},
    {"p6-b300", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care"},
    {"p6-b300", "fabric.scale_out.0.latency", "[7.65us, 0.675us, 0.675us]", "OFI", assumed,
     "18 us as on p5en"},
    {"p6-b300", "fabric.scale_out.0.routing", "spray", "SRD20", primary,
     "packets of one flow over many paths"},
    {"p6-b300", "facts.hbm", "268GB", "AWS-ec2", press, "per chip; AWS lists 2.1 TB per server"},
    {"p6-b300", "facts.hbm_total", "2.1TB", "AWS-ec2", primary, "per server"},
    {"p6-b300", "facts.scale_out_total", "6.4Tbps", "AWS-ec2", primary, "per server"},
};

}  // namespace

std::span<const PresetRow> aws_gpu_rows() {
  return aws_gpu_table;
}

}  // namespace tahoma
