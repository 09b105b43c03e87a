#include "scenarios/key_reference.h"

#include <fmt/format.h>

#include "scenarios/keys.h"

namespace tahoma {

namespace {

/// `|` would end the cell.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.replace(at, 1, "\\|");
  return text;
}

std::string_view top_of(const Key& key) {
  return key.path.substr(0, key.path.find('.'));
}

/// "kind=ring|torus" in words.
std::string condition(const Key& key) {
  if (key.when.empty()) return {};
  const std::size_t equals = key.when.find('=');
  if (equals == std::string_view::npos) {
    std::string names(key.when);
    for (std::size_t bar; (bar = names.find('|')) != std::string::npos;) names.replace(bar, 1, "` or `");
    return fmt::format(" (with `{}`)", names);
  }
  std::string names(key.when.substr(equals + 1));
  for (std::size_t bar = names.find('|'); bar != std::string::npos; bar = names.find('|', bar))
    names.replace(bar, 1, ", ");
  return fmt::format(" ({} {})", key.when.substr(0, equals), names);
}

std::string row_of(const Key& key) {
  const std::string fallback = key.fallback.empty() ? "" : fmt::format("`{}`", key.fallback);
  const bool later = key.status == Status::later;
  return fmt::format("| `{}` | {} | {} | {}{}{} |\n", key.path, later ? "" : cell(accepted_text(key)),
                     fallback, cell(std::string(key.meaning)), cell(condition(key)),
                     later ? " *(not supported yet)*" : "");
}

}  // namespace

std::string key_reference() {
  std::string text;
  std::string_view section;
  for (const Key& key : keys()) {
    if (key.path.ends_with('*')) continue;
    if (top_of(key) != section) {
      section = top_of(key);
      text +=
          fmt::format("\n### {}\n\n| key | accepted | if left out | meaning |\n|---|---|---|---|\n", section);
    }
    text += row_of(key);
  }
  return text;
}

}  // namespace tahoma
