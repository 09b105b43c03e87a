// An NCCL topology file, which NCCL and RCCL write and read, as a graph.
//
// The format nests what hangs on what: a `system` holds a `cpu` per NUMA node, that `pci` devices (bridges,
// GPUs, NICs) with the speed and width of their link upwards; a `gpu` lists its `nvlink`s or `xgmi` links by
// the bus number at their other end and how many there are; a `nic` its ports (`net`).
//
// What the format does not hold comes from the tables in nccl_topology.cpp, each row with its source: the
// bandwidth of one NVLink or xGMI link, that between CPUs, all latencies. All NVSwitches are one vertex: each
// GPU spreads its links over them, and no route could use more than one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

struct NcclTopology {
  enum class Kind : std::uint8_t { gpu, nic, pci, cpu, nvswitch };
  struct Vertex {
    std::string name;
    Kind kind = Kind::pci;
    std::uint32_t line = 0;
  };
  struct Link {
    std::uint32_t a = 0, b = 0;                  // vertices; in both directions
    std::string bandwidth, efficiency, latency;  // as a scenario writes them
    std::string source;
  };
  std::vector<Vertex> vertices;  // GPUs first, in order of their ranks
  std::vector<Link> links;
  std::vector<std::string> port_speeds;  // of each NIC that says one
  std::vector<std::string> notes;        // what was assumed or left out
  std::uint32_t gpus = 0;
};

/// Throws ScenarioError with file, line and column for what is wrong or not understood.
NcclTopology read_nccl_topology(std::string_view xml, const std::string& file);

}  // namespace tahoma
