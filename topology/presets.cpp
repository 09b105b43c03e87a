#include "topology/presets.h"

#include <algorithm>

namespace tahoma {

namespace {

struct PresetName {
  std::string_view name, variant;
};

PresetName split(std::string_view name_and_variant) {
  const std::size_t at = name_and_variant.find('@');
  if (at == std::string_view::npos) return {name_and_variant, ""};
  return {name_and_variant.substr(0, at), name_and_variant.substr(at + 1)};
}

// "fabric.scale_up" of "fabric.scale_up.0.kind"; empty where no part of the path is a number.
std::string_view list_of(std::string_view path) {
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    if (dot + 1 < path.size() && path[dot + 1] >= '0' && path[dot + 1] <= '9') return path.substr(0, dot);
  }
  return {};
}

// Own rows of one preset, a variant's in place of the plain ones of the same path.
std::vector<PresetRow> own_rows(std::string_view name, std::string_view variant) {
  std::vector<PresetRow> found;
  for (const PresetRow& row : preset_rows()) {
    if (row.preset == name && row.variant.empty()) found.push_back(row);
  }
  for (const PresetRow& row : preset_rows()) {
    if (variant.empty() || row.preset != name || row.variant != variant) continue;
    const auto plain =
        std::find_if(found.begin(), found.end(), [&](const PresetRow& r) { return r.path == row.path; });
    if (plain != found.end()) *plain = row;
  }
  return found;
}

bool has_variant(std::string_view name, std::string_view variant) {
  const auto rows = preset_rows();
  return std::any_of(rows.begin(), rows.end(),
                     [&](const PresetRow& row) { return row.preset == name && row.variant == variant; });
}

}  // namespace

std::string_view name_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::primary:
      return "primary";
    case Confidence::press:
      return "press";
    case Confidence::analyst:
      return "analyst";
    case Confidence::inferred:
      return "inferred";
    case Confidence::assumed:
      return "assumed";
  }
  return "";
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const PresetRow& row : preset_rows()) {
    if (std::find(names.begin(), names.end(), row.preset) == names.end()) names.emplace_back(row.preset);
  }
  return names;
}

std::vector<std::string> preset_names_with_variants() {
  std::vector<std::string> names;
  for (const std::string& name : preset_names()) {
    names.push_back(name);
    for (const PresetRow& row : preset_rows()) {
      const std::string with = name + "@" + std::string(row.variant);
      if (row.preset != name || row.variant.empty()) continue;
      if (std::find(names.begin(), names.end(), with) == names.end()) names.push_back(with);
    }
  }
  return names;
}

std::vector<PresetRow> rows_of_preset(std::string_view name_and_variant) {
  const auto [name, variant] = split(name_and_variant);
  const std::vector<PresetRow> own = own_rows(name, variant);
  std::vector<PresetRow> rows;
  bool variant_found = variant.empty() || has_variant(name, variant);
  for (const PresetRow& row : own) {
    if (row.path != "extends") continue;
    // A variant of the base may be asked for by the name of the preset built on it.
    const bool of_base = !variant_found;
    rows = rows_of_preset(of_base ? std::string(row.value) + "@" + std::string(variant)
                                  : std::string(row.value));
    variant_found = variant_found || !rows.empty();
  }
  if (own.empty() || !variant_found) return {};
  std::erase_if(rows, [&](const PresetRow& base) {
    return std::any_of(own.begin(), own.end(), [&](const PresetRow& row) {
      const std::string_view list = list_of(row.path);
      const bool new_list = !list.empty() && (row.path.ends_with(".kind") || row.path.ends_with(".name"));
      return base.path == row.path || (new_list && list_of(base.path) == list);
    });
  });
  for (const PresetRow& row : own) {
    if (row.path != "extends") rows.push_back(row);
  }
  // A base's variant whose figures are all replaced here is none of this preset.
  const std::string_view asked = variant;
  const bool tells_apart = asked.empty() || std::any_of(rows.begin(), rows.end(), [&](const PresetRow& row) {
                             return row.variant == asked;
                           });
  return tells_apart ? rows : std::vector<PresetRow>{};
}

std::optional<std::string_view> preset_value(std::string_view name_and_variant, std::string_view path) {
  for (const PresetRow& row : rows_of_preset(name_and_variant)) {
    if (row.path == path) return row.value;
  }
  return std::nullopt;
}

}  // namespace tahoma
