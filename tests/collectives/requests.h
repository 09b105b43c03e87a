// Short ways to ask for a schedule in tests.
#pragma once

#include <string>
#include <vector>

#include "collectives/algorithms.h"

namespace tahoma {

/// A ring (or another kind) of `size` at whole GB/s and nanoseconds.
inline Axis axis_of(std::uint32_t size, Axis::Kind kind = Axis::Kind::ring, unsigned long long gigabytes = 50,
                    std::int64_t nanoseconds = 500) {
  Axis axis;
  axis.size = size;
  axis.kind = kind;
  axis.rate = Capacity{u128{gigabytes} * 1'000'000'000ULL * rate_unit_per_byte_per_second};
  axis.latency = Duration{nanoseconds * 1000};
  return axis;
}

/// One level over all axes.
inline ScheduleRequest request_of(Collective collective, std::vector<Axis> axes, const std::string& algorithm,
                                  Bytes size = {1 << 20}) {
  ScheduleRequest request;
  request.collective = collective;
  request.size = size;
  request.axes = std::move(axes);
  LevelPlan all{{}, "all", algorithm};
  for (std::size_t a = 0; a < request.axes.size(); ++a) all.axes.push_back(static_cast<std::uint8_t>(a));
  request.levels = {all};
  return request;
}

/// One level per axis, inner first.
inline ScheduleRequest request_by_level(Collective collective, std::vector<Axis> axes,
                                        const std::vector<std::string>& algorithms, Bytes size = {1 << 20}) {
  ScheduleRequest request = request_of(collective, std::move(axes), "", size);
  request.levels.clear();
  for (std::size_t a = 0; a < algorithms.size(); ++a)
    request.levels.push_back({{static_cast<std::uint8_t>(a)}, "level" + std::to_string(a), algorithms[a]});
  return request;
}

inline PhaseGoal goal_of(Collective collective) {
  switch (collective) {
    case Collective::all_reduce:
      return PhaseGoal::all_reduce;
    case Collective::all_gather:
      return PhaseGoal::all_gather;
    case Collective::reduce_scatter:
      return PhaseGoal::reduce_scatter;
    case Collective::all_to_all:
      return PhaseGoal::all_to_all;
    case Collective::broadcast:
      return PhaseGoal::broadcast;
    case Collective::permute:
      return PhaseGoal::permute;
    case Collective::gather:
      return PhaseGoal::gather;
    case Collective::scatter:
      return PhaseGoal::scatter;
    case Collective::reduce:
      return PhaseGoal::reduce;
    case Collective::barrier:
      return PhaseGoal::barrier;
    case Collective::custom:
      break;  // of no schedule
  }
  return PhaseGoal::all_reduce;
}

constexpr Collective all_collectives[] = {
    Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all,
    Collective::broadcast,  Collective::permute,    Collective::gather,         Collective::scatter,
    Collective::reduce,     Collective::barrier};

}  // namespace tahoma
