// A measured row as a scenario: by its columns, and nothing else.
#include "scenarios/validation/mapping.h"

#include <catch2/catch.hpp>

#include "scenarios/key_table.h"
#include "scenarios/run.h"
#include "scenarios/validation/families.h"
#include "tests/scenarios/reader_support.h"
#include "topology/presets.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

MeasuredRow row_on(const std::string& preset, std::uint32_t count, std::uint32_t ranks) {
  MeasuredRow row;
  row.id = "R1";
  row.source = "S1";
  row.trust = "A";
  row.basis = "time";
  row.collective = "all_reduce";
  row.dtype = "fp32";
  row.bytes = 1 << 20;
  row.time = Duration{1'000'000};
  row.preset = preset;
  row.count = count;
  row.ranks = ranks;
  return row;
}

std::string why_unmapped(const MeasuredRow& row) {
  try {
    scenario_text(row);
    return "";
  } catch (const Unmapped& unmapped) {
    return unmapped.because;
  }
}

CollectiveRow answer_to(const MeasuredRow& row) {
  RunOptions options;
  options.advise = false;
  return run(load(text_request(scenario_text(row))), options).collectives.at(0);
}

}  // namespace

TEST_CASE("a row is the same scenario whoever measured it") {
  MeasuredRow row = row_on("p5", 2, 16);
  row.nic = "32x100Gbps";
  row.transport = "efa";
  const std::string text = scenario_text(row);
  row.source = "S2";
  row.trust = "B";
  row.basis = "bw";
  row.time = Duration{5};
  row.place.line = 7;
  CHECK(scenario_text(row) == text);
}

TEST_CASE("a whole cluster takes part without a list of ranks and the preset's own NICs are not repeated") {
  MeasuredRow row = row_on("p5", 2, 16);
  row.nic = "32x100Gbps";  // 4 of 100 Gbps for each of 8 chips: what the preset says
  row.transport = "efa";
  const std::string text = scenario_text(row);
  CHECK_THAT(text, Contains("cluster: {preset: p5, count: 2}\n"));
  CHECK_THAT(text, !Contains("ranks:"));
  CHECK_THAT(text, Contains("sizes: [1048576B]") && Contains("dtype: fp32") && Contains("algorithm: auto"));
  const CollectiveRow answer = answer_to(row);
  CHECK(answer.ranks == 16);
  CHECK(answer.bytes == 1 << 20);
}

TEST_CASE("other NICs than the preset's and another transport are written down where a byte meets them") {
  MeasuredRow row = row_on("hgx-a100", 3, 24);
  row.nic = "4x200Gbps";
  row.transport = "roce";
  CHECK_THAT(scenario_text(row), Contains("nic: {count: 4, bandwidth: 200Gbps}, transport: roce}"));
  row.count = 1;
  row.ranks = 8;
  CHECK_THAT(scenario_text(row), Contains("cluster: {preset: hgx-a100, count: 1}\n"));
}

TEST_CASE("NICs per tray of four chips are counted for the whole rack") {
  MeasuredRow row = row_on("gb200-nvl72", 2, 144);
  row.nic = "4x400Gbps per 4 GPUs";  // one per chip, as the preset
  row.transport = "roce";
  CHECK_THAT(scenario_text(row), Contains("cluster: {preset: gb200-nvl72, count: 2, transport: roce}\n"));
  row.nic = "8x400Gbps per 4 GPUs";  // 8 x 72 / 4 = 144
  CHECK_THAT(scenario_text(row), Contains("nic: {count: 144, bandwidth: 400Gbps}"));
  row.nic = "1x400Gbps per 5 GPUs";
  CHECK_THAT(why_unmapped(row), Contains("does not divide evenly"));
}

TEST_CASE("fewer ranks than chips are the first ones of each server") {
  MeasuredRow row = row_on("hgx-h100", 1, 4);
  CHECK_THAT(scenario_text(row), Contains("  ranks: 4\n"));
  row = row_on("gb300-nvl72", 4, 256);  // 64 of 72 in each
  CHECK_THAT(scenario_text(row), Contains("count: 4, shape: [64]") && !Contains("ranks:"));
  CHECK(load(text_request(scenario_text(row))).jobs.size() == 1);
  row.ranks = 255;
  CHECK_THAT(why_unmapped(row), Contains("255 ranks cannot be spread evenly over 4"));
  row.ranks = 289;  // of 288
  CHECK_THAT(why_unmapped(row), Contains("289 ranks do not fit 288 chips"));
}

TEST_CASE("ranks along one axis of a slice are every line of it at once") {
  MeasuredRow row = row_on("tpu-v5e", 1, 16);
  row.shape = "8x16";
  row.collective = "all_gather";
  row.algo = "bidirectional_ring";
  const std::string text = scenario_text(row);
  CHECK_THAT(text, Contains("shape: [8, 16]") && Contains("ranks: {stride: 8}"));
  CHECK(answer_to(row).groups == 8);
  row.shape = "8by16";
  CHECK_THAT(why_unmapped(row), Contains("shape '8by16' is not understood"));
}

TEST_CASE("a permute in a slice goes one link along the first axis and elsewhere to the next rank") {
  MeasuredRow row = row_on("tpu-v6e", 1, 8);
  row.collective = "permute";
  row.shape = "2x4";
  CHECK_THAT(scenario_text(row), Contains("pattern: [1, 0, 3, 2, 5, 4, 7, 6]"));
  row = row_on("hgx-a100", 1, 8);
  row.collective = "sendrecv";
  CHECK_THAT(scenario_text(row), Contains("collective: permute") && Contains("pattern: shift(1)"));
}

TEST_CASE("an algorithm by another name is ours and one that nobody knows is told") {
  MeasuredRow row = row_on("trn2-server", 1, 16);
  row.algo = "mesh";
  CHECK_THAT(scenario_text(row), Contains("algorithm: direct"));
  row.algo = "kangaring";
  CHECK_THAT(scenario_text(row), Contains("algorithm: kangaring"));
  row.algo = "own:msccl++ kernel 3";
  CHECK_THAT(scenario_text(row), Contains("algorithm: auto"));
  row.algo = "magic";
  CHECK_THAT(why_unmapped(row), Contains("algo 'magic' is not known"));
}

TEST_CASE("a schedule that comes with the program is the text of the row's scenario") {
  MeasuredRow row = row_on("mi250x-server", 2, 32);
  row.collective = "all_gather";
  row.algo = "imported:amd_32.xml";
  const std::string text = scenario_text(row);
  CHECK_THAT(text, Contains("  program: |\n    <algo name=\"teccl\"") && !Contains("algorithm:") &&
                       !Contains("collective:") && Contains("ranks: [[s0.g0, s0.g1, s0.g2") &&
                       Contains("stack: {name: rccl}"));
  CHECK(answer_to(row).collective == "all_gather");
  row.algo = "imported:other.xml";
  CHECK_THAT(why_unmapped(row), Contains("no such schedule comes with the program; accepted: amd_32.xml"));
}

TEST_CASE("several ranks a chip and unsigned bytes are written as the scenario knows them") {
  MeasuredRow row = row_on("trn1-server", 1, 32);
  row.ranks_per_chip = 2;
  row.dtype = "uint8";
  CHECK_THAT(scenario_text(row),
             Contains("ranks_per_chip: 2") && !Contains("ranks:") && Contains("dtype: int8"));
  row.dtype = "complex";
  CHECK_THAT(why_unmapped(row), Contains("dtype 'complex' is not known"));
}

TEST_CASE("NICs and transports that cannot be understood are told with what is accepted") {
  MeasuredRow row = row_on("p5", 2, 16);
  for (const char* nic : {"8", "8x", "x100Gbps", "8x100", "8x100Gbps per tray"}) {
    INFO(nic);
    row.nic = nic;
    CHECK_THAT(why_unmapped(row), Contains("accepted: such as 8x100Gbps"));
  }
  row.nic.clear();
  row.transport = "carrier pigeon";
  CHECK_THAT(why_unmapped(row), Contains("accepted: efa, ib or roce"));
}

TEST_CASE("every preset of the catalogue that is hardware has a family") {
  for (const std::string& name : preset_names()) {
    INFO(name);
    const bool is_fabric = name == "generic" || name.find("-fabric") != std::string::npos;
    CHECK((family_of(name) == nullptr) == is_fabric);
  }
  for (const PresetFamily& family : preset_families()) {
    INFO(family.preset);
    CHECK_FALSE(rows_of_preset(family.preset).empty());
  }
}

TEST_CASE("the software of a preset is asked for as soon as there is a key for it") {
  bool known = false;
  for (const Key& key : key_table()) known = known || key.path == "workload.stack";
  const std::string text = scenario_text(row_on("p5", 2, 16));
  CHECK((text.find("  stack: ") != std::string::npos && text.find("nccl") != std::string::npos) == known);
}
