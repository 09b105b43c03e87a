// A million chips: what is answered exactly, and what is refused before it starts, with a question that can
// be answered instead.
#include <catch2/catch.hpp>
#include <fstream>

#include "core/errors.h"
#include "scenarios/run.h"
#include "tests/scenarios/reader_support.h"

using namespace tahoma;

namespace {

const std::string million =
    "apiVersion: tahoma/v1\nname: million\nextends: [trn2-ultraserver]\ncluster: {count: 16384}\n";

Result ask(const std::string& text) {
  RunOptions options;
  options.advise = false;
  return run(load(text_request(million + text)), options);
}

std::string refusal(const std::string& text) {
  try {
    ask(text);
  } catch (const InfeasibleError& error) {
    return error.what();
  }
  return "answered";
}

// A field of /proc/self/status, in KiB.
std::uint64_t status_of(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == field + ":" && file >> kibibytes) return kibibytes;
  }
  return 0;
}

// What the process holds at most while it answers, beyond what it held before.
std::uint64_t peak_of_refusal(const std::string& text, std::string& said) {
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
  const std::uint64_t before = status_of("VmRSS");
  said = refusal(text);
  const std::uint64_t peak = status_of("VmHWM");
  return peak > before ? peak - before : 0;
}

}  // namespace

TEST_CASE("what is refused for its number of messages is refused before they are made") {
  // The sends of one rank are a million rows of 128 B, 128 MiB, and every copy of them as much again.
  const std::string broken = "faults: {events: [{at: 0s, fail: \"us0.s1.c5<->us0.s1.c6\"}]}\n";
  for (const std::string collective : {"all_to_all", "all_reduce", "all_gather", "reduce_scatter"}) {
    for (const std::string& faults : {std::string(), broken}) {
      INFO(collective << " " << faults);
      std::string said;
      const std::uint64_t kibibytes = peak_of_refusal(
          "workload: {collective: " + collective + ", sizes: 1GiB, algorithm: pairwise}\n" + faults, said);
      CHECK(said.find("no exact solver can finish this") != std::string::npos);
      CHECK(said.find("what can be answered") != std::string::npos);
      CHECK(kibibytes < 64 * 1024);
    }
  }
}

TEST_CASE("a direct all-to-all of a million chips is bound by the NICs, and told by pairs") {
  const Result result = ask("workload: {collective: all_to_all, sizes: 1GiB, algorithm: direct}\n");
  const CollectiveRow& row = result.collectives.at(0);
  CHECK(row.solver == "pairs");
  CHECK(row.flows == std::uint64_t{1'048'576} * 1'048'575);
  // 1 GiB / 2^20 = 1 KiB to each; (2^20 - 64) of them leave over the NIC of 25 GB/s x 0.95. The last byte's
  // way is NIC, leaf, spine, core and back: some 15 us.
  const double nic = 1024.0 * (1'048'576 - 64) / (0.95 * 25e9) * 1e12;
  CHECK(static_cast<double>(row.time.ps) > nic);
  CHECK(static_cast<double>(row.time.ps) < nic + 20e6);
}

TEST_CASE("exchanges of a million chips without symmetry or classes are refused with what can be answered") {
  const std::string broken = "faults: {events: [{at: 0s, fail: \"us0.s0.c0<->us0.s0.c1\"}]}\n";
  const std::string direct = "workload: {collective: all_to_all, sizes: 1GiB, algorithm: direct}\n";
  const std::string pairwise = "workload: {collective: all_to_all, sizes: 1GiB, algorithm: pairwise}\n";
  for (const std::string& question : {direct + broken, pairwise, pairwise + broken}) {
    INFO(question);
    const std::string said = refusal(question);
    CHECK(said.find("no exact solver can finish this") != std::string::npos);
    CHECK(said.find("what can be answered") != std::string::npos);
  }
}

TEST_CASE(
    "flat algorithms of a million chips that nothing folds are refused before their messages are made") {
  // Bruck's shifts carry from chip to UltraServer to leaf, and 40 steps of 2^20 ranks are 42 million
  // messages; a dead link leaves halving_doubling as many.
  const std::string broken = "faults: {events: [{at: 0s, fail: \"us0.s1.c5<->us0.s1.c6\"}]}\n";
  for (const std::string& question :
       {"workload: {collective: all_reduce, sizes: 1GiB, algorithm: bruck}\n" + std::string(),
        "workload: {collective: all_reduce, sizes: 1GiB, algorithm: halving_doubling}\n" + broken}) {
    INFO(question);
    std::string said;
    const std::uint64_t kibibytes = peak_of_refusal(question, said);
    CHECK(said.find("no exact solver can finish this soon") != std::string::npos);
    CHECK(said.find("41943040 messages") != std::string::npos);
    CHECK(said.find("what can be answered is an algorithm for each level") != std::string::npos);
    // 42 million rows would be 8 GiB. Whom each rank meets in 40 steps, which is looked at, is 320 MiB.
    CHECK(kibibytes < 1024 * 1024);
  }
}
