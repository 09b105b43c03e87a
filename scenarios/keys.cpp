#include "scenarios/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenarios/complaint.h"
#include "scenarios/key_table.h"
#include "scenarios/quantity.h"

namespace tahoma {

namespace {

constexpr std::string_view job = "workload.jobs.*", lone_workload = "workload";
constexpr std::string_view scale_out_entry = "fabric.scale_out.*", scale_up_entry = "fabric.scale_up.*";
// A site of its own hardware has a `cluster` and a `fabric` as a whole scenario has, but for what counts or
// joins the sites.
constexpr std::string_view site_prefix = "sites.*.";
constexpr std::string_view level_choice = "workload.algorithm.";

bool is_index(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  for (std::size_t end = text.find(mark); end != std::string_view::npos; end = text.find(mark)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

/// List places become `*`.
std::string pattern_of(std::string_view path) {
  std::string pattern;
  for (const std::string_view part : split(path, '.')) {
    if (!pattern.empty()) pattern += '.';
    pattern += is_index(part) ? "*" : part;
  }
  return pattern;
}

/// The family whose rows an entry shares, "" if it has only its own.
std::string_view shared_family(std::string_view pattern) {
  if (pattern == job) return lone_workload;
  if (pattern == scale_out_entry) return scale_up_entry;
  return {};
}

bool is_of_all_sites(std::string_view path) {
  for (const std::string_view shared :
       {"cluster.preset", "cluster.count", "fabric.wan", "fabric.between_sites"}) {
    if (path == shared || (path.starts_with(shared) && path.substr(shared.size()).starts_with('.')))
      return true;
  }
  return false;
}

const std::map<std::string_view, const Key*>& rows() {
  static const auto index = [] {
    std::map<std::string_view, const Key*> made;
    for (const Key& key : key_table()) made.emplace(key.path, &key);
    return made;
  }();
  return index;
}

const Key* row(std::string_view pattern) {
  const auto found = rows().find(pattern);
  return found == rows().end() ? nullptr : found->second;
}

/// Rows right below each path, in table order.
const std::map<std::string_view, std::vector<Child>>& rows_below() {
  static const auto index = [] {
    std::map<std::string_view, std::vector<Child>> made;
    for (const Key& key : key_table()) {
      const std::size_t dot = key.path.rfind('.');
      const bool top = dot == std::string_view::npos;
      const std::string_view name = top ? key.path : key.path.substr(dot + 1);
      if (name != "*") made[top ? std::string_view{} : key.path.substr(0, dot)].push_back({name, &key});
    }
    for (const std::string_view entry : {job, scale_out_entry}) {
      std::vector<Child>& own = made[entry];
      for (const Child& child : made[shared_family(entry)]) {
        if (child.name != "jobs") own.push_back(child);
      }
    }
    for (const std::string_view entry : {"sites.*.cluster", "sites.*.fabric"}) {
      for (const Child& child : made[entry.substr(site_prefix.size())]) {
        if (!is_of_all_sites(child.key->path)) made[entry].push_back(child);
      }
    }
    return made;
  }();
  return index;
}

}  // namespace

std::span<const Key> keys() {
  return key_table();
}

const Key* key_at(std::string_view path) {
  const std::string pattern = pattern_of(path);
  if (const Key* found = row(pattern)) return found;
  if (pattern.starts_with("sites.*.cluster.") || pattern.starts_with("sites.*.fabric.")) {
    const std::string own = pattern.substr(site_prefix.size());
    return is_of_all_sites(own) ? nullptr : key_at(own);
  }
  for (const std::string_view entry : {job, scale_out_entry}) {
    if (!pattern.starts_with(entry)) continue;
    const std::string rest = pattern.substr(entry.size());
    if (rest.starts_with(".jobs")) return nullptr;
    return row(std::string(shared_family(entry)) + rest);
  }
  return nullptr;
}

std::span<const Child> children_of(std::string_view path) {
  auto found = rows_below().find(pattern_of(path));
  if (found == rows_below().end()) {
    // Deeper inside a shared family: "workload.jobs.*.ranks" has the rows of "workload.ranks".
    const Key* key = key_at(path);
    found = key ? rows_below().find(key->path) : found;
  }
  return found == rows_below().end() ? std::span<const Child>{} : std::span<const Child>(found->second);
}

std::vector<std::string> known_names(const Key& key) {
  const bool level = key.path.starts_with(level_choice);
  std::vector<std::string> names;
  for (std::string_view name : split(level ? key_at("workload.algorithm")->accepted : key.accepted, '|')) {
    if (name.starts_with('!')) name.remove_prefix(1);
    names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> built_names(const Key& key) {
  std::vector<std::string> names = known_names(key);
  std::erase_if(names, [&](const std::string& name) {
    return key.accepted.find("!" + name) != std::string_view::npos;
  });
  return names;
}

bool is_whole(const Key& key) {
  return key.path == "workload.ranks" || key.path == "workload.algorithm";
}

bool is_free(const Key& key) {
  return key.path == "workload.stack.parameters";
}

bool is_below_free(std::string_view path) {
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const Key* key = key_at(path.substr(0, dot));
    if (key != nullptr && is_free(*key)) return true;
  }
  return false;
}

std::string accepted_text(const Key& key) {
  std::string text;
  switch (key.type) {
    case ValueType::text:
      text = key.accepted.empty() ? "text" : key.accepted;
      break;
    case ValueType::name:
      text = "letters, digits, _ and -";
      break;
    case ValueType::choice:
      text = listed(built_names(key));
      break;
    case ValueType::boolean:
      text = "true or false";
      break;
    case ValueType::count:
      text = "a whole number from 1, K M G T Ki Mi Gi allowed";
      break;
    case ValueType::index:
      text = "a whole number from 0";
      break;
    case ValueType::number:
      text = "a number such as 1.5";
      break;
    case ValueType::fraction:
      text = "a number above 0 and up to 1, or a percentage";
      break;
    case ValueType::probability:
      text = "a number from 0 to below 1, or a percentage";
      break;
    case ValueType::bandwidth:
      text = accepted_text(Quantity::bandwidth);
      break;
    case ValueType::size:
      text = accepted_text(Quantity::size);
      break;
    case ValueType::sizes:
      text = "sizes such as 64MiB, or a range such as \"1KiB..1GiB *4\"";
      break;
    case ValueType::time:
      text = accepted_text(Quantity::time);
      break;
    case ValueType::distance:
      text = accepted_text(Quantity::distance);
      break;
    case ValueType::anything:
      text = "anything";
      break;
  }
  if (key.type != ValueType::choice && key.accepted == "auto") text += ", or auto";
  const bool of_maps = key.forms == as_list && row(std::string(key.path) + ".*");
  if (of_maps) return "a list of maps";
  if (key.forms == as_map) return "a map";
  const bool said = key.type == ValueType::text && !key.accepted.empty();
  if (said) return text;
  if (key.forms & as_list) text += ", or a list";
  if (key.forms & as_map) text += ", or a map";
  return text;
}

}  // namespace tahoma
