#include "collectives/importers/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/errors.h"
#include "core/nearest.h"

namespace tahoma {

namespace {

constexpr std::size_t most_json_values = 4'000'000, most_json_depth = 64;
constexpr std::string_view kind_texts[] = {"null",   "true or false", "a whole number", "a number",
                                           "a text", "a list",        "a map"};

/// An input iterator that counts what the parser has taken.
class CountedBytes {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedBytes(const char* at, std::size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountedBytes& operator++() {
    ++at_;
    ++*taken_;
    return *this;
  }
  CountedBytes operator++(int) {
    CountedBytes before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountedBytes& other) const { return at_ == other.at_; }
  bool operator!=(const CountedBytes& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* taken_;
};

struct JsonTrouble {
  std::size_t offset;
  std::string what;
};

// Builds the tree. A value begins at the first byte after the one before it that is no blank, comma or colon.
class JsonTreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonTreeBuilder(std::string_view text, JsonValue& root, const std::size_t& taken)
      : text_(text), root_(root), taken_(taken) {}

  bool null() override { return scalar({}, false); }
  bool boolean(bool truth) override {
    JsonValue value;
    value.kind = JsonValue::Kind::boolean;
    value.truth = truth;
    return scalar(std::move(value), false);
  }
  bool number_integer(std::int64_t number) override { return whole_number(number); }
  bool number_unsigned(std::uint64_t number) override {
    if (number <= static_cast<std::uint64_t>(INT64_MAX))
      return whole_number(static_cast<std::int64_t>(number));
    return number_float(static_cast<double>(number), std::to_string(number));
  }
  bool number_float(double number, const std::string& written) override {
    JsonValue value;
    value.kind = JsonValue::Kind::number;
    value.real = number;
    value.text = written;
    return scalar(std::move(value), true);
  }
  bool string(std::string& text) override {
    JsonValue value;
    value.kind = JsonValue::Kind::text;
    value.text = std::move(text);
    return scalar(std::move(value), false);
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonValue::Kind::map); }
  bool start_array(std::size_t) override { return open(JsonValue::Kind::list); }
  bool key(std::string& key) override {
    begin();
    JsonValue& map = *open_.back();
    for (const auto& member : map.members) {
      if (member.key == key)
        throw JsonTrouble{last_end_, "the key '" + key.substr(0, 80) + "' is there twice"};
    }
    // Maps of many keys would cost their square here.
    if (map.members.size() > 10'000) throw JsonTrouble{last_end_, "a map has more than 10,000 keys"};
    map.members.push_back({key, {}});
    end(false);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    throw JsonTrouble{position > 0 ? position - 1 : 0, "this is no JSON"};
  }

 private:
  std::size_t begin() {
    std::size_t at = last_end_;
    while (at < text_.size() && std::string_view(" \t\r\n,:").find(text_[at]) != std::string_view::npos) ++at;
    return at;
  }
  // After a number the parser has seen one byte more, but at the file's end.
  void end(bool is_number) {
    const bool ahead = is_number && taken_ > 0 && taken_ <= text_.size() &&
                       std::string_view("0123456789.eE+-").find(text_[taken_ - 1]) == std::string_view::npos;
    last_end_ = ahead ? taken_ - 1 : taken_;
  }
  bool whole_number(std::int64_t number) {
    JsonValue value;
    value.kind = JsonValue::Kind::whole;
    value.integer = number;
    value.real = static_cast<double>(number);
    return scalar(std::move(value), true);
  }
  JsonValue& put(JsonValue value) {
    value.offset = begin();
    if (++values_ > most_json_values)
      throw JsonTrouble{value.offset, fmt::format("the file holds more than {} values", most_json_values)};
    if (open_.empty()) return root_ = std::move(value);
    JsonValue& parent = *open_.back();
    if (parent.kind == JsonValue::Kind::map) return parent.members.back().value = std::move(value);
    return parent.items.emplace_back(std::move(value));
  }
  bool scalar(JsonValue value, bool is_number) {
    put(std::move(value));
    end(is_number);
    return true;
  }
  bool open(JsonValue::Kind kind) {
    JsonValue value;
    value.kind = kind;
    JsonValue& there = put(std::move(value));
    if (open_.size() >= most_json_depth)
      throw JsonTrouble{there.offset, fmt::format("values are nested more than {} deep", most_json_depth)};
    open_.push_back(&there);
    end(false);
    return true;
  }
  bool close() {
    open_.pop_back();
    end(false);
    return true;
  }

  std::string_view text_;
  JsonValue& root_;
  const std::size_t& taken_;
  std::size_t last_end_ = 0, values_ = 0;
  std::vector<JsonValue*> open_;  // an open one is the last of its parent, so none of these moves
};

std::string pointer_to(const JsonValue& from, const JsonValue* wanted) {
  if (&from == wanted) return "/";
  for (std::size_t i = 0; i < from.items.size(); ++i) {
    const std::string below = pointer_to(from.items[i], wanted);
    if (!below.empty()) return fmt::format("/{}{}", i, below == "/" ? "" : below);
  }
  for (const auto& [key, value] : from.members) {
    const std::string below = pointer_to(value, wanted);
    if (!below.empty()) return fmt::format("/{}{}", key.substr(0, 80), below == "/" ? "" : below);
  }
  return "";
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

JsonDocument::JsonDocument(std::string_view text, std::string file) : file_(std::move(file)) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines_.push_back(i + 1);
  }
  std::size_t taken = 0;
  JsonTreeBuilder builder(text, root_, taken);
  try {
    const CountedBytes first(text.data(), &taken);
    const CountedBytes last(text.data() + text.size(), &taken);
    nlohmann::json::sax_parse(first, last, &builder);
  } catch (const JsonTrouble& trouble) {
    throw ScenarioError(fmt::format("{}: {}", place(std::min(trouble.offset, text.size())), trouble.what));
  }
}

std::string JsonDocument::place(std::size_t offset) const {
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
  return fmt::format("{}:{}:{}", file_, line, offset - lines_[static_cast<std::size_t>(line - 1)] + 1);
}

std::uint32_t JsonDocument::line(const JsonValue& value) const {
  return static_cast<std::uint32_t>(std::upper_bound(lines_.begin(), lines_.end(), value.offset) -
                                    lines_.begin());
}

void JsonDocument::refuse(const JsonValue& value, const std::string& what) const {
  throw ScenarioError(fmt::format("{}: {} {}", place(value.offset), pointer_to(root_, &value), what));
}

void JsonDocument::allow(const JsonValue& map, std::span<const std::string_view> keys) const {
  if (map.kind != JsonValue::Kind::map) refuse(map, "is no map");
  for (const auto& [key, value] : map.members) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::string near = nearest(key.substr(0, 80), keys);
    refuse(value, fmt::format("is not known; accepted: {}{}", fmt::join(keys, ", "),
                              near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
}

const JsonValue& JsonDocument::at(const JsonValue& map, std::string_view key) const {
  if (map.kind != JsonValue::Kind::map) refuse(map, "is no map");
  const JsonValue* found = map.find(key);
  if (found == nullptr) refuse(map, fmt::format("has no '{}'", key));
  return *found;
}

const std::vector<JsonValue>& JsonDocument::list(const JsonValue& value) const {
  if (value.kind != JsonValue::Kind::list)
    refuse(value, fmt::format("is {}; accepted: a list", kind_texts[static_cast<std::size_t>(value.kind)]));
  return value.items;
}

const std::string& JsonDocument::text(const JsonValue& value) const {
  if (value.kind != JsonValue::Kind::text)
    refuse(value, fmt::format("is {}; accepted: a text", kind_texts[static_cast<std::size_t>(value.kind)]));
  return value.text;
}

bool JsonDocument::boolean(const JsonValue& value) const {
  if (value.kind != JsonValue::Kind::boolean) refuse(value, "is neither true nor false");
  return value.truth;
}

std::int64_t JsonDocument::whole(const JsonValue& value, std::int64_t least, std::int64_t most) const {
  if (value.kind != JsonValue::Kind::whole || value.integer < least || value.integer > most)
    refuse(value, fmt::format("is no whole number from {} to {}", least, most));
  return value.integer;
}

std::int64_t JsonDocument::whole_or(const JsonValue& map, std::string_view key, std::int64_t otherwise,
                                    std::int64_t least, std::int64_t most) const {
  const JsonValue* found = map.find(key);
  return found == nullptr ? otherwise : whole(*found, least, most);
}

}  // namespace tahoma
