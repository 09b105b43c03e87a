// YAML text to a tree, guarded: the only door to the YAML library.
//
// The library keeps duplicate keys silently, does not apply `<<`, expands aliases without end when walked,
// and names no place for a missing key. So we listen to its events and build our own tree: places of keys and
// values, duplicates refused, `<<`, anchors, aliases, tags and second documents refused, depth and size
// bounded. Where YAML's own marks broke an unquoted selector or range, the error proposes the quotes.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/tree.h"

namespace tahoma {

inline constexpr std::size_t most_yaml_bytes = std::size_t{16} << 20;
inline constexpr std::size_t most_yaml_values = 2'000'000;
inline constexpr std::size_t most_yaml_depth = 64;

struct YamlText {
  std::string_view text;
  std::string file;  // for messages
  Layer layer = Layer::file;
  bool numbered = true;  // false: places show the file's name alone (--set, presets)
};

/// One document. An empty text gives a node of kind `empty`. Throws ScenarioError.
Node parse_yaml(const YamlText& yaml);

/// The whole file, at most `most` bytes. Throws ScenarioError if it cannot be read.
std::string read_text_file(const std::string& file, const Place& asked_by,
                           std::size_t most = most_yaml_bytes);

}  // namespace tahoma
