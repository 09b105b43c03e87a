// ASTRA-sim's two configuration files: the network of its analytical backend (YAML) and the system (JSON).
//
// A network is a list per key: `topology` (Ring, FullyConnected or Switch by dimension), `npus_count`,
// `bandwidth` in units of 2^30 B/s per link and direction, `latency` in ns per link. A system names an
// algorithm per dimension for each collective, into how many pieces a collective is cut and how many of them
// may be on the way at once, and what an endpoint costs: `endpoint-delay` ns per message, and three passes
// over its memory (`local-mem-bw`, 10^9 B/s) for what is added (astra-sim/system/PacketBundle.cc).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

struct AstraNetwork {
  struct Dimension {
    std::string kind;  // as a scenario says it
    std::string word;  // as the file does
    std::uint32_t size = 1;
    std::string bandwidth, latency;  // with units
  };
  std::vector<Dimension> dimensions;  // innermost first
  std::uint32_t npus = 1;
};

struct AstraSystem {
  struct Algorithms {
    std::string collective;          // as a scenario names it
    std::vector<std::string> names;  // by dimension, as a scenario names them; the same word is given once
    std::string custom;              // or a file of traces
    std::vector<std::string> notes;
  };
  std::vector<Algorithms> collectives;
  std::uint32_t splits = 1, active = 1;
  std::string overhead;                     // of an endpoint, with unit; "" if none
  std::uint64_t reduction_bytes_per_s = 0;  // 0: free
  std::vector<std::string> notes;
};

/// Both throw ScenarioError with file, line and column.
AstraNetwork read_astra_network(std::string_view yaml, const std::string& file);
AstraSystem read_astra_system(std::string_view json, const std::string& file);

}  // namespace tahoma
