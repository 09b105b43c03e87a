#include "scenarios/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "scenarios/complaint.h"
#include "scenarios/quotes.h"

namespace tahoma {

namespace {

/// Thrown through the library when a mark of YAML's own is met that we do not read.
struct Marked {
  std::size_t line, column;  // from 0
  BadText trouble;
};

/// The text from a place on.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }
  std::string_view from(const YAML::Mark& mark) const {
    const auto line = static_cast<std::size_t>(mark.line);
    if (line >= starts_.size()) return {};
    return text_.substr(std::min(starts_[line] + static_cast<std::size_t>(mark.column), text_.size()));
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_{0};
};

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const YamlText& yaml) : yaml_(yaml), lines_(yaml.text) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      stop(mark, {"the file holds more than one YAML document", "one document, no second `---`", ""});
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    stop(mark,
         {fmt::format("anchors such as &{} are not read", name), "the value written out, or `extends`", ""});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    stop(mark, {"aliases are not read", "the value written out, or `extends`", ""});
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(mark, Node::Kind::empty, "", false); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    refuse_tag(mark, tag);
    const bool quoted = tag == "!";
    // The library takes a quote that is never closed for one that ends with the file.
    if (quoted && !quote_is_closed(lines_.from(mark)))
      stop(mark, {"a quote is opened here and never closed", "", ""});
    add(mark, Node::Kind::scalar, value, quoted);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(mark, Node::Kind::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(mark, Node::Kind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  Node take() { return std::move(root_); }

 private:
  /// A list or map whose end has not come yet. In a map keys and values take turns.
  struct Open {
    Node node;
    bool key_waits = false;  // for its value
    std::string key;
    Place key_place;
    std::unordered_set<std::string> keys;
  };

  [[noreturn]] static void stop(const YAML::Mark& mark, BadText trouble) {
    throw Marked{static_cast<std::size_t>(mark.line), static_cast<std::size_t>(mark.column),
                 std::move(trouble)};
  }

  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    stop(mark, {fmt::format("tags such as {} are not read", tag), "plain text", ""});
  }

  Place place_of(const YAML::Mark& mark) const {
    if (!yaml_.numbered) return {yaml_.file, 0, 0};
    return {yaml_.file, mark.line + 1, mark.column + 1};
  }

  bool expects_key() const { return !open_.empty() && open_.back().node.is_map() && !open_.back().key_waits; }

  void add(const YAML::Mark& mark, Node::Kind kind, const std::string& text, bool quoted) {
    if (++values_ > most_yaml_values) {
      stop(mark,
           {fmt::format("the file holds more than {} values", most_yaml_values), "flows in a CSV file", ""});
    }
    if (expects_key()) return take_key(mark, text);
    Node node;
    node.kind = kind;
    node.layer = yaml_.layer;
    node.text = text;
    node.quoted = quoted;
    node.place = place_of(mark);
    attach(std::move(node));
  }

  void take_key(const YAML::Mark& mark, const std::string& text) {
    Open& map = open_.back();
    if (text == "<<") stop(mark, {"merge keys (<<) are not read", "`extends`, or an overlay by -f", ""});
    if (!map.keys.insert(text).second) {
      const std::string first = first_place(map.node, text);
      stop(mark, {fmt::format("key '{}' is written twice; the first one is at {}", text, first), "", ""});
    }
    map.key = text;
    map.key_place = place_of(mark);
    map.key_waits = true;
  }

  static std::string first_place(const Node& map, const std::string& key) {
    for (const Entry& entry : map.entries) {
      if (entry.key == key) return to_string(entry.key_place);
    }
    return {};
  }

  void open(const YAML::Mark& mark, Node::Kind kind) {
    if (expects_key())
      stop(mark, {"a list or map stands where a key belongs", "quotes around a key with brackets", ""});
    if (open_.size() == most_yaml_depth) {
      stop(mark, {fmt::format("lists and maps are nested more than {} deep", most_yaml_depth), "", ""});
    }
    Open frame;
    frame.node.kind = kind;
    frame.node.layer = yaml_.layer;
    frame.node.place = place_of(mark);
    open_.push_back(std::move(frame));
  }

  void close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    attach(std::move(done));
  }

  void attach(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.is_list()) {
      parent.node.items.push_back(std::move(node));
      return;
    }
    if (node.kind == Node::Kind::empty)
      node.place = parent.key_place;  // the library's mark is the next word's
    parent.node.entries.push_back({std::move(parent.key), parent.key_place, std::move(node)});
    parent.key_waits = false;
  }

  const YamlText& yaml_;
  Lines lines_;
  Node root_;
  std::vector<Open> open_;
  std::size_t values_ = 0, documents_ = 0;
};

[[noreturn]] void refuse_at(const YamlText& yaml, std::size_t line, std::size_t column, BadText trouble) {
  if (tab_indents(yaml.text, line)) trouble = {"a tab indents this line", "spaces", ""};
  const std::string meant = quotes_meant(yaml.text, line, column);
  if (!meant.empty()) {
    trouble.accepted = "quotes around a text with brackets, commas or stars";
    trouble.meant = meant;
  }
  Place place{yaml.file, 0, 0};
  if (yaml.numbered) place = {yaml.file, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
  refuse({place, "", "", std::move(trouble)});
}

}  // namespace

Node parse_yaml(const YamlText& whole) {
  check_encoding(whole.text, whole.file);
  YamlText yaml = whole;
  if (yaml.text.starts_with("\xEF\xBB\xBF")) yaml.text.remove_prefix(3);  // a byte order mark
  std::istringstream stream{std::string(yaml.text)};
  TreeBuilder builder(yaml);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {};
    Node root = builder.take();
    parser.HandleNextDocument(builder);  // stops at a second document
    return root;
  } catch (const Marked& marked) {
    refuse_at(yaml, marked.line, marked.column, marked.trouble);
  } catch (const YAML::Exception& error) {
    const bool known = !error.mark.is_null();
    refuse_at(yaml, known ? static_cast<std::size_t>(error.mark.line) : 0,
              known ? static_cast<std::size_t>(error.mark.column) : 0, {plain_words(error.msg), "", ""});
  }
}

}  // namespace tahoma
