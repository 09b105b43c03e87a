// ASTRA-sim's network and system files: its reference cases, and the closed forms of its networks.
//
// ASTRA-sim counts whole nanoseconds: every message's time on the wire and every pass over the memory is cut
// to one, and a collective ends one endpoint-delay later. Each expected value is written as that sum, and
// ours as the same sum without the cuts, so both are checked: theirs against what it printed, ours to the
// picosecond.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/errors.h"
#include "scenarios/import/astra_system.h"
#include "scenarios/import/import.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

const ImportKind& kind_of(const std::string& name) {
  const auto at = std::find_if(import_kinds().begin(), import_kinds().end(),
                               [&](const ImportKind& kind) { return kind.name == name; });
  REQUIRE(at != import_kinds().end());
  return *at;
}

/// Files of one test, which go with it.
class AstraFolder {
 public:
  AstraFolder() { fs::create_directories(folder_); }
  ~AstraFolder() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  AstraFolder(const AstraFolder&) = delete;
  AstraFolder& operator=(const AstraFolder&) = delete;
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("tahoma-astra-" + std::to_string(::getpid()));
};

std::string astra_network(const std::string& kind, int npus, const char* bandwidth = "50.0",
                          const char* latency = "500.0") {
  return "topology: [ " + kind + " ]\nnpus_count: [ " + std::to_string(npus) + " ]\nbandwidth: [ " +
         bandwidth + " ]\nlatency: [ " + latency + " ]\n";
}

std::string astra_system(const std::string& collective, const std::string& algorithm, int splits, int delay,
                         const std::string& memory) {
  return "{\"" + collective + "-implementation\": [\"" + algorithm +
         "\"], \"preferred-dataset-splits\": " + std::to_string(splits) +
         ", \"active-chunks-per-dimension\": 1, \"endpoint-delay\": " + std::to_string(delay) +
         ", \"local-mem-bw\": " + memory + "}";
}

std::string astra_yaml(const std::string& network, const std::string& system, const std::string& collective) {
  const AstraFolder folder;
  ImportRequest request;
  request.file = request.name_in_scenario = folder.put("network.yml", network);
  if (!system.empty()) request.system = folder.put("system.json", system);
  request.collective = collective;
  return import_scenario(kind_of("astra-sim"), request);
}

std::int64_t end_of(const Result& result) {
  std::int64_t end = 0;
  for (const CollectiveRow& row : result.collectives) end = std::max(end, row.start.ps + row.time.ps);
  return end;
}

std::string replace_sizes(std::string yaml, const std::string& sizes) {
  const std::size_t at = yaml.find("sizes: ");
  REQUIRE(at != std::string::npos);
  return yaml.replace(at, yaml.find(',', at) - at, "sizes: " + sizes);
}

/// 50 units of 2^30 B/s, to the next picosecond.
std::int64_t wire_ps(std::int64_t bytes) {
  return static_cast<std::int64_t>(
      ceil_div(u128{static_cast<std::uint64_t>(bytes)} * 1'000'000'000'000ULL, u128{50} << 30));
}
std::int64_t whole_ns(std::int64_t ps) {
  return ps / 1000;
}
/// Three passes over the memory, of so many GB/s.
std::int64_t memory_ps(std::int64_t bytes, std::int64_t gigabytes) {
  return (3 * bytes * 1000 + gigabytes - 1) / gigabytes;
}

std::string astra_refusal(const std::string& network, const std::string& system = "") {
  try {
    astra_yaml(network, system, "");
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the regression of ASTRA-sim is met but for its whole nanoseconds") {
  // 8 NPUs, 1 MiB in 4 pieces one after another: 14 steps of 32 KiB each, the first 7 of which are added.
  const std::int64_t bytes = 32'768, wire = wire_ps(bytes);
  struct Case {
    const char* memory;
    std::int64_t gigabytes, printed;
  };
  for (const Case& c : {Case{"50", 50, 117'780}, Case{"1600", 1600, 64'440}}) {
    const std::int64_t theirs =
        4 * (14 * (10 + whole_ns(wire) + 500) + 7 * 3 * whole_ns(bytes * 1000 / c.gigabytes) + 10);
    CHECK(theirs == c.printed);
    const Result result =
        run(load(text_request(astra_yaml(astra_network("Ring", 8),
                                         astra_system("all-reduce", "ring", 4, 10, c.memory), ""))),
            {});
    CHECK(result.collectives.size() == 4);
    // A step that is added takes its time before the next one leaves; the rate is a third of the memory's, in
    // whole B/s, so at most a picosecond off a step.
    const std::int64_t ours = 4 * (14 * (10'000 + wire + 500'000) + 7 * memory_ps(bytes, c.gigabytes));
    CHECK(std::abs(end_of(result) - ours) <= 4 * 7);
  }
}

TEST_CASE("the example of ASTRA-sim's manual is met but for its whole nanoseconds") {
  // 16 NPUs gather 1 MiB of each in 4 pieces: 15 steps of 256 KiB.
  const std::int64_t wire = wire_ps(262'144);
  CHECK(4 * (15 * (10 + whole_ns(wire) + 500) + 10) == 323'560);
  const Result result =
      run(load(text_request(astra_yaml(astra_network("Ring", 16),
                                       astra_system("all-gather", "ring", 4, 10, "1600"), "all_gather"))),
          {});
  CHECK(end_of(result) == 4 * 15 * (10'000 + wire + 500'000));
}

TEST_CASE("networks of 64 NPUs take the closed forms of ASTRA-sim where it shares no link") {
  struct Case {
    const char *kind, *key, *algorithm, *collective;
    std::int64_t steps, latencies;  // of 1 MiB, and how many links each crosses
    std::int64_t printed;
  };
  // 64 MiB, endpoints that cost 1 ns a message, and a memory that costs nothing.
  for (const Case& c : {Case{"Ring", "all-reduce", "ring", "all_reduce", 126, 1, 2'524'033},
                        Case{"Ring", "all-gather", "ring", "all_gather", 63, 1, 1'262'017},
                        Case{"Ring", "reduce-scatter", "ring", "reduce_scatter", 63, 1, 1'262'017},
                        Case{"Switch", "all-reduce", "ring", "all_reduce", 126, 2, 2'587'033},
                        Case{"FullyConnected", "all-reduce", "direct", "all_reduce", 2, 1, 40'065},
                        Case{"FullyConnected", "all-to-all", "direct", "all_to_all", 1, 1, 20'033}}) {
    INFO(c.kind << " " << c.collective);
    const std::int64_t wire = wire_ps(1 << 20);
    CHECK(c.steps * (1 + whole_ns(wire) + c.latencies * 500) + 1 == c.printed);
    const std::string yaml = astra_yaml(astra_network(c.kind, 64),
                                        astra_system(c.key, c.algorithm, 1, 1, "1000000000"), c.collective);
    const Result result = run(load(text_request(replace_sizes(yaml, "64MiB"))), {});
    CHECK(end_of(result) == c.steps * (1'000 + wire + c.latencies * 500'000));
  }
}

TEST_CASE("an all-to-all over a switch takes what its ports allow and not what ASTRA-sim says") {
  // Each NPU sends 63 pieces of 1 MiB through one port: 63 x 19.53 us + 2 x 500 ns. ASTRA-sim's network that
  // shares no links says 20,533 ns, 61 times less.
  const std::string yaml = astra_yaml(astra_network("Switch", 64),
                                      astra_system("all-to-all", "direct", 1, 0, "1000000000"), "all_to_all");
  CHECK_THAT(yaml, Contains("shares no links") && Contains("it counts twice"));
  const Result result = run(load(text_request(replace_sizes(yaml, "64MiB"))), {});
  // A share is cut to 2^-20 B/s, so the last byte may leave a picosecond later than of 63 MiB in one piece.
  const u128 share = (u128{50} << 50) / 63;
  const auto wire = static_cast<std::int64_t>(ceil_div((u128{1} << 40) * 1'000'000'000'000ULL, share));
  CHECK(wire <= wire_ps(63 << 20) + 1);
  CHECK(end_of(result) == wire + 1'000'000);
}

TEST_CASE("single messages cross its networks as its own tests say") {
  // 1 MiB from NPU 1 to NPU 4: three links of a ring, one of a full mesh, two of a switch.
  struct Case {
    const char* kind;
    std::int64_t links, printed;
  };
  for (const Case& c :
       {Case{"Ring", 3, 21'031}, Case{"FullyConnected", 1, 20'031}, Case{"Switch", 2, 20'531}}) {
    std::string yaml = astra_yaml(astra_network(c.kind, 8), "", "");
    yaml = yaml.substr(0, yaml.find("workload:")) + "workload: {flows: [{from: c1, to: c4, bytes: 1MiB}]}\n";
    const Result result = run(load(text_request(yaml)), {});
    REQUIRE(result.flows.size() == 1);
    const std::int64_t ours = result.flows[0].finish.ps;
    CHECK(whole_ns(ours) == c.printed);
    CHECK(ours == wire_ps(1 << 20) + c.links * 500'000);
  }
}

TEST_CASE("dimensions of a network become levels with an algorithm each") {
  const std::string seeds = std::string(TAHOMA_SOURCE_DIR) + "/tests/fuzz/import/";
  const std::string yaml =
      astra_yaml(content_of(seeds + "ring.astra.yml"), content_of(seeds + "system.astra.json"), "");
  CHECK_THAT(yaml, Contains("algorithm: {server: ring, ultraserver: halving_doubling}"));
  const Result result = run(load(text_request(yaml)), {});
  CHECK(result.collectives.at(0).ranks == 8);
  // Three dimensions: the last one joins domains.
  const std::string three =
      "topology: [Ring, FullyConnected, Switch]\nnpus_count: [4, 2, 3]\nbandwidth: [50, 25, "
      "12.5]\nlatency: [500, 600, 700]\n";
  const Result of_three = run(load(text_request(astra_yaml(three, "", ""))), {});
  CHECK(of_three.collectives.at(0).ranks == 24);
}

TEST_CASE("hostile networks and systems of ASTRA-sim are refused with their place and what is wrong") {
  const std::string ring = astra_network("Ring", 8);
  const std::string good = astra_system("all-reduce", "ring", 4, 10, "50");
  struct Hostile {
    const char* what;
    std::string network, system;
    const char* told;
  };
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  const std::vector<Hostile> table = {
      {"empty", "", "", "is no network of ASTRA-sim"},
      {"truncated", "topology: [ Ri", "", "network.yml:"},
      {"the system in its place", good, "", "and the system as --system FILE"},
      {"bandwidth 0", astra_network("Ring", 8, "0"), "", "network.yml:3:14: key 'bandwidth.0': value '0'"},
      {"bandwidth below 0", astra_network("Ring", 8, "-5"), "", "is no number that is a quantity in GiB/s"},
      {"bandwidth not a number", astra_network("Ring", 8, ".nan"), "",
       "is no number that is a quantity in GiB/s"},
      {"bandwidth without end", astra_network("Ring", 8, ".inf"), "",
       "is no number that is a quantity in GiB/s"},
      {"latency in words", astra_network("Ring", 8, "50", "soon"), "",
       "is no number that is a quantity in ns"},
      {"one NPU", astra_network("Ring", 1), "", "2 or more"},
      {"huge NPUs", with(ring, "8", "99999999999"), "", "at most 2^24 NPUs"},
      {"NPUs in words", with(ring, "8", "eight"), "", "key 'npus_count.0': value 'eight'"},
      {"an unknown topology", astra_network("Rings", 8), "", "did you mean 'Ring'?"},
      {"a mistyped key", with(ring, "bandwidth", "bandwith"), "", "did you mean 'bandwidth'?"},
      {"lists of unlike lengths", with(ring, "[ 8 ]", "[ 8, 2 ]"), "",
       "has another length than topology: 2 and 1"},
      {"a list in a list", with(ring, "[ 8 ]", "[ [8] ]"), "", "is no single value"},
      {"four dimensions",
       "topology: [Ring, Ring, Ring, Ring]\nnpus_count: [2, 2, 2, 2]\nbandwidth: [1, 1, 1, 1]\nlatency: "
       "[1, 1, 1, 1]\n",
       "", "has 4 dimensions"},
      {"a system cut off", ring, good.substr(0, 30), "system.json:1:"},
      {"a system of nothing", ring, "[]", "/ is no system of ASTRA-sim"},
      {"no pieces", ring, astra_system("all-reduce", "ring", 0, 10, "50"), "is no whole number from 1"},
      {"a delay below 0", ring, astra_system("all-reduce", "ring", 4, -1, "50"), "is no whole number from 0"},
      {"memory of no bandwidth", ring, astra_system("all-reduce", "ring", 4, 10, "0"),
       "/local-mem-bw is no bandwidth"},
      {"an unknown algorithm", ring, astra_system("all-reduce", "rings", 4, 10, "50"),
       "did you mean 'ring'?"},
      {"a mistyped key of the system", ring,
       with(good, "preferred-dataset-splits", "prefered-dataset-splits"),
       "did you mean 'preferred-dataset-splits'?"},
      {"algorithms for other dimensions", ring, with(good, "[\"ring\"]", "[\"ring\", \"ring\"]"),
       "names 2 algorithms for 1 dimensions"},
      {"another collective alone", ring, astra_system("all-gather", "ring", 4, 10, "50"),
       "says nothing of all_reduce"},
  };
  for (const Hostile& hostile : table) {
    INFO(hostile.what);
    CHECK_THAT(astra_refusal(hostile.network, hostile.system), Contains(hostile.told));
  }
}
