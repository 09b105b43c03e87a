// Fabrics that cannot be: each mistake at its place, with what would do.
#include "tests/scenarios/reader_bad_input.h"

using namespace tahoma;

namespace {

std::string domains_of_two_on(const std::string& clos) {
  return "cluster: {count: 8}\nfabric:\n"
         "  scale_up: [{kind: ring, size: 2, bandwidth: 50GB/s, latency: 1us}]\n"
         "  scale_out: [{kind: clos, rails: 2, bandwidth: 100Gbps, latency: 1us, " +
         clos + "}]\n" + one_all_reduce;
}

std::string dragonfly_with(const std::string& keys) {
  return "fabric: {scale_out: [{kind: dragonfly, bandwidth: 1GB/s, latency: 1us, " + keys + "}]}\n" +
         one_all_reduce;
}

}  // namespace

TEST_CASE("rails that nothing could join, and fabrics not built, are refused") {
  const std::vector<BadInput> table = {
      {"rails joined by no spine",
       domains_of_two_on("between_rails: ^fabric"),
       2,
       "key 'fabric.scale_out.0.between_rails'",
       {"one tier", "relay or none"}},
      {"rails apart under cores",
       domains_of_two_on("size: [2, 2], between_rails: ^relay"),
       3,
       "key 'fabric.scale_out.0.between_rails'",
       {"1 or 2 tiers"}},
      {"a word of no meaning",
       domains_of_two_on("between_rails: ^rellay"),
       2,
       "key 'fabric.scale_out.0.between_rails'",
       {"relay"}},
      {"NICs without ports",
       domains_of_two_on("leaves_per_nic: ^0"),
       2,
       "key 'fabric.scale_out.0.leaves_per_nic'",
       {}},
      {"a plane too many",
       domains_of_two_on("planes: 2") + "faults: {events: [{fail: ^plane2}]}\n",
       2,
       "key 'faults.events.0.fail'",
       {"the last is plane1"}},
      {"a leaf switch too many",
       domains_of_two_on("leaves_per_nic: 2") + "faults: {events: [{fail: ^leaf0.switch2}]}\n",
       2,
       "key 'faults.events.0.fail'",
       {"the last is switch1"}},
      {"part of a leaf that is no switch",
       domains_of_two_on("leaves_per_nic: 2") + "faults: {events: [{fail: ^leaf0.plane1}]}\n",
       2,
       "key 'faults.events.0.fail'",
       {"leafN.switchN"}},
  };
  for (const BadInput& bad : table) check(bad);
}

TEST_CASE("a dragonfly that does not close, or does not fit, is refused") {
  const std::vector<BadInput> table = {
      {"one number",
       dragonfly_with("size: ^8"),
       2,
       "key 'fabric.scale_out.0.size'",
       {"[chips per router, routers per group, groups]"}},
      {"groups out of reach",
       dragonfly_with("size: [1, 2, 9], global_links: ^3"),
       2,
       "key 'fabric.scale_out.0.global_links'",
       {"2 routers", "8 other groups", "at least 4"}},
      {"past what a graph holds",
       dragonfly_with("size: ^[8, 16, 129]"),
       3,
       "key 'fabric.scale_out.0.size'",
       {"4096 vertices"}},
      {"two bandwidths",
       "fabric: {scale_out: [{kind: dragonfly, size: [1, 2, 3], bandwidth: ^[1GB/s, 2GB/s], latency: "
       "1us}]}\n" +
           one_all_reduce,
       2,
       "key 'fabric.scale_out.0.bandwidth'",
       {"[chip-router, local, global]"}},
      {"more chips than places",
       "cluster: {count: ^7}\n" + dragonfly_with("size: [1, 2, 3]"),
       2,
       "key 'cluster.count'",
       {"more than the dragonfly holds, 6"}},
      {"domains of several chips",
       "fabric:\n  scale_up: ^[{kind: ring, size: 2, bandwidth: 1GB/s, latency: 1us}]\n"
       "  scale_out: [{kind: dragonfly, size: [1, 2, 3], bandwidth: 1GB/s, latency: 1us}]\n" +
           one_all_reduce,
       2,
       "key 'fabric.scale_up'",
       {"joins lone chips"}},
      {"inside a domain",
       "fabric: {scale_up: [{kind: ^dragonfly, size: 8, bandwidth: 1GB/s, latency: 1us}]}\n" + one_all_reduce,
       2,
       "key 'fabric.scale_up.0.kind'",
       {"stands alone in fabric.scale_out"}},
      {"more NICs than places",
       "cluster: {count: 4}\n"
       "fabric:\n"
       "  graph:\n"
       "    vertices: [{name: n0, kind: nic}, {name: n1, kind: nic}]\n"
       "    links: [{a: c0, b: n0, bandwidth: 1GB/s, two_way: true}, {a: c0, b: n1, bandwidth: 1GB/s, "
       "two_way: "
       "true}]\n"
       "  scale_out: [{kind: dragonfly, size: ^[1, 2, 3], bandwidth: 1GB/s, latency: 1us}]\n" +
           one_all_reduce,
       2,
       "key 'fabric.scale_out.0.size'",
       {"room for 6 NICs, and there are 8"}},
  };
  for (const BadInput& bad : table) check(bad);
}

TEST_CASE("the NICs of a graph's copies may stand on a dragonfly, and its elements may fail") {
  const std::string text =
      "cluster: {count: 3}\n"
      "fabric:\n"
      "  graph:\n"
      "    vertices: [{name: n0, kind: nic}, {name: n1, kind: nic}]\n"
      "    links: [{a: c0, b: n0, bandwidth: 1GB/s, two_way: true}, {a: c1, b: n1, bandwidth: 1GB/s, "
      "two_way: "
      "true}, {a: c0, b: c1, bandwidth: 1GB/s, two_way: true}]\n"
      "  scale_out: [{kind: dragonfly, size: [1, 2, 3], bandwidth: 1GB/s, latency: 1us}]\n"
      "faults: {events: [{fail: \"g0.r0<->g1.r1\"}, {fail: g2.r0}]}\n" +
      one_all_reduce;
  CHECK(refusal_of(text_request(text)).message == "");
}
