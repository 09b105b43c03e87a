// A Chakra execution trace: what one rank did, as nodes that depend on each other.
//
// The format (mlcommons/chakra, schema/protobuf/et_def.proto): a file of delimited protocol buffers, first
// metadata, then a node each: id, name, type, control and data dependencies by id, duration in microseconds,
// and attributes by name. `comm_size` of a collective is what one rank puts in. There is a JSON form with the
// same contents under other names (Id, NodeType, ctrlDeps, runtime ...), which mostly lacks the sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

struct ChakraNode {
  enum class Type : std::uint8_t { invalid, metadata, load, store, compute, send, receive, collective };
  std::uint64_t id = 0;
  std::string name;
  Type type = Type::invalid;
  std::vector<std::uint64_t> needs;     // ids; of data, and of control where that is an order
  std::vector<std::uint64_t> controls;  // while it is read
  std::uint64_t micros = 0, picos = 0;  // added up; traces have the first, GOAL the second
  bool has_duration = false;
  bool on_host = false;   // attribute is_cpu_op
  std::uint32_t cpu = 0;  // of GOAL: which of the rank's processors computes
  std::optional<std::uint64_t> comm_type, comm_size, operations, tensor_bytes;
  std::optional<std::uint64_t> source, target;  // comm_src, comm_dst: ranks
  std::uint64_t tag = 0;
  std::string group;      // pg_name, "" = all
  std::size_t place = 0;  // byte in the file, or number of the JSON node
};

struct ChakraTrace {
  std::vector<ChakraNode> nodes;
  std::string file;
  std::uint64_t absent_needs = 0;  // of nodes that the file does not hold; they are taken as done
  /// Control dependencies go round in a circle: they are then the tree of calls, not an order, and left out.
  bool controls_left_out = false;
};

/// Either form. Throws ScenarioError for what is broken, twice there, or of an unknown type.
ChakraTrace read_chakra(std::string_view content, const std::string& file);

/// The JSON form; reading it gives the same trace.
std::string to_json(const ChakraTrace& trace);

}  // namespace tahoma
