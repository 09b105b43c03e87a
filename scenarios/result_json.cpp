#include "scenarios/result_json.h"

#include <cstddef>

#include "scenarios/json_text.h"
#include "scenarios/report_training.h"

namespace tahoma {

namespace {

// links.csv has them all; the JSON answers "which were the busiest" for each row.
constexpr std::size_t busiest_links_per_row = 8;

void write_finishes(JsonText& json, const CollectiveRow& row) {
  json.begin_object();
  json.field("p0", row.p0);
  json.field("p50", row.p50);
  json.field("p99", row.p99);
  json.field("p100", row.p100);
  json.key("worst");
  json.begin_array();
  for (const RankFinish& worst : row.worst) {
    json.begin_object();
    json.field("rank", worst.rank);
    json.field("finish_s", worst.finish);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_row(JsonText& json, const CollectiveRow& row) {
  json.begin_object();
  json.field("job", row.job);
  json.field("collective", row.collective);
  json.field("algorithm", row.algorithm);
  json.field("why", row.why);
  json.field("ranks", row.ranks);
  json.field("bytes", row.bytes);
  json.field("start_s", row.start);
  json.field("time_s", row.time);
  json.field("algbw_GBps", row.algbw_GBps);
  json.field("busbw_GBps", row.busbw_GBps);
  json.field("lower_bound_s", row.lower_bound);
  json.field("efficiency", row.efficiency);
  json.field("solver", row.solver);
  json.field("exact", row.exact);
  json.field("flows", row.flows);
  json.field("classes", row.classes);
  json.field("bottleneck", row.bottleneck);
  json.key("rank_finish_s");
  write_finishes(json, row);
  json.field("critical_chain", row.critical_chain);
  // Additions, after the fields that were promised.
  json.field("groups", row.groups);
  json.field("count", row.count);
  json.field("dtype", row.dtype);
  json.field("redop", row.redop);
  json.field("pipeline", row.pipeline);
  json.field("bound_by", row.bound_by);
  json.field("solver_why", row.solver_why);
  if (!row.stack.empty()) {
    json.field("stack", row.stack);
    json.field("protocol", row.protocol);
    json.field("launch_s", row.launch);
  }
  json.key("critical_phases");
  json.begin_array();
  for (const PhaseTime& phase : row.critical_phases) {
    json.begin_object();
    json.field("phase", phase.phase);
    json.field("level", phase.level);
    json.field("time_s", phase.time);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_flows(JsonText& json, const std::vector<FlowRow>& flows) {
  json.begin_array();
  for (const FlowRow& flow : flows) {
    json.begin_object();
    json.field("id", flow.id);
    json.field("start_s", flow.start);
    json.field("finish_s", flow.finish);
    json.field("job", flow.job);
    json.field("bytes", flow.bytes);
    json.end_object();
  }
  json.end_array();
}

void write_links(JsonText& json, const std::vector<LinkRow>& links) {
  json.begin_array();
  std::size_t of_this_row = 0;
  const LinkRow* previous = nullptr;
  for (const LinkRow& link : links) {
    of_this_row = previous != nullptr && previous->job_row == link.job_row ? of_this_row + 1 : 0;
    previous = &link;
    if (of_this_row >= busiest_links_per_row) continue;
    json.begin_object();
    json.field("link", link.link);
    json.field("bytes", link.bytes);
    json.field("utilization", link.utilization);
    json.field("row", link.job_row);
    json.field("tier", link.tier);
    json.field("links", link.links);
    json.end_object();
  }
  json.end_array();
}

void write_traces(JsonText& json, const std::vector<TraceRow>& traces) {
  json.begin_array();
  for (const TraceRow& row : traces) {
    json.begin_object();
    json.field("job", row.job);
    json.field("ranks", row.ranks);
    json.field("nodes", row.nodes);
    json.field("collectives", row.collectives);
    json.field("flows", row.flows);
    json.field("start_s", row.start);
    json.field("time_s", row.time);
    json.field("device_s", row.device);
    json.field("communication_s", row.communication);
    json.field("exposed_communication_s", row.exposed);
    json.field("solver", "program");
    json.field("exact", true);
    json.end_object();
  }
  json.end_array();
}

void write_assertions(JsonText& json, const std::vector<AssertionOutcome>& assertions) {
  json.begin_array();
  for (const AssertionOutcome& assertion : assertions) {
    json.begin_object();
    json.field("assert", assertion.text);
    json.field("held", assertion.held);
    json.field("worst", assertion.value);
    json.field("row", assertion.row);
    json.end_object();
  }
  json.end_array();
}

void write_cluster(JsonText& json, const Result::Cluster& cluster) {
  json.begin_object();
  json.field("chips", cluster.chips);
  json.field("servers", cluster.servers);
  json.field("ultraservers", cluster.ultraservers);
  json.field("sites", cluster.sites);
  json.field("links", cluster.links);
  json.field("summary", cluster.summary);
  json.end_object();
}

void write_stats(JsonText& json, const RunStats& stats) {
  json.begin_object();
  json.field("wall_s", stats.wall_s);
  json.field("peak_rss_bytes", stats.peak_rss_bytes);
  json.field("events", stats.events);
  json.field("solves", stats.solves);
  json.end_object();
}

// A variant is a result within the result.
void write_result(JsonText& json, const Result& result, bool timings) {
  json.begin_object();
  json.field("schema", "tahoma.result/1");
  json.field("name", result.name);
  json.field("fingerprint", result.fingerprint);
  json.field("warnings", result.warnings);
  json.key("cluster");
  write_cluster(json, result.cluster);
  json.key("collectives");
  json.begin_array();
  for (const CollectiveRow& row : result.collectives) write_row(json, row);
  json.end_array();
  json.key("flows");
  write_flows(json, result.flows);
  if (!result.training.empty()) {
    json.key("training");
    write_training(json, result.training.front());
  }
  if (!result.traces.empty()) {
    json.key("traces");
    write_traces(json, result.traces);
  }
  json.key("links");
  write_links(json, result.links);
  json.field("evidence", result.evidence);
  json.field("description", result.description);
  json.key("assertions");
  write_assertions(json, result.assertions);
  json.field("suggestions", result.suggestions);
  json.field("interrupted", result.interrupted);
  if (!result.variants.empty()) {
    json.key("variants");
    json.begin_array();
    for (const Result& variant : result.variants) write_result(json, variant, timings);
    json.end_array();
  }
  if (timings) {
    json.key("run");
    write_stats(json, result.stats);
  }
  json.end_object();
}

}  // namespace

std::string to_json(const Result& result, bool timings) {
  JsonText json;
  write_result(json, result, timings);
  return json.take();
}

}  // namespace tahoma
