// Judge and engine against SimGrid: ../shared/data/flow_cases holds finish times of pure max-min fluid flows,
// made with SimGrid 3.32 (CM02, its latencies 0). A flow enters the network at start + the sum of its links'
// latencies.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "collectives/solve/solve.h"
#include "tests/support/hand_network.h"
#include "tests/support/judge.h"

using namespace tahoma;
using namespace tahoma::judge;

namespace {

const std::filesystem::path folder = TAHOMA_SOURCE_DIR "/../shared/data/flow_cases";

std::vector<std::filesystem::path> case_files() {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A double is a fraction: nothing is lost before the one rounding.
Integer nearest(const Number& value) {
  return floor_of(value + Number(1, 2));
}

std::int64_t ps_of(double seconds) {
  return static_cast<std::int64_t>(nearest(Number{seconds} * 1'000'000'000'000ULL));
}

std::uint64_t q20_of(double bytes_per_second) {
  return static_cast<std::uint64_t>(nearest(Number{bytes_per_second} * 1'048'576));
}

struct FlowCase {
  Question question;
  std::vector<double> expected;  // seconds
};

FlowCase read_case(const std::filesystem::path& file) {
  FlowCase result;
  std::ifstream text(file);
  const nlohmann::json json = nlohmann::json::parse(text);
  const auto& links = json.at("links");
  for (std::size_t i = 0; i < links.size(); ++i) {
    result.question.capacities[{i}] = {q20_of(links[i].at("bw").get<double>())};
  }
  for (const auto& flow : json.at("flows")) {
    judge::PlainFlow plain;
    double start = flow.at("start").get<double>();
    for (const std::size_t link : flow.at("route").get<std::vector<std::size_t>>()) {
      plain.path.links.push_back({link});
      start += links[link].at("lat").get<double>();
    }
    const double cap = flow.at("rate_cap").get<double>();
    if (cap >= 0) plain.path.cap = {q20_of(cap)};
    plain.bytes = {flow.at("bytes").get<std::uint64_t>()};
    plain.start = {ps_of(start)};
    result.question.flows.push_back(plain);
    result.expected.push_back(flow.at("finish").get<double>());
  }
  return result;
}

// The same flows for the engine, on links drawn by hand.
std::vector<std::int64_t> deliveries_by_engine(const Question& question) {
  HandNetwork network(1);
  for (const auto& [link, capacity] : question.capacities) network.add_link(capacity);
  Problem problem;
  problem.topology = &network;
  for (const judge::PlainFlow& flow : question.flows) {
    problem.flows.push_back({flow.path.links, flow.path.latency, flow.path.cap, flow.bytes, flow.start});
  }
  std::vector<std::int64_t> result;
  for (const Time finish : solve(problem).flow_finish) result.push_back(finish.ps);
  return result;
}

}  // namespace

TEST_CASE(
    "judge: every flow case ends when SimGrid says, to 1e-9 relative + 16 ps, and unrounded within 1 ns") {
  const std::vector<std::filesystem::path> files = case_files();
  if (files.empty()) {
    WARN("skipped: no flow cases in " << folder);
    return;
  }
  for (const auto& file : files) {
    INFO(file.filename());
    const FlowCase flow_case = read_case(file);
    const Answer rounded = judge::judge(flow_case.question, Arithmetic::rounded);
    REQUIRE(rounded.delivered.size() == flow_case.expected.size());
    const std::vector<std::int64_t> by_engine = deliveries_by_engine(flow_case.question);
    const Answer exact = judge::judge(flow_case.question, Arithmetic::exact);
    double worst = 0;           // in units of what is allowed
    int apart = 0;              // flows on which engine and judge differ
    Number worst_rounding = 0;  // ps between the two arithmetics
    for (std::size_t i = 0; i < flow_case.expected.size(); ++i) {
      const double expected_ps = flow_case.expected[i] * 1e12;
      const double off = static_cast<double>(picoseconds(rounded.delivered[i])) - expected_ps;
      worst = std::max(worst, std::abs(off) / (1e-9 * expected_ps + 16));
      const Number rounding = abs(exact.delivered[i] - rounded.delivered[i]);
      worst_rounding = std::max(worst_rounding, rounding);
      if (by_engine[i] != picoseconds(rounded.delivered[i])) ++apart;
    }
    CHECK(worst <= 1);
    CHECK(apart == 0);
    CHECK(worst_rounding < 1000);
  }
}
