#include "collectives/algorithms/lane_plan.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace tahoma {
namespace {

struct Ready {
  std::int64_t behind_ps;  // this step and all after it in its chain
  std::uint32_t chain, step;
};
/// Largest first out of a heap: the longest chain behind, then the lowest chain and step.
struct LessUrgent {
  bool operator()(const Ready& a, const Ready& b) const {
    return std::tie(a.behind_ps, b.chain, b.step) < std::tie(b.behind_ps, a.chain, a.step);
  }
};

struct Arrival {
  std::int64_t at_ps;
  std::uint32_t chain, step;  // which becomes ready
};
struct Later {
  bool operator()(const Arrival& a, const Arrival& b) const {
    return std::tie(a.at_ps, a.chain, a.step) > std::tie(b.at_ps, b.chain, b.step);
  }
};

template <class T, class Order>
using Heap = std::priority_queue<T, std::vector<T>, Order>;

class Planner {
 public:
  Planner(std::span<const Chain> kinds, std::uint32_t copies, std::uint32_t lanes)
      : kinds_(kinds), copies_(copies), ready_(lanes), free_ps_(lanes, 0) {
    plan_.lanes.resize(lanes);
    for (const Chain& kind : kinds) {
      std::vector<std::int64_t> behind(kind.size() + 1, 0);
      for (std::size_t s = kind.size(); s-- > 0;)
        behind[s] = behind[s + 1] + kind[s].occupies.ps + kind[s].latency.ps;
      behind_ps_.push_back(std::move(behind));
    }
  }

  LanePlan plan() {
    for (std::uint32_t chain = 0; chain < kinds_.size() * copies_; ++chain) make_ready({0, chain, 0});
    std::int64_t now = 0;
    for (;;) {
      for (; !arrivals_.empty() && arrivals_.top().at_ps <= now; arrivals_.pop()) make_ready(arrivals_.top());
      std::int64_t next = arrivals_.empty() ? Time::never().ps : arrivals_.top().at_ps;
      for (std::uint32_t lane = 0; lane < ready_.size(); ++lane) {
        if (ready_[lane].empty()) continue;
        if (free_ps_[lane] <= now) start(lane, now, next);
        if (!ready_[lane].empty()) next = std::min(next, free_ps_[lane]);
      }
      if (next == Time::never().ps) return std::move(plan_);
      now = next;
    }
  }

 private:
  const Chain& kind_of(std::uint32_t chain) const { return kinds_[chain / copies_]; }

  void make_ready(const Arrival& arrival) {
    const Chain& kind = kind_of(arrival.chain);
    if (arrival.step == kind.size()) return;
    ready_[kind[arrival.step].lane].push(
        {behind_ps_[arrival.chain / copies_][arrival.step], arrival.chain, arrival.step});
  }

  void start(std::uint32_t lane, std::int64_t now, std::int64_t& next) {
    const Ready taken = ready_[lane].top();
    ready_[lane].pop();
    const ChainStep& step = kind_of(taken.chain)[taken.step];
    plan_.lanes[lane].push_back({taken.chain, taken.step});
    free_ps_[lane] = now + step.occupies.ps;
    const std::int64_t arrives = free_ps_[lane] + step.latency.ps;
    arrivals_.push({arrives, taken.chain, taken.step + 1});
    next = std::min(next, arrives);
    plan_.makespan.ps = std::max(plan_.makespan.ps, arrives);
  }

  std::span<const Chain> kinds_;
  std::uint32_t copies_;
  std::vector<std::vector<std::int64_t>> behind_ps_;  // by kind and step
  std::vector<Heap<Ready, LessUrgent>> ready_;        // by lane
  std::vector<std::int64_t> free_ps_;                 // by lane
  Heap<Arrival, Later> arrivals_;
  LanePlan plan_;
};

}  // namespace

LanePlan plan_lanes(std::span<const Chain> kinds, std::uint32_t copies, std::uint32_t lanes) {
  return Planner(kinds, copies, lanes).plan();
}

}  // namespace tahoma
