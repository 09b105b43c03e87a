// A small writer of JSON text whose keys keep the order in which they are written.
//
// Problem: times must appear as exact decimals made from integers, and no JSON value class keeps the text of
// a number. Idea: write the text directly; structure is checked by assertions, strings are escaped by the
// JSON library (bytes that are not UTF-8 become U+FFFD).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace tahoma {

class JsonText {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  /// The next value belongs to `name`. Names are ours and need no escaping.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(double number);
  void value(Duration d);
  void value(Time t) { value(Duration{t.ps}); }
  void value(const std::vector<std::string>& texts);
  void value(std::nullptr_t) { raw("null"); }
  template <std::same_as<bool> B>
  void value(B yes) {
    raw(yes ? "true" : "false");
  }
  template <std::unsigned_integral N>
  requires(!std::same_as<N, bool>) void value(N number) { raw(std::to_string(number)); }

  template <class V>
  void field(std::string_view name, const V& v) {
    key(name);
    value(v);
  }

  /// The finished text, with a newline at its end.
  std::string take();

 private:
  void raw(std::string_view text);
  void open(char bracket);
  void close(char bracket);
  void separate();

  std::string text_;
  std::string open_;   // closing brackets still to come
  bool first_ = true;  // nothing in the innermost bracket yet
  bool after_key_ = false;
};

}  // namespace tahoma
