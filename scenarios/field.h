// A value on its way to its type: the node, and the path it is known by in messages.
//
// The shape of every layer was checked before, so reading a Field fails only on what the table cannot say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/complaint.h"
#include "scenarios/tree.h"

namespace tahoma {

struct Field {
  const Node* node = nullptr;  // nullptr: left out
  std::string path;

  explicit operator bool() const { return node != nullptr && node->kind != Node::Kind::empty; }
  Field operator[](std::string_view key) const;
  Field operator[](std::size_t index) const { return {&node->items[index], joined(path, index)}; }
  std::size_t size() const { return node && node->is_list() ? node->items.size() : 0; }
  const Place& place() const { return node->place; }
  const std::string& text() const { return node->text; }
};

/// Throws ScenarioError about this value.
[[noreturn]] void refuse(const Field& field, BadText trouble);
/// The key is missing: told at the place of the map it belongs to.
Field required(const Field& map, std::string_view key);

/// The elements of a list, or the value itself as the only one; none if left out.
std::vector<Field> each(const Field& field);

/// Reads the text by `read` (quantity.h, ...), adding key, value and place to what it says.
template <class Read>
auto read_field(const Field& field, Read read) {
  try {
    return read(std::string_view(field.text()));
  } catch (const BadText& bad) {
    refuse(field, bad);
  }
}

}  // namespace tahoma
