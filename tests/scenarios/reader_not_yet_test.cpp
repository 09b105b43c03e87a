// Well-formed questions that cannot be answered: exit 3.
#include "tests/scenarios/reader_bad_input.h"

using namespace tahoma;

TEST_CASE("a well-formed question that cannot be answered yet is refused as such") {
  const std::vector<BadInput> table = {
      {"a training step on a graph",
       "fabric: {graph: {links: [{a: x, b: y, bandwidth: 1GB/s}]}}\nworkload: {training: ^{model: llama3-8b, "
       "seq: "
       "8192, global_batch: 8}}\n",
       3,
       "key 'workload.training' needs a network of scale-up domains",
       {}},
      {"a checkpoint", ring_of_eight + "^checkpoint: {interval: 1h}\n", 3, "key 'checkpoint'", {}},
      {"accuracy", ring_of_eight + "^accuracy: approximate\n", 3, "key 'accuracy'", {}},
      {"store and forward beside sites of different hardware",
       "sites: [{name: a, preset: trn2-server, servers: 1}, {name: b, chips: 4, fabric: {scale_up: [{kind: "
       "ring, size: 4, bandwidth: 1GB/s, latency: 1us, store_and_forward: ^true}], scale_out: [{kind: clos, "
       "bandwidth: 1GB/s, latency: 1us}]}}]\nfabric: {wan: [{a: a, b: b, bandwidth: 1GB/s, latency: "
       "1ms}]}\n" +
           one_all_reduce,
       3,
       "key 'sites.1.fabric.scale_up.0.store_and_forward'",
       {"different hardware"}},
      {"a count to be found without a deadline",
       "extends: trn2-server\ncluster: {count: ^auto}\n" + one_all_reduce,
       3,
       "key 'cluster.count': value 'auto'",
       {}},
      {"two ranks on a chip of which no inner fabric is known",
       "extends: p5\ncluster: {ranks_per_chip: ^2}\n" + one_all_reduce,
       3,
       "key 'cluster.ranks_per_chip'",
       {}},
      {"a fault during the run",
       ring_of_eight + "faults: {events: [{at: ^1ms, fail: \"c0<->c1\"}]}\n",
       3,
       "key 'faults.events.0.at': value '1ms'",
       {"0s"}},
      {"a fault that ends",
       ring_of_eight + "faults: {events: [{fail: \"c0<->c1\", ^for: 1ms}]}\n",
       3,
       "key 'faults.events.0.for'",
       {}},
      {"sites of different hardware and one of them a graph",
       "sites: [{name: a, preset: trn2-server, servers: 1}, {name: b, chips: 2, fabric: {graph: ^{links: "
       "[{name: "
       "l, a: x, b: y, bandwidth: 1GB/s, latency: 1us}]}}}]\nfabric: {wan: [{a: a, b: b, bandwidth: 1GB/s, "
       "latency: 1ms}]}\n" +
           one_all_reduce,
       3,
       "key 'sites.1.fabric.graph'",
       {"dimensions"}},
      {"selectors on a billion chips",
       "cluster: {count: 134217728}\nfabric:\n  scale_up: [{kind: ring, size: 8, bandwidth: 1GB/s, latency: "
       "1us}]\n  scale_out: [{kind: clos, bandwidth: 1GB/s, latency: 1us}]\nworkload: {collective: "
       "all_reduce, sizes: 1MiB, ranks: ^\"us*.c0\"}\n",
       3,
       "key 'workload.ranks'",
       {"past memory", "GiB"}},
      {"a mistake wins over what is not built",
       ring_of_eight + "accuracy: approximate\n^nme: a\n",
       2,
       "key 'nme'",
       {}},
  };
  for (const BadInput& bad : table) check(bad);
}
