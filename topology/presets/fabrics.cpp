// What joins servers: three fabrics as presets of their own. Server presets extend one or bring their own
// figures; `cluster: {transport: ib}` lays another one's protocol over any of them.
//
// No operator publishes leaf widths and single switches: they are assumptions. EFA's latencies sum to what
// AWS measured: 2 x (6.15 + 0.675 + 0.675) = 15 us from HBM to HBM through five switches, 2 x 6.15 = 12.3 us
// through one.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow fabric_table[] = {
    // ---- EFA ----
    {"efa-fabric", "extends", "generic", "SA-t2", analyst},
    {"efa-fabric", "describes",
     "lone chips on a three-tier EFA fabric; the server presets on AWS have this outside", "SA-t2", analyst},
    {"efa-fabric", "cluster.unit", "chip", "SA-t2", analyst},
    {"efa-fabric", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst},
    {"efa-fabric", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers"},
    {"efa-fabric", "fabric.scale_out.0.rails", "1", "SA-t2", assumed, "a chip alone has one"},
    {"efa-fabric", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 chips per leaf, 16 leaves per pod"},
    {"efa-fabric", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"efa-fabric", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"efa-fabric", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"efa-fabric", "fabric.scale_out.0.bandwidth", "200Gbps", "ND-trn2", primary,
     "of Trn2; 100 to 800 Gbps per chip elsewhere"},
    {"efa-fabric", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care"},
    {"efa-fabric", "fabric.scale_out.0.latency", "[6.15us, 0.675us, 0.675us]", "ND-cc", inferred,
     "sums to 15 us over five switches; the split is assumed"},
    {"efa-fabric", "fabric.scale_out.0.routing", "spray", "SRD20", primary,
     "packets of one flow over many paths"},

    // ---- InfiniBand ----
    {"ib-fabric", "extends", "generic", "model", assumed},
    {"ib-fabric", "describes",
     "lone chips on a three-tier InfiniBand fabric; `transport: ib` takes its figures", "model", assumed},
    {"ib-fabric", "cluster.unit", "chip", "model", assumed},
    {"ib-fabric", "fabric.scale_out.0.kind", "clos", "model", assumed},
    {"ib-fabric", "fabric.scale_out.0.tiers", "3", "model", assumed,
     "as deep as the clusters of tens of thousands"},
    {"ib-fabric", "fabric.scale_out.0.rails", "1", "model", assumed, "a chip alone has one"},
    {"ib-fabric", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 chips per leaf, 16 leaves per pod"},
    {"ib-fabric", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"ib-fabric", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"ib-fabric", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed, "sweep 1-8"},
    {"ib-fabric", "fabric.scale_out.0.bandwidth", "400Gbps", "NV-sheet", primary, "NDR, one port per GPU"},
    {"ib-fabric", "fabric.scale_out.0.efficiency", "0.97", "model", assumed,
     "headers of 4 KiB packets take 0.6 %; the rest is margin"},
    {"ib-fabric", "fabric.scale_out.0.latency", "[1.5us, 0.4us, 0.4us]", "model", assumed,
     "4.6 us from memory to memory over five switches"},
    {"ib-fabric", "fabric.scale_out.0.routing", "spray", "model", assumed,
     "adaptive routing, taken as ideal"},

    // ---- RoCE ----
    {"roce-fabric", "extends", "generic", "model", assumed},
    {"roce-fabric", "describes",
     "lone chips on a three-tier Ethernet fabric with RDMA; `transport: roce` takes its figures", "model",
     assumed},
    {"roce-fabric", "cluster.unit", "chip", "model", assumed},
    {"roce-fabric", "fabric.scale_out.0.kind", "clos", "model", assumed},
    {"roce-fabric", "fabric.scale_out.0.tiers", "3", "model", assumed,
     "as deep as the clusters of tens of thousands"},
    {"roce-fabric", "fabric.scale_out.0.rails", "1", "model", assumed, "a chip alone has one"},
    {"roce-fabric", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 chips per leaf, 16 leaves per pod"},
    {"roce-fabric", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"roce-fabric", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"roce-fabric", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed, "sweep 1-8"},
    {"roce-fabric", "fabric.scale_out.0.bandwidth", "400Gbps", "NV-sheet", primary, "one port per GPU"},
    {"roce-fabric", "fabric.scale_out.0.efficiency", "0.95", "xAI", press,
     "of line rate, with packets sprayed"},
    {"roce-fabric", "fabric.scale_out.0.latency", "[2us, 0.55us, 0.55us]", "model", assumed,
     "6.2 us from memory to memory over five switches"},
    {"roce-fabric", "fabric.scale_out.0.routing", "spray", "xAI", press,
     "Spectrum-X; plain Ethernet hashes flows"},
    {"roce-fabric", "fabric.scale_out.0.efficiency", "0.60", "xAI", press,
     "what the same source says plain ECMP Ethernet reaches", "plain_ecmp"},
};

}  // namespace

std::span<const PresetRow> fabric_rows() {
  return fabric_table;
}

}  // namespace tahoma
