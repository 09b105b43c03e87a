// What the benchmark programs share: the clock they go by, medians, and the figure of memory.
//
// The clock is the CPU time of the process: other work on the machine stretches the wall's clock, this one
// only through shared caches. A timing is a report, never a verdict, so it may be a double.
#pragma once

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <vector>

namespace tahoma::bench {

inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

inline double peak_mebibytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

}  // namespace tahoma::bench
