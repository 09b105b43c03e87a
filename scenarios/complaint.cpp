#include "scenarios/complaint.h"

#include <fmt/format.h>

namespace tahoma {

namespace {

/// Long or unprintable values would drown the message (and a terminal).
std::string shown(std::string_view value) {
  constexpr std::size_t longest = 80;
  std::string text;
  for (const char c : value.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return value.size() > longest ? text + "..." : text;
}

}  // namespace

std::string to_string(const Place& place) {
  if (place.line == 0) return place.file;
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string sentence(const Complaint& complaint) {
  std::string text = to_string(complaint.place);
  if (!complaint.key.empty()) text += fmt::format(": key '{}'", shown(complaint.key));
  const bool has_value = !complaint.value.empty();
  if (has_value) text += fmt::format(": value '{}'", shown(complaint.value));
  text += has_value || !complaint.key.empty() ? " " : ": ";
  text += complaint.trouble.because;
  if (!complaint.trouble.accepted.empty()) text += "; accepted: " + complaint.trouble.accepted;
  if (!complaint.trouble.meant.empty())
    text += fmt::format("; did you mean '{}'?", shown(complaint.trouble.meant));
  return text;
}

void refuse(const Complaint& complaint) {
  throw ScenarioError(sentence(complaint));
}

ScenarioError at_place(const Place& place, std::string_view key, std::string_view message) {
  const std::string prefix =
      key.empty() ? to_string(place) : fmt::format("{}: key '{}'", to_string(place), key);
  return ScenarioError(fmt::format("{}: {}", prefix, message));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace tahoma
