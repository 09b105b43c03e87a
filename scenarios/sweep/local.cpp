#include "scenarios/sweep/local.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

namespace tahoma {

namespace {

constexpr double least_free_share = 0.1;  // of the machine's memory
constexpr std::chrono::milliseconds memory_pause{200};

/// Share of the memory that is free; 1 where the system does not say.
double free_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  double total = 0, available = 0;
  while (file >> word) {
    if (word == "MemTotal:") file >> total;
    if (word == "MemAvailable:") file >> available;
    if (total > 0 && available > 0) return available / total;
  }
  return 1;
}

/// A number that grows with the work of a point, as far as its coordinates tell: how many chips there are.
double looks_long(const SweepPlan& plan, std::uint64_t point) {
  double size = 1;
  for (std::size_t a = 0; a < plan.spec.axes.size(); ++a) {
    const std::string& path = plan.spec.axes[a].path;
    const bool counts = path == "cluster.count" || path.ends_with(".chips") ||
                        path.ends_with(".ultraservers") || path.ends_with(".servers");
    const std::string& number = coordinate(plan, point, a).number;
    if (counts && !number.empty()) size *= std::strtod(number.c_str(), nullptr);
  }
  return size;
}

}  // namespace

std::vector<std::uint64_t> longest_first(const SweepPlan& plan, std::vector<std::uint64_t> points) {
  std::vector<std::pair<double, std::uint64_t>> sized;
  for (const std::uint64_t point : points) sized.emplace_back(looks_long(plan, point), point);
  std::stable_sort(sized.begin(), sized.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < sized.size(); ++i) points[i] = sized[i].second;
  return points;
}

void run_points(const SweepPlan& plan, const std::vector<std::uint64_t>& points, const LocalRun& how) {
  const ScenarioFiles files = files_of(plan);
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint32_t> running{0};
  std::mutex one_at_a_time;
  std::exception_ptr trouble;
  std::atomic<bool> stopped{false};
  const auto worker = [&] {
    for (;;) {
      if (stopped || (how.interrupted != nullptr && *how.interrupted)) return;
      while (running > 0 && free_memory() < least_free_share) std::this_thread::sleep_for(memory_pause);
      const std::size_t at = next++;
      if (at >= points.size()) return;
      ++running;
      PointRecord record = run_point(plan, files, points[at]);
      std::string line = line_of(plan, record);
      --running;
      const std::lock_guard lock(one_at_a_time);
      try {
        if (!trouble) how.done(std::move(record), std::move(line));
      } catch (...) {
        trouble = std::current_exception();
        stopped = true;
      }
    }
  };
  boost::asio::thread_pool pool(how.threads);
  for (std::uint32_t i = 0; i < how.threads; ++i) boost::asio::post(pool, worker);
  pool.join();
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace tahoma
