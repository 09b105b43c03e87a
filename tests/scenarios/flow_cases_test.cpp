// SimGrid's finish times as judge of the engine: its cases as scenarios of explicit graphs, links named,
// latencies 0, each flow starting at start + the sum of its route's latencies. Tolerance 1e-9 relative + 16
// ps.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

std::string scenario_of(const nlohmann::json& one) {
  std::string text =
      "apiVersion: tahoma/v1\nname: case\nfabric:\n  graph:\n    vertices: [{name: a, kind: chip}, {name: b, "
      "kind: chip}]\n    links:\n";
  std::vector<double> latency;
  for (std::size_t l = 0; l < one["links"].size(); ++l) {
    text += fmt::format("      - {{name: l{}, a: a, b: b, bandwidth: {:.6f}B/s, latency: 0s}}\n", l,
                        one["links"][l]["bw"].get<double>());
    latency.push_back(one["links"][l]["lat"].get<double>());
  }
  text += "workload:\n  flows:\n";
  std::size_t id = 0;
  for (const auto& flow : one["flows"]) {
    double start = flow["start"].get<double>();
    std::string path;
    for (const auto& link : flow["route"]) {
      start += latency[link.get<std::size_t>()];
      path += fmt::format("{}l{}", path.empty() ? "" : ", ", link.get<std::size_t>());
    }
    text += fmt::format("    - {{id: f{}, path: [{}], bytes: {}B, start: {:.0f}ps", id++, path,
                        flow["bytes"].get<std::uint64_t>(), std::round(start * 1e12));
    if (flow["rate_cap"].get<double>() > 0)
      text += fmt::format(", rate_cap: {:.6f}B/s", flow["rate_cap"].get<double>());
    text += "}\n";
  }
  return text;
}

}  // namespace

TEST_CASE("every flow of SimGrid's cases finishes when SimGrid says") {
  const std::filesystem::path folder = TAHOMA_SOURCE_DIR "/../shared/data/flow_cases";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: the flow cases are not beside the project");
    return;
  }
  std::size_t cases = 0, flows = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path());
    const auto one = nlohmann::json::parse(in);
    INFO(entry.path().filename().string());
    const Result result = run(load(text_request(scenario_of(one))));
    REQUIRE(result.flows.size() == one["flows"].size());
    for (std::size_t f = 0; f < result.flows.size(); ++f) {
      const double expected = one["flows"][f]["finish"].get<double>();
      const double found = seconds(result.flows[f].finish - Time{});
      CHECK(std::abs(found - expected) <= 1e-9 * expected + 16e-12);
      ++flows;
    }
    ++cases;
  }
  CHECK(cases >= 16);
  CHECK(flows > 4000);
}
