// A scenario's text as a tree of our own: every value with the place it was written at and the layer it came
// from. Everything up to the typed Scenario works on it: the check of the shape, the merge, the defaults,
// explain and resolved.yaml. No YAML library behind this line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace tahoma {

/// Where a value came from, weakest first; a later layer wins.
enum class Layer : std::uint8_t { fallback, preset, extends, file, overlay, set };

struct Entry;

struct Node {
  enum class Kind : std::uint8_t { empty, scalar, list, map };
  Kind kind = Kind::empty;
  Layer layer = Layer::file;
  bool quoted = false;         // of a scalar
  std::string text;            // of a scalar
  std::vector<Node> items;     // of a list
  std::vector<Entry> entries;  // of a map, in the order written
  Place place;
  std::string source, confidence;  // of a preset's figure

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }

  const Node* find(std::string_view key) const;  // nullptr if not a map or not there
  Node* find(std::string_view key);
  Node& at_or_insert(std::string_view key, const Place& place);
  void erase(std::string_view key);
};

struct Entry {
  std::string key;
  Place key_place;
  Node value;
};

Node scalar_node(std::string text, const Place& place, Layer layer);

/// "a.b" + "c" = "a.b.c"; "" + "c" = "c".
std::string joined(std::string_view path, std::string_view key);
std::string joined(std::string_view path, std::size_t index);

/// A value as one would write it on one line: "128GB/s", "[4, 4]", "{by: server}".
std::string one_line(const Node& node);

/// Block YAML that our reader reads back to the same tree.
std::string to_yaml(const Node& root);

/// Every leaf (scalar, or list or map without scalars of its own) with its path, in order.
struct Leaf {
  std::string path;
  const Node* node;
};
std::vector<Leaf> leaves(const Node& root);

}  // namespace tahoma
