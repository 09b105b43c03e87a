// A result made by hand: two jobs, two sizes, so that the writers are tested without running anything.
#pragma once

#include "scenarios/result.h"

namespace tahoma::sample {

inline CollectiveRow row(const std::string& job, std::uint64_t bytes, const std::string& algorithm,
                         Duration time) {
  CollectiveRow r;
  r.job = job;
  r.collective = "all_reduce";
  r.algorithm = algorithm;
  r.ranks = 64;
  r.bytes = bytes;
  r.count = bytes / 2;
  r.dtype = "bf16";
  r.redop = "sum";
  r.time = time;
  r.algbw_GBps = static_cast<double>(bytes) / (seconds(time) * 1e9);
  r.busbw_GBps = r.algbw_GBps * 126 / 64;
  r.lower_bound = {time.ps / 4 * 3};
  r.bound_by = "all links of one chip";
  r.efficiency = 0.75;
  r.solver = "quotient";
  r.solver_why = "all ranks are alike";
  r.flows = 8064;
  r.classes = 1;
  r.bottleneck = "z ring (97 % busy)";
  r.p0 = r.p50 = r.p99 = r.p100 = time;
  r.worst = {{"us0.s0.c1", time}};
  return r;
}

inline Result result() {
  Result result;
  result.name = "two sizes";
  result.description = "How long does an all-reduce take?";
  result.fingerprint = "0123456789abcdef";
  result.cluster = {64, 4, 1, 1, 384, "64 chips: 1 UltraServer x 4 servers x 16"};
  result.collectives = {row("", 1 << 20, "ring", {123'456'789'012}),
                        row("", 1 << 30, "torus", {20'000'000'000'001})};
  result.links = {{"z ring (128 links)", "z ring", 128, "all_reduce 1048576 ring", 4096, 0.97}};
  result.evidence = {"single-server figures only"};
  result.suggestions = {"twice the z bandwidth would save 11.2 %"};
  return result;
}

inline FlowRow flow(const std::string& id, std::int64_t finish_us) {
  return {"", id, {0}, {finish_us * 1'000'000}, 1000};
}

}  // namespace tahoma::sample
