// A trace in the format's JSON form, as read_chakra() reads it back: what a resolved scenario holds of it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "collectives/importers/chakra.h"

namespace tahoma {

std::string to_json(const ChakraTrace& trace) {
  using Json = nlohmann::ordered_json;
  Json graph = Json::array();
  for (const ChakraNode& node : trace.nodes) {
    Json one{{"Id", node.id}, {"Name", node.name}, {"NodeType", static_cast<unsigned>(node.type)}};
    if (!node.needs.empty()) one["data_deps"] = node.needs;
    if (node.has_duration) one["runtime"] = node.micros;
    one["is_cpu_op"] = node.on_host;
    const auto add = [&](const char* key, const std::optional<std::uint64_t>& value) {
      if (value) one[key] = *value;
    };
    add("comm_type", node.comm_type);
    add("comm_size", node.comm_size);
    add("num_ops", node.operations);
    add("tensor_size", node.tensor_bytes);
    add("comm_src", node.source);
    add("comm_dst", node.target);
    if (node.tag != 0) one["comm_tag"] = node.tag;
    if (!node.group.empty()) one["pg_name"] = node.group;
    graph.push_back(std::move(one));
  }
  Json root{{"workload_graph", std::move(graph)}};
  if (trace.absent_needs > 0) root["absent_deps"] = trace.absent_needs;
  if (trace.controls_left_out) root["ctrl_deps_left_out"] = true;
  // Names come from files of any encoding.
  return root.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace tahoma
