#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "collectives/importers/chakra.h"
#include "collectives/importers/protobuf_wire.h"
#include "core/errors.h"

namespace tahoma {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t last_type = static_cast<std::uint64_t>(ChakraNode::Type::collective);
constexpr std::uint64_t most_micros = 9'000'000'000'000;  // 104 days, all a clock of picoseconds reaches

/// Attributes with a number, and where it goes.
struct NumberAttribute {
  std::string_view name;
  std::optional<std::uint64_t> ChakraNode::*member;
};
constexpr NumberAttribute number_attributes[] = {
    {"comm_type", &ChakraNode::comm_type}, {"comm_size", &ChakraNode::comm_size},
    {"num_ops", &ChakraNode::operations},  {"tensor_size", &ChakraNode::tensor_bytes},
    {"comm_src", &ChakraNode::source},     {"comm_dst", &ChakraNode::target},
};

bool set_number(ChakraNode& node, std::string_view name, std::uint64_t value) {
  for (const NumberAttribute& attribute : number_attributes) {
    if (attribute.name != name) continue;
    node.*attribute.member = value;
    return true;
  }
  if (name == "comm_tag") node.tag = value;
  return name == "comm_tag";
}

// Attribute values by the number of their field: plain varints, zigzag ones, fixed ones; text is 29.
void read_attribute(ChakraNode& node, const ProtobufFields::Field& whole, const std::string& file) {
  ProtobufFields fields(whole.bytes, file, whole.offset);
  std::string_view name, text;
  std::optional<std::uint64_t> number;
  while (!fields.at_end()) {
    const ProtobufFields::Field field = fields.next();
    if (field.number == 1) name = field.bytes;
    if (field.number == 29) text = field.bytes;
    constexpr std::uint32_t numbers[] = {7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27};
    if (std::find(std::begin(numbers), std::end(numbers), field.number) == std::end(numbers)) continue;
    const bool zigzag = field.number == 15 || field.number == 17;
    number = zigzag ? (field.value >> 1) ^ (0 - (field.value & 1)) : field.value;
  }
  if (name == "pg_name") node.group = text;
  if (name == "is_cpu_op") node.on_host = number.value_or(0) != 0;
  if (number) set_number(node, name, *number);
}

ChakraNode read_node(const ProtobufFields::Field& message, const std::string& file) {
  ProtobufFields fields(message.bytes, file, message.offset);
  ChakraNode node;
  node.place = message.offset;
  while (!fields.at_end()) {
    const ProtobufFields::Field field = fields.next();
    switch (field.number) {
      case 1:
        node.id = field.value;
        break;
      case 2:
        node.name = field.bytes;
        break;
      case 3:
        if (field.value == 0 || field.value > last_type)
          fields.refuse(fmt::format("node {} is of type {}, which is not known", node.id, field.value));
        node.type = static_cast<ChakraNode::Type>(field.value);
        break;
      case 4:
        append_numbers(field, file, node.controls);
        break;
      case 5:
        append_numbers(field, file, node.needs);
        break;
      case 7:
        node.micros = field.value;
        node.has_duration = true;
        break;
      case 10:
        read_attribute(node, field, file);
        break;
      default:
        break;  // start time, inputs, outputs
    }
  }
  if (node.type == ChakraNode::Type::invalid) fields.refuse(fmt::format("node {} has no type", node.id));
  return node;
}

ChakraTrace read_protobuf(std::string_view content, const std::string& file) {
  ChakraTrace trace;
  ProtobufFields messages(content, file, 0);
  const ProtobufFields::Field metadata = messages.next_message();
  ProtobufFields head(metadata.bytes, file, metadata.offset);
  while (!head.at_end()) head.next();
  while (!messages.at_end()) trace.nodes.push_back(read_node(messages.next_message(), file));
  return trace;
}

class JsonTrace {
 public:
  JsonTrace(std::string_view content, const std::string& file) : content_(content), file_(file) {}

  ChakraTrace read() {
    const Json root = parsed();
    const auto graph = root.is_object() ? root.find("workload_graph") : root.end();
    if (graph == root.end() || !graph->is_array()) refuse("holds no list 'workload_graph'");
    ChakraTrace trace;
    // Ours: what reading the original left out.
    if (const auto absent = root.find("absent_deps"); absent != root.end())
      trace.absent_needs = whole(*absent, "absent_deps");
    trace.controls_left_out = root.contains("ctrl_deps_left_out");
    for (const Json& one : *graph) {
      ++number_;
      if (!one.is_object()) refuse("is no node");
      trace.nodes.push_back(node(one));
    }
    return trace;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    const std::string where = number_ == 0 ? "the trace" : fmt::format("node number {}", number_);
    throw ScenarioError(fmt::format("{}: {} {}", file_, where, what));
  }

  Json parsed() const {
    try {
      return Json::parse(content_);
    } catch (const Json::parse_error& error) {
      throw ScenarioError(fmt::format("{}: byte {}: this is no JSON", file_, error.byte));
    }
  }

  std::uint64_t whole(const Json& value, const std::string& key) const {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    refuse(fmt::format("has no whole number of at least 0 as '{}'", key));
  }

  ChakraNode node(const Json& one) const {
    ChakraNode node;
    node.place = number_;
    bool has_id = false;
    for (const auto& [key, value] : one.items()) {
      if (key == "Id") {
        node.id = whole(value, key);
        has_id = true;
      } else if (key == "Name") {
        if (!value.is_string()) refuse("has a Name that is no text");
        node.name = value.get<std::string>();
      } else if (key == "NodeType") {
        const std::uint64_t type = whole(value, key);
        if (type == 0 || type > last_type) refuse(fmt::format("is of type {}, which is not known", type));
        node.type = static_cast<ChakraNode::Type>(type);
      } else if (key == "ctrlDeps" || key == "ctrl_deps" || key == "data_deps") {
        if (!value.is_array()) refuse(fmt::format("has no list as '{}'", key));
        auto& ids = key == "data_deps" ? node.needs : node.controls;
        for (const Json& id : value) ids.push_back(whole(id, key));
      } else if (key == "runtime") {
        node.micros = whole(value, key);
        node.has_duration = true;
      } else if (key == "is_cpu_op") {
        if (!value.is_boolean()) refuse("has neither true nor false as 'is_cpu_op'");
        node.on_host = value.get<bool>();
      } else if (key == "pg_name") {
        if (!value.is_string()) refuse("has a pg_name that is no text");
        node.group = value.get<std::string>();
      } else if (!set_number(node, key, value.is_number_unsigned() ? value.get<std::uint64_t>() : 0)) {
        if (key != "involved_dim" && key != "comm_priority" && key != "inputs" && key != "outputs")
          refuse(fmt::format("has the key '{}', which is not known", key));
      } else {
        whole(value, key);
      }
    }
    if (!has_id || node.type == ChakraNode::Type::invalid) refuse("lacks 'Id' or 'NodeType'");
    return node;
  }

  std::string_view content_;
  const std::string& file_;
  std::size_t number_ = 0;
};

// Whether every node can be done, if each waits for its needs and controls.
bool is_an_order(const ChakraTrace& trace) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> after;
  std::vector<std::size_t> left(trace.nodes.size()), ready;
  for (std::size_t i = 0; i < trace.nodes.size(); ++i) {
    const ChakraNode& node = trace.nodes[i];
    left[i] = node.needs.size() + node.controls.size();
    if (left[i] == 0) ready.push_back(i);
    for (const auto* ids : {&node.needs, &node.controls}) {
      for (const std::uint64_t id : *ids) after[id].push_back(i);
    }
  }
  std::size_t done = 0;
  while (!ready.empty()) {
    const std::uint64_t id = trace.nodes[ready.back()].id;
    ready.pop_back();
    ++done;
    for (const std::size_t next : after[id]) {
      if (--left[next] == 0) ready.push_back(next);
    }
  }
  return done == trace.nodes.size();
}

void sort_out_needs(ChakraTrace& trace, const std::unordered_set<std::uint64_t>& ids) {
  for (ChakraNode& node : trace.nodes) {
    for (auto* list : {&node.needs, &node.controls}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
      trace.absent_needs += std::erase_if(*list, [&](std::uint64_t id) { return !ids.contains(id); });
    }
  }
  const bool has_controls = std::any_of(trace.nodes.begin(), trace.nodes.end(),
                                        [](const ChakraNode& node) { return !node.controls.empty(); });
  const bool ordered = !has_controls || is_an_order(trace);
  if (!ordered) trace.controls_left_out = true;
  for (ChakraNode& node : trace.nodes) {
    if (ordered) node.needs.insert(node.needs.end(), node.controls.begin(), node.controls.end());
    node.controls.clear();
    std::sort(node.needs.begin(), node.needs.end());
    node.needs.erase(std::unique(node.needs.begin(), node.needs.end()), node.needs.end());
  }
}

// A brace may also be the length of the first message, so what follows it must look like a key too.
bool is_json(std::string_view content) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t brace = content.find_first_not_of(blanks);
  if (brace == std::string_view::npos || content[brace] != '{') return false;
  const std::size_t key = content.find_first_not_of(blanks, brace + 1);
  return key == std::string_view::npos || content[key] == '"' || content[key] == '}';
}

}  // namespace

ChakraTrace read_chakra(std::string_view content, const std::string& file) {
  if (content.empty()) throw ScenarioError(file + ": byte 0: the file is empty");
  ChakraTrace trace = is_json(content) ? JsonTrace(content, file).read() : read_protobuf(content, file);
  trace.file = file;
  if (trace.nodes.empty()) throw ScenarioError(file + ": the trace has no nodes");
  std::unordered_set<std::uint64_t> ids;
  for (const ChakraNode& node : trace.nodes) {
    if (!ids.insert(node.id).second)
      throw ScenarioError(fmt::format("{}: two nodes have the id {}", file, node.id));
    if (node.micros > most_micros)
      throw ScenarioError(
          fmt::format("{}: node {} lasts {} us, which is past any clock", file, node.id, node.micros));
  }
  sort_out_needs(trace, ids);
  return trace;
}

}  // namespace tahoma
