#include "scenarios/import/nccl_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "collectives/importers/xml_document.h"

namespace tahoma {

namespace {

using Kind = NcclTopology::Kind;

constexpr int most_nested = 64;
constexpr std::int64_t most_number = 1'000'000;

/// One NVLink or xGMI link of a GPU, per direction, in tenths of a GB/s.
struct PeerLink {
  std::string_view generation;  // attribute `sm` of NVIDIA's, `gcn` of AMD's
  std::uint32_t tenths;
  std::string_view source;
};
constexpr std::array nvlinks = {
    PeerLink{"60", 200, "NVLink 1: 20 GB/s per link and direction (P100 white paper)"},
    PeerLink{"70", 250, "NVLink 2: 25 GB/s per link and direction (V100 white paper)"},
    PeerLink{"80", 250, "NVLink 3: 25 GB/s per link and direction (A100 white paper)"},
    PeerLink{"90", 250, "NVLink 4: 25 GB/s per link and direction (H100 white paper)"},
    PeerLink{"100", 500, "NVLink 5: 50 GB/s per link and direction (Blackwell brief)"},
};
constexpr std::array xgmi_links = {
    PeerLink{"906", 500, "xGMI of MI50 and MI60: 100 GB/s per link, both directions (data sheet)"},
    PeerLink{"908", 460, "xGMI of MI100: 92 GB/s per link, both directions (CDNA white paper)"},
    PeerLink{"910", 500, "Infinity Fabric of MI250: 100 GB/s per link, both directions (CDNA 2 white paper)"},
    PeerLink{"90a", 500, "Infinity Fabric of MI250: 100 GB/s per link, both directions (CDNA 2 white paper)"},
    PeerLink{"940", 640, "Infinity Fabric of MI300: 128 GB/s per link, both directions (CDNA 3 white paper)"},
    PeerLink{"942", 640, "Infinity Fabric of MI300: 128 GB/s per link, both directions (CDNA 3 white paper)"},
    PeerLink{"950", 768, "Infinity Fabric of MI350: 153.6 GB/s per link, both directions (data sheet)"},
};

/// Transfers per second of a PCIe lane, and what its line code leaves.
struct PcieSpeed {
  std::string_view gigatransfers;
  std::uint32_t mbps;
  std::string_view efficiency;
};
constexpr std::array pcie_speeds = {
    PcieSpeed{"2.5", 2'500, "0.8"},      PcieSpeed{"5", 5'000, "0.8"},
    PcieSpeed{"8", 8'000, "0.984615"},   PcieSpeed{"16", 16'000, "0.984615"},
    PcieSpeed{"32", 32'000, "0.984615"}, PcieSpeed{"64", 64'000, "0.95"},
};

struct CpuLink {
  std::string_view vendor, bandwidth, source;
};
constexpr std::array cpu_links = {
    CpuLink{"GenuineIntel", "62GB/s", "assumed: 3 UPI links of 20.8 GB/s"},
    CpuLink{"AuthenticAMD", "96GB/s", "assumed: 3 xGMI links of 32 GB/s"},
    CpuLink{"", "64GB/s", "assumed"},
};

constexpr std::string_view pcie_latency = "0.4us", peer_latency = "0.7us", cpu_latency = "0.3us";

bool is_gpu_class(std::string_view pci_class) {
  return pci_class.starts_with("0x0300") || pci_class.starts_with("0x0302") ||
         pci_class.starts_with("0x0380") || pci_class.starts_with("0x1200");
}
bool is_nic_class(std::string_view pci_class) {
  return pci_class.starts_with("0x0200") || pci_class.starts_with("0x0207");
}
constexpr std::string_view nvswitch_class = "0x0680", bridge_class = "0x0604";

class NcclReader {
 public:
  NcclReader(std::string_view xml, const std::string& file) : xml_(xml, file) {}

  NcclTopology read() {
    const pugi::xml_node system = xml_.root();
    if (std::string_view(system.name()) != "system")
      xml_.refuse(system, "is no NCCL topology; accepted: system");
    static constexpr std::string_view known[] = {"version"};
    xml_.allow(system, known);
    for (const pugi::xml_node child : system.children()) {
      if (std::string_view(child.name()) != "cpu") xml_.refuse_child(child, "cpu");
      cpu(child);
    }
    join_cpus();
    join_gpus(system);
    if (gpus_.empty()) xml_.refuse(system, "holds no GPU: there is nothing to run on");
    order_gpus();
    return std::move(out_);
  }

 private:
  struct Gpu {
    std::uint32_t vertex;
    std::int64_t rank = -1;
    std::string generation;
    pugi::xml_node node;  // element `gpu`; null where the file has only its PCI device
  };

  std::uint32_t add_vertex(Kind kind, std::string name, const pugi::xml_node& node) {
    out_.vertices.push_back({std::move(name), kind, xml_.line(node)});
    return static_cast<std::uint32_t>(out_.vertices.size() - 1);
  }
  void add_link(std::uint32_t a, std::uint32_t b, std::string bandwidth, std::string_view efficiency,
                std::string_view latency, std::string_view source) {
    out_.links.push_back(
        {a, b, std::move(bandwidth), std::string(efficiency), std::string(latency), std::string(source)});
  }

  void cpu(const pugi::xml_node& node) {
    static constexpr std::string_view known[] = {"numaid",   "affinity", "arch",     "vendor",
                                                 "familyid", "modelid",  "host_hash"};
    xml_.allow(node, known);
    const std::int64_t numa = xml_.whole(node, "numaid", -1, most_number);
    const std::string name = fmt::format("cpu{}", numa < 0 ? 0 : numa);
    for (const Cpu& other : cpus_) {
      if (other.name == name) xml_.refuse(node, "numaid", xml_.text(node, "numaid"), "is there twice");
    }
    const std::uint32_t vertex = add_vertex(Kind::cpu, name, node);
    cpus_.push_back({vertex, name, std::string(node.attribute("vendor").value())});
    for (const pugi::xml_node child : node.children()) {
      const std::string_view what = child.name();
      if (what == "pci") {
        pci(child, vertex, 0);
      } else if (what == "nic") {
        nic(child, vertex);
      } else {
        xml_.refuse_child(child, "pci or nic");
      }
    }
  }

  void pci(const pugi::xml_node& node, std::uint32_t parent, int depth) {
    static constexpr std::string_view known[] = {
        "busid",      "class",      "vendor",           "device",
        "link_speed", "link_width", "subsystem_vendor", "subsystem_device"};
    xml_.allow(node, known);
    if (depth > most_nested) xml_.refuse(node, fmt::format("is nested more than {} deep", most_nested));
    const std::string bus(xml_.text(node, "busid"));
    if (!by_bus_.try_emplace(bus, Device{}).second) xml_.refuse(node, "busid", bus, "is there twice");
    const std::string_view pci_class = xml_.text(node, "class");
    const pugi::xml_node gpu_node = node.child("gpu"), nic_node = node.child("nic");
    if (gpu_node || is_gpu_class(pci_class)) return gpu(node, gpu_node, parent, bus);
    if (nic_node || is_nic_class(pci_class)) return pci_nic(node, nic_node, parent);
    if (!pci_class.starts_with(bridge_class) && !node.child("pci")) {
      out_.notes.push_back(fmt::format(
          "the PCI device {} of class {} is no GPU, NIC or bridge, and is left out", bus, pci_class));
      return;
    }
    std::string name = "pci_" + bus;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '.'; }, '_');
    const std::uint32_t vertex = add_vertex(Kind::pci, name, node);
    by_bus_[bus].vertex = vertex;
    pcie_link(node, vertex, parent);
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "pci") xml_.refuse_child(child, "pci, gpu or nic");
      pci(child, vertex, depth + 1);
    }
  }

  void pcie_link(const pugi::xml_node& node, std::uint32_t vertex, std::uint32_t parent) {
    std::string_view text = xml_.text(node, "link_speed");
    std::int64_t width = xml_.whole(node, "link_width", 0, 64);
    std::string_view source = "PCIe";
    if (text.empty() || width == 0) {
      note_once("a PCI link without speed or width is taken as 8 GT/s x16, as NCCL does");
      source = "assumed";
      text = "8";
      width = 16;
    }
    const std::string_view number = text.substr(0, text.find(' '));
    const auto row = std::find_if(pcie_speeds.begin(), pcie_speeds.end(), [&](const PcieSpeed& speed) {
      return number == speed.gigatransfers || number == std::string(speed.gigatransfers) + ".0";
    });
    if (row == pcie_speeds.end())
      xml_.refuse(node, "link_speed", text, "is no speed of PCIe; accepted: 2.5, 5, 8, 16, 32 or 64 GT/s");
    add_link(vertex, parent, fmt::format("{}Mbps", row->mbps * static_cast<std::uint64_t>(width)),
             row->efficiency, pcie_latency, source);
  }

  void gpu(const pugi::xml_node& pci, const pugi::xml_node& node, std::uint32_t parent,
           const std::string& bus) {
    Gpu found;
    found.vertex = add_vertex(Kind::gpu, "", pci);
    found.node = node;
    by_bus_[bus] = {found.vertex};
    pcie_link(pci, found.vertex, parent);
    for (const pugi::xml_node child : pci.children()) {
      if (std::string_view(child.name()) != "gpu" || child != node) xml_.refuse_child(child, "one gpu");
    }
    if (node) {
      static constexpr std::string_view known[] = {"dev", "sm", "mn", "gcn", "arch", "rank", "gdr"};
      xml_.allow(node, known);
      found.rank = xml_.whole_or(node, "rank", -1, -1, most_number);
      found.generation = node.attribute("gcn") ? xml_.text(node, "gcn") : xml_.text(node, "sm");
      if (found.generation.starts_with("gfx")) found.generation.erase(0, 3);
    }
    gpus_.push_back(std::move(found));
  }

  void pci_nic(const pugi::xml_node& pci, const pugi::xml_node& node, std::uint32_t parent) {
    const std::uint32_t vertex = nic(node ? node : pci, Joined::none);
    pcie_link(pci, vertex, parent);
    for (const pugi::xml_node child : pci.children()) {
      if (child != node) xml_.refuse_child(child, "one nic");
    }
  }

  enum Joined : std::uint32_t { none = ~0u };
  // A NIC without a PCI device (a virtual one) hangs on its CPU.
  std::uint32_t nic(const pugi::xml_node& node, std::uint32_t parent) {
    const std::uint32_t vertex = add_vertex(Kind::nic, fmt::format("nic{}", nics_++), node);
    if (parent != Joined::none) {
      note_once("a NIC without a PCI device hangs on its CPU by an assumed link of 16 GT/s x16");
      add_link(vertex, parent, "256Gbps", "0.984615", pcie_latency, "assumed");
    }
    if (std::string_view(node.name()) != "nic") return vertex;
    xml_.allow(node, {});
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "net") xml_.refuse_child(child, "net");
      static constexpr std::string_view known[] = {"name",    "dev", "speed", "port", "latency", "guid",
                                                   "maxconn", "gdr", "coll",  "keep", "offload"};
      xml_.allow(child, known);
      const std::int64_t mbps = xml_.whole(child, "speed", 0, std::int64_t{1} << 40);
      if (mbps > 0) out_.port_speeds.push_back(fmt::format("{}Mbps", mbps));
    }
    return vertex;
  }

  void join_cpus() {
    for (std::size_t i = 0; i < cpus_.size(); ++i) {
      for (std::size_t j = i + 1; j < cpus_.size(); ++j) {
        const auto row = std::find_if(cpu_links.begin(), cpu_links.end(), [&](const CpuLink& link) {
          return link.vendor.empty() || link.vendor == cpus_[i].vendor;
        });
        add_link(cpus_[i].vertex, cpus_[j].vertex, std::string(row->bandwidth), "1", cpu_latency,
                 row->source);
      }
    }
  }

  // Each link between two GPUs stands at both of them.
  void join_gpus(const pugi::xml_node& system) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::int64_t, const Gpu*>> counts;
    std::uint32_t nvswitch = Joined::none;
    for (const Gpu& gpu : gpus_) {
      for (const pugi::xml_node link : gpu.node.children()) {
        const std::string_view what = link.name();
        if (what != "nvlink" && what != "xgmi") xml_.refuse_child(link, "nvlink or xgmi");
        static constexpr std::string_view known[] = {"target", "count", "tclass"};
        xml_.allow(link, known);
        const std::string target(xml_.text(link, "target"));
        const std::int64_t count = xml_.whole(link, "count", 1, 1024);
        std::uint32_t other;
        if (xml_.text(link, "tclass").starts_with(nvswitch_class)) {
          if (nvswitch == Joined::none) nvswitch = add_vertex(Kind::nvswitch, "nvswitch", system);
          counts[{nvswitch, gpu.vertex}].first += count;
          counts[{nvswitch, gpu.vertex}].second = &gpu;
          continue;
        }
        const auto found = by_bus_.find(target);
        if (found == by_bus_.end() || found->second.vertex == Joined::none)
          xml_.refuse(link, "target", target, "is the bus number of nothing in this file");
        other = found->second.vertex;
        if (other == gpu.vertex) {
          out_.notes.push_back(fmt::format("{} links of the GPU at line {} lead to itself, and are left out",
                                           count, out_.vertices[gpu.vertex].line));
          continue;
        }
        auto& known_count = counts[{gpu.vertex, other}];
        if (known_count.second != nullptr) xml_.refuse(link, "target", target, "is there twice");
        known_count = {count, &gpu};
      }
    }
    for (const auto& [ends, links] : counts) {
      const auto reverse = counts.find({ends.second, ends.first});
      if (reverse != counts.end()) {
        if (reverse->second.first != links.first) {
          xml_.refuse(links.second->node, fmt::format("has {} links to a GPU which has {} to it", links.first,
                                                      reverse->second.first));
        }
        if (ends.first > ends.second) continue;
      }
      peer_link(ends.first, ends.second, links.first, *links.second);
    }
    const bool any = std::any_of(gpus_.begin(), gpus_.end(), [](const Gpu& gpu) { return gpu.node; });
    if (!any)
      out_.notes.push_back("the file lists PCI devices only: NVLinks, if there are any, are missing here");
  }

  void peer_link(std::uint32_t a, std::uint32_t b, std::int64_t count, const Gpu& gpu) {
    const bool is_amd = static_cast<bool>(gpu.node.attribute("gcn"));
    const std::span<const PeerLink> table = is_amd ? std::span<const PeerLink>(xgmi_links) : nvlinks;
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const PeerLink& link) { return link.generation == gpu.generation; });
    if (row == table.end()) {
      std::string known;
      for (const PeerLink& link : table) known += (known.empty() ? "" : ", ") + std::string(link.generation);
      xml_.refuse(gpu.node, is_amd ? "gcn" : "sm", gpu.generation,
                  "is a GPU whose links' bandwidth is not known; accepted: " + known);
    }
    const std::uint64_t tenths = row->tenths * static_cast<std::uint64_t>(count);
    add_link(a, b, fmt::format("{}.{}GB/s", tenths / 10, tenths % 10), "1", peer_latency, row->source);
  }

  // Ranks where the file gives all of them, else the order in which they stand there.
  void order_gpus() {
    std::vector<std::int64_t> ranks;
    for (const Gpu& gpu : gpus_) ranks.push_back(gpu.rank);
    std::sort(ranks.begin(), ranks.end());
    const bool ranked = ranks.front() >= 0 && std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end();
    if (ranked)
      std::stable_sort(gpus_.begin(), gpus_.end(),
                       [](const Gpu& a, const Gpu& b) { return a.rank < b.rank; });
    std::vector<std::uint32_t> place(out_.vertices.size(), Joined::none);
    std::vector<NcclTopology::Vertex> ordered;
    const auto put = [&](std::uint32_t vertex) {
      place[vertex] = static_cast<std::uint32_t>(ordered.size());
      ordered.push_back(out_.vertices[vertex]);
    };
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      out_.vertices[gpus_[i].vertex].name = fmt::format("g{}", i);
      put(gpus_[i].vertex);
    }
    for (std::uint32_t v = 0; v < out_.vertices.size(); ++v) {
      if (place[v] == Joined::none) put(v);
    }
    for (NcclTopology::Link& link : out_.links) {
      link.a = place[link.a];
      link.b = place[link.b];
    }
    out_.vertices = std::move(ordered);
    out_.gpus = static_cast<std::uint32_t>(gpus_.size());
  }

  void note_once(const std::string& note) {
    if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end()) out_.notes.push_back(note);
  }

  struct Device {
    std::uint32_t vertex = Joined::none;
  };
  struct Cpu {
    std::uint32_t vertex;
    std::string name, vendor;
  };
  XmlDocument xml_;
  NcclTopology out_;
  std::vector<Cpu> cpus_;
  std::vector<Gpu> gpus_;
  std::map<std::string, Device> by_bus_;
  std::uint32_t nics_ = 0;
};

}  // namespace

NcclTopology read_nccl_topology(std::string_view xml, const std::string& file) {
  return NcclReader(xml, file).read();
}

}  // namespace tahoma
