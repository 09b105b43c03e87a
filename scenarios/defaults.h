// What a file leaves out, written into the tree, so that resolved.yaml and explain show every value that
// counts.
#pragma once

#include "scenarios/keys.h"
#include "scenarios/tree.h"

namespace tahoma {

/// Does the key matter beside its neighbours in `map` (Key::when)?
bool matters(const Key& key, const Node& map);

/// Fills in every fallback of the table whose map exists and where it matters.
void fill_defaults(Node& root);

/// Puts a derived value into the tree unless it is there.
void settle(Node& map, std::string_view key, const std::string& value);
void settle(Node& map, std::string_view key, const std::vector<std::string>& values);
/// A file's name becomes the list of its lines; it stays the user's own key.
void inline_lines(Node& map, std::string_view key, const std::vector<std::string>& lines);

/// For resolved.yaml: keys in table order; keys of presets and defaults that do not matter left out.
Node ordered(const Node& root);

}  // namespace tahoma
