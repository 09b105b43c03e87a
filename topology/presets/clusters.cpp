// Systems of many servers: what the servers are comes from the families, how many there are and what joins
// them stands here.
#include "topology/presets/families.h"

namespace tahoma {

namespace {

using enum Confidence;

constexpr PresetRow cluster_table[] = {
    // ---- Project Rainier ----
    {"rainier", "extends", "trn2-ultraserver", "CNBC25", press, "", ""},
    {"rainier", "describes", "8,192 Trn2 UltraServers = 524,288 chips on four equal sites", "CNBC25", press,
     "about 500,000 chips ran in October 2025; 8,192 is the next power of two", ""},
    {"rainier", "cluster.count", "8192", "CNBC25", inferred, "500,000 / 64 = 7,813", ""},
    {"rainier", "sites.0.name", "a", "model", assumed, "buildings of one campus", ""},
    {"rainier", "sites.0.ultraservers", "2048", "model", assumed, "", ""},
    {"rainier", "sites.1.name", "b", "model", assumed, "", ""},
    {"rainier", "sites.1.ultraservers", "2048", "model", assumed, "", ""},
    {"rainier", "sites.2.name", "c", "model", assumed, "", ""},
    {"rainier", "sites.2.ultraservers", "2048", "model", assumed, "", ""},
    {"rainier", "sites.3.name", "d", "model", assumed, "", ""},
    {"rainier", "sites.3.ultraservers", "2048", "model", assumed, "", ""},
    {"rainier", "fabric.wan.0.name", "a-b", "model", assumed, "a full mesh of fibre", ""},
    {"rainier", "fabric.wan.0.a", "a", "model", assumed, "", ""},
    {"rainier", "fabric.wan.0.b", "b", "model", assumed, "", ""},
    {"rainier", "fabric.wan.0.bandwidth", "100Tbps", "model", assumed,
     "per pair and direction; sweep 10-400 Tbps", ""},
    {"rainier", "fabric.wan.0.distance", "2km", "model", assumed,
     "1,200 acres are 2.2 km square; sweep 0.5-5 km", ""},
    {"rainier", "fabric.wan.1.name", "a-c", "model", assumed, "", ""},
    {"rainier", "fabric.wan.1.a", "a", "model", assumed, "", ""},
    {"rainier", "fabric.wan.1.b", "c", "model", assumed, "", ""},
    {"rainier", "fabric.wan.1.bandwidth", "100Tbps", "model", assumed, "", ""},
    {"rainier", "fabric.wan.1.distance", "2km", "model", assumed, "", ""},
    {"rainier", "fabric.wan.2.name", "a-d", "model", assumed, "", ""},
    {"rainier", "fabric.wan.2.a", "a", "model", assumed, "", ""},
    {"rainier", "fabric.wan.2.b", "d", "model", assumed, "", ""},
    {"rainier", "fabric.wan.2.bandwidth", "100Tbps", "model", assumed, "", ""},
    {"rainier", "fabric.wan.2.distance", "2km", "model", assumed, "", ""},
    {"rainier", "fabric.wan.3.name", "b-c", "model", assumed, "", ""},
    {"rainier", "fabric.wan.3.a", "b", "model", assumed, "", ""},
    {"rainier", "fabric.wan.3.b", "c", "model", assumed, "", ""},
    {"rainier", "fabric.wan.3.bandwidth", "100Tbps", "model", assumed, "", ""},
    {"rainier", "fabric.wan.3.distance", "2km", "model", assumed, "", ""},
    {"rainier", "fabric.wan.4.name", "b-d", "model", assumed, "", ""},
    {"rainier", "fabric.wan.4.a", "b", "model", assumed, "", ""},
    {"rainier", "fabric.wan.4.b", "d", "model", assumed, "", ""},
    {"rainier", "fabric.wan.4.bandwidth", "100Tbps", "model", assumed, "", ""},
    {"rainier", "fabric.wan.4.distance", "2km", "model", assumed, "", ""},
    {"rainier", "fabric.wan.5.name", "c-d", "model", assumed, "", ""},
    {"rainier", "fabric.wan.5.a", "c", "model", assumed, "", ""},
    {"rainier", "fabric.wan.5.b", "d", "model", assumed, "", ""},
    {"rainier", "fabric.wan.5.bandwidth", "100Tbps", "model", assumed, "", ""},
    {"rainier", "fabric.wan.5.distance", "2km", "model", assumed, "", ""},

    // ---- UltraCluster 3.0 ----
    {"ultracluster3", "extends", "trn3-gen2-ultraserver", "ND-trn3", primary, "", ""},
    {"ultracluster3", "describes", "8,192 Trn3 Gen2 UltraServers = 1,179,648 chips in one site", "SA-t3",
     inferred, "AWS speaks of up to a million chips: 6,944 UltraServers", ""},
    {"ultracluster3", "cluster.count", "8192", "SA-t3", inferred, "", ""},

    // ---- Meta's 24k clusters ----
    {"meta-24k-h100", "extends", "hgx-h100", "Llama3", press},
    {"meta-24k-h100", "describes", "24,576 H100: 2 servers per rack, pods of 192 racks, 7:1 between pods",
     "Llama3", press},
    {"meta-24k-h100", "cluster.count", "3072", "Llama3", press, "24,576 / 8"},
    {"meta-24k-h100", "fabric.scale_out.0.kind", "clos", "Llama3", press},
    {"meta-24k-h100", "fabric.scale_out.0.tiers", "3", "Llama3", press, "rack, pod, aggregation"},
    {"meta-24k-h100", "fabric.scale_out.0.rails", "1", "Llama3", press,
     "a rack switch takes all GPUs of its two servers"},
    {"meta-24k-h100", "fabric.scale_out.0.size", "[16, 192]", "model", assumed,
     "16 GPUs per rack switch, 192 racks per pod of 3,072"},
    {"meta-24k-h100", "fabric.scale_out.0.spines", "32", "model", assumed, "as many as a leaf has uplinks"},
    {"meta-24k-h100", "fabric.scale_out.0.cores", "32", "model", assumed},
    {"meta-24k-h100", "fabric.scale_out.0.oversubscription", "[0.5, 7]", "Llama3", inferred,
     "rack uplinks 2:1 under-subscribed, 7:1 at the top, taken as a ratio of a switch's ports"},
    {"meta-24k-h100", "fabric.scale_out.0.oversubscription", "[0.5, 14]", "Llama3", inferred,
     "7:1 taken as a ratio of the GPUs' bandwidth, half of the rack's uplinks", "of_gpus"},
    {"meta-24k-h100", "fabric.scale_out.0.bandwidth", "400Gbps", "Llama3", press, "one NIC per GPU"},
    {"meta-24k-h100", "fabric.scale_out.0.efficiency", "0.95", "model", assumed, "as in roce-fabric"},
    {"meta-24k-h100", "fabric.scale_out.0.latency", "[2us, 0.55us, 0.55us]", "model", assumed,
     "as in roce-fabric"},
    {"meta-24k-h100", "fabric.scale_out.0.routing", "spray", "model", assumed,
     "Meta hashes 16 flows per pair; taken as even"},
    {"meta-24k-h100", "facts.cluster_chips", "24576", "Llama3", press, "in all"},

    // ---- xAI Colossus ----
    {"colossus-100k", "extends", "hgx-h100", "xAI", press},
    {"colossus-100k", "describes", "100,000 H100, one 400 Gbps NIC per GPU, three tiers of Ethernet", "xAI",
     press},
    {"colossus-100k", "cluster.count", "12500", "xAI", press, "100,000 / 8"},
    {"colossus-100k", "fabric.scale_out.0.kind", "clos", "xAI", press},
    {"colossus-100k", "fabric.scale_out.0.tiers", "3", "xAI", press, "SN5600 switches of 64 x 800 Gbps"},
    {"colossus-100k", "fabric.scale_out.0.rails", "8", "xAI", assumed, "rail-optimised; one per GPU"},
    {"colossus-100k", "fabric.scale_out.0.size", "[50, 10]", "model", assumed,
     "50 of a leaf's 64 down ports, so that 25 pods are equal"},
    {"colossus-100k", "fabric.scale_out.0.spines", "50", "model", assumed, "as many as a leaf has uplinks"},
    {"colossus-100k", "fabric.scale_out.0.cores", "50", "model", assumed},
    {"colossus-100k", "fabric.scale_out.0.oversubscription", "[1, 1]", "model", assumed,
     "full bisection is not claimed; sweep 1-4"},
    {"colossus-100k", "fabric.scale_out.0.bandwidth", "400Gbps", "xAI", press, "one BlueField-3 per GPU"},
    {"colossus-100k", "fabric.scale_out.0.efficiency", "0.95", "xAI", press,
     "of line rate; about 0.60 with plain ECMP Ethernet"},
    {"colossus-100k", "fabric.scale_out.0.latency", "[2us, 0.55us, 0.55us]", "model", assumed,
     "as in roce-fabric"},
    {"colossus-100k", "fabric.scale_out.0.routing", "spray", "xAI", press, "Spectrum-X"},
    {"colossus-100k", "fabric.scale_out.0.efficiency", "0.60", "xAI", press,
     "what the source says plain ECMP Ethernet reaches", "plain_ecmp"},
    {"colossus-100k", "facts.cluster_chips", "100000", "xAI", press, "in all"},
};

}  // namespace

std::span<const PresetRow> cluster_rows() {
  return cluster_table;
}

}  // namespace tahoma
