// Reads a scenario from a text, and tells how it was refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/errors.h"
#include "scenarios/load.h"

namespace tahoma {

inline LoadRequest text_request(const std::string& text, const std::vector<std::string>& sets = {}) {
  LoadRequest request;
  request.file = "x.yaml";
  request.text = text;
  request.sets = sets;
  return request;
}

struct Refusal {
  int exit_code = 0;  // 0 = accepted
  std::string message;
};

inline Refusal refusal_of(const LoadRequest& request) {
  try {
    load(request);
    return {};
  } catch (const ScenarioError& error) {
    return {2, error.what()};
  } catch (const InfeasibleError& error) {
    return {3, error.what()};
  }
}

/// Eight chips on a ring and one all-reduce; five lines, so that what is added stands on line 6.
inline const std::string ring_of_eight =
    "cluster: {count: 1}\n"
    "fabric:\n"
    "  scale_up:\n"
    "    - {kind: ring, size: 8, bandwidth: 50GB/s, latency: 1us}\n"
    "workload: {collective: all_reduce, sizes: 1MiB}\n";

/// The same network, and a workload of one's own from line 5 on.
inline const std::string ring_and =
    "cluster: {count: 1}\n"
    "fabric:\n"
    "  scale_up:\n"
    "    - {kind: ring, size: 8, bandwidth: 50GB/s, latency: 1us}\n";

/// Four domains of eight chips on a clos of one tier; the workload follows on line 6.
inline const std::string four_domains_and =
    "cluster: {count: 4}\n"
    "fabric:\n"
    "  scale_up: [{kind: ring, size: 8, bandwidth: 50GB/s, latency: 1us}]\n"
    "  scale_out: [{kind: clos, rails: 8, bandwidth: 200Gbps, latency: 1us}]\n"
    "\n";

inline const std::string one_all_reduce = "workload: {collective: all_reduce, sizes: 1MiB}\n";

}  // namespace tahoma
