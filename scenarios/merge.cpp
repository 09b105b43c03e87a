#include "scenarios/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/complaint.h"
#include "scenarios/keys.h"
#include "scenarios/shape_check.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::array<std::string_view, 6> workload_kinds = {"collective", "flows", "file",
                                                            "training",   "trace", "jobs"};

std::string_view workload_kind(const Node& workload) {
  for (const std::string_view kind : workload_kinds) {
    if (workload.find(kind)) return kind;
  }
  return {};
}

void displace(Node& base, const Node& over, const std::string& path) {
  if (path == "workload") {
    const std::string_view kind = workload_kind(over), below = workload_kind(base);
    if (!kind.empty() && !below.empty() && kind != below) base.entries.clear();
  }
  if (path.empty() && over.find("sites")) {
    if (Node* cluster = base.find("cluster")) cluster->erase("count");
  }
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    parts.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  return parts;
}

std::optional<std::size_t> index_of(const std::string& part) {
  if (part.empty() || part.size() > 6 || part.find_first_not_of("0123456789") != std::string::npos) return {};
  return std::stoul(part);
}

/// {a: {b: value}} of "a.b".
Node nested(const std::vector<std::string>& keys, Node value) {
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    Node map;
    map.kind = Node::Kind::map;
    map.layer = value.layer;
    map.place = value.place;
    map.entries.push_back({*key, value.place, std::move(value)});
    value = std::move(map);
  }
  return value;
}

/// The list element that keys..., which end in a list place, lead to.
Node& element_at(Node& root, const std::vector<std::string>& keys, const Place& place) {
  Node* at = &root;
  std::string path;
  for (const std::string& key : keys) {
    const auto index = index_of(key);
    Node* next = nullptr;
    if (index && at->is_list()) {
      if (*index < at->items.size()) next = &at->items[*index];
    } else {
      next = at->find(key);
    }
    if (!next) {
      const std::size_t size = at->is_list() ? at->items.size() : 0;
      refuse({place,
              joined(path, key),
              "",
              {"is not there: " + (index ? fmt::format("the list '{}' has {} elements", path, size)
                                         : fmt::format("'{}' has no such key", path)),
               "", ""}});
    }
    path = joined(path, key);
    at = next;
  }
  return *at;
}

void merge_by_key(Node& base, Node over, const std::string& path) {
  displace(base, over, path);
  for (Entry& entry : over.entries) {
    if (Node* below = base.find(entry.key)) {
      merge_into(*below, std::move(entry.value), joined(path, entry.key));
    } else {
      base.entries.push_back(std::move(entry));
    }
  }
  base.place = over.place;
  base.layer = over.layer;
}

/// How much of a --set path leads to something that is there as a whole: up to the last list element, or to
/// the levels of an `algorithm`, which are set one by one.
std::size_t fixed_part(const Node& root, const std::vector<std::string>& keys) {
  const Node* at = &root;
  std::string path;
  std::size_t fixed = 0;
  for (std::size_t i = 0; i + 1 < keys.size() && at; ++i) {
    path = joined(path, keys[i]);
    const auto index = index_of(keys[i]);
    at = index && at->is_list() && *index < at->items.size() ? &at->items[*index] : at->find(keys[i]);
    const Key* key = key_at(path);
    if (at && at->is_map() && key && key->path == "workload.algorithm") return i + 1;
    if (index) fixed = i + 1;
  }
  return index_of(keys.back()) ? keys.size() : fixed;
}

}  // namespace

void merge_into(Node& base, Node over, const std::string& path) {
  if (over.kind == Node::Kind::empty) return;
  const Key* key = key_at(path);
  const bool by_key = base.is_map() && over.is_map() && !(key && is_whole(*key));
  if (!by_key) {
    base = std::move(over);
    return;
  }
  merge_by_key(base, std::move(over), path);
}

Setting read_setting(const std::string& setting) {
  const Place place{"--set " + setting, 0, 0};
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse({place,
            "",
            "",
            {"there is no path before an equals sign", "path=value, such as cluster.count=4", ""}});
  }
  const std::string path = setting.substr(0, equals);
  const std::string text = setting.substr(equals + 1);
  check_path(path, place);
  if (path == "extends" || path.starts_with("extends.")) {
    refuse({place, path, "", {"is read before --set", "cluster.preset=NAME, or -f FILE", ""}});
  }
  Node value = parse_yaml({text, place.file, Layer::set, false});
  check_shape_at(value, path);
  if (value.kind == Node::Kind::empty) value.place = place;
  return {path, std::move(value)};
}

void set_path(Node& root, const std::string& setting) {
  set_value(root, read_setting(setting));
}

void set_value(Node& root, const Setting& setting) {
  std::vector<std::string> keys = parts_of(setting.path);
  const auto cut = keys.begin() + static_cast<std::ptrdiff_t>(fixed_part(root, keys));
  const std::vector<std::string> to_element(keys.begin(), cut);
  const std::vector<std::string> rest(cut, keys.end());
  std::string element_path;
  for (const std::string& key : to_element) element_path = joined(element_path, key);
  Node& element = element_at(root, to_element, setting.value.place);
  if (!rest.empty() && element.is_map()) {
    merge_by_key(element, nested(rest, setting.value), element_path);
  } else {
    merge_into(element, nested(rest, setting.value), element_path);
  }
}

void plant(Node& root, const std::string& path, Node value) {
  Node* at = &root;
  for (const std::string& part : parts_of(path)) {
    if (const auto index = index_of(part)) {
      TAHOMA_ASSERT(*index <= at->items.size(), "a preset skips a list place: " + path);
      at->kind = Node::Kind::list;
      if (*index == at->items.size()) at->items.emplace_back();
      at = &at->items[*index];
    } else {
      at = &at->at_or_insert(part, value.place);
    }
    at->layer = value.layer;
    at->place = value.place;
  }
  *at = std::move(value);
}

}  // namespace tahoma
