#include "scenarios/training/pipeline_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"
#include "scenarios/training/pipeline_passes.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_micro_batches = 1'000'000;

std::string no_refusal(std::uint32_t, std::uint32_t, std::uint64_t) {
  return "";
}

std::string refuse_interleaved(std::uint32_t stages, std::uint32_t, std::uint64_t micro_batches) {
  if (micro_batches % stages == 0) return "";
  const std::uint64_t below = micro_batches / stages * stages, above = below + stages;
  return fmt::format(
      "interleaved hands micro-batches round in groups of pp, and {} micro-batches are no multiple of pp = "
      "{} "
      "({} mod {} = {}); nearest: {} micro-batches",
      micro_batches, stages, micro_batches, stages, micro_batches % stages,
      below == 0 ? std::to_string(above) : fmt::format("{} or {}", below, above));
}

std::string refuse_vee(std::uint32_t stages, std::uint32_t, std::uint64_t micro_batches) {
  if (micro_batches >= 2 * std::uint64_t{stages}) return "";
  return fmt::format(
      "zb_v fills the pipeline there and back before it goes on, which takes 2 x pp = 2 x {} = {} "
      "micro-batches, "
      "and there are {}; nearest: {} micro-batches, or 1f1b",
      stages, 2 * stages, micro_batches, 2 * stages);
}

std::string refuse_both_ways(std::uint32_t stages, std::uint32_t, std::uint64_t micro_batches) {
  if (stages % 2 != 0) {
    return fmt::format("dualpipe pairs stage s with stage pp - 1 - s, and pp = {} is odd; nearest: {} or {}",
                       stages, stages == 1 ? 2 : stages - 1, stages + 1);
  }
  const std::uint64_t least = 2 * std::uint64_t{stages};
  if (micro_batches >= least && micro_batches % 2 == 0) return "";
  return fmt::format(
      "dualpipe sends half of the micro-batches from either end and needs an even number of them, at least 2 "
      "x "
      "pp = {}, and there are {}; nearest: {}",
      least, micro_batches, std::max(least, micro_batches + micro_batches % 2));
}

std::string refuse_unknown(std::uint32_t, std::uint32_t, std::uint64_t) {
  return "its order of passes is not built yet; nearest: zb_v, which has no bubble either, or zb_1p";
}

struct ScheduleRow {
  PipelineSchedule schedule;
  PipelineLayout layout;
  std::uint32_t chunks;  // that it needs; 0: any
  std::uint32_t least_chunks;
  std::string (*refuses)(std::uint32_t, std::uint32_t, std::uint64_t);
  std::vector<Pass> (*passes)(const PipelineShape&, std::uint32_t stage);
};

constexpr ScheduleRow schedule_rows[] = {
    {PipelineSchedule::gpipe, PipelineLayout::round, 1, 1, no_refusal, gpipe_passes},
    {PipelineSchedule::one_f_one_b, PipelineLayout::round, 1, 1, no_refusal, one_f_one_b_passes},
    {PipelineSchedule::interleaved, PipelineLayout::round, 0, 2, refuse_interleaved, interleaved_passes},
    {PipelineSchedule::zb_1p, PipelineLayout::round, 1, 1, no_refusal, zb_1p_passes},
    {PipelineSchedule::zb_2p, PipelineLayout::round, 1, 1, no_refusal, zb_2p_passes},
    {PipelineSchedule::zb_v, PipelineLayout::vee, 2, 2, refuse_vee, zb_v_passes},
    {PipelineSchedule::v_half, PipelineLayout::vee, 0, 1, refuse_unknown, nullptr},
    {PipelineSchedule::v_min, PipelineLayout::vee, 0, 1, refuse_unknown, nullptr},
    {PipelineSchedule::dualpipe, PipelineLayout::twice, 1, 1, refuse_both_ways, dualpipe_passes},
};

const ScheduleRow& row_of(PipelineSchedule schedule) {
  const auto at = std::find_if(std::begin(schedule_rows), std::end(schedule_rows),
                               [&](const ScheduleRow& row) { return row.schedule == schedule; });
  TAHOMA_ASSERT(at != std::end(schedule_rows), "a pipeline schedule without a row");
  return *at;
}

}  // namespace

std::uint32_t PipelineOrder::part_of(PipelinePlace place) const {
  switch (layout) {
    case PipelineLayout::round:
      return place.chunk * stages + place.stage;
    case PipelineLayout::vee:
      return place.chunk == 0 ? place.stage : 2 * stages - 1 - place.stage;
    case PipelineLayout::twice:
      return place.chunk == 0 ? place.stage : stages - 1 - place.stage;
  }
  return 0;
}

namespace {

PipelinePlace place_of(const PipelineOrder& order, std::uint32_t part, std::uint32_t chunk) {
  const std::uint32_t p = order.stages;
  switch (order.layout) {
    case PipelineLayout::round:
      return {part % p, part / p};
    case PipelineLayout::vee:
      return part < p ? PipelinePlace{part, 0} : PipelinePlace{2 * p - 1 - part, 1};
    case PipelineLayout::twice:
      return {chunk == 0 ? part : p - 1 - part, chunk};
  }
  return {};
}

}  // namespace

std::optional<PipelinePlace> PipelineOrder::after(PipelinePlace place) const {
  const std::uint32_t part = part_of(place);
  if (part + 1 == parts()) return std::nullopt;
  return place_of(*this, part + 1, place.chunk);
}

std::optional<PipelinePlace> PipelineOrder::before(PipelinePlace place) const {
  const std::uint32_t part = part_of(place);
  if (part == 0) return std::nullopt;
  return place_of(*this, part - 1, place.chunk);
}

std::string refusal_of(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks,
                       std::uint64_t micro_batches) {
  const ScheduleRow& row = row_of(schedule);
  if (micro_batches == 0 || micro_batches > most_micro_batches)
    return fmt::format("{} micro-batches per step; accepted: 1 to {}", micro_batches, most_micro_batches);
  if (row.chunks != 0 && chunks != row.chunks) {
    return fmt::format("{} has {} chunk{} per stage, and vp = {}; nearest: vp {}{}", name_of(schedule),
                       row.chunks, row.chunks == 1 ? "" : "s", chunks, row.chunks,
                       row.chunks == 1 ? ", or interleaved" : "");
  }
  if (chunks < row.least_chunks) {
    return fmt::format("{} needs at least {} chunks per stage, and vp = {}; nearest: vp {}, or 1f1b",
                       name_of(schedule), row.least_chunks, chunks, row.least_chunks);
  }
  return row.refuses(stages, chunks, micro_batches);
}

PipelineOrder pipeline_order(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks,
                             std::uint64_t micro_batches) {
  TAHOMA_ASSERT(stages >= 1 && chunks >= 1, "a pipeline without stages");
  const std::string refusal = refusal_of(schedule, stages, chunks, micro_batches);
  if (!refusal.empty()) throw InfeasibleError("parallel.schedule: " + refusal);
  const ScheduleRow& row = row_of(schedule);
  PipelineOrder order;
  order.stages = stages;
  order.micro_batches = static_cast<std::uint32_t>(micro_batches);
  order.layout = row.layout;
  order.chunks = row.layout == PipelineLayout::twice ? 2 : chunks;
  for (std::uint32_t stage = 0; stage < stages; ++stage)
    order.passes.push_back(row.passes({stages, chunks, order.micro_batches}, stage));
  return order;
}

}  // namespace tahoma
