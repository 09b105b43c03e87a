#include "scenarios/validation/sources.h"

namespace tahoma {

namespace {

constexpr MeasuredSource measured_source_table[] = {
    {"N01", "examples in the documentation of nccom-test; the instance is not always named", "Neuron 2.29",
     "https://github.com/aws-neuron/aws-neuron-sdk"},
    {"N06", "kernels on one Trainium2 chip, 8 ranks, about 100 us of launch in each", "nki-library 2.31",
     "https://github.com/jimburtoft/cookbook"},
    {"N07", "one hop and 8 ranks inside a Trainium2 chip", "Neuron SDK 2.31",
     "https://github.com/jimburtoft/cookbook"},
    {"N08", "transfers over EFA between two Trn2 servers, no collective", "Mooncake",
     "https://github.com/kvcache-ai/Mooncake"},
    {"E01", "all_reduce on 2 p4de and on 2 p5", "NCCL 2.18.5, aws-ofi-nccl 1.7.3",
     "https://github.com/aws-samples/awsome-distributed-training"},
    {"E03", "three collectives on 2 to 32 p5", "NCCL 2.28.7, aws-ofi-nccl 1.16.3 with its tuner",
     "https://github.com/crazyguitar/aws-gpu-communication-benchmark"},
    {"E04", "all_reduce on 2 p4d", "NCCL 2.9.9, aws-ofi-nccl", "https://github.com/aws-samples/aws-efa-eks"},
    {"E05", "all_reduce on 2 p3dn, first-generation EFA", "NCCL 2.4.6",
     "https://github.com/cybertronai/aws-network-benchmarks"},
    {"E07", "all_reduce on 1 to 4 p4d, not tuned", "NCCL 2.9.9", "https://github.com/NVIDIA/nccl issue 527"},
    {"G02", "all_reduce on 8 H100", "", "https://github.com/NVIDIA/dgxc-benchmarking"},
    {"G05", "all_reduce on 8 A100, 8 H100 and 8 H200", "NCCL 2.18.5 and 2.20.5",
     "https://github.com/Azure/AI-benchmarking-guide"},
    {"G06", "NCCL beside MSCCL on 8 H100", "NCCL 2.18.3, MSCCL", "https://github.com/Azure/msccl"},
    {"G07", "kernels of MSCCL++ on 8 and 16 A100 and H100", "MSCCL++",
     "https://github.com/microsoft/mscclpp"},
    {"G08", "all_gather on 32 dies of MI250X, RCCL beside a schedule of TE-CCL",
     "ROCm 5.7.3, at most 2 channels", "https://github.com/microsoft/TE-CCL"},
    {"G09", "all_reduce on 2 to 8 A100 and V100", "", "https://github.com/VIA-Research/vTrain"},
    {"G13", "all_reduce on 3 servers of 8 A100 with 4 NICs", "",
     "https://github.com/NVIDIA/nccl-tests issue 119"},
    {"G14", "sendrecv on 8 A100", "", "https://github.com/li-plus/playground"},
    {"G15", "two H100 on PCIe with a bridge", "", "https://github.com/NVIDIA/nccl issue 1161"},
    {"G20", "medians of operations logged in a training run on 8 A100", "AICB",
     "https://github.com/aliyun/aicb"},
    {"G21", "GB200 and GB300 racks and B200 servers, four collectives", "NCCL 2.30.4 (GB200)",
     "https://github.com/yangwhale/gpu-tpu-pedia"},
    {"G22", "two RTX 2080 Ti with a bridge", "", "https://github.com/NVIDIA/nccl-tests issue 44"},
    {"T01", "messages between neighbours on TPU v5p and v6e", "JAX",
     "https://github.com/marin-community/marin issue 6736"},
    {"T02", "all_gather along an axis of 16 TPU v5e", "JAX", "https://github.com/jax-ml/scaling-book"},
    {"X01", "hardware curves in the plots of another simulator's validation", "NCCL, ring",
     "https://github.com/astra-sim/astra-sim-docs"},
};

}  // namespace

std::span<const MeasuredSource> measured_sources() {
  return measured_source_table;
}

}  // namespace tahoma
