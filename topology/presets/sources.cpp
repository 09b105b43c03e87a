// What the sources' short names stand for.
#include "topology/presets.h"

namespace tahoma {

namespace {

constexpr PresetSource source_table[] = {
    {"ND-trn1", "aws-neuron-sdk docs, trn1-arch.rst and trainium.rst (2026-08-21)"},
    {"ND-inf2", "aws-neuron-sdk docs, inf2-arch.rst and inferentia2.rst (2026-08-21), and their figures"},
    {"ND-trn2", "aws-neuron-sdk docs, trn2-arch.rst and trainium2.rst (2026-08-21)"},
    {"ND-trn3", "aws-neuron-sdk docs, trn3-arch.rst and trainium3.rst (2026-08-21), and their figures"},
    {"ND-intra", "aws-neuron-sdk docs, intranode-collective-comm.rst (2025-12-02): 1-2 us per ring hop"},
    {"ND-cc", "aws-neuron-sdk docs, collectives.rst and internode-collective-comm.rst: 15 us HBM to HBM"},
    {"ND-nccom", "aws-neuron-sdk docs, nccom-test.rst: printed runs on trn1 (2.29 era)"},
    {"phase-e", "jimburtoft/cookbook, phase_e_tables.md and nki_sweep.csv: runs on one Trn2 chip (2026-07)"},
    {"NKI", "aws-neuron-sdk docs, NKI architecture guides"},
    {"SA-t2", "SemiAnalysis, Amazon's AI Self Sufficiency: Trainium2 (2024-12-03)"},
    {"SA-t3", "SemiAnalysis, AWS Trainium3 Deep Dive (2025-12-04)"},
    {"Epoch", "Epoch AI hardware data set"},
    {"REG25", "The Register on Project Rainier (2025)"},
    {"CNBC25", "CNBC on New Carlisle (2025-10-29)"},
    {"Semafor25", "Semafor on AWS's multi-state data center (2025-10-29)"},
    {"NextP25", "The Next Platform on Trainium3 and Trainium4 (2025-12-03)"},
    {"AIwire25", "AIwire on Trainium3 UltraServers (2025-12)"},
    {"AWS-fusion", "AWS and NVIDIA on Trainium4 and NVLink Fusion (December 2025), as quoted by the press"},
    {"SN-nvl6", "ServerNews's guess that Trainium4 has NVLink 6 at its full rate"},
    {"UALink", "UALink 200G 1.0 specification: stations of four 200 Gbps lanes"},
    {"PPLX25", "Perplexity on 3,200 Gbps EFA: 97 % of line rate"},
    {"SRD20", "Shalev et al., A Cloud-Optimized Transport Protocol, IEEE Micro 40(6), 2020"},
    {"OFI", "aws-ofi-nccl, nccl_ofi_model.cpp and platform-aws.cpp (2026-08-21): rails, rates, latencies"},
    {"AWS-SM", "AWS ML blog on HyperPod with P6e-GB200 and P6-B200 (2025-08)"},
    {"AWS-ec2", "EC2 instance type pages; general knowledge, not archived with the datasheet"},
    {"GLK", "G. K. Lockwood's notes on H100, B200, B300 and Meta's clusters"},
    {"NVL", "NVIDIA's NVLink and NVSwitch documents, MLCommons system descriptions"},
    {"NV-sheet", "NVIDIA's data sheets of DGX, HGX and GB300; general knowledge, not archived"},
    {"NV-dgx1", "NVIDIA's DGX-1 with Tesla V100 white paper; general knowledge, not archived"},
    {"NV-h800", "press on the H800's NVLink of 400 GB/s (2023); general knowledge, not archived"},
    {"NCCL-671", "a DGX-1 V100's topology as NCCL dumps it, github.com/NVIDIA/nccl issues/671"},
    {"TECCL", "microsoft/TE-CCL, teccl/topologies/amd.py: Azure's server of 16 MI250X dies"},
    {"Frontier", "the node diagrams of Frontier and LUMI; general knowledge, not archived"},
    {"AMD-sheet", "AMD's data sheets of MI250X and MI300X; general knowledge, not archived"},
    {"TPU-doc", "docs.cloud.google.com/tpu: the pages of tpu7x, v6e, v5p, v5e and v4"},
    {"JAX-book", "the JAX scaling book: one-way ICI figures and wraparound rules"},
    {"REG-tpu", "The Register on Ironwood: four ICI links"},
    {"Llama3", "the Llama 3 paper on Meta's 24k clusters, by way of G. K. Lockwood's notes"},
    {"xAI", "NVIDIA's press release on Colossus (2024-10-28) and DatacenterDynamics"},
    {"measured", "public runs: MSCCL++ on A100, ASTRA-sim's validation of H100, 16 GiB collectives on GB200"},
    {"arithmetic", "computed from rows of this table"},
    {"model", "a default of this model; sweep it"},
};

}  // namespace

std::span<const PresetSource> preset_sources() {
  return source_table;
}

}  // namespace tahoma
