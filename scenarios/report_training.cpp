#include "scenarios/report_training.h"

#include <fmt/format.h>

#include "scenarios/number_text.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

constexpr std::size_t part_indent = 2;

std::string gibibytes(std::uint64_t bytes) {
  return fixed(static_cast<double>(bytes) / (1 << 30), 2);
}

std::string share_of(Duration part, Duration whole) {
  return fixed(100 * seconds(part) / seconds(whole), 1);
}

constexpr auto to_right = TextColumn::Align::right;

std::string parts_text(const TrainingRow& row, const TextStyle& style) {
  TextTable table;
  table.columns = {
      {TextColumn::Align::left, "part of the step", ""}, {to_right, "time", ""}, {to_right, "share", "%"}};
  for (const NamedTime& part : row.breakdown) {
    if (part.time.ps > 0)
      table.rows.push_back({part.name, readable(part.time), share_of(part.time, row.step)});
  }
  table.rows.push_back({"step", readable(row.step), "100.0"});
  return to_text(table, part_indent, style.width);
}

std::string memory_table(const TrainingRow& row, const TextStyle& style) {
  TextTable table;
  table.columns = {{TextColumn::Align::left, "memory of a rank", ""}, {to_right, "size", "GiB"}};
  for (const NamedBytes& part : row.memory) table.rows.push_back({part.name, gibibytes(part.bytes)});
  table.rows.push_back({"all, stage " + std::to_string(row.memory_stage), gibibytes(row.memory_used)});
  table.rows.push_back({"there is", gibibytes(row.memory_there)});
  return to_text(table, part_indent, style.width);
}

std::string ranking_text(const TrainingRow& row, const TextStyle& style) {
  if (row.ranking.empty()) return "";
  TextTable table;
  table.columns = {{to_right, "step", ""},
                   {to_right, "memory", "GiB"},
                   {TextColumn::Align::left, "split", ""},
                   {TextColumn::Align::left, "loses most by", ""}};
  for (const SplitRow& split : row.ranking) {
    table.rows.push_back(
        {split.step.ps == 0 ? "-" : readable(split.step), gibibytes(split.memory), split.split, split.why});
  }
  return "\n" + to_text(table, part_indent, std::max<std::size_t>(style.width, 140));
}

std::string counts_text(const TrainingRow& row, const TextStyle& style) {
  if (row.counts.empty()) return "";
  TextTable table;
  table.columns = {{to_right, "units", ""},
                   {to_right, "chips", ""},
                   {to_right, "days", ""},
                   {to_right, "chip-hours", ""},
                   {TextColumn::Align::left, "split", ""}};
  for (const CountRow& one : row.counts)
    table.rows.push_back(
        {grouped(one.count), grouped(one.chips), fixed(one.days, 1), fixed(one.chip_hours, 0), one.split});
  return "\n" + to_text(table, part_indent, std::max<std::size_t>(style.width, 140));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> training_lines(const TrainingRow& row) {
  std::vector<std::pair<std::string, std::string>> lines;
  lines.emplace_back("simulated",
                     fmt::format("a training step of {}: {} parameters ({} active), {} sequences, {} "
                                 "tokens, {} on {}",
                                 row.model, grouped(row.parameters), grouped(row.active_parameters),
                                 grouped(row.sequences), grouped(row.tokens), row.dtype, row.chip));
  lines.emplace_back("split", fmt::format("{}; {} micro-batches on {} ranks", row.split,
                                          grouped(row.micro_batches), grouped(row.ranks)));
  lines.emplace_back("result", fmt::format("a step takes {} ({} to {}), {}", readable(row.step),
                                           readable(row.low), readable(row.high),
                                           row.exact ? "run on the network" : "estimated in closed form"));
  lines.emplace_back("result",
                     fmt::format("{} tokens/s, {} per chip; {} TFLOPS per chip, {} % utilisation ({})",
                                 fixed(row.tokens_per_s, 0), fixed(row.tokens_per_s_per_chip, 1),
                                 fixed(row.tflops_per_chip, 1), fixed(row.mfu * 100, 2), row.flops));
  if (row.days > 0)
    lines.emplace_back("result",
                       fmt::format("the whole training takes {} days, {} chip-hours{}", fixed(row.days, 2),
                                   fixed(row.chip_hours, 0),
                                   row.deadline_days == 0 ? ""
                                   : row.days <= row.deadline_days
                                       ? ": inside the deadline of " + fixed(row.deadline_days, 1) + " days"
                                       : ": past the deadline of " + fixed(row.deadline_days, 1) + " days"));
  lines.emplace_back("memory", fmt::format("{} of {} GiB on stage {}, {} % left", gibibytes(row.memory_used),
                                           gibibytes(row.memory_there), row.memory_stage,
                                           fixed(row.memory_headroom * 100, 1)));
  for (const PlacementRow& fit : row.placement) {
    std::string text =
        fmt::format("{} groups of {}, such as ranks {}: {} ({}), {} link{} a step, {} group{} on a link",
                    fit.group, fit.members, fit.ranks, fit.closes ? "close on the network" : "do not close",
                    fit.why, fit.hops, fit.hops == 1 ? "" : "s", fit.shared, fit.shared == 1 ? "" : "s");
    if (!fit.alternative.empty()) text += "; " + fit.alternative;
    if (!fit.vendor.empty()) text += "; the vendor's library: " + fit.vendor;
    lines.emplace_back("placement", text);
  }
  for (const NamedTime& part : row.breakdown) {
    if (part.name == row.largest_loss && part.time.ps > 0)
      lines.emplace_back("bottleneck", fmt::format("the largest loss is {}: {}, {} % of the step", part.name,
                                                   readable(part.time), share_of(part.time, row.step)));
  }
  for (const CountRow& other : row.counts) {
    if (other.chips == row.chips)
      lines.emplace_back("count",
                         fmt::format("{} units are the fewest that meet the deadline", grouped(other.count)));
  }
  if (row.legal > 1)
    lines.emplace_back("search", fmt::format("{} splits tried, {} legal, {} fit", grouped(row.tried),
                                             grouped(row.legal), grouped(row.fitting)));
  return lines;
}

std::string training_text(const Result& result, const TextStyle& style) {
  std::string text;
  for (const TrainingRow& row : result.training) {
    text += parts_text(row, style) + "\n" + memory_table(row, style) + ranking_text(row, style) +
            counts_text(row, style);
  }
  return text;
}

namespace {

void write_memory(JsonText& json, const TrainingRow& row) {
  json.key("memory");
  json.begin_object();
  json.field("stage", std::uint64_t{row.memory_stage});
  for (const NamedBytes& part : row.memory) json.field(part.name + "_bytes", part.bytes);
  json.field("used_bytes", row.memory_used);
  json.field("there_bytes", row.memory_there);
  json.field("headroom", row.memory_headroom);
  json.end_object();
}

void write_search(JsonText& json, const TrainingRow& row) {
  json.key("search");
  json.begin_object();
  json.field("tried", row.tried);
  json.field("legal", row.legal);
  json.field("fitting", row.fitting);
  json.key("ranking");
  json.begin_array();
  for (const SplitRow& split : row.ranking) {
    json.begin_object();
    json.field("split", split.split);
    json.key("step_time_s");
    if (split.step.ps == 0) {
      json.value(nullptr);
    } else {
      json.value(split.step);
    }
    json.field("memory_bytes", split.memory);
    json.field("loses", split.why);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_counts(JsonText& json, const std::vector<CountRow>& counts) {
  if (counts.empty()) return;
  json.key("counts");
  json.begin_array();
  for (const CountRow& one : counts) {
    json.begin_object();
    json.field("count", one.count);
    json.field("chips", one.chips);
    json.field("days", one.days);
    json.field("chip_hours", one.chip_hours);
    json.field("split", one.split);
    json.end_object();
  }
  json.end_array();
}

void write_placement(JsonText& json, const std::vector<PlacementRow>& placement) {
  json.key("placement");
  json.begin_array();
  for (const PlacementRow& fit : placement) {
    json.begin_object();
    json.field("group", fit.group);
    json.field("members", std::uint64_t{fit.members});
    json.field("ranks", fit.ranks);
    json.field("closes", fit.closes);
    json.field("why", fit.why);
    json.field("links_per_step", std::uint64_t{fit.hops});
    json.field("groups_per_link", std::uint64_t{fit.shared});
    json.field("alternative", fit.alternative);
    json.field("vendor", fit.vendor);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_training(JsonText& json, const TrainingRow& row) {
  json.begin_object();
  json.field("job", row.job);
  json.field("model", row.model);
  json.field("parameters", row.parameters);
  json.field("active_parameters", row.active_parameters);
  json.field("chip", row.chip);
  json.field("dtype", row.dtype);
  json.field("split", row.split);
  json.field("ranks", row.ranks);
  json.field("chips", row.chips);
  json.field("sequences", row.sequences);
  json.field("tokens", row.tokens);
  json.field("micro_batches", row.micro_batches);
  json.field("step_time_s", row.step);
  json.field("step_time_low_s", row.low);
  json.field("step_time_high_s", row.high);
  json.field("tokens_per_s", row.tokens_per_s);
  json.field("tokens_per_s_per_chip", row.tokens_per_s_per_chip);
  json.field("mfu", row.mfu);
  json.field("tflops_per_chip", row.tflops_per_chip);
  json.field("flops_convention", row.flops);
  json.key("breakdown");
  json.begin_object();
  for (const NamedTime& part : row.breakdown) json.field(part.name, part.time);
  json.end_object();
  json.field("largest_loss", row.largest_loss);
  write_memory(json, row);
  if (row.days > 0) {
    json.field("days", row.days);
    json.field("chip_hours", row.chip_hours);
  }
  if (row.deadline_days > 0) json.field("deadline_days", row.deadline_days);
  write_search(json, row);
  write_counts(json, row.counts);
  write_placement(json, row.placement);
  json.field("solver", row.solver);
  json.field("solver_why", row.solver_why);
  json.field("exact", row.exact);
  json.end_object();
}

std::vector<std::pair<std::string, double>> training_metrics(const TrainingRow& row) {
  return {{"step_time_s", seconds(row.step)},
          {"tokens_per_s", row.tokens_per_s},
          {"mfu", row.mfu},
          {"mem_headroom", row.memory_headroom},
          {"days", row.days}};
}

}  // namespace tahoma
