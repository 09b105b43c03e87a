// Every key of the reference changes something that a user sees: one scenario with it, one without it or with
// another value, and different answers. A key that this table does not know fails the test.
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "scenarios/keys.h"
#include "scenarios/report_text.h"
#include "scenarios/result_json.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

// All a user sees of an answer, but for the fingerprint, which covers the scenario's own text.
std::string seen(const std::string& body) {
  RunOptions options;
  options.advise = false;
  Result result = run(load(text_request("apiVersion: tahoma/v1\n" + body)), options);
  result.fingerprint.clear();
  result.warnings.clear();
  return to_json(result, false) + to_text(result);
}

struct Change {
  const char* key;
  std::string one, other;
};

// Pieces. R: a ring of eight; F: four rings of four under a Clos of two tiers; W: two sites; G: a graph.
const std::string work = "workload: {collective: all_reduce, sizes: 1MiB, algorithm: ring}\n";
std::string ring(const std::string& more, const std::string& then = work) {
  return "cluster: {count: 1}\nfabric: {scale_up: [{kind: ring, size: 8, bandwidth: 50GB/s, latency: 1us" +
         more + "}]}\n" + then;
}
std::string dimension(const std::string& text, const std::string& then = work) {
  return "cluster: {count: 1}\nfabric: {scale_up: [" + text + "]}\n" + then;
}
const std::string all_to_all = "workload: {collective: all_to_all, sizes: 4MiB, algorithm: direct}\n";
std::string clos(const std::string& text, const std::string& then = all_to_all, int count = 8) {
  return fmt::format(
             "cluster: {{count: {}}}\nfabric: {{scale_up: [{{kind: ring, size: 4, bandwidth: 50GB/s, "
             "latency: 1us}}], "
             "scale_out: [{{kind: clos, bandwidth: 200Gbps, latency: [2us, 1us, 500ns], {}}}]}}\n",
             count, text) +
         then;
}
std::string sites(const std::string& wan,
                  const std::string& list = "{name: p, ultraservers: 2}, {name: q, ultraservers: 2}",
                  const std::string& then = work) {
  return "sites: [" + list +
         "]\nfabric: {scale_up: [{kind: ring, size: 4, bandwidth: 50GB/s, latency: 1us}], "
         "scale_out: [{kind: clos, tiers: 1, rails: 4, bandwidth: 200Gbps, latency: 2us}], wan: [{" +
         wan + "}]}\n" + then;
}
const std::string pq = "a: p, b: q, bandwidth: 100GB/s, latency: 1ms";
std::string graph(const std::string& first, const std::string& flow, const std::string& more = "") {
  return "fabric: {graph: {" + more + "links: [{" + first +
         "}, {name: yz, a: y, b: z, bandwidth: 50GB/s, latency: 1us}, "
         "{name: xz, a: x, b: z, bandwidth: 1GB/s, latency: 1us}]}}\nworkload: {flows: [{" +
         flow + "}]}\n";
}
const std::string xy = "name: xy, a: x, b: y, bandwidth: 50GB/s, latency: 1us";
std::string flow(const std::string& text) {
  return ring("", "workload: {flows: [{" + text + "}]}\n");
}
std::string collective(const std::string& text) {
  return ring("", "workload: {" + text + "}\n");
}
std::string jobs(const std::string& text) {
  return ring("", "workload: {jobs: [{" + text +
                      ", collective: all_reduce, sizes: 1MiB, algorithm: ring}, "
                      "{name: other, collective: all_gather, sizes: 8MiB, algorithm: ring}]}\n");
}
std::string levels(const std::string& algorithm) {
  return sites(pq, "{name: p, ultraservers: 2}, {name: q, ultraservers: 2}",
               "workload: {collective: all_reduce, sizes: 1MiB, algorithm: {" + algorithm + "}}\n");
}
std::string servers(const std::string& more, const std::string& then) {
  return "cluster: {count: 2}\nfabric: {scale_up: [{kind: ring, size: 4, bandwidth: 50GB/s, latency: 1us}, "
         "{kind: ring, size: 4, bandwidth: 25GB/s, latency: 1us" +
         more +
         "}], "
         "scale_out: [{kind: clos, tiers: 1, rails: 16, bandwidth: 200Gbps, latency: 2us}]}\n" +
         then;
}
std::string faulty(const std::string& faults) {
  return clos("tiers: 2, size: 8, rails: 1, spines: 4",
              "workload: {collective: all_to_all, sizes: 1MiB, algorithm: direct}\n", 8) +
         "faults: {" + faults + "}\n";
}

std::vector<Change> changes() {
  const std::string ranks16 = "workload: {collective: all_reduce, sizes: 1MiB, algorithm: ring, ranks: ";
  const auto by = [&](const std::string& ranks) { return servers("", ranks16 + ranks + "}\n"); };
  return {
      {"name", "name: p\n" + ring(""), "name: q\n" + ring("")},
      {"description", "description: p\n" + ring(""), "description: q\n" + ring("")},
      {"extends", "extends: [trn2-server]\n" + work, "extends: [trn2-ultraserver]\n" + work},
      {"sites.*.name", sites(pq),
       sites("a: r, b: q, bandwidth: 100GB/s, latency: 1ms",
             "{name: r, ultraservers: 2}, {name: q, ultraservers: 2}")},
      {"sites.*.preset",
       "sites: [{name: p, preset: trn2-server, servers: 1}, {name: q, preset: trn2-server, servers: "
       "1}]\nfabric: {wan: [{" +
           pq + "}]}\n" + work,
       "sites: [{name: p, preset: trn2-ultraserver, servers: 4}, {name: q, preset: trn2-ultraserver, "
       "servers: 4}]\nfabric: {wan: [{" +
           pq + "}]}\n" + work},
      {"sites.*.ultraservers", sites(pq),
       sites(pq, "{name: p, ultraservers: 3}, {name: q, ultraservers: 2}")},
      {"sites.*.servers", sites(pq, "{name: p, servers: 2}, {name: q, servers: 2}"),
       sites(pq, "{name: p, servers: 4}, {name: q, servers: 2}")},
      {"sites.*.chips", sites(pq, "{name: p, chips: 8}, {name: q, chips: 8}"),
       sites(pq, "{name: p, chips: 16}, {name: q, chips: 8}")},
      {"cluster.preset", "cluster: {preset: trn2-server}\n" + work,
       "cluster: {preset: trn2-ultraserver}\n" + work},
      {"cluster.count", clos("tiers: 1, rails: 4", work, 2), clos("tiers: 1, rails: 4", work, 4)},
      {"cluster.unit",
       "cluster: {count: 1, unit: pod}\nfabric: {scale_up: [{kind: ring, size: 8, bandwidth: 50GB/s, "
       "latency: 1us}]}\n" +
           work,
       "cluster: {count: 1, unit: rack}\nfabric: {scale_up: [{kind: ring, size: 8, bandwidth: 50GB/s, "
       "latency: 1us}]}\n" +
           work},
      {"cluster.chip.overhead",
       "cluster: {chip: {name: c, overhead: 1us}}\nfabric: {scale_up: [{kind: ring, size: 8, bandwidth: "
       "50GB/s, latency: 1us}]}\n" +
           work,
       ring("")},
      {"cluster.chip.reduction.rate",
       "cluster: {chip: {name: c, reduction: {rate: 10GB/s}}}\nfabric: {scale_up: [{kind: ring, size: 8, "
       "bandwidth: 50GB/s, latency: 1us}]}\n" +
           work,
       ring("")},
      {"fabric.scale_up.*.kind", ring(""),
       dimension("{kind: full, size: 8, bandwidth: 50GB/s, latency: 1us}", all_to_all)},
      {"fabric.scale_up.*.level", servers(", level: server", ranks16 + "{by: server}}\n"),
       servers("", ranks16 + "{by: server}}\n")},
      {"fabric.scale_up.*.size", ring(""),
       dimension("{kind: ring, size: 9, bandwidth: 50GB/s, latency: 1us}")},
      {"fabric.scale_up.*.bandwidth", ring(""),
       dimension("{kind: ring, size: 8, bandwidth: 51GB/s, latency: 1us}")},
      {"fabric.scale_up.*.both_directions", ring(""), ring(", both_directions: true")},
      {"fabric.scale_up.*.latency", ring(""),
       dimension("{kind: ring, size: 8, bandwidth: 50GB/s, latency: 2us}")},
      {"fabric.scale_up.*.efficiency", ring(""), ring(", efficiency: 0.9")},
      {"fabric.scale_up.*.links", ring(""), ring(", links: 2")},
      {"fabric.scale_up.*.planes", dimension("{kind: switch, size: 8, bandwidth: 50GB/s, latency: 1us}"),
       dimension("{kind: switch, size: 8, bandwidth: 50GB/s, latency: 1us, planes: 2}")},
      {"fabric.scale_up.*.radix", clos("tiers: 2, radix: 8, rails: 1"),
       clos("tiers: 2, radix: 16, rails: 1")},
      {"fabric.scale_up.*.tiers", clos("tiers: 1, rails: 1"), clos("tiers: 2, size: 8, rails: 1")},
      {"fabric.scale_up.*.rails", clos("tiers: 2, size: 4, rails: 1"), clos("tiers: 2, size: 4, rails: 4")},
      {"fabric.scale_up.*.oversubscription", clos("tiers: 2, size: 8, rails: 1"),
       clos("tiers: 2, size: 8, rails: 1, oversubscription: 4")},
      {"fabric.scale_up.*.routing", clos("tiers: 2, size: 8, rails: 1, spines: 4"),
       clos("tiers: 2, size: 8, rails: 1, spines: 4, routing: ecmp")},
      {"fabric.scale_up.*.spines", clos("tiers: 2, size: 8, rails: 1, spines: 2, routing: ecmp"),
       clos("tiers: 2, size: 8, rails: 1, spines: 4, routing: ecmp")},
      {"fabric.scale_up.*.cores",
       clos("tiers: 3, size: [8, 2], rails: 1, spines: 2, cores: 2, routing: ecmp"),
       clos("tiers: 3, size: [8, 2], rails: 1, spines: 2, cores: 4, routing: ecmp")},
      {"fabric.wan.*.name",
       sites(pq + ", name: sea") + "faults: {events: [{degrade: \"sea\", factor: 0.001}]}\n", sites(pq)},
      {"fabric.wan.*.a", sites(pq), sites("a: p, b: q, bandwidth: 1GB/s, latency: 1ms")},
      {"fabric.wan.*.b", sites(pq), sites("a: p, b: q, bandwidth: 2GB/s, latency: 1ms")},
      {"fabric.wan.*.bandwidth", sites(pq), sites("a: p, b: q, bandwidth: 1GB/s, latency: 1ms")},
      {"fabric.wan.*.latency", sites(pq), sites("a: p, b: q, bandwidth: 100GB/s, latency: 2ms")},
      {"fabric.wan.*.distance", sites("a: p, b: q, bandwidth: 100GB/s, distance: 300km"),
       sites("a: p, b: q, bandwidth: 100GB/s, distance: 400km")},
      {"fabric.wan.*.loss", sites(pq), sites(pq + ", loss: 0.001")},
      {"fabric.wan.*.window", sites(pq), sites(pq + ", window: 64KiB")},
      {"fabric.graph.vertices.*.name", graph(xy, "from: x, to: z, bytes: 1MiB"),
       graph(xy, "from: x, to: z, bytes: 1MiB", "vertices: [{name: w}], ")},
      {"fabric.graph.vertices.*.kind",
       graph(xy, "from: x, to: z, bytes: 1MiB", "vertices: [{name: w, kind: chip}], "),
       graph(xy, "from: x, to: z, bytes: 1MiB", "vertices: [{name: w, kind: switch}], ")},
      {"fabric.graph.links.*.name", graph(xy, "path: [xy, yz], bytes: 1MiB"),
       graph("name: pq, a: x, b: y, bandwidth: 50GB/s, latency: 1us", "path: [pq], bytes: 1MiB")},
      {"fabric.graph.links.*.a", graph(xy, "from: x, to: y, bytes: 1MiB"),
       graph("name: xy, a: z, b: y, bandwidth: 50GB/s, latency: 1us", "from: x, to: y, bytes: 1MiB")},
      {"fabric.graph.links.*.b",
       graph("name: xy, a: x, b: z, bandwidth: 50GB/s, latency: 1us", "from: x, to: z, bytes: 1MiB"),
       graph(xy, "from: x, to: z, bytes: 1MiB")},
      {"fabric.graph.links.*.bandwidth", graph(xy, "path: [xy], bytes: 1MiB"),
       graph("name: xy, a: x, b: y, bandwidth: 5GB/s, latency: 1us", "path: [xy], bytes: 1MiB")},
      {"fabric.graph.links.*.latency", graph(xy, "path: [xy], bytes: 1MiB"),
       graph("name: xy, a: x, b: y, bandwidth: 50GB/s, latency: 2us", "path: [xy], bytes: 1MiB")},
      {"fabric.graph.links.*.efficiency", graph(xy, "path: [xy], bytes: 1MiB"),
       graph(xy + ", efficiency: 0.5", "path: [xy], bytes: 1MiB")},
      {"fabric.graph.links.*.two_way", graph(xy, "path: [yz], bytes: 1MiB"),
       graph(xy + ", two_way: true", "path: [yz], bytes: 1MiB")},
      {"workload.collective", collective("collective: all_reduce, sizes: 1MiB, algorithm: ring"),
       collective("collective: all_gather, sizes: 1MiB, algorithm: ring")},
      {"workload.sizes", collective("collective: all_reduce, sizes: 1MiB, algorithm: ring"),
       collective("collective: all_reduce, sizes: 2MiB, algorithm: ring")},
      {"workload.ranks", collective("collective: all_reduce, sizes: 1MiB, algorithm: ring, ranks: 4"),
       collective("collective: all_reduce, sizes: 1MiB, algorithm: ring, ranks: all")},
      {"workload.ranks.by", by("{by: server}"), by("{by: ultraserver}")},
      {"workload.ranks.stride", by("{stride: 4}"), by("{stride: 16}")},
      {"workload.ranks.size", by("{size: 4}"), by("{size: 16}")},
      {"workload.algorithm", collective("collective: all_reduce, sizes: 1MiB, algorithm: ring"),
       collective("collective: all_reduce, sizes: 1MiB, algorithm: direct")},
      {"workload.algorithm.server",
       servers("",
               "workload: {collective: all_reduce, sizes: 1MiB, algorithm: {server: ring, cluster: ring}}\n"),
       servers(
           "",
           "workload: {collective: all_reduce, sizes: 1MiB, algorithm: {server: direct, cluster: ring}}\n")},
      {"workload.algorithm.ultraserver", levels("ultraserver: ring, cluster: ring"),
       levels("ultraserver: direct, cluster: ring")},
      {"workload.algorithm.intra", levels("intra: ring, inter: ring"), levels("intra: direct, inter: ring")},
      {"workload.algorithm.inter", levels("intra: ring, inter: ring"), levels("intra: ring, inter: direct")},
      {"workload.algorithm.site", levels("intra: ring, site: ring, cluster: ring"),
       levels("intra: ring, site: direct, cluster: ring")},
      {"workload.algorithm.cluster", levels("intra: ring, cluster: ring"),
       levels("intra: ring, cluster: direct")},
      {"workload.dtype", collective("collective: all_reduce, sizes: 1000B, algorithm: ring, dtype: fp8"),
       collective("collective: all_reduce, sizes: 1000B, algorithm: ring, dtype: fp64")},
      {"workload.channels", collective("collective: all_reduce, sizes: 1MiB, algorithm: ring, channels: 4"),
       collective("collective: all_reduce, sizes: 1MiB, algorithm: ring")},
      {"workload.channel_rule",
       collective("collective: all_reduce, sizes: 1MiB, algorithm: ring, channel_rule: eager") +
           "faults: {stragglers: [{chips: us0.s0.c0, delay: 50us}]}\n",
       collective("collective: all_reduce, sizes: 1MiB, algorithm: ring") +
           "faults: {stragglers: [{chips: us0.s0.c0, delay: 50us}]}\n"},
      {"workload.pipeline", levels("intra: ring, cluster: ring"),
       sites(pq, "{name: p, ultraservers: 2}, {name: q, ultraservers: 2}",
             "workload: {collective: all_reduce, sizes: 1MiB, pipeline: 4, algorithm: {intra: ring, cluster: "
             "ring}}\n")},
      {"workload.root", collective("collective: broadcast, sizes: 1MiB, algorithm: ring, root: 0"),
       collective("collective: broadcast, sizes: 1MiB, algorithm: ring, root: 3")},
      {"workload.pattern",
       collective("collective: permute, sizes: 1MiB, algorithm: direct, pattern: shift(1)"),
       collective("collective: permute, sizes: 1MiB, algorithm: direct, pattern: shift(3)")},
      {"workload.flows.*.id", flow("id: p, from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB"),
       flow("id: q, from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB")},
      {"workload.flows.*.from", flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB"),
       flow("from: us0.s0.c7, to: us0.s0.c1, bytes: 1MiB")},
      {"workload.flows.*.to", flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB"),
       flow("from: us0.s0.c0, to: us0.s0.c3, bytes: 1MiB")},
      {"workload.flows.*.path", graph(xy, "path: [xy], bytes: 1MiB"),
       graph(xy, "path: [xy, yz], bytes: 1MiB")},
      {"workload.flows.*.bytes", flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB"),
       flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 2MiB")},
      {"workload.flows.*.start", flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB"),
       flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB, start: 1ms")},
      {"workload.flows.*.rate_cap", flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB"),
       flow("from: us0.s0.c0, to: us0.s0.c1, bytes: 1MiB, rate_cap: 1GB/s")},
      {"workload.jobs.*.name", jobs("name: p"), jobs("name: q")},
      {"workload.jobs.*.start", jobs("name: p"), jobs("name: p, start: 1us")},
      {"workload.jobs.*.repeat", jobs("name: p"), jobs("name: p, repeat: 2")},
      {"faults.events.*.fail", faulty("events: [{fail: \"us0.s0.c0<->us0.s0.c1\"}]"), faulty("events: []")},
      {"faults.events.*.degrade", faulty("events: [{degrade: us0.s0.c0.nic, factor: 0.5}]"),
       faulty("events: []")},
      {"faults.events.*.factor", faulty("events: [{degrade: us0.s0.c0.nic, factor: 0.5}]"),
       faulty("events: [{degrade: us0.s0.c0.nic, factor: 0.25}]")},
      {"faults.random.fail.links", faulty("random: {fail: {links: 2}, seed: 1}"), faulty("events: []")},
      {"faults.random.fail.nics", faulty("random: {fail: {nics: 2}, seed: 1}"), faulty("events: []")},
      {"faults.random.fail.uplinks", faulty("random: {fail: {uplinks: 2}, seed: 1}"), faulty("events: []")},
      {"faults.random.degrade.links", faulty("random: {degrade: {links: 8, factor: 0.1}, seed: 1}"),
       faulty("events: []")},
      {"faults.random.degrade.nics", faulty("random: {degrade: {nics: 2, factor: 0.1}, seed: 1}"),
       faulty("events: []")},
      {"faults.random.degrade.uplinks", faulty("random: {degrade: {uplinks: 2, factor: 0.1}, seed: 1}"),
       faulty("events: []")},
      {"faults.random.degrade.factor", faulty("random: {degrade: {nics: 2, factor: 0.1}, seed: 1}"),
       faulty("random: {degrade: {nics: 2, factor: 0.2}, seed: 1}")},
      {"faults.random.seed", faulty("random: {degrade: {nics: 2, factor: 0.1}, seed: 1}"),
       faulty("random: {degrade: {nics: 2, factor: 0.1}, seed: 2}")},
      {"faults.stragglers.*.chips", faulty("stragglers: [{chips: us0.s0.c0, delay: 50us}]"),
       faulty("stragglers: [{chips: us3.s0.c1, delay: 50us}]")},
      {"faults.stragglers.*.delay", faulty("stragglers: [{chips: us0.s0.c0, delay: 50us}]"),
       faulty("stragglers: [{chips: us0.s0.c0, delay: 60us}]")},
      {"assert", ring("") + "assert: [\"efficiency > 0.1\"]\n",
       ring("") + "assert: [\"efficiency > 0.9\"]\n"},
      {"seed",
       "seed: 1\n" + collective("collective: permute, sizes: 1MiB, algorithm: direct, pattern: random"),
       "seed: 2\n" + collective("collective: permute, sizes: 1MiB, algorithm: direct, pattern: random")},
  };
}

// Keys whose effect is shown elsewhere: one accepted value; output format (the program's tests); a name that
// only `explain` and `topology` show; a file beside the scenario (reader tests); `at`, of which only 0s is
// built.
const std::set<std::string> elsewhere{"apiVersion",    "report.format",     "cluster.hardware",
                                      "cluster.chip",  "cluster.chip.name", "cluster.ranks_per_chip",
                                      "workload.file", "faults.events.*.at"};

}  // namespace

TEST_CASE("every key of the reference changes what a user sees") {
  std::set<std::string> covered = elsewhere;
  for (const Change& change : changes()) {
    INFO(change.key);
    INFO(change.one);
    INFO(change.other);
    covered.insert(change.key);
    CHECK(seen(change.one) != seen(change.other));
    CHECK(seen(change.one) == seen(change.one));
  }
  for (const Key& key : keys()) {
    const bool holds_keys =
        (key.forms & (as_one | as_list)) == 0 || key.path == "sites" || key.path == "fabric.scale_up" ||
        key.path == "fabric.scale_out" || key.path == "fabric.wan" || key.path == "fabric.graph.vertices" ||
        key.path == "fabric.graph.links" || key.path == "workload.flows" || key.path == "workload.jobs" ||
        key.path == "faults.events" || key.path == "faults.stragglers";
    if (key.status != Status::supported || holds_keys) continue;
    const std::string path(key.path);
    const bool mirrored = path.rfind("fabric.scale_out.", 0) == 0 || path.rfind("workload.jobs.*.", 0) == 0;
    INFO(path);
    if (!mirrored) CHECK(covered.count(path) == 1);
  }
}
