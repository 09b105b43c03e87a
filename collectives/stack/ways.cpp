// What each stack can do, as rows. A way of working needs an algorithm of ours that sends what the library
// sends; what the library does that none of ours does is left out, not imitated.
#include <array>

#include "collectives/stack/stack.h"

namespace tahoma {
namespace {

constexpr auto one_domain = Spread::one_domain, several_domains = Spread::several_domains;
constexpr std::string_view all_protocols = "ll|ll128|simple", low_latency = "ll|simple";
constexpr std::string_view halves = "all_reduce|all_gather|reduce_scatter";
constexpr std::string_view chains = "broadcast|reduce";
constexpr std::string_view all_listed = "all_reduce|all_gather|reduce_scatter|all_to_all|broadcast|reduce";
constexpr std::string_view exchanges = "all_to_all|permute|gather|scatter";

constexpr std::array ways{
    StackWay{"nccl", "ring", all_protocols, halves, one_domain, "ring", "", "a ring through all chips"},
    StackWay{"nccl", "graph_rings", all_protocols, halves, one_domain, "graph_rings", "",
             "as many rings as the direct links of a server hold"},
    StackWay{"nccl", "rail_rings", all_protocols, halves, several_domains, "rail_rings", "",
             "a ring per NIC through all domains"},
    StackWay{"nccl", "flat_ring", all_protocols, halves, several_domains, "ring", "",
             "one ring through all chips, for servers of one NIC"},
    StackWay{"nccl", "chain", all_protocols, chains, Spread::any, "ring", "", "from chip to chip in chunks"},
    StackWay{"nccl", "tree", all_protocols, "all_reduce", one_domain, "double_binary_tree", "",
             "two trees in chunks"},
    StackWay{"nccl", "nvls", "simple", "all_reduce|all_gather|reduce_scatter|broadcast|reduce", one_domain,
             "in_switch", "", "NVLink SHARP: the switch adds and copies"},
    StackWay{"nccl", "hierarchical_tree", all_protocols, "all_reduce", several_domains, "ring",
             "double_binary_tree", "parts of the buffer go over the trees of all NICs at once"},
    StackWay{"nccl", "nvls_ring", "simple", halves, several_domains, "in_switch", "ring",
             "in the switch inside a domain, a ring per NIC between domains"},
    StackWay{"nccl", "nvls_tree", "simple", "all_reduce", several_domains, "in_switch", "double_binary_tree",
             "in the switch inside a domain, two trees per NIC between domains"},
    StackWay{"nccl", "exchange", low_latency, exchanges, Spread::any, "direct", "",
             "sends and receives between all pairs at once"},
    StackWay{"nccl", "narrow_exchange", "simple", "all_to_all", several_domains, "direct", "",
             "the same with one channel a peer: less to start, and less bandwidth"},

    StackWay{"rccl", "ring", all_protocols, halves, one_domain, "ring", "", "a ring through all chips"},
    StackWay{"rccl", "rings", all_protocols, halves, one_domain, "direct", "",
             "as many rings as a full mesh has links: by its bytes, an exchange with all at once"},
    StackWay{"rccl", "graph_rings", all_protocols, halves, one_domain, "graph_rings", "",
             "as many rings as the direct links of a server hold"},
    StackWay{"rccl", "rail_rings", all_protocols, halves, several_domains, "rail_rings", "",
             "a ring per NIC through all domains"},
    StackWay{"rccl", "flat_ring", all_protocols, halves, several_domains, "ring", "",
             "one ring through all chips, for servers of one NIC"},
    StackWay{"rccl", "chain", all_protocols, chains, Spread::any, "ring", "", "from chip to chip in chunks"},
    StackWay{"rccl", "tree", all_protocols, "all_reduce", one_domain, "double_binary_tree", "",
             "two trees in chunks"},
    StackWay{"rccl", "hierarchical_tree", all_protocols, "all_reduce", several_domains, "direct",
             "double_binary_tree", "parts of the buffer go over the trees of all NICs at once"},
    StackWay{"rccl", "exchange", low_latency, exchanges, Spread::any, "direct", "",
             "sends and receives between all pairs at once"},
    StackWay{"rccl", "program", all_protocols, all_listed, Spread::any, listed_program, "",
             "a schedule listed in a file, run thread block by thread block"},

    StackWay{"msccl", "one_shot", all_protocols, "all_reduce", one_domain, "one_shot", "",
             "whole buffers to all, who add them"},
    StackWay{"msccl", "two_shot", all_protocols, halves, Spread::any, "direct", "",
             "parts to their owners, which add them and send the sums to all"},
    StackWay{"msccl", "ring", all_protocols, halves, one_domain, "ring", "", "a ring through all chips"},
    StackWay{"msccl", "nvls", "simple", "all_reduce|all_gather|reduce_scatter|broadcast", one_domain,
             "in_switch", "", "the switch adds and copies"},
    StackWay{"msccl", "hierarchical", all_protocols, halves, several_domains, "direct", "direct",
             "two-shot inside a domain, and between domains chip by chip"},
    StackWay{"msccl", "exchange", low_latency, exchanges, Spread::any, "direct", "",
             "sends and receives between all pairs at once"},
    StackWay{"msccl", "program", all_protocols, all_listed, Spread::any, listed_program, "",
             "a schedule listed in a file, run thread block by thread block"},

    StackWay{"neuron", "ring", "", halves, Spread::any, "ring", "", "a ring through all chips"},
    StackWay{"neuron", "kangaring", "", halves, one_domain, "kangaring", "",
             "two disjoint rings, the cores of a chip in pairs"},
    StackWay{"neuron", "mesh", "", "all_reduce|all_gather|reduce_scatter|all_to_all", Spread::any, "direct",
             "", "everyone sends to everyone"},
    StackWay{"neuron", "rdh", "", halves, Spread::any, "halving_doubling", "",
             "recursive doubling and halving"},
    StackWay{"neuron", "hierarchical", "", halves, several_domains, "kangaring", "ring",
             "rings inside a domain, a ring per NIC between domains"},
    StackWay{"neuron", "both_ways", "", halves, several_domains, "bidirectional_ring", "ring",
             "the same with one ring both ways, where several ranks of a chip take part"},
    StackWay{"neuron", "exchange", "", "permute|gather|scatter|broadcast|reduce", Spread::any, "direct", "",
             "sends and receives"},

    StackWay{"xla", "torus", "", halves, one_domain, "torus", "", "all dimensions and directions at once"},
    StackWay{"xla", "ring", "", halves, one_domain, "bidirectional_ring", "", "both ways round one ring"},
    StackWay{"xla", "exchange", "", "all_to_all|permute", one_domain, "direct", "", "everyone to everyone"},
    StackWay{"xla", "slices", "", halves, several_domains, "torus", "ring",
             "the torus inside a slice, rings over the data-centre network between slices"},
};

}  // namespace

std::span<const StackWay> stack_ways() {
  return ways;
}

}  // namespace tahoma
