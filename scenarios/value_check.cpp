#include <algorithm>

#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/ranges.h"
#include "scenarios/shape_check.h"

namespace tahoma {

namespace {

void check_choice(const Key& key, std::string_view text) {
  const std::vector<std::string> names = known_names(key);
  if (std::find(names.begin(), names.end(), text) != names.end()) return;
  throw BadText{"is not a name that is known here", accepted_text(key),
                nearest(text, std::span<const std::string>(names))};
}

void check_name(const Key& key, std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (text.empty()) throw BadText{"is empty", accepted_text(key), ""};
  if (!std::all_of(text.begin(), text.end(), allowed)) {
    throw BadText{"has a character that selectors could not name", accepted_text(key), ""};
  }
}

void check_boolean(const Key& key, std::string_view text) {
  if (text == "true" || text == "false") return;
  const std::string_view yes[] = {"yes", "on", "True", "TRUE", "1"};
  const std::string_view no[] = {"no", "off", "False", "FALSE", "0"};
  std::string meant;
  if (std::find(std::begin(yes), std::end(yes), text) != std::end(yes)) meant = "true";
  if (std::find(std::begin(no), std::end(no), text) != std::end(no)) meant = "false";
  throw BadText{"is neither true nor false", accepted_text(key), meant};
}

void check_bounded(const Key& key, std::string_view text) {
  const Decimal value = read_number(text);
  const int to_one = compare(value, {1, 0});
  if (key.type == ValueType::fraction) {
    if (value.mantissa == 0) throw BadText{"is zero", "", ""};
    if (to_one > 0) throw BadText{"is more than 1", "", ""};
  }
  if (key.type == ValueType::probability && to_one >= 0) throw BadText{"is not below 1", "", ""};
}

void check_whole(const Key& key, std::string_view text) {
  if (!key.accepted.empty() && (text == "auto")) return;
  const std::uint64_t value = read_count(text);
  if (key.type == ValueType::count && value == 0) throw BadText{"is zero", "", ""};
}

void check_typed(const Key& key, std::string_view text) {
  switch (key.type) {
    case ValueType::text:
      if (text.empty()) throw BadText{"is empty", "", ""};
      return;
    case ValueType::name:
      return check_name(key, text);
    case ValueType::choice:
      return check_choice(key, text);
    case ValueType::boolean:
      return check_boolean(key, text);
    case ValueType::count:
    case ValueType::index:
      return check_whole(key, text);
    case ValueType::number:
    case ValueType::fraction:
    case ValueType::probability:
      return check_bounded(key, text);
    case ValueType::bandwidth:
      return static_cast<void>(read_bandwidth(text));
    case ValueType::size:
      if (read_bytes(text).count == 0) throw BadText{"is zero", "", ""};
      return;
    case ValueType::sizes:
      return static_cast<void>(expand_sizes(text));
    case ValueType::time:
      return static_cast<void>(read_time(text));
    case ValueType::distance:
      return static_cast<void>(read_quantity(text, Quantity::distance));
    case ValueType::anything:
      return;
  }
}

}  // namespace

void check_value(const Key& key, std::string_view text) {
  try {
    check_typed(key, text);
  } catch (BadText& bad) {
    if (bad.accepted.empty()) bad.accepted = accepted_text(key);
    throw;
  }
}

}  // namespace tahoma
