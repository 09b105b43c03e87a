// Every supported key of the reference changes a result: no key is read and then forgotten. Each row sets one
// key (or writes another file) on a small scenario and compares the results, fingerprints left out. The table
// must hold all keys; those that cannot change a result say why.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "scenarios/keys.h"
#include "scenarios/result_json.h"
#include "scenarios/run.h"
#include "tests/scenarios/key_effect.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

const std::string ring = ring_and + "workload: {collective: all_reduce, sizes: 64KiB, algorithm: ring}\n";

const std::string stacked =
    "cluster: {count: 1, chip: {name: h100}}\n"
    "fabric: {scale_up: [{kind: switch, size: 8, bandwidth: 400GB/s, latency: 300ns}]}\n"
    "workload: {collective: all_reduce, sizes: 64MiB, stack: nccl}\n";

const std::string with_memory =
    "cluster: {count: 1, chip: {memory: {bandwidth: 100GB/s, ranks: 1}}}\n"
    "fabric: {scale_up: [{kind: ring, size: 4, bandwidth: 50GB/s, latency: 1us}]}\n"
    "workload: {collective: all_reduce, sizes: 64KiB, algorithm: ring}\n";

/// Two servers of 4 per domain, 4 domains, a clos of two tiers.
const std::string clos_and =
    "cluster: {count: 4, chip: {overhead: 0s}}\n"
    "fabric:\n"
    "  scale_up:\n"
    "    - {kind: torus, size: [2, 2], bandwidth: 50GB/s, latency: 1us}\n"
    "    - {kind: switch, size: 2, bandwidth: 25GB/s, latency: 1us}\n"
    "  scale_out:\n"
    "    - {kind: clos, size: 2, rails: 8, bandwidth: 100Gbps, latency: [1us, 2us]}\n";
const std::string clos = clos_and + "workload: {collective: all_reduce, sizes: 64KiB, algorithm: ring}\n";
const std::string across = clos_and +
                           "workload: {flows: [{from: us0.s0.c0, to: us2.s0.c0, bytes: 1MB}, {from: "
                           "us1.s0.c0, to: us3.s0.c0, bytes: 1MB}]}\n";

const std::string slice =
    "fabric: {scale_up: [{kind: torus, size: [4, 4], bandwidth: 50GB/s, latency: 1us}]}\n"
    "workload: {collective: all_reduce, sizes: 64KiB, algorithm: ring}\n";

/// 16 lone chips, leaves of 2, pods of 2 leaves, all spine and core links told apart.
const std::string ecmp =
    "cluster: {count: 16}\n"
    "fabric: {scale_out: [{kind: clos, size: [2, 2], routing: ecmp, bandwidth: 100Gbps, latency: 1us, "
    "spines: 2, cores: 4}]}\n"
    "seed: 1\n"
    "workload: {collective: permute, pattern: shift(5), sizes: 1MiB}\n";
const std::string radix =
    "cluster: {count: 16}\n"
    "fabric: {scale_out: [{kind: clos, radix: 8, bandwidth: 100Gbps, latency: 1us}]}\n"
    "workload: {collective: permute, pattern: shift(5), sizes: 1MiB}\n";

/// Both rails of a domain; chips of unlike rails on different leaves of one rail.
const std::string rails =
    "cluster: {count: 4}\n"
    "fabric:\n"
    "  scale_up: [{kind: ring, size: 2, bandwidth: 50GB/s, latency: 1us}]\n"
    "  scale_out: [{kind: clos, tiers: 2, size: 2, rails: 2, bandwidth: 100Gbps, latency: [1us, 2us]}]\n"
    "workload: {flows: [{from: us0.s0.c0, to: us1.s0.c1, bytes: 1MB}]}\n";
const std::string dragonfly =
    "fabric: {scale_out: [{kind: dragonfly, size: [1, 2, 3], bandwidth: 1GB/s, latency: 1us}]}\n"
    "workload: {collective: all_to_all, sizes: 1MB}\n";

const std::string sites =
    "sites: [{name: a, ultraservers: 2}, {name: b, ultraservers: 2}]\n"
    "fabric:\n"
    "  scale_up: [{kind: ring, size: 2, bandwidth: 50GB/s, latency: 1us}, {kind: ring, size: 2, bandwidth: "
    "50GB/s, latency: 1us}]\n"
    "  scale_out: [{kind: clos, bandwidth: 100Gbps, latency: 1us}]\n"
    "  wan: [{a: a, b: b, bandwidth: 10Gbps, latency: 1ms}]\n";
const std::string by_sites = sites +
                             "workload: {collective: all_reduce, sizes: 64KiB, algorithm: {server: ring, "
                             "ultraserver: ring, site: ring, cluster: ring}}\n";
const std::string by_halves =
    sites + "workload: {collective: all_reduce, sizes: 64KiB, algorithm: {intra: ring, inter: ring}}\n";
/// Two sites of unlike hardware under one fabric.
const std::string mixed =
    "sites:\n"
    "  - {name: a, ultraservers: 2, cluster: {chip: {overhead: 0s}}, fabric: {scale_up: [{kind: ring, size: "
    "4, "
    "bandwidth: 50GB/s, latency: 1us}], scale_out: [{kind: clos, bandwidth: 100Gbps, latency: 1us}]}}\n"
    "  - {name: b, ultraservers: 2, fabric: {scale_up: [{kind: switch, size: 6, bandwidth: 50GB/s, latency: "
    "1us}], scale_out: [{kind: clos, bandwidth: 200Gbps, latency: 1us}]}}\n"
    "fabric: {between_sites: {latency: 1us}}\n"
    "workload: {collective: all_reduce, sizes: 64KiB, algorithm: {intra: direct, inter: direct}}\n";

const std::string three_sites =
    "sites: [{name: a, chips: 2}, {name: b, chips: 2}, {name: c, chips: 2}]\n"
    "fabric:\n"
    "  scale_up: [{kind: ring, size: 2, bandwidth: 50GB/s, latency: 1us}]\n"
    "  scale_out: [{kind: clos, bandwidth: 100Gbps, latency: 1us}]\n"
    "  wan: [{a: a, b: b, bandwidth: 10Gbps, latency: 1ms}, {a: b, b: c, bandwidth: 5Gbps, latency: 2ms}, "
    "{name: x, a: b, b: c, bandwidth: 1Gbps, latency: 3ms}]\n"
    "workload: {flows: [{from: site.a.us0.s0.c0, to: site.b.us0.s0.c0, bytes: 1MB}, {from: site.b.us0.s0.c0, "
    "to: site.c.us0.s0.c0, bytes: 1MB}]}\n";

const std::string ranked =
    "cluster: {ranks_per_chip: 2, chip: {inner: {cores: 4, bandwidth: 10GB/s, latency: 1us}}}\n"
    "fabric: {scale_up: [{kind: ring, size: 4, bandwidth: 50GB/s, latency: 1us}]}\n"
    "workload: {collective: all_reduce, sizes: 64KiB, algorithm: {chip: ring, server: ring}}\n";

const std::string graph =
    "fabric:\n"
    "  graph:\n"
    "    vertices: [{name: w, kind: switch}]\n"
    "    links: [{name: p, a: x, b: w, bandwidth: 1GB/s}, {name: q, a: w, b: y, bandwidth: 1GB/s}, {name: r, "
    "a: y, b: z, bandwidth: 1GB/s}]\n"
    "workload: {flows: [{from: x, to: y, bytes: 1MB}]}\n";
/// y->z straight, or by u.
const std::string detour =
    "fabric:\n"
    "  graph:\n"
    "    links: [{a: x, b: y, bandwidth: 1GB/s}, {a: y, b: z, bandwidth: 1GB/s}, {a: y, b: u, bandwidth: "
    "1GB/s}, {a: u, b: z, bandwidth: 1GB/s}]\n"
    "workload: {flows: [{from: x, to: z, bytes: 1MB}, {from: y, to: z, bytes: 1MB}]}\n";
const std::string flows =
    ring_and + "workload: {flows: [{from: c0, to: c1, bytes: 1MB}, {from: c0, to: c1, bytes: 1MB}]}\n";
const std::string path =
    ring_and + "workload: {flows: [{path: [\"c0->c1\"], bytes: 1MB}, {path: [\"c0->c1\"], bytes: 1MB}]}\n";
const std::string jobs = ring_and +
                         "workload: {jobs: [{name: a, collective: all_reduce, sizes: 64KiB, algorithm: "
                         "ring}, {name: b, collective: all_reduce, sizes: 64KiB, algorithm: ring}]}\n";
const std::string faulty =
    clos +
    "faults: {events: [{degrade: \"us0.s0.c0->us0.s0.c1\", factor: 0.5}], stragglers: [{chips: us0.s0.c0, "
    "delay: 1us}], random: {degrade: {links: 2, factor: 0.5}, seed: 1}}\n";

const std::string broken_across = across + "faults: {random: {fail: {links: 0}, seed: 1}}\n";

/// An all-gather of two ranks, listed; the other one is an all-reduce.
const std::string listed =
    "cluster: {count: 1}\n"
    "fabric: {scale_up: [{kind: switch, size: 2, bandwidth: 50GB/s, latency: 1us}]}\n"
    "workload: {program: " TAHOMA_SOURCE_DIR "/tests/fuzz/import/gather_of_two.xml, sizes: 64KiB}\n";
const std::string listed_otherwise = TAHOMA_SOURCE_DIR "/tests/fuzz/import/reduce_of_two.xml";

const std::string traced =
    ring_and + "workload: {trace: " TAHOMA_SOURCE_DIR "/tests/fuzz/import/trace.json}\n";

const std::vector<Effect> own_effects = {
    {"name", ring, "name=other"},
    {"description", ring, "description=other"},
    {"cluster.count", clos, "cluster.count=2"},
    {"cluster.preset",
     "cluster: {preset: trn2-server}\nworkload: {collective: all_reduce, sizes: 64KiB, algorithm: ring}\n",
     "cluster.preset=trn2-ultraserver"},
    {"cluster.chip.name", stacked, "cluster.chip.name=a100"},
    {"workload.stack.name", stacked, "workload.stack.name=msccl"},
    {"workload.stack.version", stacked, "workload.stack.version=2.10"},
    {"workload.stack.protocol", stacked, "workload.stack.protocol=ll"},
    {"workload.stack.parameters", stacked, "workload.stack.parameters.nvls.floor=30us"},
    {"cluster.chip.overhead", ring, "cluster.chip.overhead=1us"},
    {"cluster.chip.reduction.rate", ring, "cluster.chip.reduction.rate=10GB/s"},
    {"cluster.chip.memory.bandwidth", ring, "cluster.chip.memory.bandwidth=10GB/s"},
    {"cluster.chip.memory.ranks", with_memory, "cluster.chip.memory.ranks=4"},
    {"cluster.chip.inner.cores", ranked, "cluster.chip.inner.cores=8"},
    {"cluster.chip.inner.bandwidth", ranked, "cluster.chip.inner.bandwidth=2GB/s"},
    {"cluster.chip.inner.efficiency", ranked, "cluster.chip.inner.efficiency=0.5"},
    {"cluster.chip.inner.latency", ranked, "cluster.chip.inner.latency=2us"},
    {"cluster.ranks_per_chip", ranked, "cluster.ranks_per_chip=4"},
    {"workload.algorithm.chip", ranked, "workload.algorithm.chip=direct"},
    {"cluster.unit", clos, "cluster.unit=crate"},
    {"cluster.shape", slice, "cluster.shape=[2, 4]"},
    {"cluster.nic.count", clos, "cluster.nic.count=2"},
    {"cluster.nic.bandwidth", clos, "cluster.nic.bandwidth=50Gbps"},
    {"cluster.transport", clos, "cluster.transport=ib"},
    {"sites.*.name", by_sites,
     "sites=[{name: c, ultraservers: 2}, {name: b, ultraservers: 2}]\nfabric.wan.0.a=c"},
    {"sites.*.ultraservers", by_sites, "sites=[{name: a, ultraservers: 4}, {name: b, ultraservers: 4}]"},
    {"sites.*.servers", by_sites, "sites=[{name: a, servers: 8}, {name: b, servers: 8}]"},
    {"sites.*.chips", by_sites, "sites=[{name: a, chips: 16}, {name: b, chips: 16}]"},
    {"sites.*.preset",
     "sites: [{name: a, preset: trn2-server, chips: 64}]\nworkload: {collective: all_reduce, sizes: 64KiB, "
     "algorithm: {intra: ring, cluster: ring}}\n",
     "sites.0.preset=trn2-ultraserver"},
    {"fabric.scale_up.*.kind", ring, "fabric.scale_up.0.kind=switch"},
    {"fabric.scale_up.*.level",
     clos_and + "workload: {collective: all_reduce, sizes: 64KiB, ranks: {by: server}, algorithm: ring}\n",
     "fabric.scale_up.1.level=server"},
    {"fabric.scale_up.*.size", ring, "fabric.scale_up.0.size=6"},
    {"fabric.scale_up.*.bandwidth", ring, "fabric.scale_up.0.bandwidth=60GB/s"},
    {"fabric.scale_up.*.both_directions", ring, "fabric.scale_up.0.both_directions=true"},
    {"fabric.scale_up.*.latency", ring, "fabric.scale_up.0.latency=2us"},
    {"fabric.scale_up.*.efficiency", ring, "fabric.scale_up.0.efficiency=0.9"},
    {"fabric.scale_up.*.links", ring, "fabric.scale_up.0.links=2"},
    {"fabric.scale_up.*.wrap_cube", slice, "fabric.scale_up.0.wrap_cube=8"},
    {"fabric.scale_up.*.wrap_side", slice, "fabric.scale_up.0.wrap_side=8"},
    {"fabric.scale_up.*.planes", clos, "fabric.scale_up.1.planes=2"},
    {"fabric.scale_up.*.leaves_per_nic", clos, "fabric.scale_out.0.leaves_per_nic=2"},
    {"fabric.scale_up.*.between_rails", rails, "fabric.scale_out.0.between_rails=relay"},
    {"fabric.scale_up.*.global_links", dragonfly, "fabric.scale_out.0.global_links=3"},
    {"fabric.scale_up.*.radix", radix, "fabric.scale_out.0.radix=16"},
    {"fabric.scale_up.*.tiers", radix, "fabric.scale_out.0.tiers=3"},
    {"fabric.scale_up.*.rails", across, "fabric.scale_out.0.rails=1"},
    {"fabric.scale_up.*.oversubscription", across, "fabric.scale_out.0.oversubscription=4"},
    {"fabric.scale_up.*.routing", ecmp, "fabric.scale_out.0.routing=spray"},
    {"fabric.scale_up.*.routing", dragonfly, "fabric.scale_out.0.routing=valiant"},
    {"fabric.scale_up.*.store_and_forward",
     ring_and + "workload: {flows: [{from: c0, to: c2, bytes: 1MB}]}\n",
     "fabric.scale_up.0.store_and_forward=true"},
    {"fabric.scale_up.*.spines", ecmp, "fabric.scale_out.0.spines=3"},
    {"fabric.scale_up.*.cores", ecmp, "fabric.scale_out.0.cores=1"},
    {"sites.*.cluster", mixed, "sites.0.cluster.chip.overhead=1us"},
    {"sites.*.fabric", mixed, "sites.1.fabric.scale_out.0.bandwidth=50Gbps"},
    {"fabric.between_sites.oversubscription", mixed, "fabric.between_sites.oversubscription=4"},
    {"fabric.between_sites.latency", mixed, "fabric.between_sites.latency=2us"},
    {"fabric.wan.*.name", three_sites + "faults: {events: [{degrade: x, factor: 0.1}]}\n",
     "fabric.wan.2.name=y\nfabric.wan.1.name=x"},
    {"fabric.wan.*.a", three_sites, "fabric.wan.2.a=a"},
    {"fabric.wan.*.b", three_sites, "fabric.wan.1.b=a"},
    {"fabric.wan.*.bandwidth", three_sites, "fabric.wan.0.bandwidth=9Gbps"},
    {"fabric.wan.*.latency", three_sites, "fabric.wan.0.latency=2ms"},
    {"fabric.wan.*.distance", three_sites,
     "fabric.wan=[{a: a, b: b, bandwidth: 10Gbps, distance: 5km}, {a: b, b: c, bandwidth: 10Gbps, distance: "
     "5km}]"},
    {"fabric.wan.*.loss", three_sites, "fabric.wan.0.loss=1%"},
    {"fabric.wan.*.window", three_sites, "fabric.wan.0.window=64KiB"},
    {"fabric.graph.vertices.*.name", graph, "fabric.graph.vertices.0.name=v"},
    {"fabric.graph.vertices.*.kind", graph, "fabric.graph.vertices.0.kind=chip"},
    {"fabric.graph.links.*.name", graph, "fabric.graph.links.0.name=other"},
    {"fabric.graph.links.*.a", detour, "fabric.graph.links.1.a=x"},
    {"fabric.graph.links.*.b", detour, "fabric.graph.links.1.b=x"},
    {"fabric.graph.links.*.bandwidth", graph, "fabric.graph.links.0.bandwidth=500MB/s"},
    {"fabric.graph.links.*.latency", graph, "fabric.graph.links.0.latency=1us"},
    {"fabric.graph.links.*.efficiency", graph, "fabric.graph.links.0.efficiency=0.5"},
    {"fabric.graph.links.*.two_way", graph, "fabric.graph.links.0.two_way=true"},
    {"workload.collective", ring, "workload.collective=all_gather"},
    {"workload.program", listed, "workload.program=" + listed_otherwise},
    {"workload.trace", traced, "workload.trace=" TAHOMA_SOURCE_DIR "/tests/fuzz/import/longer_trace.json"},
    {"workload.sizes", ring, "workload.sizes=128KiB"},
    {"workload.ranks", ring, "workload.ranks=4"},
    {"workload.placement", clos, "workload.ranks=4\nworkload.placement=scattered"},
    {"workload.ranks.by", clos, "workload.ranks.by=server"},
    {"workload.ranks.stride", clos, "workload.ranks.stride=8"},
    {"workload.ranks.size", clos, "workload.ranks.size=8"},
    {"workload.algorithm", ring, "workload.algorithm=direct"},
    {"workload.algorithm.server", by_sites, "workload.algorithm.server=direct"},
    {"workload.algorithm.ultraserver", by_sites, "workload.algorithm.ultraserver=direct"},
    {"workload.algorithm.site", by_sites, "workload.algorithm.site=direct"},
    {"workload.algorithm.cluster", by_sites, "workload.algorithm.cluster=direct"},
    {"workload.algorithm.intra", by_halves, "workload.algorithm.intra=direct"},
    {"workload.algorithm.inter", by_halves, "workload.algorithm.inter=direct"},
    {"workload.dtype", ring, "workload.sizes=65538B\nworkload.dtype=fp32"},
    {"workload.channels", ring, "workload.channels=2"},
    {"workload.channel_rule",
     ring_and + "workload: {collective: all_to_all, sizes: 64KiB, algorithm: pairwise}\n",
     "workload.channel_rule=eager"},
    {"workload.pipeline", by_halves, "workload.pipeline=2"},
    {"workload.root", ring_and + "workload: {collective: broadcast, sizes: 64KiB, ranks: 5}\n",
     "workload.root=2"},
    {"workload.pattern", ring_and + "workload: {collective: permute, pattern: shift(1), sizes: 64KiB}\n",
     "workload.pattern=shift(3)"},
    {"workload.flows.*.id", flows, "workload.flows.0.id=other"},
    {"workload.flows.*.from", flows, "workload.flows.0.from=c2"},
    {"workload.flows.*.to", flows, "workload.flows.0.to=c3"},
    {"workload.flows.*.path", path, "workload.flows.0.path=[\"c1->c2\"]"},
    {"workload.flows.*.bytes", flows, "workload.flows.0.bytes=2MB"},
    {"workload.flows.*.start", flows, "workload.flows.0.start=5us"},
    {"workload.flows.*.rate_cap", flows, "workload.flows.0.rate_cap=1GB/s"},
    {"workload.jobs.*.name", jobs, "workload.jobs.0.name=other"},
    {"workload.jobs.*.start", jobs, "workload.jobs.0.start=1us"},
    {"workload.jobs.*.repeat", jobs, "workload.jobs.0.repeat=2"},
    {"faults.events.*.fail", clos, "faults={events: [{fail: \"us0.s0.c0<->us0.s0.c1\"}]}"},
    {"faults.events.*.degrade", faulty, "faults.events.0.degrade=us0.s0.c0->us0.s0.c2"},
    {"faults.events.*.factor", faulty, "faults.events.0.factor=0.25"},
    {"faults.random.fail.links", faulty, "faults.random.fail.links=3"},
    {"faults.random.fail.nics", faulty, "faults.random.fail.nics=3"},
    {"faults.random.fail.uplinks", broken_across, "faults.random.fail.uplinks=9"},
    {"faults.random.degrade.links", faulty, "faults.random.degrade.links=9"},
    {"faults.random.degrade.nics", broken_across, "faults.random.degrade.nics=24"},
    {"faults.random.degrade.uplinks", faulty, "faults.random.degrade.uplinks=9"},
    {"faults.random.degrade.factor", faulty, "faults.random.degrade.factor=0.1"},
    {"faults.random.seed", faulty, "faults.random.seed=12"},
    {"faults.stragglers.*.chips", faulty, "faults.stragglers.0.chips=us2.s*.c*"},
    {"faults.stragglers.*.delay", faulty, "faults.stragglers.0.delay=9us"},
    {"assert", ring, "assert=time_s < 1ps"},
    {"seed", ecmp, "seed=2"},
};

/// Keys that no result can depend on, or whose other values are not built.
const std::map<std::string, std::string> without_effect = {
    {"apiVersion", "one version exists"},
    {"extends", "tested as layers"},
    {"cluster.hardware", "a label"},
    {"workload.file", "becomes flows; tested with them"},
    {"faults.events.*.at", "0s is the only value built"},
    {"sweep.mode", "how points are made; tested with the program"},
    {"sweep.seed", "which points are drawn; tested with the program"},
    {"sweep.constraint", "marks points; tested with the program"},
    {"sweep.objective.minimize", "names the best points; tested with the program"},
    {"sweep.objective.maximize", "names the best points; tested with the program"},
    {"workload.training.sparsity", "dense is the only value built"},
    {"sweep.variants", "adds results beside this one; tested with the program"},
    {"report.format", "chooses the form, not the result"},
};

const std::vector<Effect> effects = [] {
  std::vector<Effect> all = own_effects;
  all.insert(all.end(), training_effects().begin(), training_effects().end());
  return all;
}();

std::string result_of(const Effect& effect, bool with) {
  LoadRequest request = text_request(effect.text);
  std::string_view rest = with ? std::string_view(effect.setting) : std::string_view(effect.otherwise);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    request.sets.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  RunOptions options;
  options.advise = false;
  Result result = run(load(request), options);
  result.fingerprint.clear();
  return to_json(result, false);
}

bool is_leaf(const Key& key) {
  return children_of(key.path).empty() && key_at(std::string(key.path) + ".*") == nullptr;
}

}  // namespace

TEST_CASE("every supported key changes the result of some scenario", "[slow]") {
  for (const Effect& effect : effects) {
    INFO(effect.text << "\n--set " << effect.setting);
    CHECK(result_of(effect, false) != result_of(effect, true));
  }
}

TEST_CASE("no supported key is without a test of its effect") {
  std::set<std::string> tested;
  for (const Effect& effect : effects) tested.insert(effect.key);
  for (const Key& key : keys()) {
    if (key.status == Status::later || !is_leaf(key) || key.path.ends_with('*')) continue;
    CAPTURE(key.path);
    CHECK(tested.contains(std::string(key.path)) != without_effect.contains(std::string(key.path)));
  }
  for (const Effect& effect : effects) {
    CAPTURE(effect.key);
    CHECK(key_at(effect.key) != nullptr);
  }
}
