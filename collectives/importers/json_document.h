// JSON files of other tools, read strictly: every key is asked for by name and the rest is refused.
//
// The library that parses tells what it found but not where; so its events are listened to while the bytes it
// has taken are counted, and each value keeps the byte it begins at. Depth and number of values are bounded,
// keys that stand twice are refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

struct JsonMember;

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, whole, number, text, list, map };
  Kind kind = Kind::null;
  bool truth = false;
  std::int64_t integer = 0;  // of a whole one; what is past it is a `number`
  double real = 0;           // of a number or whole one
  std::string text;          // of a text, and a number as written
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;  // of a map, in the order written
  std::size_t offset = 0;

  const JsonValue* find(std::string_view key) const;  // nullptr: not there, or this is no map
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

class JsonDocument {
 public:
  /// Throws ScenarioError with the place of what is no JSON.
  JsonDocument(std::string_view text, std::string file);

  const JsonValue& root() const { return root_; }
  const std::string& file() const { return file_; }

  /// "file:line:column: /gpus/0/id ..."
  [[noreturn]] void refuse(const JsonValue& value, const std::string& what) const;
  std::uint32_t line(const JsonValue& value) const;

  /// Refuses what is no map, and keys that are not listed.
  void allow(const JsonValue& map, std::span<const std::string_view> keys) const;

  const JsonValue& at(const JsonValue& map, std::string_view key) const;  // must be there
  const std::vector<JsonValue>& list(const JsonValue& value) const;
  const std::string& text(const JsonValue& value) const;
  bool boolean(const JsonValue& value) const;
  std::int64_t whole(const JsonValue& value, std::int64_t least, std::int64_t most) const;
  std::int64_t whole_or(const JsonValue& map, std::string_view key, std::int64_t otherwise,
                        std::int64_t least, std::int64_t most) const;

 private:
  std::string place(std::size_t offset) const;

  std::string file_;
  JsonValue root_;
  std::vector<std::size_t> lines_{0};  // where each line starts
};

}  // namespace tahoma
