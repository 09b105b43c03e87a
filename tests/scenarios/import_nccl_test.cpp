// NCCL topology files as graphs.
#include <algorithm>
#include <catch2/catch.hpp>

#include "scenarios/import/import.h"
#include "scenarios/import/nccl_topology.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

std::string gpu(const std::string& bus, const std::string& rank, const std::string& links) {
  return "<pci busid=\"" + bus +
         "\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"16\"><gpu dev=\"" + rank +
         "\" sm=\"80\" rank=\"" + rank + "\" gdr=\"1\">" + links + "</gpu></pci>\n";
}
std::string nvlink(const std::string& target, const std::string& count) {
  return "<nvlink target=\"" + target + "\" count=\"" + count + "\" tclass=\"0x030200\"/>";
}
/// Two GPUs behind a bridge, with four NVLinks between them, and a NIC.
std::string two_gpus(const std::string& count = "4", const std::string& target = "b") {
  return "<system version=\"1\">\n<cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"GenuineIntel\" "
         "familyid=\"6\" modelid=\"85\">\n<pci busid=\"s\" class=\"0x060400\" link_speed=\"8 GT/s\" "
         "link_width=\"16\">\n" +
         gpu("a", "1", nvlink(target, count)) + gpu("b", "0", nvlink("a", "4")) +
         "<pci busid=\"n\" class=\"0x020000\" link_speed=\"2.5 GT/s PCIe\" link_width=\"1\"><nic><net "
         "name=\"m\" "
         "dev=\"0\" speed=\"200000\" port=\"1\" guid=\"0x1\" maxconn=\"1\" gdr=\"1\"/></nic></pci>\n"
         "</pci>\n</cpu>\n</system>\n";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string fault_of(const std::string& xml) {
  try {
    read_nccl_topology(xml, "t.xml");
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

const ImportKind& nccl_kind() {
  return *std::find_if(import_kinds().begin(), import_kinds().end(),
                       [](const ImportKind& kind) { return kind.name == "nccl-topology"; });
}

}  // namespace

TEST_CASE("an NCCL topology becomes chips in the order of ranks and links with the file's speeds") {
  const NcclTopology topology = read_nccl_topology(two_gpus(), "t.xml");
  CHECK(topology.gpus == 2);
  REQUIRE(topology.vertices.size() == 5);  // two GPUs, CPU, bridge, NIC
  CHECK(topology.vertices[0].name == "g0");
  CHECK(topology.vertices[0].line == 5);  // rank 0 stands on line 5
  const auto link = [&](const std::string& a, const std::string& b) {
    for (const auto& one : topology.links) {
      if (topology.vertices[one.a].name == a && topology.vertices[one.b].name == b) return one;
    }
    FAIL("no link " << a << " - " << b);
    return NcclTopology::Link{};
  };
  CHECK(link("g0", "pci_s").bandwidth == "256000Mbps");    // 16 GT/s x 16 lanes
  CHECK(link("pci_s", "cpu0").bandwidth == "128000Mbps");  // 8 GT/s x 16
  CHECK(link("nic0", "pci_s").bandwidth == "2500Mbps");    // 2.5 GT/s x 1
  CHECK(link("nic0", "pci_s").efficiency == "0.8");        // 8b/10b
  CHECK(link("g1", "g0").bandwidth == "100.0GB/s");        // 4 NVLinks of 25 GB/s
  CHECK(topology.links.size() == 5);
  CHECK(topology.port_speeds == std::vector<std::string>{"200000Mbps"});
}

TEST_CASE("the scenario of an NCCL topology runs and its GPUs use their own links") {
  const std::string yaml = nccl_kind().scenario({"t.xml", "t.xml", ""}, two_gpus());
  const Result result = run(load(text_request(yaml)), {});
  REQUIRE(result.collectives.size() == 1);
  CHECK(result.collectives[0].ranks == 2);
  // Half of 256 MiB there and half back over 100 GB/s: at least 2.68 ms; over PCIe it would be 8.5 ms.
  CHECK(seconds(result.collectives[0].time) < 0.0028);
}

TEST_CASE("every stored NCCL topology is imported and runs") {
  if (!has_inputs()) return;
  const std::vector<std::string> files = input_files("topo", ".xml");
  std::size_t ran = 0;
  for (const std::string& file : files) {
    INFO(file);
    const Result result = run(load(text_request(import_scenario(nccl_kind(), {file, file, ""}))), {});
    REQUIRE(result.collectives.size() == 1);
    CHECK(result.collectives[0].ranks >= 4);
    ++ran;
  }
  CHECK(files.size() >= 14);
  CHECK(ran == files.size());
}

TEST_CASE("hostile NCCL topologies are refused with their place and what is wrong") {
  std::string nested = "<system version=\"1\"><cpu numaid=\"0\">";
  for (int i = 0; i < 100; ++i)
    nested += "<pci busid=\"" + std::to_string(i) +
              "\" class=\"0x060400\" link_speed=\"8 GT/s\" link_width=\"16\">";
  for (int i = 0; i < 100; ++i) nested += "</pci>";
  nested += "</cpu></system>";
  struct Hostile {
    const char* what;
    std::string xml;
    const char* told;
  };
  const std::vector<Hostile> table = {
      {"empty", "", "t.xml:1:1: this is no XML"},
      {"binary noise", std::string("\xff\x00<\x02>", 5), "t.xml:1:"},
      {"truncated", two_gpus().substr(0, 300), "this is no XML"},
      {"another element", "<algo/>", "accepted: system"},
      {"no GPU", "<system version=\"1\"><cpu numaid=\"0\"/></system>", "holds no GPU"},
      {"an entity bomb",
       "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><system version=\"1\"><cpu numaid=\"&b;\"/></system>",
       "is no whole number"},
      {"bridges without end", nested, "nested more than 64 deep"},
      {"a bus twice", replaced(two_gpus(), "busid=\"b\"", "busid=\"a\""), "is there twice"},
      {"a CPU twice", replaced(two_gpus(), "</cpu>", "</cpu><cpu numaid=\"0\"/>"), "is there twice"},
      {"a link to nobody", two_gpus("4", "z"), "is the bus number of nothing in this file"},
      {"links that differ at their ends", two_gpus("3"), "which has"},
      {"a huge count", two_gpus("99999"), "is no whole number from 1 to 1024"},
      {"a negative count", two_gpus("-4"), "is no whole number"},
      {"a speed of no PCIe", replaced(two_gpus(), "8 GT/s", "9 GT/s"), "is no speed of PCIe"},
      {"an unknown GPU", replaced(two_gpus(), "sm=\"80\"", "sm=\"17\""),
       "whose links' bandwidth is not known"},
      {"an unknown element", replaced(two_gpus(), "<nic>", "<nic><c2c/>"), "is not known inside 'nic'"},
      {"an unknown attribute", replaced(two_gpus(), "gdr", "gdx"), "did you mean 'gdr'?"},
  };
  for (const Hostile& hostile : table) {
    INFO(hostile.what);
    CHECK_THAT(fault_of(hostile.xml), Contains(hostile.told));
  }
}
