// Small scenarios for the tests of the program: four chips on a ring, done in no time.
#pragma once

#include <string>

namespace tahoma::program {

inline const std::string ring_of_four = R"(apiVersion: tahoma/v1
name: ring-of-four
description: how long an all-reduce takes on four chips
cluster: {chip: generic, count: 1}
fabric: {scale_up: [{kind: ring, size: 4, bandwidth: 50GB/s, latency: 500ns}]}
workload: {collective: all_reduce, sizes: "1KiB..1MiB *4", algorithm: ring}
)";

inline const std::string two_flows = R"(apiVersion: tahoma/v1
name: two-flows
fabric:
  graph:
    links: [{name: ab, a: a, b: b, bandwidth: 1GB/s, latency: 1us}]
workload:
  flows:
    - {id: first, from: a, to: b, bytes: 1MB, start: 0s}
    - {id: second, from: a, to: b, bytes: 1MB, start: 0s}
)";

}  // namespace tahoma::program
