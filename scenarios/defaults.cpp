#include "scenarios/defaults.h"

#include <algorithm>

namespace tahoma {

namespace {

const Place derived_place{"default", 0, 0};

bool is_among(std::string_view word, std::string_view names) {
  for (std::string_view rest = names; !rest.empty();) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    if (rest.substr(0, bar) == word) return true;
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return false;
}

bool names_one_of(const Node& node, std::string_view names) {
  if (node.is_scalar()) return is_among(node.text, names);
  return std::any_of(node.items.begin(), node.items.end(),
                     [&](const Node& item) { return is_among(item.text, names); });
}

void fill(Node& node, const std::string& path) {
  if (node.is_list()) {
    for (std::size_t i = 0; i < node.items.size(); ++i) fill(node.items[i], joined(path, i));
    return;
  }
  if (!node.is_map()) return;
  if (const Key* key = key_at(path); key && (is_whole(*key) || is_free(*key))) return;
  for (const Child& child : children_of(path)) {
    if (!child.key->fallback.empty() && matters(*child.key, node))
      settle(node, child.name, std::string(child.key->fallback));
  }
  for (Entry& entry : node.entries) fill(entry.value, joined(path, entry.key));
}

Node ordered_at(const Node& node, const std::string& path) {
  Node copy = node;
  if (node.is_list()) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      copy.items[i] = ordered_at(node.items[i], joined(path, i));
    return copy;
  }
  if (!node.is_map()) return copy;
  if (const Key* key = key_at(path); key && is_free(*key)) return copy;
  copy.entries.clear();
  for (const Child& child : children_of(path)) {
    const Node* value = node.find(child.name);
    if (!value) continue;
    const bool users_own = value->layer >= Layer::extends;
    if (users_own || matters(*child.key, node)) {
      copy.entries.push_back(
          {std::string(child.name), value->place, ordered_at(*value, joined(path, child.name))});
    }
  }
  return copy;
}

}  // namespace

bool matters(const Key& key, const Node& map) {
  if (key.when.empty()) return true;
  const std::size_t equals = key.when.find('=');
  if (equals == std::string_view::npos) {
    return std::any_of(map.entries.begin(), map.entries.end(),
                       [&](const Entry& entry) { return is_among(entry.key, key.when); });
  }
  const Node* neighbour = map.find(key.when.substr(0, equals));
  return neighbour != nullptr && names_one_of(*neighbour, key.when.substr(equals + 1));
}

void fill_defaults(Node& root) {
  fill(root, "");
}

void settle(Node& map, std::string_view key, const std::string& value) {
  if (map.find(key)) return;
  map.entries.push_back(
      {std::string(key), derived_place, scalar_node(value, derived_place, Layer::fallback)});
}

void settle(Node& map, std::string_view key, const std::vector<std::string>& values) {
  if (map.find(key)) return;
  Node list;
  list.kind = Node::Kind::list;
  list.layer = Layer::fallback;
  list.place = derived_place;
  for (const std::string& value : values)
    list.items.push_back(scalar_node(value, derived_place, Layer::fallback));
  map.entries.push_back({std::string(key), derived_place, std::move(list)});
}

void inline_lines(Node& map, std::string_view key, const std::vector<std::string>& lines) {
  const Layer layer = map.find(key)->layer;
  map.erase(key);
  settle(map, key, lines);
  map.find(key)->layer = layer;
}

Node ordered(const Node& root) {
  return ordered_at(root, "");
}

}  // namespace tahoma
