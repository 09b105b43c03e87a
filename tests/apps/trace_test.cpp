// `tahoma run --trace`, from outside.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;

namespace {

const std::string ring_of_eight =
    "apiVersion: tahoma/v1\n"
    "name: rings\n"
    "cluster: {chip: generic, count: 1}\n"
    "fabric: {scale_up: [{kind: ring, size: 8, bandwidth: 100GB/s, latency: 1us}]}\n"
    "workload: {collective: all_reduce, sizes: 8MB, algorithm: ring}\n";

}  // namespace

TEST_CASE("a trace holds every message with its times, its cause and how busy the links are") {
  const Folder folder;
  // A late rank breaks the symmetry, so that all 8 ranks are drawn: 8 x 14 messages of 10 us and 1 us.
  const std::string file =
      folder.file("ring.yaml", ring_of_eight + "faults: {stragglers: [{chips: us0.s0.c3, delay: 5us}]}\n");
  const std::string traced = folder.path("trace.json");
  CHECK(run({"run", file, "--trace", traced}).code == 0);
  const auto trace = nlohmann::json::parse(content(traced));
  std::map<std::string, int> kinds;
  double last = 0;
  std::map<std::pair<int, int>, double> busy_until;
  for (const auto& event : trace["traceEvents"]) {
    ++kinds[event["ph"]];
    if (event["ph"] != "X") continue;
    CHECK(event["name"] == "all_reduce, ring");
    CHECK(event["args"]["bytes"] == 1'000'000);
    CHECK(event["dur"] == 10.0);
    last = std::max(last, event["args"]["arrives_us"].get<double>());
    double& until = busy_until[{event["pid"], event["tid"]}];
    CHECK(event["ts"].get<double>() >= until);  // messages of a channel do not overlap
    until = event["ts"].get<double>() + event["dur"].get<double>();
  }
  CHECK(kinds["X"] == 8 * 14);
  CHECK(kinds["s"] == 8 * 13);  // all but each rank's first have a cause
  CHECK(kinds["f"] == 8 * 13);
  CHECK(kinds["C"] >= 200);
  CHECK(busy_until.size() == 8);
  CHECK(last == 5 + 14 * 11.0);
}

TEST_CASE(
    "of ranks that are alike one is drawn, and what is too large to draw is refused before a minute is "
    "lost") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_eight);
  const std::string traced = folder.path("trace.json");
  CHECK(run({"run", file, "--trace", traced}).code == 0);
  const auto trace = nlohmann::json::parse(content(traced));
  CHECK(trace["otherData"]["ranks_alike"] == 8);
  const std::string large = folder.file("large.yaml",
                                        "apiVersion: tahoma/v1\nextends: [trn2-ultraserver]\n"
                                        "cluster: {count: 16384}\n"
                                        "workload: {collective: all_reduce, sizes: 1GiB, algorithm: "
                                        "{intra: torus_sequential, inter: ring}}\n"
                                        "faults: {stragglers: [{chips: us0.s0.c3, delay: 5us}]}\n");
  const Outcome refused = run({"run", large, "--trace", traced});
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("too large to draw"));
  CHECK(run({"run", file, "--trace", folder.path("no/such/folder.json")}).code == 5);
}
