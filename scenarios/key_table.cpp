#include "scenarios/key_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include "scenarios/training/training_keys.h"

namespace tahoma {

namespace {

using enum ValueType;
constexpr Status later = Status::later;
constexpr Forms one = as_one, list = as_list, map = as_map;

constexpr std::string_view direct_links = "kind=ring|torus|mesh|full|direct";
constexpr std::string_view of_collective = "collective";
constexpr std::string_view stack_names = "nccl|rccl|msccl|neuron|xla";
constexpr std::string_view of_algorithm = "collective|trace";
constexpr std::string_view of_buffer = "collective|program";
constexpr std::string_view of_ranks = "collective|program|trace";

constexpr std::array table = {
    Key{"apiVersion", one, choice, "tahoma/v1", "tahoma/v1", "", "version of this grammar"},
    Key{"name", one, text, "", "", "", "name of the scenario in results; the file's name if left out"},
    Key{"description", one, text, "", "", "", "which question the scenario answers"},
    Key{"extends", one | list, text, "names of presets and files", "", "",
        "presets (`trn2-ultraserver`, a variant as `trn3-gen2-ultraserver@aws_doc_literal`) or files beside "
        "this "
        "one; later ones win, and this file wins over all"},

    Key{"sites", list, text, "", "", "",
        "places joined by `fabric.wan`; each has its own scale-out fabric. Where they are of different "
        "hardware, each is read by itself"},
    Key{"sites.*", map},
    Key{"sites.*.name", one, name, "", "", "", "first part of the names of its chips: `site.NAME.us0.s0.c0`"},
    Key{"sites.*.preset", one, text, "", "", "",
        "as `cluster.preset`, for this site. Sites of different presets are of different hardware, and take "
        "nothing from the `cluster` and `fabric` above them"},
    Key{"sites.*.cluster", map, text, "", "", "",
        "what this site is made of: the keys of `cluster`, but for `preset` and `count`"},
    Key{"sites.*.fabric", map, text, "", "", "",
        "its network: the keys of `fabric`, but for `wan` and `between_sites`"},
    Key{"sites.*.ultraservers", one, count, "", "", "", "how many scale-up domains stand there"},
    Key{"sites.*.servers", one, count, "", "", "", "the same in servers"},
    Key{"sites.*.chips", one, count, "", "", "", "the same in chips"},
    Key{"sites.*.power_cap", one, anything, "", "", "", "power the site may draw", later},
    Key{"sites.*.pue", one, anything, "", "", "", "power usage effectiveness", later},

    Key{"cluster", map, text, "", "", "", "what the cluster is made of and how much of it there is"},
    Key{"cluster.preset", one, text, "", "", "",
        "a preset below everything else, like a first entry of `extends`"},
    Key{"cluster.count", one, count, "a whole number, or auto", "", "",
        "how many scale-up domains (the preset's unit) there are; the sum of the sites if left out, else 1"},
    Key{"cluster.unit", one, text, "", "", "", "what `count` counts, for reports; the preset sets it"},
    Key{"cluster.hardware", one, text, "", "", "", "name of the hardware, for reports; the preset's name"},
    Key{"cluster.chip", one | map, name, "", "", "", "the chip; a bare name is short for `{name: ...}`"},
    Key{"cluster.chip.name", one, name, "", "", "", "its name, for reports"},
    Key{"cluster.chip.overhead", one, time, "", "", "",
        "start-up time per message; it occupies the sender's lane"},
    Key{"cluster.chip.reduction", map, text, "", "", "", "what it costs to add a received piece"},
    Key{"cluster.chip.reduction.rate", one, bandwidth, "", "", "",
        "received bytes a chip reduces per second, one piece after another; no cost if left out"},
    Key{"cluster.chip.memory", map, text, "", "", "", "what it costs to hold what is received"},
    Key{"cluster.chip.memory.bandwidth", one, bandwidth, "", "", "",
        "of the chip's memory, which every received byte crosses several times: twice for each rank of the "
        "chip, "
        "three times if it is to be added. No cost if left out"},
    Key{"cluster.chip.memory.ranks", one, count, "", "1", "bandwidth",
        "ranks that share the chip, each with a copy of its own; an even number lets kangaring pair them"},
    Key{"cluster.chip.inner", map, text, "", "", "",
        "the fabric inside a chip of several ranks: a switch with a port per core. It counts only with "
        "ranks_per_chip above 1"},
    Key{"cluster.chip.inner.cores", one, count, "", "", "", "of a chip; a rank has an equal share of them"},
    Key{"cluster.chip.inner.bandwidth", one, bandwidth, "", "", "",
        "raw, of one core's port, per direction; a rank of two cores has twice that. What leaves the chip "
        "crosses the rank's port too"},
    Key{"cluster.chip.inner.efficiency", one, fraction, "", "1", "", "what the protocol leaves of it"},
    Key{"cluster.chip.inner.latency", one, time, "", "", "",
        "per link: twice between ranks of one chip, and twice beside the links between chips"},
    Key{"cluster.shape", list, count, "", "", "",
        "sizes of `fabric.scale_up.0`: the slice of a TPU preset, such as [4, 4, 8]; or how many ports of a "
        "switched domain have chips, such as [64] of 72, the rails being as many if they were"},
    Key{"cluster.nic", map, text, "", "", "", "other NICs than the preset's; changes `fabric.scale_out.0`"},
    Key{"cluster.nic.count", one, count, "", "", "",
        "of a server (the entries of level server): several per chip are used as one, a NIC for several "
        "chips "
        "is shared evenly"},
    Key{"cluster.nic.bandwidth", one, bandwidth, "", "", "", "of one NIC, raw, per direction"},
    Key{"cluster.transport", one, choice, "efa|ib|roce", "", "",
        "efficiency, latency and routing of the preset `efa-fabric`, `ib-fabric` or `roce-fabric` in "
        "`fabric.scale_out.0`"},
    Key{"cluster.ranks_per_chip", one, count, "", "", "",
        "ranks on one chip (1 if left out): they share its links, its NIC and its memory, and reach each "
        "other through `cluster.chip.inner`; a rank is named us0.s1.c5.r2. Other counts stay in chips"},
    Key{"cluster.spares", one, anything, "", "", "", "spare units", later},

    Key{"fabric", map, text, "", "", "", "the network"},
    Key{"fabric.scale_up", list, text, "", "", "",
        "dimensions from the chip outwards; their product is the scale-up domain. Left out: a domain is one "
        "chip"},
    Key{"fabric.scale_out", list, text, "", "", "",
        "what joins the domains: one `clos` (or `switch`) over the chips' NICs, or further direct "
        "dimensions, chip i "
        "to chip i. Takes the same keys as `scale_up`"},
    Key{"fabric.scale_up.*", map},
    Key{"fabric.scale_up.*.kind", one, choice, "ring|torus|mesh|full|switch|clos|direct|dragonfly", "", "",
        "ring: closed line; torus: rings at right angles; mesh: open lines; full and direct: a link from "
        "each to "
        "each; switch: a port each on a non-blocking switch; clos: a tree of switches (scale-out only); "
        "dragonfly: groups "
        "of routers (scale-out of lone chips, or of the NICs of a graph)"},
    Key{"fabric.scale_up.*.level", one, choice, "server|ultraserver", "", "",
        "a dimension inside the server or between servers; the first entry is the server if left out. "
        "Scale-up only"},
    Key{"fabric.scale_up.*.size", one | list, count, "", "", "",
        "members; of a torus or mesh a list; of a clos `leaf width` or `[leaf width, leaves per pod]`, in "
        "NICs of one "
        "rail and leaves of one rail; of a dragonfly `[chips per router, routers per group, groups]`"},
    Key{"fabric.scale_up.*.bandwidth", one | list, bandwidth, "", "", "",
        "raw, per link and direction; of a switch or clos that of the chip's port per plane. A torus may "
        "list one "
        "per dimension"},
    Key{"fabric.scale_up.*.both_directions", one, boolean, "", "", "",
        "true: the bandwidth quoted is the sum of the two directions and is halved"},
    Key{"fabric.scale_up.*.latency", one | list, time, "", "", "",
        "per link traversed. A torus may list one per dimension, a clos one per tier: `[NIC-leaf, "
        "leaf-spine, "
        "spine-core]`, a dragonfly one per kind of link: `[chip-router, local, global]`, bandwidths "
        "likewise"},
    Key{"fabric.scale_up.*.efficiency", one, fraction, "", "1", "",
        "what the protocol leaves of the raw bandwidth, in results and bounds alike"},
    Key{"fabric.scale_up.*.links", one, count, "", "1", direct_links,
        "parallel links between neighbours; 2 in a ring of 2 makes one link each way round"},
    Key{"fabric.scale_up.*.wrap_cube", one, count, "", "", "kind=torus",
        "the torus closes only if all its sizes are multiples of this; else it is a mesh"},
    Key{"fabric.scale_up.*.wrap_side", one, count, "", "", "kind=torus",
        "a dimension closes only if its own size is a multiple of this; else it is a line"},
    Key{"fabric.scale_up.*.planes", one, count, "", "1", "kind=switch|clos",
        "parallel ports of a chip, used as one; in a clos each on a fabric of its own, which may fail: "
        "`plane0`"},
    Key{"fabric.scale_up.*.leaves_per_nic", one, count, "", "1", "kind=clos",
        "ports of a NIC in each plane, each on a leaf switch of its own and bonded (2: dual ToR); one may "
        "fail: "
        "`leaf0.switch1`"},
    Key{"fabric.scale_up.*.radix", one, count, "", "", "kind=clos",
        "ports of a switch; gives the leaf width and the pod's size where `size` does not"},
    Key{"fabric.scale_up.*.tiers", one, count, "", "", "kind=clos",
        "1 leaf switches only, 2 with spines, 3 with cores; if left out as `size` and `radix` suggest"},
    Key{"fabric.scale_up.*.rails", one, count, "", "1", "kind=clos",
        "rail of a chip = its index in the domain modulo rails"},
    Key{"fabric.scale_up.*.between_rails", one, choice, "fabric|relay|none", "", "kind=clos",
        "fabric: spines join the rails (from 2 tiers on); relay: no link does, bytes for another rail go "
        "through the "
        "scale-up domain first (always so with 1 tier); none: such pairs are refused"},
    Key{"fabric.scale_up.*.oversubscription", one | list, number, "", "1", "kind=clos",
        "capacity down over capacity up, of a leaf or as a list `[leaf, spine]`"},
    Key{"fabric.scale_up.*.routing", one, choice, "spray|ecmp|by_source|minimal|valiant", "",
        "kind=clos|dragonfly",
        "of a clos: spray (packets over all uplinks evenly; the default), ecmp (a flow on one of them, by "
        "hash) or by_source (by the sender's port); of a dragonfly: minimal (the default) or valiant (over a "
        "third group, by hash)"},
    Key{"fabric.scale_up.*.spines", one, count, "", "", "kind=clos",
        "spine switches of a pod, over which a leaf's uplinks go"},
    Key{"fabric.scale_up.*.cores", one, count, "", "", "kind=clos",
        "core switches each spine has a link to (3 tiers)"},
    Key{"fabric.scale_up.*.global_links", one, count, "", "", "kind=dragonfly",
        "links of each router to other groups; the fewest that join all groups if left out"},
    Key{"fabric.scale_up.*.store_and_forward", one, boolean, "", "", "kind=ring|torus|mesh",
        "a link passes a message on when all of it has arrived, one message at a time; cut-through if left "
        "out"},
    Key{"fabric.wan", list, text, "", "", "", "links between sites"},
    Key{"fabric.wan.*", map},
    Key{"fabric.wan.*.name", one, name, "", "", "", "its name; `A-B` of its sites if left out"},
    Key{"fabric.wan.*.a", one, text, "", "", "", "a site"},
    Key{"fabric.wan.*.b", one, text, "", "", "", "another site"},
    Key{"fabric.wan.*.bandwidth", one, bandwidth, "", "", "", "per direction, of all its fibres together"},
    Key{"fabric.wan.*.latency", one, time, "", "", "", "one way; or give `distance`"},
    Key{"fabric.wan.*.distance", one, distance, "", "", "", "length of the fibre: 4.9us per km"},
    Key{"fabric.wan.*.loss", one, probability, "", "", "",
        "share of packets lost: caps a flow at MSS / (RTT x sqrt(2 x loss / 3)), MSS = 8 KiB"},
    Key{"fabric.wan.*.window", one, size, "", "", "", "bytes in flight of one flow: caps it at window / RTT"},
    Key{"fabric.between_sites", map, text, "", "", "",
        "instead of `wan`, for sites of different hardware: one switched fabric above theirs, with a trunk "
        "to "
        "each site"},
    Key{"fabric.between_sites.oversubscription", one, number, "", "1", "",
        "the NICs of a site over its trunk"},
    Key{"fabric.between_sites.latency", one, time, "", "", "", "of a trunk; a way between two sites has two"},
    Key{"fabric.graph", map, text, "", "", "",
        "any graph instead of dimensions; `cluster` may then be left out. With a `scale_out` of one switch "
        "it is "
        "one server: `cluster.count` copies `s0.`, `s1.`, ... are joined at their vertices of kind nic"},
    Key{"fabric.graph.vertices", list, text, "", "", "", "vertices that are not chips, or in another order"},
    Key{"fabric.graph.vertices.*", map},
    Key{"fabric.graph.vertices.*.name", one, text, "", "", "", "its name"},
    Key{"fabric.graph.vertices.*.kind", one, choice, "chip|switch|nic", "chip", "",
        "undeclared vertices are chips"},
    Key{"fabric.graph.links", list, text, "", "", "", "directed links, or pairs with `two_way`"},
    Key{"fabric.graph.links.*", map},
    Key{"fabric.graph.links.*.name", one, text, "", "", "",
        "its name in a flow's `path`; `a->b` if left out. The directions of a two-way link called X are "
        "`X:a->b` and "
        "`X:b->a`"},
    Key{"fabric.graph.links.*.a", one, text, "", "", "", "the vertex it leaves"},
    Key{"fabric.graph.links.*.b", one, text, "", "", "", "the vertex it enters"},
    Key{"fabric.graph.links.*.bandwidth", one, bandwidth, "", "", "", "raw, per direction"},
    Key{"fabric.graph.links.*.latency", one, time, "", "0s", "", "of this link"},
    Key{"fabric.graph.links.*.efficiency", one, fraction, "", "1", "", "as in `scale_up`"},
    Key{"fabric.graph.links.*.two_way", one, boolean, "", "false", "", "true: a link in each direction"},

    Key{"workload", map, text, "", "", "",
        "what is to be done: `collective`, `program`, `training`, `trace`, `flows`, `file` or `jobs`"},
    Key{"workload.collective", one | list, choice,
        "all_reduce|all_gather|reduce_scatter|all_to_all|broadcast|permute|gather|scatter|reduce|barrier", "",
        "", "one, or several, one after another"},
    Key{"workload.program", one, text, "", "", "",
        "a schedule that another tool has listed (MSCCL XML, a plan of MSCCL++, JSON of TE-CCL or TACCL): "
        "its "
        "file, or the text itself. It says the collective, and is proven by replay"},
    Key{"workload.sizes", one | list, sizes, "", "", of_buffer,
        "sizes as nccl-tests counts them, one after another; a barrier has none"},
    Key{"workload.ranks", one | list | map, text,
        "all, the first N, a selector, a list of groups, {by: server}, {stride: N} or {size: N}", "all",
        of_ranks,
        "`all`, the first N, a selector, a list of groups, or one of the maps below; groups work side by "
        "side"},
    Key{"workload.ranks.by", one, choice, "chip|server|ultraserver|site", "", "",
        "a group per chip, server, UltraServer or site"},
    Key{"workload.ranks.stride", one, count, "", "", "", "N groups: chips of equal number modulo N"},
    Key{"workload.ranks.size", one, count, "", "", "", "groups of N chips in a row"},
    Key{"workload.placement", one | list, text,
        "packed, scattered, by_rail, random, random(SEED), a list of chips, or a file with one chip a line",
        "packed", of_ranks,
        "the order of the chips that `ranks` (`all`, N, {stride: N} or {size: N}) takes: chip by chip; as "
        "far "
        "apart as possible; equal chips of all domains in a row; by lot; or as listed"},
    Key{"workload.algorithm", one | list | map, choice,
        "auto|ring|bidirectional_ring|torus_sequential|torus|halving_doubling|direct|pairwise|double_binary_"
        "tree|bruck|"
        "swing|disjoint_rings|graph_rings|kangaring|rail_rings|one_shot|in_switch",
        "auto", of_algorithm, "one, several (rows to compare), or one per level"},
    Key{"workload.algorithm.chip", one, choice, "", "", "", "between the ranks of a chip"},
    Key{"workload.algorithm.server", one, choice, "", "", "",
        "inside a server; inside its chips too if unnamed"},
    Key{"workload.algorithm.ultraserver", one, choice, "", "", "",
        "between servers of a domain; inside them too if unnamed"},
    Key{"workload.algorithm.intra", one, choice, "", "", "", "the whole scale-up domain"},
    Key{"workload.algorithm.site", one, choice, "", "", "", "between the domains of a site"},
    Key{"workload.algorithm.cluster", one, choice, "", "", "",
        "between sites; everything further in too if unnamed"},
    Key{"workload.algorithm.inter", one, choice, "", "", "", "everything outside the scale-up domain"},
    Key{"workload.dtype", one, choice, "fp32|tf32|fp16|bf16|fp8|int64|int32|int8|fp64", "bf16", of_ranks,
        "element type: shards are whole elements"},
    Key{"workload.channels", one, count, "", "1", of_algorithm,
        "copies of the schedule side by side, on a part of the buffer each"},
    Key{"workload.channel_rule", one, choice, "fifo|eager", "fifo", of_collective,
        "fifo: a lane's next send waits until the last one has drained; eager: it does not"},
    Key{"workload.pipeline", one, count, "auto", "auto", of_ranks,
        "chunks the buffer is cut into, each going through all levels; of a program, rounds that follow each "
        "other"},
    Key{"workload.root", one, index, "", "0", "collective=broadcast|gather|scatter|reduce",
        "position in its group of the rank that sends to all others, or receives from all others"},
    Key{"workload.pattern", one | list, text,
        "shift(k), random, a list of destinations, or a file with one a line", "", "collective=permute",
        "`shift(k)`, `random`, a list of each position's destination, or a file with one destination a line"},
    Key{"workload.stack", one | map, choice, stack_names, "", of_buffer,
        "the communication software that does it: what it costs to launch and per step, and its own choice "
        "of an algorithm. A bare name is short for `{name: ...}`; without it the hardware is ideal"},
    Key{"workload.stack.name", one, choice, stack_names, "", "", "whose it is"},
    Key{"workload.stack.version", one, text, "a version such as 2.28", "", "",
        "its version; the newest that is known if left out"},
    Key{"workload.stack.protocol", one, choice, "auto|ll|ll128|simple", "auto", "",
        "only this one of its protocols"},
    Key{"workload.stack.parameters", map, text, "", "", "",
        "other values of its parameters, by name as in `tahoma stack NAME`, such as `{ring: {ll: {step_up: "
        "2us}}}`"},
    Key{"workload.flows", list, text, "", "", "", "single transfers"},
    Key{"workload.flows.*", map},
    Key{"workload.flows.*.id", one, text, "", "", "", "its name in results; `f0`, `f1`, ... if left out"},
    Key{"workload.flows.*.from", one, text, "a chip", "", "", "sending chip"},
    Key{"workload.flows.*.to", one, text, "a chip", "", "", "receiving chip"},
    Key{"workload.flows.*.path", list, text, "a list of links", "", "",
        "or the links it holds, by name; they need not touch"},
    Key{"workload.flows.*.bytes", one, size, "", "", "", "how much"},
    Key{"workload.flows.*.start", one, time, "", "0s", "", "when"},
    Key{"workload.flows.*.rate_cap", one, bandwidth, "", "", "", "at most so fast"},
    Key{"workload.file", one, text, "", "", "", "a CSV file of flows: columns from, to, bytes, start"},
    Key{"workload.trace", one | list, text, "", "", "",
        "recorded Chakra traces: a file for all ranks, `x.{rank}.et` beside `ranks: N`, or a list of one per "
        "rank; "
        "packed or not, or the JSON form itself. Or a text: a GOAL schedule of all ranks, or layers of SimAI "
        "or AICB that all ranks go through"},
    Key{"workload.jobs", list, text, "", "", "",
        "several workloads that share the fabric; they are not aligned"},
    Key{"workload.jobs.*", map},
    Key{"workload.jobs.*.name", one, name, "", "", "", "its name in results"},
    Key{"workload.jobs.*.start", one, time, "", "0s", "", "when it begins"},
    Key{"workload.jobs.*.repeat", one, count, "", "1", "", "how many times it runs, one after another"},

    Key{"faults", map, text, "", "", "", "what is broken or slow"},
    Key{"faults.events", list, text, "", "", "", "single faults"},
    Key{"faults.events.*", map},
    Key{"faults.events.*.at", one, time, "", "0s", "", "when; only 0s is built"},
    Key{"faults.events.*.fail", one, text, "A<->B, A->B, a chip, CHIP.nic, a switch or a link", "", "",
        "what is dead: `A<->B`, `A->B`, a chip, `CHIP.nic`, a switch, or a link's name"},
    Key{"faults.events.*.degrade", one, text, "A<->B, A->B, CHIP.nic or a link", "", "",
        "what is slow, named likewise"},
    Key{"faults.events.*.factor", one, fraction, "", "", "", "what is left of its bandwidth; with `degrade`"},
    Key{"faults.events.*.for", one, anything, "", "", "", "how long", later},
    Key{"faults.random", map, text, "", "", "", "faults drawn from the elements' names without replacement"},
    Key{"faults.random.fail", map, text, "", "", "", "how many are dead"},
    Key{"faults.random.fail.links", one, index, "", "", "", "scale-up links (both directions)"},
    Key{"faults.random.fail.nics", one, index, "", "", "", "NICs"},
    Key{"faults.random.fail.uplinks", one, index, "", "", "", "links between switches"},
    Key{"faults.random.degrade", map, text, "", "", "", "how many are slow"},
    Key{"faults.random.degrade.links", one, index, "", "", "", "scale-up links (both directions)"},
    Key{"faults.random.degrade.nics", one, index, "", "", "", "NICs"},
    Key{"faults.random.degrade.uplinks", one, index, "", "", "", "links between switches"},
    Key{"faults.random.degrade.factor", one, fraction, "", "0.5", "", "what is left of their bandwidth"},
    Key{"faults.random.seed", one, index, "", "", "", "of this draw; the scenario's `seed` if left out"},
    Key{"faults.stragglers", list, text, "", "", "", "chips that begin late"},
    Key{"faults.stragglers.*", map},
    Key{"faults.stragglers.*.chips", one, text, "a selector", "", "", "a selector"},
    Key{"faults.stragglers.*.delay", one, time, "", "", "", "added once, before a chip's first send"},
    Key{"faults.preset", one, anything, "", "", "", "measured failure rates", later},
    Key{"faults.chip_mtbi", one, anything, "", "", "", "mean time between interruptions by a chip", later},
    Key{"faults.link_mtbf", one, anything, "", "", "", "mean time between failures of a link", later},
    Key{"faults.nic_mtbf", one, anything, "", "", "", "mean time between failures of a NIC", later},
    Key{"faults.switch_mtbf", one, anything, "", "", "", "mean time between failures of a switch", later},
    Key{"faults.detect", one, anything, "", "", "", "time to notice", later},
    Key{"faults.restart", one, anything, "", "", "", "time to start again", later},
    Key{"faults.repair", one, anything, "", "", "", "time to repair", later},

    Key{"checkpoint", one | list | map, anything, "", "", "", "checkpoints of a training run", later},
    Key{"cost", one | list | map, anything, "", "", "", "prices", later},
    Key{"power", one | list | map, anything, "", "", "", "power drawn", later},
    Key{"report", map, text, "", "", "", "how results are shown"},
    Key{"report.format", one | list, choice, "text|json|csv", "", "", "as `--format`, which wins"},
    Key{"report.sections", one | list, anything, "", "", "", "parts of the report", later},
    Key{"report.percentiles", one | list, anything, "", "", "", "percentiles of the report", later},
    Key{"sweep", map, text, "", "", "",
        "the same question asked differently: any path of the scenario with the values it takes, such as "
        "`cluster.count: [64, 128]`; docs/sweep.md"},
    Key{"sweep.mode", one, text, "grid, zip, random(N) or lhs(N)", "", "",
        "how the values meet: each with each (`grid`, if left out), first with first (`zip`), N points drawn "
        "from the grid, or N of a Latin hypercube"},
    Key{"sweep.seed", one, index, "", "", "", "of the points that are drawn; 0 if left out"},
    Key{"sweep.constraint", one | list, text, "METRIC < VALUE, with < <= > >= or ==", "", "",
        "what a point has to meet to be considered, as `assert`; the others are marked, not left out"},
    Key{"sweep.objective", map, text, "", "", "", "what makes a point better than another"},
    Key{"sweep.objective.minimize", one | list, text, "names of metrics", "", "", "metrics such as time_s"},
    Key{"sweep.objective.maximize", one | list, text, "names of metrics", "", "",
        "metrics such as busbw_GBps"},
    Key{"sweep.variants", map, anything, "a map of names to what is different there", "", "",
        "`NAME: {any keys of a scenario}`: laid over this one, run beside it, and told apart from it"},
    Key{"assert", one | list, text, "METRIC < VALUE, with < <= > >= or ==", "", "",
        "what must hold in every row, `METRIC < VALUE` with < <= > >= ==; exit code 4 if not"},
    Key{"accuracy", one, anything, "", "", "", "`approximate` allows inexact solvers", later},
    Key{"seed", one, index, "", "", "", "of everything random"},
};

}  // namespace

std::span<const Key> key_table() {
  static const auto whole = [] {
    std::vector<Key> keys(table.begin(), table.end());
    const auto at =
        std::find_if(keys.begin(), keys.end(), [](const Key& key) { return key.path == "workload.trace"; });
    keys.insert(at, training_keys().begin(), training_keys().end());
    return keys;
  }();
  return whole;
}

}  // namespace tahoma
