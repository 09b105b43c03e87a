// Trainium4: announced only. Everything here is speculation with a source; AWS has promised factors over
// Trainium3, NVLink 6 and MGX racks, and nothing else.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow trainium4_table[] = {
    // ---- Trainium4 ----
    {"trainium4-nvl72", "describes",
     "speculative: 72 Trainium4 on NVLink Fusion switches, as announced; no figure of it is measured",
     "AWS-fusion", press},
    {"trainium4-nvl72", "cluster.unit", "rack", "AWS-fusion", press},
    {"trainium4-nvl72", "cluster.chip.name", "trainium4", "AWS-fusion", press},
    {"trainium4-nvl72", "fabric.scale_up.0.kind", "switch", "AWS-fusion", press,
     "NVLink 6 and MGX racks are announced, the topology is that of NVL72"},
    {"trainium4-nvl72", "fabric.scale_up.0.size", "72", "AWS-fusion", press},
    {"trainium4-nvl72", "fabric.scale_up.0.planes", "18", "AWS-fusion", press, "as in GB200 NVL72"},
    {"trainium4-nvl72", "fabric.scale_up.0.bandwidth", "100GB/s", "SN-nvl6", analyst,
     "NVLink 6 at full rate: 3.6 TB/s per chip, both directions, over 18 links"},
    {"trainium4-nvl72", "fabric.scale_up.0.efficiency", "0.80", "model", assumed, "as on GB200"},
    {"trainium4-nvl72", "fabric.scale_up.0.latency", "0.3us", "model", assumed, "as on GB200"},
    {"trainium4-nvl72", "fabric.scale_up.0.planes", "18", "model", assumed,
     "no number of ports is published; kept as on the NVLink track", "ualink"},
    {"trainium4-nvl72", "fabric.scale_up.0.bandwidth", "100GB/s", "UALink", inferred,
     "a station of 4 lanes of 200 Gbps; per direction", "ualink"},
    {"trainium4-nvl72", "describes",
     "speculative: 72 Trainium4 on UALink switches, the other track analysts name", "SA-t3", analyst, "",
     "ualink"},
    {"trainium4-nvl72", "fabric.scale_out.0.kind", "clos", "model", assumed},
    {"trainium4-nvl72", "fabric.scale_out.0.tiers", "3", "model", assumed, "EC2 shows three network layers"},
    {"trainium4-nvl72", "fabric.scale_out.0.rails", "72", "model", assumed, "rail-optimised; one per chip"},
    {"trainium4-nvl72", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 servers per leaf, 16 leaves per pod"},
    {"trainium4-nvl72", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"trainium4-nvl72", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"trainium4-nvl72", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"trainium4-nvl72", "fabric.scale_out.0.bandwidth", "400Gbps", "model", assumed,
     "EFA of Trainium4 is not announced; twice Trn3"},
    {"trainium4-nvl72", "fabric.scale_out.0.efficiency", "0.95", "model", assumed, "EFA as it is"},
    {"trainium4-nvl72", "fabric.scale_out.0.latency", "[6.15us, 0.675us, 0.675us]", "ND-cc", inferred,
     "sums to 15 us over five switches; the split is assumed"},
    {"trainium4-nvl72", "fabric.scale_out.0.routing", "spray", "model", assumed, "EFA as it is"},
    {"trainium4-nvl72", "facts.fp8_dense", "7.55PFLOPS", "AWS-fusion", inferred,
     "per chip; at least 3 times Trn3, as announced"},
    {"trainium4-nvl72", "facts.fp4_dense", "15.1PFLOPS", "AWS-fusion", inferred,
     "per chip; at least 6 times Trn3, as announced"},
    {"trainium4-nvl72", "facts.hbm", "288GB", "SA-t3", analyst, "per chip; 8 stacks of HBM4"},
    {"trainium4-nvl72", "facts.hbm_bandwidth", "19.6TB/s", "AWS-fusion", inferred,
     "per chip; 4 times Trn3, as announced"},
    {"trainium4-nvl72", "facts.availability", "late 2026 to first half of 2027, or later", "NextP25", press,
     "expected"},
};

}  // namespace

std::span<const PresetRow> trainium4_rows() {
  return trainium4_table;
}

}  // namespace tahoma
