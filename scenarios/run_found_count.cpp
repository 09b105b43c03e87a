// `cluster.count: auto`: the fewest units with which a training meets its deadline.
//
// More units never train slower here, because ranks may be left over; so doubling finds a count that is
// enough, and halving the distance the smallest. Its neighbours are told too, because the price of a day is
// the question behind.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/errors.h"
#include "scenarios/complaint.h"
#include "scenarios/number_text.h"
#include "scenarios/run_training.h"
#include "scenarios/training/training_work.h"

namespace tahoma {

namespace {

constexpr std::uint32_t most_units = 1U << 20;

Scenario with_count(const Scenario& scenario, std::uint32_t count) {
  Scenario fixed = scenario;
  fixed.count_is_open = false;
  auto& shape = std::get<ClusterShape>(fixed.network);
  shape.sites[0].domains = count;
  auto work = std::make_shared<TrainingWork>(*std::get<TrainingJob>(fixed.jobs[0].work).work);
  std::uint64_t ranks = std::uint64_t{count} * shape.ranks_per_chip;
  for (const Dimension& dimension : shape.scale_up) ranks *= dimension.size;
  work->ranks = ranks;
  work->idle_ranks = true;
  fixed.jobs[0].work = TrainingJob{std::move(work)};
  return fixed;
}

/// Nothing where it does not fit.
std::optional<Result> answer_with(const Scenario& scenario, std::uint32_t count) {
  RunOptions options;
  options.advise = false;
  options.solver = "closed_form";  // counts are compared, hundreds of times
  try {
    return run_training(with_count(scenario, count), options);
  } catch (const InfeasibleError&) {
    return std::nullopt;
  }
}

bool meets(const std::optional<Result>& result) {
  return result && result->training.front().days <= result->training.front().deadline_days;
}

}  // namespace

Result run_found_count(const Scenario& scenario, const RunOptions& options) {
  std::uint32_t enough = 1;
  while (!meets(answer_with(scenario, enough))) {
    enough *= 2;
    if (enough <= most_units) continue;
    const TrainingWork& work = *std::get<TrainingJob>(scenario.jobs[0].work).work;
    throw InfeasibleError(
        sentence({work.place,
                  "cluster.count",
                  "auto",
                  {fmt::format("has no answer: not even {} units meet the deadline", grouped(most_units)),
                   "a later deadline, a larger global batch, or a smaller model", ""}}));
  }
  std::uint32_t below = enough / 2;
  while (enough - below > 1) {
    const std::uint32_t middle = below + (enough - below) / 2;
    (meets(answer_with(scenario, middle)) ? enough : below) = middle;
  }
  RunOptions like_the_others = options;
  if (options.solver == "auto") like_the_others.solver = "closed_form";
  Result result = run_training(with_count(scenario, enough), like_the_others);
  TrainingRow& row = result.training.front();
  for (const std::uint64_t tenths : {5U, 8U, 10U, 12U, 15U, 20U}) {
    const std::uint64_t count = std::max<std::uint64_t>(1, enough * tenths / 10);
    if (!row.counts.empty() && row.counts.back().count == count) continue;
    const auto other = answer_with(scenario, static_cast<std::uint32_t>(count));
    if (!other) continue;
    const TrainingRow& its = other->training.front();
    row.counts.push_back({count, its.chips, its.days, its.chip_hours, its.split});
  }
  return result;
}

}  // namespace tahoma
