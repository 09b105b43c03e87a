// Single transfers: a list of flows, or a CSV file with the columns from, to, bytes and start.
//
// The file's rows become `flows` of the tree, each value with the line it stands on, and are then read like
// any other. Its column `bytes` says its unit by its name, so bare numbers are taken there; everything else
// carries units as in a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/nearest.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"
#include "scenarios/shape_check.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::size_t most_csv_bytes = std::size_t{256} << 20;
constexpr std::array<std::string_view, 6> columns = {"from", "to", "bytes", "start", "id", "rate_cap"};

struct Cell {
  std::string_view text;
  int column;  // of its first character, from 1
};

std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t start = 0;
  while (true) {
    const std::size_t comma = std::min(line.find(',', start), line.size());
    cells.push_back({trimmed(line.substr(start, comma - start)), static_cast<int>(start) + 1});
    if (comma == line.size()) return cells;
    start = comma + 1;
  }
}

class CsvFlows {
 public:
  CsvFlows(const Field& file, Layer layer) : name_(file_beside(file)), key_(file.path), layer_(layer) {}

  Node rows(const std::string& text) {
    Node list;
    list.kind = Node::Kind::list;
    list.layer = layer_;
    list.place = {name_, 1, 1};
    std::string_view rest = text;
    for (int line = 1; !rest.empty(); ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view content = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (content.empty() || content.front() == '#') continue;
      if (header_.empty()) {
        read_header(content, line);
      } else {
        list.items.push_back(row(content, line));
      }
    }
    if (list.items.empty())
      fail({name_, 1, 1}, "", {"the file has no flows", "a header from,to,bytes,start and a row each", ""});
    return list;
  }

 private:
  [[noreturn]] void fail(const Place& place, std::string_view value, BadText trouble) const {
    refuse({place, key_, std::string(value), std::move(trouble)});
  }

  void read_header(std::string_view line, int number) {
    for (const Cell& cell : cells_of(line)) {
      const auto known = std::find(columns.begin(), columns.end(), cell.text);
      const Place place{name_, number, cell.column};
      if (known == columns.end()) {
        fail(place, cell.text,
             {"is no column", "from, to, bytes, start, id and rate_cap",
              nearest(cell.text, std::span<const std::string_view>(columns))});
      }
      if (std::find(header_.begin(), header_.end(), *known) != header_.end())
        fail(place, cell.text, {"is there twice", "", ""});
      header_.push_back(*known);
    }
    for (const std::string_view needed : {"from", "to", "bytes"}) {
      if (std::find(header_.begin(), header_.end(), needed) == header_.end()) {
        fail({name_, number, 1}, "",
             {fmt::format("has no column '{}'", needed), "a header such as from,to,bytes,start", ""});
      }
    }
  }

  Node row(std::string_view line, int number) const {
    const std::vector<Cell> cells = cells_of(line);
    const Place place{name_, number, 1};
    if (cells.size() != header_.size()) {
      fail(place, line,
           {fmt::format("has {} cells, and the header has {}", cells.size(), header_.size()), "", ""});
    }
    Node flow;
    flow.kind = Node::Kind::map;
    flow.layer = layer_;
    flow.place = place;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].text.empty() && header_[i] != "from" && header_[i] != "to" && header_[i] != "bytes")
        continue;
      std::string value(cells[i].text);
      if (header_[i] == "bytes" && value.find_first_not_of("0123456789") == std::string::npos) value += "B";
      const Place cell{name_, number, cells[i].column};
      Node scalar = scalar_node(value, cell, layer_);
      check_shape_at(scalar, "workload.flows.0." + std::string(header_[i]));
      flow.entries.push_back({std::string(header_[i]), cell, std::move(scalar)});
    }
    return flow;
  }

  std::string name_, key_;
  Layer layer_;
  std::vector<std::string_view> header_;
};

FlowSpec read_flow(const Field& flow, std::size_t index) {
  FlowSpec spec;
  spec.place = flow.place();
  spec.id = flow["id"] ? flow["id"].text() : fmt::format("f{}", index);
  const Field path = flow["path"], from = flow["from"], to = flow["to"];
  if (path && (from || to))
    refuse(path, {"stands beside 'from' or 'to'", "a path of links, or two ends", ""});
  if (path) {
    for (const Field& link : each(path)) spec.path.push_back(link.text());
    if (spec.path.empty()) refuse(path, {"is empty", "at least one link", ""});
  } else {
    if (!from && !to) required(flow, "from");
    spec.ends = {required(flow, "from").text(), required(flow, "to").text()};
    if (spec.ends->first == spec.ends->second) refuse(to, {"is the chip it comes from", "another chip", ""});
  }
  spec.bytes = read_field(required(flow, "bytes"), read_bytes);
  if (const Field start = flow["start"]) spec.start = Time{read_field(start, read_time).ps};
  if (const Field cap = flow["rate_cap"]) spec.rate_cap = capacity_of({read_field(cap, read_bandwidth)});
  return spec;
}

}  // namespace

FlowWork resolve_flows(const Field& flows) {
  FlowWork work;
  if (flows.size() == 0) refuse(flows, {"is empty", "at least one flow", ""});
  std::unordered_map<std::string, std::size_t> ids;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    work.flows.push_back(read_flow(flows[i], i));
    const auto [other, is_new] = ids.emplace(work.flows.back().id, i);
    if (!is_new) {
      refuse({flows[i].place(),
              joined(flows[i].path, "id"),
              work.flows.back().id,
              {fmt::format("names the flow at {} too", to_string(work.flows[other->second].place)),
               "an id of its own", ""}});
    }
  }
  return work;
}

void inline_flow_file(Node& workload, const std::string& path) {
  const Field map{&workload, path};
  const Field file = map["file"];
  if (!file || map["flows"]) return;
  CsvFlows csv(file, file.node->layer);
  const std::string text = read_text_file(file_beside(file), file.place(), most_csv_bytes);
  Node rows = csv.rows(text);
  workload.erase("file");
  workload.entries.push_back({"flows", rows.place, std::move(rows)});
}

}  // namespace tahoma
