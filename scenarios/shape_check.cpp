#include "scenarios/shape_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest.h"
#include "scenarios/complaint.h"

namespace tahoma {

namespace {

constexpr std::size_t most_told = 20;
constexpr std::size_t most_ranges = 1'000;  // of up to 10,000 values each

std::string_view kind_words(const Node& node) {
  switch (node.kind) {
    case Node::Kind::empty:
      return "has no value";
    case Node::Kind::scalar:
      return "is a single value";
    case Node::Kind::list:
      return "is a list";
    case Node::Kind::map:
      return "is a map";
  }
  return "";
}

/// A key that stands in the wrong map: where the table has it.
std::string home_of(std::string_view name) {
  for (const Key& key : keys()) {
    const std::size_t dot = key.path.rfind('.');
    if (dot != std::string_view::npos && key.path.substr(dot + 1) == name) return std::string(key.path);
  }
  return {};
}

class ShapeCheck {
 public:
  void root(const Node& node) {
    if (node.kind == Node::Kind::empty) {
      tell({node.place,
            "",
            "",
            {"the file is empty", "a map of keys such as cluster, fabric and workload", ""}});
    } else if (!node.is_map()) {
      const std::string because = fmt::format("the file {}", kind_words(node));
      tell({node.place, "", "", {because, "a map of keys such as cluster, fabric and workload", ""}});
    } else {
      map(node, "");
    }
  }

  void at(const Node& node, const std::string& path) {
    if (is_below_free(path)) return;
    if (const Key* key = key_at(path)) return value(node, path, *key, node.place);
    const std::size_t dot = path.rfind('.');
    const std::string list = path.substr(0, dot == std::string::npos ? 0 : dot);
    scalar_item(node, path, *key_at(list));
  }

  void finish() const {
    if (!wrong_.empty()) throw ScenarioError(fmt::format("{}", fmt::join(wrong_, "\n")));
    if (!not_built_.empty()) throw InfeasibleError(fmt::format("{}", fmt::join(not_built_, "\n")));
  }

 private:
  bool is_full() const { return wrong_.size() >= most_told; }

  void tell(const Complaint& complaint) {
    if (!is_full()) wrong_.push_back(sentence(complaint));
  }

  void not_built(const Place& place, const std::string& path, const std::string& value) {
    if (not_built_.size() >= most_told) return;
    not_built_.push_back(sentence({place, path, value, {"is known but not supported yet", "", ""}}));
  }

  void map(const Node& node, const std::string& path) {
    const std::span<const Child> children = children_of(path);
    for (std::size_t i = 0; i < node.entries.size() && !is_full(); ++i) {
      const Entry& entry = node.entries[i];
      const std::size_t pieces = torn_pieces(node, i);
      if (pieces > 1) {
        torn(node, i, pieces, joined(path, entry.key));
        i += pieces - 1;
        continue;
      }
      const auto found =
          std::find_if(children.begin(), children.end(), [&](const Child& c) { return c.name == entry.key; });
      if (found != children.end()) {
        value(entry.value, joined(path, entry.key), *found->key, entry.key_place);
      } else if (path == "sweep" &&
                 (entry.key.find('.') != std::string::npos || key_at(entry.key) != nullptr)) {
        continue;  // a path to sweep over: its reader checks it
      } else {
        unknown(entry, path, children);
      }
    }
  }

  /// `{sizes: log2(1KiB, 1GiB)}` comes as sizes: "log2(1KiB" and an empty "1GiB)"; so many entries make one
  /// value.
  static std::size_t torn_pieces(const Node& node, std::size_t first) {
    const Node& value = node.entries[first].value;
    if (!is_open(value)) return 1;
    for (std::size_t i = first + 1; i < node.entries.size(); ++i) {
      if (node.entries[i].value.kind != Node::Kind::empty) return 1;
      if (node.entries[i].key.ends_with(')')) return i - first + 1;
    }
    return 1;
  }

  static bool is_open(const Node& value) {
    return value.is_scalar() && value.text.find('(') != std::string::npos &&
           value.text.find(')') == std::string::npos;
  }

  void torn(const Node& node, std::size_t first, std::size_t pieces, const std::string& path) {
    std::string whole = node.entries[first].value.text;
    for (std::size_t i = 1; i < pieces; ++i) whole += ", " + node.entries[first + i].key;
    tell_torn(node.entries[first].value, path, whole);
  }

  void tell_torn(const Node& value, const std::string& path, const std::string& whole) {
    tell({value.place,
          path,
          value.text,
          {"is broken at its comma", "quotes around a text with brackets, commas or stars",
           fmt::format("\"{}\"", whole)}});
  }

  void unknown(const Entry& entry, const std::string& path, std::span<const Child> children) {
    std::vector<std::string> names;
    for (const Child& child : children) names.emplace_back(child.name);
    std::string meant = home_of(entry.key);
    if (meant.empty()) meant = nearest(entry.key, std::span<const std::string>(names));
    tell({entry.key_place, joined(path, entry.key), "", {"is not known", listed(names), meant}});
  }

  void value(const Node& node, const std::string& path, const Key& key, const Place& key_place) {
    if (key.status == Status::later) return not_built(key_place, path, "");
    switch (node.kind) {
      case Node::Kind::empty:
        // An empty list or map says "nothing here"; an empty single value is a slip.
        if (key.forms & as_one) wrong_form(node, path, key);
        return;
      case Node::Kind::scalar:
        return scalar(node, path, key);
      case Node::Kind::list:
        return items(node, path, key);
      case Node::Kind::map:
        if (!(key.forms & as_map)) return wrong_form(node, path, key);
        if (is_free(key)) return;
        return key.path == "sweep.variants" ? variants(node, path) : map(node, path);
    }
  }

  /// Each is a layer of its own, but for what only a whole file has.
  void variants(const Node& node, const std::string& path) {
    for (const Entry& entry : node.entries) {
      const std::string at = joined(path, entry.key);
      try {
        check_value({.path = "", .type = ValueType::name}, entry.key);
      } catch (const BadText& bad) {
        tell({entry.key_place, at, entry.key, bad});
      }
      if (!entry.value.is_map()) {
        tell({entry.value.place,
              at,
              "",
              {std::string(kind_words(entry.value)), "a map of keys to change", ""}});
        continue;
      }
      for (const std::string_view only_of_files : {"apiVersion", "extends", "sweep"}) {
        if (entry.value.find(only_of_files) == nullptr) continue;
        tell({entry.key_place, joined(at, only_of_files), "", {"has no place in a variant", "", ""}});
      }
      map(entry.value, "");
    }
  }

  void wrong_form(const Node& node, const std::string& path, const Key& key) {
    std::string meant;
    const bool braces =
        node.is_map() && node.entries.size() == 1 && node.entries[0].value.kind == Node::Kind::empty;
    if (braces) meant = fmt::format("\"{}\"", node.entries[0].key);
    const std::string shown = node.kind == Node::Kind::empty ? "" : one_line(node);
    tell({node.place, path, shown, {std::string(kind_words(node)), accepted_text(key), meant}});
  }

  void scalar(const Node& node, const std::string& path, const Key& key) {
    if (!(key.forms & as_one)) return wrong_form(node, path, key);
    try {
      check_value(key, node.text);
      if (key.accepted.find("!" + node.text) != std::string_view::npos)
        not_built(node.place, path, node.text);
    } catch (const BadText& bad) {
      tell({node.place, path, node.text.empty() ? "" : node.text, bad});
    }
  }

  void items(const Node& node, const std::string& path, const Key& key) {
    if (!(key.forms & as_list)) return wrong_form(node, path, key);
    const Key* element = key_at(joined(path, "*"));
    if (key.type == ValueType::sizes && node.items.size() > most_ranges) {
      return tell(
          {node.place, path, "", {fmt::format("lists more than {} ranges", most_ranges), "fewer", ""}});
    }
    for (std::size_t i = 0; i < node.items.size() && !is_full(); ++i) {
      const Node& item = node.items[i];
      const std::string at = joined(path, i);
      if (const std::string whole = torn_item(node, i); !whole.empty()) {
        tell_torn(item, at, whole);
        return;
      }
      if (element) {
        value(item, at, *element, item.place);
        if (item.kind == Node::Kind::empty) wrong_form(item, at, *element);
      } else if (item.is_scalar()) {
        scalar_item(item, at, key);
      } else if (item.is_list() && nests(key)) {
        items(item, at, key);
      } else if (item.is_map() && (key.forms & as_map)) {
        map_item(item, at, path);
      } else {
        wrong_form(item, at, key);
      }
    }
  }

  /// The same in a list: [log2(1KiB, 1GiB)].
  static std::string torn_item(const Node& node, std::size_t first) {
    if (!is_open(node.items[first])) return {};
    std::string whole = node.items[first].text;
    for (std::size_t i = first + 1; i < node.items.size() && node.items[i].is_scalar(); ++i) {
      whole += ", " + node.items[i].text;
      if (whole.ends_with(')')) return whole;
    }
    return {};
  }

  void scalar_item(const Node& item, const std::string& at, const Key& key) {
    Key single = key;
    single.forms = as_one;
    scalar(item, at, single);
  }

  /// `algorithm: [ring, {intra: torus, inter: ring}]`: a map in the list has the keys of the value itself.
  void map_item(const Node& item, const std::string& at, const std::string& path) {
    for (const Entry& entry : item.entries) {
      if (const Key* key = key_at(joined(path, entry.key))) {
        value(entry.value, joined(at, entry.key), *key, entry.key_place);
      } else {
        unknown(entry, path, children_of(path));
      }
    }
  }

  static bool nests(const Key& key) { return key.path == "workload.ranks"; }

  std::vector<std::string> wrong_, not_built_;
};

}  // namespace

void check_shape(const Node& root) {
  ShapeCheck check;
  check.root(root);
  check.finish();
}

void check_shape_at(const Node& value, const std::string& path) {
  ShapeCheck check;
  check.at(value, path);
  check.finish();
}

void check_path(const std::string& path, const Place& place) {
  std::string parent;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    const std::string name = path.substr(start, dot - start);
    const Key* above = parent.empty() ? nullptr : key_at(parent);
    const bool index = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    const bool element = index && above && (above->forms & as_list) && dot == path.size();
    if (!key_at(joined(parent, name)) && !element) {
      std::vector<std::string> names;
      for (const Child& child : children_of(parent)) names.emplace_back(child.name);
      std::string meant = nearest(name, std::span<const std::string>(names));
      meant = meant.empty() ? home_of(name) : joined(parent, meant);
      refuse({place, joined(parent, name), "", {"is not known", listed(names), meant}});
    }
    parent = joined(parent, name);
    if (const Key* key = key_at(parent); key && is_free(*key)) return;
    start = dot + 1;
  }
}

}  // namespace tahoma
