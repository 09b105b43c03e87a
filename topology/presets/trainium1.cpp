// Trainium1 and Inferentia2. NeuronLink-v2 is quoted per chip and for both directions: a neighbour of four
// has an eighth of it in each direction.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow trainium1_table[] = {
    // ---- Trn1 server ----
    {"trn1-server", "describes", "trn1.32xlarge: 16 Trainium1 in a 4x4 torus, an EFA NIC for two chips",
     "ND-trn1", primary},
    {"trn1-server", "cluster.unit", "server", "ND-trn1", primary},
    {"trn1-server", "cluster.chip.name", "trainium1", "ND-trn1", primary},
    {"trn1-server", "cluster.chip.inner.cores", "2", "ND-trn1", primary, "NeuronCore-v2"},
    {"trn1-server", "cluster.chip.inner.bandwidth", "57GB/s", "ND-nccom", inferred,
     "one all_reduce of two cores at 1 GiB: busbw 56.7"},
    {"trn1-server", "cluster.chip.inner.efficiency", "1", "model", assumed,
     "the figure is what was measured"},
    {"trn1-server", "cluster.chip.inner.latency", "0.25us", "model", assumed,
     "as a chip that forwards; two links between cores"},
    {"trn1-server", "fabric.scale_up.0.kind", "torus", "ND-trn1", primary,
     "older documents say 4-D hypercube: the same graph"},
    {"trn1-server", "fabric.scale_up.0.size", "[4, 4]", "ND-trn1", primary},
    {"trn1-server", "fabric.scale_up.0.bandwidth", "48GB/s", "ND-trn1", inferred,
     "AWS's 384 GB/s per chip, both directions, over four neighbours"},
    {"trn1-server", "fabric.scale_up.0.efficiency", "0.88", "model", assumed, "as on Trn2; sweep 0.80-0.95"},
    {"trn1-server", "fabric.scale_up.0.latency", "1.5us", "ND-intra", inferred,
     "said of Trn2: 1-2 us per ring hop"},
    {"trn1-server", "fabric.scale_out.0.kind", "clos", "SA-t2", analyst},
    {"trn1-server", "fabric.scale_out.0.tiers", "3", "SA-t2", analyst, "EC2 shows three network layers"},
    {"trn1-server", "fabric.scale_out.0.rails", "16", "SA-t2", assumed, "as on Trn2"},
    {"trn1-server", "fabric.scale_out.0.size", "[32, 16]", "model", assumed,
     "32 servers per leaf, 16 leaves per pod"},
    {"trn1-server", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"trn1-server", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"trn1-server", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "AWS says non-blocking; sweep 1-8"},
    {"trn1-server", "fabric.scale_out.0.bandwidth", "50Gbps", "ND-trn1", inferred,
     "8 NICs of 100 Gbps: half a NIC per chip, as if all send"},
    {"trn1-server", "fabric.scale_out.0.efficiency", "0.95", "PPLX25", press, "0.97 was reached with care"},
    {"trn1-server", "fabric.scale_out.0.latency", "[6.15us, 0.675us, 0.675us]", "ND-cc", inferred,
     "sums to 15 us over five switches; the split is assumed"},
    {"trn1-server", "fabric.scale_out.0.routing", "spray", "SRD20", primary,
     "packets of one flow over many paths"},
    {"trn1-server", "facts.fp8_dense", "190TFLOPS", "ND-trn1", primary, "per chip"},
    {"trn1-server", "facts.bf16_dense", "190TFLOPS", "ND-trn1", primary, "per chip"},
    {"trn1-server", "facts.bf16_dense", "191TFLOPS", "ND-trn2", primary,
     "per chip; AWS's table of generations", "generations_table"},
    {"trn1-server", "facts.fp32_dense", "47.5TFLOPS", "ND-trn1", primary, "per chip"},
    {"trn1-server", "facts.int8_dense", "380TOPS", "ND-trn1", primary, "per chip"},
    {"trn1-server", "facts.hbm", "32GiB", "ND-trn1", primary, "per chip; the documents mix GB and GiB"},
    {"trn1-server", "facts.hbm_bandwidth", "820GB/s", "ND-trn1", primary, "per chip"},
    {"trn1-server", "facts.neuronlink", "384GB/s", "ND-trn1", primary, "per chip, sum of both directions"},
    {"trn1-server", "facts.scale_out_total", "800Gbps", "ND-trn1", primary, "per server"},

    // ---- Trn1n server ----
    {"trn1n-server", "extends", "trn1-server", "ND-trn1", primary},
    {"trn1n-server", "describes", "trn1n.32xlarge: Trn1 with twice the NeuronLink and EFA bandwidth",
     "ND-trn1", primary},
    {"trn1n-server", "fabric.scale_up.0.bandwidth", "96GB/s", "ND-trn1", inferred,
     "AWS's 768 GB/s per chip, both directions, over four neighbours"},
    {"trn1n-server", "fabric.scale_out.0.bandwidth", "100Gbps", "ND-trn1", primary, "16 NICs of 100 Gbps"},
    {"trn1n-server", "facts.neuronlink", "768GB/s", "ND-trn1", primary, "per chip, sum of both directions"},
    {"trn1n-server", "facts.scale_out_total", "1600Gbps", "ND-trn1", primary, "per server"},

    // ---- Inf2 server ----
    {"inf2-server", "describes", "inf2.48xlarge: 12 Inferentia2 in a ring; no collectives between servers",
     "ND-inf2", primary},
    {"inf2-server", "cluster.unit", "server", "ND-inf2", primary},
    {"inf2-server", "cluster.chip.name", "inferentia2", "ND-inf2", primary},
    {"inf2-server", "cluster.chip.inner.cores", "2", "ND-inf2", primary, "NeuronCore-v2"},
    {"inf2-server", "cluster.chip.inner.bandwidth", "57GB/s", "model", assumed, "NeuronCore-v2, as on Trn1"},
    {"inf2-server", "cluster.chip.inner.efficiency", "1", "model", assumed,
     "the figure is what was measured"},
    {"inf2-server", "cluster.chip.inner.latency", "0.25us", "model", assumed,
     "as a chip that forwards; two links between cores"},
    {"inf2-server", "fabric.scale_up.0.kind", "ring", "ND-inf2", primary},
    {"inf2-server", "fabric.scale_up.0.size", "12", "ND-inf2", primary},
    {"inf2-server", "fabric.scale_up.0.bandwidth", "48GiB/s", "ND-inf2", inferred,
     "AWS's 192 GiB/s per chip, both directions, over two neighbours"},
    {"inf2-server", "fabric.scale_up.0.efficiency", "0.88", "model", assumed, "as on Trn2; sweep 0.80-0.95"},
    {"inf2-server", "fabric.scale_up.0.latency", "1.5us", "ND-intra", inferred,
     "said of Trn2: 1-2 us per ring hop"},
    {"inf2-server", "facts.bf16_dense", "190TFLOPS", "ND-inf2", primary, "per chip"},
    {"inf2-server", "facts.hbm", "32GiB", "ND-inf2", primary, "per chip"},
    {"inf2-server", "facts.hbm_bandwidth", "820GB/s", "ND-inf2", primary, "per chip"},
    {"inf2-server", "facts.neuronlink", "192GiB/s", "ND-inf2", primary, "per chip, sum of both directions"},
};

}  // namespace

std::span<const PresetRow> trainium1_rows() {
  return trainium1_table;
}

}  // namespace tahoma
