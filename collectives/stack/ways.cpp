// What each stack can do, as rows. A way of working needs an algorithm of ours that sends what the library
// sends; what the library does that none of ours does is left out, not imitated.
#include <array>

#include "collectives/stack/stack.h"

namespace tahoma {
namespace {

constexpr auto one = Spread::one_domain, several = Spread::several_domains;
constexpr std::string_view protocols = "ll|ll128|simple", low_latency = "ll|simple";
constexpr std::string_view halves = "all_reduce|all_gather|reduce_scatter";
constexpr std::string_view chains = "broadcast|reduce";
constexpr std::string_view exchanges = "all_to_all|permute|gather|scatter";

constexpr std::array ways{
    StackWay{"nccl", "ring", protocols, halves, one, "ring", "", "a ring through all chips"},
    StackWay{"nccl", "graph_rings", protocols, halves, one, "graph_rings", "",
             "as many rings as the direct links of a server hold"},
    StackWay{"nccl", "rail_rings", protocols, halves, several, "rail_rings", "",
             "a ring per NIC through all domains"},
    StackWay{"nccl", "chain", protocols, chains, Spread::any, "ring", "", "from chip to chip in chunks"},
    StackWay{"nccl", "tree", protocols, "all_reduce", one, "double_binary_tree", "", "two trees in chunks"},
    StackWay{"nccl", "nvls", "simple", "all_reduce|all_gather|reduce_scatter|broadcast|reduce", one,
             "in_switch", "", "NVLink SHARP: the switch adds and copies"},
    StackWay{"nccl", "hierarchical_tree", protocols, "all_reduce", several, "ring", "double_binary_tree",
             "parts of the buffer go over the trees of all NICs at once"},
    StackWay{"nccl", "nvls_ring", "simple", halves, several, "in_switch", "ring",
             "in the switch inside a domain, a ring per NIC between domains"},
    StackWay{"nccl", "nvls_tree", "simple", "all_reduce", several, "in_switch", "double_binary_tree",
             "in the switch inside a domain, two trees per NIC between domains"},
    StackWay{"nccl", "exchange", low_latency, exchanges, Spread::any, "direct", "",
             "sends and receives between all pairs at once"},

    StackWay{"rccl", "ring", protocols, halves, one, "ring", "", "a ring through all chips"},
    StackWay{"rccl", "rings", protocols, halves, one, "direct", "",
             "as many rings as a full mesh has links: by its bytes, an exchange with all at once"},
    StackWay{"rccl", "graph_rings", protocols, halves, one, "graph_rings", "",
             "as many rings as the direct links of a server hold"},
    StackWay{"rccl", "rail_rings", protocols, halves, several, "rail_rings", "",
             "a ring per NIC through all domains"},
    StackWay{"rccl", "chain", protocols, chains, Spread::any, "ring", "", "from chip to chip in chunks"},
    StackWay{"rccl", "tree", protocols, "all_reduce", one, "double_binary_tree", "", "two trees in chunks"},
    StackWay{"rccl", "hierarchical_tree", protocols, "all_reduce", several, "direct", "double_binary_tree",
             "parts of the buffer go over the trees of all NICs at once"},
    StackWay{"rccl", "exchange", low_latency, exchanges, Spread::any, "direct", "",
             "sends and receives between all pairs at once"},

    StackWay{"msccl", "one_shot", protocols, "all_reduce", one, "one_shot", "",
             "whole buffers to all, who add them"},
    StackWay{"msccl", "two_shot", protocols, halves, Spread::any, "direct", "",
             "parts to their owners, which add them and send the sums to all"},
    StackWay{"msccl", "ring", protocols, halves, one, "ring", "", "a ring through all chips"},
    StackWay{"msccl", "nvls", "simple", "all_reduce|all_gather|reduce_scatter|broadcast", one, "in_switch",
             "", "the switch adds and copies"},
    StackWay{"msccl", "hierarchical", protocols, halves, several, "direct", "direct",
             "two-shot inside a domain, and between domains chip by chip"},
    StackWay{"msccl", "exchange", low_latency, exchanges, Spread::any, "direct", "",
             "sends and receives between all pairs at once"},

    StackWay{"neuron", "ring", "", halves, Spread::any, "ring", "", "a ring through all chips"},
    StackWay{"neuron", "kangaring", "", halves, one, "kangaring", "",
             "two disjoint rings, the cores of a chip in pairs"},
    StackWay{"neuron", "mesh", "", "all_reduce|all_gather|reduce_scatter|all_to_all", Spread::any, "direct",
             "", "everyone sends to everyone"},
    StackWay{"neuron", "rdh", "", halves, Spread::any, "halving_doubling", "",
             "recursive doubling and halving"},
    StackWay{"neuron", "hierarchical", "", halves, several, "kangaring", "ring",
             "rings inside a domain, a ring per NIC between domains"},
    StackWay{"neuron", "exchange", "", "permute|gather|scatter|broadcast|reduce", Spread::any, "direct", "",
             "sends and receives"},

    StackWay{"xla", "torus", "", halves, one, "torus", "", "all dimensions and directions at once"},
    StackWay{"xla", "ring", "", halves, one, "bidirectional_ring", "", "both ways round one ring"},
    StackWay{"xla", "exchange", "", "all_to_all|permute", one, "direct", "", "everyone to everyone"},
    StackWay{"xla", "slices", "", halves, several, "torus", "ring",
             "the torus inside a slice, rings over the data-centre network between slices"},
};

}  // namespace

std::span<const StackWay> stack_ways() {
  return ways;
}

}  // namespace tahoma
