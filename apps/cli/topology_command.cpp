// `tahoma topology FILE`: the network of a scenario, faults included, in numbers or drawn.
#include <algorithm>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "scenarios/json_text.h"
#include "scenarios/load.h"
#include "scenarios/network.h"
#include "scenarios/number_text.h"
#include "scenarios/text_table.h"
#include "topology/draw.h"
#include "topology/summary.h"

namespace tahoma {

namespace {

using enum TextColumn::Align;

double gigabytes_per_second(Capacity capacity) {
  return bytes_per_second(capacity) / 1e9;
}

std::string rate_text(Capacity capacity) {
  return fixed(gigabytes_per_second(capacity), 1);
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

// What a name looks like here, for whoever writes a selector or a fault.
std::string example_names(const Topology& topology) {
  std::string text = (topology.ranks_per_chip() > 1 ? "ranks " : "chips ") + topology.chip_name(0);
  if (topology.chips() > 1) text += " ... " + topology.chip_name(topology.chips() - 1);
  std::vector<Edge> edges;
  topology.out_edges(0, edges);
  for (const Edge& edge : edges)
    text += (&edge == &edges.front() ? "; links " : ", ") + topology.link_name(edge.link);
  return printable(text);
}

std::string dimensions_text(const TopologySummary& summary) {
  TextTable table;
  table.columns = {{left, "dimension", ""},        {right, "size", ""},
                   {right, "edges", ""},           {right, "raw", "(GB/s)"},
                   {right, "effective", "(GB/s)"}, {right, "latency", "per link"}};
  for (const DimensionSummary& d : summary.dimensions) {
    table.rows.push_back({printable(d.name), grouped(d.size), grouped(d.edges), rate_text(d.raw),
                          rate_text(d.effective), readable(d.latency)});
  }
  return table.rows.empty() ? "" : "\n" + to_text(table, 2);
}

std::string cuts_text(const TopologySummary& summary, const TextStyle& style) {
  if (summary.cuts.empty()) return "";
  TextTable table;
  table.columns = {
      {left, "cut", "(per direction)"}, {right, "raw", "(GB/s)"}, {right, "effective", "(GB/s)"}};
  for (const Cut& cut : summary.cuts) {
    table.rows.push_back({printable(cut.name), rate_text(std::min(cut.raw_out, cut.raw_in)),
                          rate_text(std::min(cut.out, cut.in))});
  }
  std::string text = "\n" + to_text(table, 2);
  if (summary.weakest >= 0) {
    const Cut& cut = summary.cuts[static_cast<std::size_t>(summary.weakest)];
    text += "\n" + paint(style, Ink::bold, "weakest bisection") + "  " + printable(cut.name) + ": " +
            rate_text(std::min(cut.raw_out, cut.raw_in)) + " GB/s per direction raw, " +
            rate_text(std::min(cut.out, cut.in)) + " GB/s effective\n";
  }
  return text;
}

std::string summary_text(const std::string& name, const Topology& topology, const TextStyle& style) {
  const TopologySummary s = summarize(topology);
  std::string text = paint(style, Ink::bold, printable(name)) + "\n";
  text += "  " + counted(s.chips, "chip") + ", " + counted(s.servers, "server") + ", " +
          counted(s.domains, "scale-up domain") + ", " + counted(s.sites, "site");
  if (s.ranks_per_chip > 1) text += ", " + counted(s.ranks_per_chip, "rank") + " per chip";
  text += "\n";
  text += "  " + grouped(s.chip_edges) + " chip-to-chip edges, degree " +
          (s.degree_min == s.degree_max ? grouped(s.degree_min)
                                        : grouped(s.degree_min) + " to " + grouped(s.degree_max));
  if (s.nic_raw.q20 > 0) text += ", NIC " + rate_text(s.nic_raw) + " GB/s per chip and direction";
  text += "\n  " + counted(s.links, "directed link") + ", " + grouped(s.vertices) +
          (s.vertices == 1 ? " vertex" : " vertices");
  for (const SwitchCount& count : s.switches)
    text += ", " + grouped(count.count) + " " + printable(count.name) + " switches";
  text += "\n  diameter " + counted(s.distances.diameter_links, "link") + ", " +
          counted(s.distances.diameter_hops, "hop") + ", " + readable(s.distances.diameter_latency) + "\n";
  text += "  " + wrapped(example_names(topology), 2, style.width) + "\n";
  text += dimensions_text(s) + cuts_text(s, style);
  for (const std::string& warning : s.warnings)
    text += paint(style, Ink::yellow, "warning") + "  " + printable(warning) + "\n";
  return text;
}

void write_dimensions(JsonText& json, const std::vector<DimensionSummary>& dimensions) {
  json.begin_array();
  for (const DimensionSummary& d : dimensions) {
    json.begin_object();
    json.field("dimension", d.name);
    json.field("size", d.size);
    json.field("edges", d.edges);
    json.field("raw_GBps", gigabytes_per_second(d.raw));
    json.field("effective_GBps", gigabytes_per_second(d.effective));
    json.field("latency_s", d.latency);
    json.end_object();
  }
  json.end_array();
}

void write_cuts(JsonText& json, const TopologySummary& summary) {
  json.begin_array();
  for (const Cut& cut : summary.cuts) {
    json.begin_object();
    json.field("cut", cut.name);
    json.field("raw_out_GBps", gigabytes_per_second(cut.raw_out));
    json.field("raw_in_GBps", gigabytes_per_second(cut.raw_in));
    json.field("out_GBps", gigabytes_per_second(cut.out));
    json.field("in_GBps", gigabytes_per_second(cut.in));
    json.field("weakest_bisection",
               summary.weakest >= 0 && &cut == &summary.cuts[static_cast<std::size_t>(summary.weakest)]);
    json.end_object();
  }
  json.end_array();
}

void write_drawing(JsonText& json, const Drawing& drawing) {
  json.field("aggregated", drawing.aggregated);
  json.key("vertices");
  json.begin_array();
  for (const DrawnVertex& vertex : drawing.vertices) {
    json.begin_object();
    json.field("name", vertex.name);
    json.field("kind", vertex.is_chip ? "chip" : "switch");
    json.field("stands_for", vertex.stands_for);
    json.end_object();
  }
  json.end_array();
  json.key("edges");
  json.begin_array();
  for (const DrawnEdge& edge : drawing.edges) {
    json.begin_object();
    json.field("from", drawing.vertices[edge.from].name);
    json.field("to", drawing.vertices[edge.to].name);
    json.field("two_way", edge.both_ways);
    json.field("capacity_GBps", gigabytes_per_second(edge.capacity));
    json.field("latency_s", edge.latency);
    json.field("stands_for", edge.stands_for);
    json.end_object();
  }
  json.end_array();
}

std::string summary_json(const std::string& name, const Topology& topology) {
  const TopologySummary s = summarize(topology);
  JsonText json;
  json.begin_object();
  json.field("schema", "tahoma.topology/1");
  json.field("name", name);
  json.field("chips", s.chips);
  if (s.ranks_per_chip > 1) json.field("ranks_per_chip", std::uint64_t{s.ranks_per_chip});
  json.field("servers", s.servers);
  json.field("scale_up_domains", s.domains);
  json.field("sites", s.sites);
  json.field("links", s.links);
  json.field("chip_edges", s.chip_edges);
  json.field("degree_min", s.degree_min);
  json.field("degree_max", s.degree_max);
  json.field("nic_raw_GBps", gigabytes_per_second(s.nic_raw));
  json.key("switches");
  json.begin_object();
  for (const SwitchCount& count : s.switches) json.field(count.name, count.count);
  json.end_object();
  json.field("diameter_links", s.distances.diameter_links);
  json.field("diameter_hops", s.distances.diameter_hops);
  json.field("diameter_latency_s", s.distances.diameter_latency);
  json.key("dimensions");
  write_dimensions(json, s.dimensions);
  json.key("cuts");
  write_cuts(json, s);
  json.field("warnings", s.warnings);
  write_drawing(json, draw(topology));
  json.end_object();
  return json.take();
}

}  // namespace

ExitCode topology_command(const Arguments& arguments) {
  LoadRequest request = arguments.scenario;
  request.needs_workload = false;
  const Scenario scenario = load(request);
  const Network network = make_network(scenario);
  const Topology& topology = *network.topology;
  if (arguments.format == "dot") {
    print(draw_dot(topology));
  } else if (arguments.format == "graphml") {
    print(draw_graphml(topology));
  } else if (arguments.format == "json") {
    print(summary_json(scenario.name, topology));
  } else {
    print(summary_text(scenario.name, topology, stdout_style()));
  }
  return ExitCode::ok;
}

}  // namespace tahoma
