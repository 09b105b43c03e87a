// Which groups close on the torus: Trn1 and Trn2 servers of 16 chips, 4 x 4.
//
//   Trn2, 4 logical cores a chip: rank = core + 4 x (x + 4 y)    Trn1, 2 cores a chip: rank = core + 2 x (x +
//   4 y)
#include <catch2/catch.hpp>

#include "scenarios/training/placement_fit.h"

using namespace tahoma;
using namespace tahoma::literals;

namespace {

std::unique_ptr<Topology> torus_of_cores(std::uint32_t ranks_per_chip) {
  ClusterShape shape;
  for (int i = 0; i < 2; ++i) {
    Dimension ring;
    ring.size = 4;
    ring.bandwidth = {128, 9};
    ring.latency = 1_us;
    shape.scale_up.push_back(ring);
  }
  shape.sites = {{"", 1}};
  shape.ranks_per_chip = ranks_per_chip;
  shape.inner = {8, {100, 9}, {1, 0}, 250_ns};
  return make_topology(shape);
}

GroupFit fit_on(const Topology& topology, std::uint32_t tp, std::string_view chip, std::uint32_t before = 1) {
  Parallel parallel;
  parallel.tp = tp;
  parallel.dp = topology.chips() / tp / before;
  parallel.cp = before;
  if (before > 1) parallel.order = {ParallelAxis::cp, ParallelAxis::tp, ParallelAxis::dp, ParallelAxis::pp};
  for (const GroupFit& fit : fits_of(topology, parallel, chip)) {
    if (fit.group == StepGroup::tp) return fit;
  }
  return {};
}

}  // namespace

TEST_CASE("tensor parallel groups of whole chips and whole rings close on the torus") {
  const auto server = torus_of_cores(4);
  const GroupFit chip = fit_on(*server, 4, "trainium2");
  CHECK(chip.closes);
  CHECK(chip.example == "0-3");
  CHECK(chip.hops == 0);  // within the chip
  const GroupFit row = fit_on(*server, 16, "trainium2");
  CHECK(row.closes);
  CHECK(row.hops == 1);
  CHECK(row.shared == 1);
  CHECK(row.vendor == "offered on ranks that follow one another");
  const GroupFit whole = fit_on(*server, 64, "trainium2");
  CHECK(whole.closes);
  CHECK(whole.why.find("the whole y ring") != std::string::npos);
}

TEST_CASE("what the vendor does not support is said beside what the torus allows") {
  const auto server = torus_of_cores(4);
  const GroupFit two_chips = fit_on(*server, 8, "trainium2");
  CHECK(two_chips.example == "0-7");
  CHECK(two_chips.closes);  // two neighbours: their link has two directions
  CHECK(two_chips.vendor == "not supported; nearest: 4 or 16");
  const GroupFit two_rows = fit_on(*server, 32, "trainium2");
  CHECK(two_rows.example == "0-31");
  CHECK(two_rows.vendor.find("{0-15, 48-63} and {16-47}") != std::string::npos);
  CHECK(fit_on(*server, 8, "h100").vendor.empty());
}

TEST_CASE("a group that cuts a ring does not close and a whole ring of as many ranks is named") {
  const auto server = torus_of_cores(1);
  // Every second chip along x, and two rows of them: 0, 2, 4, 6.
  const GroupFit cut = fit_on(*server, 4, "trainium1", 2);
  CHECK(cut.example == "0, 2, 4, 6");
  CHECK_FALSE(cut.closes);
  CHECK(cut.why == "2 of 4 along x x 2 of 4 along y");
  CHECK(cut.hops == 2);
  CHECK(cut.alternative == "ranks {0-3} and their like: all of x");
  const auto cores = torus_of_cores(2);
  // Two cores of two chips follow one another; the vendor takes one core of each chip of a column.
  const GroupFit trn1 = fit_on(*cores, 4, "trainium1");
  CHECK(trn1.example == "0-3");
  CHECK(trn1.vendor == "offered on ranks {0, 8, 16, 24} and their like");
}

TEST_CASE("a ring of three of four chips goes back over two links and shares them") {
  const auto server = torus_of_cores(1);
  Parallel parallel;
  parallel.tp = 3;
  parallel.dp = 5;
  const GroupFit fit = fits_of(*server, parallel, "trainium2").front();
  CHECK_FALSE(fit.closes);
  CHECK(fit.hops >= 2);
  CHECK(fit.shared >= 2);
  CHECK(fit.alternative == "no whole rings have so many ranks; nearest degree: 4");
}
