#include "scenarios/json_text.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/errors.h"
#include "scenarios/number_text.h"

namespace tahoma {

void JsonText::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  if (!first_) text_ += ',';
  text_ += '\n';
  text_.append(2 * open_.size(), ' ');
  first_ = false;
}

void JsonText::key(std::string_view name) {
  TAHOMA_ASSERT(!open_.empty() && open_.back() == '}' && !after_key_, "a JSON key outside an object");
  separate();
  text_ += '"';
  text_ += name;
  text_ += "\": ";
  after_key_ = true;
}

void JsonText::raw(std::string_view text) {
  TAHOMA_ASSERT(open_.empty() || after_key_ || open_.back() == ']', "a JSON value without its key");
  separate();
  text_ += text;
}

void JsonText::open(char bracket) {
  raw(std::string(1, bracket));
  open_ += bracket == '{' ? '}' : ']';
  first_ = true;
}

void JsonText::close(char bracket) {
  TAHOMA_ASSERT(!open_.empty() && open_.back() == bracket && !after_key_, "JSON brackets do not match");
  open_.pop_back();
  if (!first_) {
    text_ += '\n';
    text_.append(2 * open_.size(), ' ');
  }
  text_ += bracket;
  first_ = false;
}

void JsonText::value(std::string_view text) {
  raw(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void JsonText::value(double number) {
  raw(shortest(number));
}

void JsonText::value(Duration d) {
  raw(seconds_text(d.ps));
}

void JsonText::value(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) value(text);
  end_array();
}

std::string JsonText::take() {
  TAHOMA_ASSERT(open_.empty(), "JSON text taken before it was finished");
  text_ += '\n';
  return std::exchange(text_, {});
}

}  // namespace tahoma
