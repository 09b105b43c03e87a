// NVLink domains larger than a server. Every GPU has one link to every switch chip, so one `switch` whose
// planes are the 18 switch chips is the exact graph. NVIDIA's page once says 900 GB/s per *link*: it is per
// GPU and direction, a link has 50 GB/s per direction.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow nvlink_rack_table[] = {
    // ---- GB200 NVL72 ----
    {"gb200-nvl72", "describes",
     "72 B200 in one NVLink domain of 18 switches, one link to each (p6e-gb200 on AWS)", "NVL", primary},
    {"gb200-nvl72", "cluster.unit", "rack", "NVL", primary},
    {"gb200-nvl72", "cluster.chip.name", "gb200", "NVL", primary},
    {"gb200-nvl72", "fabric.scale_up.0.kind", "switch", "NVL", primary, "a single stage"},
    {"gb200-nvl72", "fabric.scale_up.0.size", "72", "NVL", primary},
    {"gb200-nvl72", "fabric.scale_up.0.planes", "18", "NVL", primary,
     "9 trays of two switches, 72 ports each"},
    {"gb200-nvl72", "fabric.scale_up.0.bandwidth", "50GB/s", "NVL", primary,
     "one NVLink 5 to each switch: 900 GB/s per direction"},
    {"gb200-nvl72", "fabric.scale_up.0.efficiency", "0.80", "measured", inferred,
     "689 of 900 GB/s is the best public all_to_all, all_gathers reach 708"},
    {"gb200-nvl72", "fabric.scale_up.0.latency", "0.3us", "OFI", inferred,
     "half of the 0.6 us that NCCL's model gives a step of small messages"},
    {"gb200-nvl72", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst},
    {"gb200-nvl72", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers"},
    {"gb200-nvl72", "fabric.scale_out.0.rails", "72", "SA-t2", assumed, "one per GPU"},
    {"gb200-nvl72", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 racks per leaf, 16 leaves per pod"},
    {"gb200-nvl72", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"gb200-nvl72", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"gb200-nvl72", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"gb200-nvl72", "fabric.scale_out.0.bandwidth", "400Gbps", "AWS-SM", primary, "28.8 Tbps per 72 GPUs"},
    {"gb200-nvl72", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care"},
    {"gb200-nvl72", "fabric.scale_out.0.latency", "[7.65us, 0.675us, 0.675us]", "OFI", assumed,
     "18 us as on p5en"},
    {"gb200-nvl72", "fabric.scale_out.0.routing", "spray", "SRD20", primary,
     "packets of one flow over many paths"},
    {"gb200-nvl72", "facts.fp4_dense", "10PFLOPS", "AWS-SM", primary, "per chip"},
    {"gb200-nvl72", "facts.fp8_dense", "5PFLOPS", "AWS-SM", primary, "per chip"},
    {"gb200-nvl72", "facts.bf16_dense", "2.5PFLOPS", "AWS-SM", inferred, "per chip"},
    {"gb200-nvl72", "facts.hbm", "186GB", "NVL", primary, "per chip"},
    {"gb200-nvl72", "facts.hbm_bandwidth", "8TB/s", "NVL", primary, "per chip"},
    {"gb200-nvl72", "facts.nvlink", "1.8TB/s", "NVL", primary, "per chip, sum of both directions"},
    {"gb200-nvl72", "facts.tdp", "1200W", "NVL", press, "per chip"},
    {"gb200-nvl72", "facts.power", "120kW", "NVL", press, "per rack"},
    {"gb200-nvl72", "facts.fp8_dense_total", "360PFLOPS", "AWS-SM", primary, "per rack"},
    {"gb200-nvl72", "facts.hbm_total", "13.4TB", "AWS-SM", primary, "per rack"},
    {"gb200-nvl72", "facts.nvlink_total", "130TB/s", "NVL", primary, "per rack, sum of both directions"},
    {"gb200-nvl72", "facts.scale_out_total", "28.8Tbps", "AWS-SM", primary, "per rack"},

    // ---- GB300 NVL72 ----
    {"gb300-nvl72", "extends", "gb200-nvl72", "NV-sheet", primary},
    {"gb300-nvl72", "describes", "72 B300 in one NVLink domain of 18 switches, 800 Gbps of NICs per GPU",
     "NV-sheet", primary},
    {"gb300-nvl72", "cluster.chip.name", "gb300", "NV-sheet", primary},
    {"gb300-nvl72", "fabric.scale_out.0.bandwidth", "800Gbps", "NV-sheet", primary,
     "ConnectX-8, one per GPU"},
    {"gb300-nvl72", "facts.fp4_dense", "15PFLOPS", "NV-sheet", primary, "per chip"},
    {"gb300-nvl72", "facts.hbm", "288GB", "NV-sheet", primary, "per chip as built"},
    {"gb300-nvl72", "facts.hbm", "279GB", "NV-sheet", inferred, "per chip, as the rack lists 20 TB",
     "usable"},
    {"gb300-nvl72", "facts.tdp", "1400W", "GLK", press, "per chip, at most"},
    {"gb300-nvl72", "facts.power", "140kW", "model", assumed, "per rack"},
    {"gb300-nvl72", "facts.hbm_total", "20TB", "NV-sheet", primary, "per rack, where 72 x 288 GB is 20.7"},
    {"gb300-nvl72", "facts.scale_out_total", "57.6Tbps", "arithmetic", inferred, "per rack"},
};

}  // namespace

std::span<const PresetRow> nvlink_rack_rows() {
  return nvlink_rack_table;
}

}  // namespace tahoma
