// The hardware catalogue: one table of rows, each a figure with its origin.
//
// A row says what a scenario file would say: a key path and the text of its value. The reader lays the rows
// of a preset below everything else. Three kinds of paths are not scenario keys:
//
//   extends     the preset whose rows come first
//   describes   one line for `tahoma presets`
//   facts.*     catalogue figures that no simulation reads (yet)
//
// Where sources conflict, the other reading is a row with the name of a variant, which replaces the plain row
// of the same path when the preset is asked for as NAME@VARIANT.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

enum class Confidence { primary, press, analyst, inferred, assumed };
std::string_view name_of(Confidence confidence);

struct PresetRow {
  std::string_view preset;
  std::string_view path;
  std::string_view value;
  std::string_view source;  // a key of preset_sources()
  Confidence confidence = Confidence::assumed;
  std::string_view note = {};
  std::string_view variant = {};
};

/// What a row's source stands for.
struct PresetSource {
  std::string_view key;
  std::string_view text;
};

/// A statement about this hardware that does not hold as it was printed.
struct PressClaim {
  std::string_view where;
  std::string_view claim;
  std::string_view verdict;
  std::string_view truth;
  std::string_view source;  // of the truth, a key of preset_sources()
};

std::span<const PressClaim> press_claims();
std::span<const PresetRow> preset_rows();
std::span<const PresetSource> preset_sources();

/// Names in order of the table; variants as NAME@VARIANT if asked for.
std::vector<std::string> preset_names();
std::vector<std::string> preset_names_with_variants();

/// The rows of a preset, of what it extends first, so that later rows win. A list in which a preset says the
/// `kind` or `name` of an element is wholly its own; without, it changes single figures of the base's list.
/// With a variant its rows in place of the plain ones. Empty if there is no such preset.
std::vector<PresetRow> rows_of_preset(std::string_view name_and_variant);

/// The value at a path, if the preset (or what it extends) has one.
std::optional<std::string_view> preset_value(std::string_view name_and_variant, std::string_view path);

}  // namespace tahoma
