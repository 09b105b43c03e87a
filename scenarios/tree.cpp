#include "scenarios/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tahoma {

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Node* Node::find(std::string_view key) {
  for (Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Node& Node::at_or_insert(std::string_view key, const Place& new_place) {
  kind = Kind::map;
  if (Node* found = find(key)) return *found;
  entries.push_back({std::string(key), new_place, {}});
  entries.back().value.place = new_place;
  return entries.back().value;
}

void Node::erase(std::string_view key) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
}

Node scalar_node(std::string text, const Place& place, Layer layer) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.layer = layer;
  node.text = std::move(text);
  node.place = place;
  return node;
}

std::string joined(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string joined(std::string_view path, std::size_t index) {
  return fmt::format("{}.{}", path, index);
}

namespace {

/// Characters that never mean anything to YAML inside a word.
bool is_plain(std::string_view text) {
  constexpr std::array<std::string_view, 6> words = {"~", "null", "Null", "NULL", "", "-"};
  if (std::find(words.begin(), words.end(), text) != words.end()) return false;
  const auto safe = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._/+-$").find(c) != std::string_view::npos;
  };
  return std::all_of(text.begin(), text.end(), safe) && text.front() != '-' && text != "...";
}

std::string written(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\', quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

bool fits_one_line(const Node& node) {
  if (node.is_map()) return node.entries.empty();
  return std::all_of(node.items.begin(), node.items.end(),
                     [](const Node& item) { return !item.is_map() && fits_one_line(item); });
}

void write_map(std::string& out, const Node& map, std::size_t indent, bool first_is_placed);

void write_value(std::string& out, const Node& node, std::size_t indent) {
  if (fits_one_line(node)) {
    out += " " + one_line(node) + "\n";
    return;
  }
  out += "\n";
  if (node.is_map()) return write_map(out, node, indent, false);
  for (const Node& item : node.items) {
    out += std::string(indent, ' ') + "-";
    if (fits_one_line(item) || item.is_list()) {
      write_value(out, item, indent + 2);
    } else {
      out += " ";
      write_map(out, item, indent + 2, true);
    }
  }
}

/// `first_is_placed`: the line already holds "- " and the first key follows on it.
void write_map(std::string& out, const Node& map, std::size_t indent, bool first_is_placed) {
  for (const Entry& entry : map.entries) {
    if (!first_is_placed) out += std::string(indent, ' ');
    first_is_placed = false;
    out += written(entry.key) + ":";
    write_value(out, entry.value, indent + 2);
  }
}

void collect(std::vector<Leaf>& found, const std::string& path, const Node& node) {
  if (node.is_map() && !node.entries.empty()) {
    for (const Entry& entry : node.entries) collect(found, joined(path, entry.key), entry.value);
    return;
  }
  const bool deep =
      std::any_of(node.items.begin(), node.items.end(), [](const Node& item) { return item.is_map(); });
  if (!deep) {
    found.push_back({path, &node});
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) collect(found, joined(path, i), node.items[i]);
}

}  // namespace

std::string one_line(const Node& node) {
  if (node.is_scalar()) return written(node.text);
  if (node.kind == Node::Kind::empty) return "~";
  std::string text = node.is_list() ? "[" : "{";
  const std::size_t start = text.size();
  for (const Node& item : node.items) text += (text.size() > start ? ", " : "") + one_line(item);
  for (const Entry& entry : node.entries) {
    text += (text.size() > start ? ", " : "") + written(entry.key) + ": " + one_line(entry.value);
  }
  return text + (node.is_list() ? "]" : "}");
}

std::string to_yaml(const Node& root) {
  std::string out;
  write_map(out, root, 0, false);
  return out;
}

std::vector<Leaf> leaves(const Node& root) {
  std::vector<Leaf> found;
  for (const Entry& entry : root.entries) collect(found, entry.key, entry.value);
  return found;
}

}  // namespace tahoma
