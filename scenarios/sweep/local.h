// Computes points on this machine, several at a time.
//
// Idea: points share nothing but the scenario read once, so a pool of threads takes them one by one, those
// that look longest first, so that no long one is begun last. Each line is handed on as soon as it is there.
// Limit: a point that ends the process itself (the kernel's memory killer) takes the sweep with it; --resume
// goes on. To make that unlikely, no further point is begun while the machine is short of memory and another
// one is still running.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "scenarios/sweep/record.h"

namespace tahoma {

struct LocalRun {
  std::uint32_t threads = 1;
  const std::atomic<bool>* interrupted = nullptr;               // begin no further point
  std::function<void(PointRecord&&, std::string&& line)> done;  // never called by two threads at once
};

/// Those of `points` in the order they should be begun.
std::vector<std::uint64_t> longest_first(const SweepPlan& plan, std::vector<std::uint64_t> points);

/// Throws what `done` throws, after the points in flight have ended.
void run_points(const SweepPlan& plan, const std::vector<std::uint64_t>& points, const LocalRun& how);

}  // namespace tahoma
