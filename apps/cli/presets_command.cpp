// `tahoma presets [NAME] [--claims]`: the catalogue of topology/presets.h with its sources, conflicts
// included, and what the press gets wrong.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "core/nearest.h"
#include "scenarios/text_table.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

using enum TextColumn::Align;

using Json = nlohmann::ordered_json;

std::string text_of(std::string_view text) {
  return std::string(text);
}

// The readings that the preset does not follow: rows of its own or of what it extends that belong to a
// variant.
std::vector<PresetRow> other_readings(const std::vector<PresetRow>& rows) {
  std::vector<PresetRow> others;
  for (const PresetRow& row : preset_rows()) {
    const bool related = std::any_of(rows.begin(), rows.end(), [&](const PresetRow& r) {
      return r.preset == row.preset && r.path == row.path;
    });
    const bool chosen = std::any_of(rows.begin(), rows.end(), [&](const PresetRow& r) {
      return r.preset == row.preset && r.path == row.path && r.variant == row.variant;
    });
    if (related && !chosen && !row.variant.empty()) others.push_back(row);
  }
  return others;
}

std::string catalogue_text(const TextStyle& style) {
  TextTable table;
  table.columns = {{left, "preset", ""}, {left, "what it is", ""}};
  for (const std::string& name : preset_names_with_variants()) {
    const std::size_t at = name.find('@');
    const std::string describes = text_of(preset_value(name, "describes").value_or(""));
    const bool reading =
        at != std::string::npos && describes == preset_value(name.substr(0, at), "describes");
    table.rows.push_back({name, reading ? "the same, another reading of the sources" : describes});
  }
  return to_text(table, 0, style.width) +
         "\n`tahoma presets NAME` shows the figures of one, with source and confidence; `tahoma presets "
         "--claims` what\nthe press says of them that does not hold.\n";
}

std::string claims_text(const TextStyle& style) {
  std::string text;
  for (const PressClaim& claim : press_claims()) {
    text += paint(style, Ink::bold, "\"" + text_of(claim.claim) + "\"") +
            "\n  said by: " + text_of(claim.where) + "\n  verdict: " + text_of(claim.verdict) +
            "\n  instead: " + text_of(claim.truth) + "\n  source:  " + text_of(claim.source) + "\n\n";
  }
  return text + std::to_string(press_claims().size()) +
         " statements; the sources are those of `tahoma presets NAME`.\n";
}

Json claims_json() {
  Json list = Json::array();
  for (const PressClaim& claim : press_claims()) {
    list.push_back({{"where", claim.where},
                    {"claim", claim.claim},
                    {"verdict", claim.verdict},
                    {"truth", claim.truth},
                    {"source", claim.source}});
  }
  return list;
}

Json sources_json() {
  Json sources = Json::object();
  for (const PresetSource& source : preset_sources()) sources[text_of(source.key)] = source.text;
  return sources;
}

std::string rows_text(const std::vector<PresetRow>& rows, const TextStyle& style, bool as_variants) {
  TextTable table;
  table.columns = {{left, "key", ""},
                   {left, "value", ""},
                   {left, "confidence", ""},
                   {left, "source", ""},
                   {left, as_variants ? "asked for as" : "note", ""}};
  for (const PresetRow& row : rows) {
    const std::string name = text_of(row.preset) + "@" + text_of(row.variant);
    table.rows.push_back({text_of(row.path), text_of(row.value), text_of(name_of(row.confidence)),
                          text_of(row.source), as_variants ? name : text_of(row.note)});
  }
  return to_text(table, 2, style.width);
}

std::string preset_text(const std::string& name, const std::vector<PresetRow>& rows, const TextStyle& style) {
  std::vector<PresetRow> figures;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(figures),
               [](const PresetRow& row) { return row.path != "describes" && row.path != "extends"; });
  const std::vector<PresetRow> others = other_readings(rows);
  std::string text =
      paint(style, Ink::bold, name) + "\n" + text_of(preset_value(name, "describes").value_or("")) + "\n\n";
  text += "Bandwidths are raw, per link and per direction, unless the note says otherwise.\n\n";
  text += rows_text(figures, style, false);
  if (!others.empty()) {
    text += "\n" + paint(style, Ink::bold, "other readings of the sources") + "\n" +
            rows_text(others, style, true);
  }
  TextTable sources;
  sources.columns = {{left, "source", ""}, {left, "what it is", ""}};
  for (const PresetSource& source : preset_sources()) {
    const auto cites = [&](const PresetRow& row) { return row.source == source.key; };
    if (std::any_of(figures.begin(), figures.end(), cites) ||
        std::any_of(others.begin(), others.end(), cites)) {
      sources.rows.push_back({text_of(source.key), text_of(source.text)});
    }
  }
  return text + "\n" + to_text(sources, 2, style.width);
}

Json rows_json(const std::vector<PresetRow>& rows) {
  Json list = Json::array();
  for (const PresetRow& row : rows) {
    list.push_back({{"path", row.path},
                    {"value", row.value},
                    {"source", row.source},
                    {"confidence", name_of(row.confidence)},
                    {"note", row.note},
                    {"preset", row.preset},
                    {"variant", row.variant}});
  }
  return list;
}

std::string catalogue_json(const std::vector<std::string>& names) {
  Json presets = Json::array();
  for (const std::string& name : names) {
    const std::vector<PresetRow> rows = rows_of_preset(name);
    presets.push_back({{"name", name},
                       {"describes", preset_value(name, "describes").value_or("")},
                       {"figures", rows_json(rows)},
                       {"other_readings", rows_json(other_readings(rows))}});
  }
  const Json whole{
      {"schema", "tahoma.presets/1"}, {"presets", std::move(presets)}, {"sources", sources_json()}};
  return whole.dump(2) + "\n";
}

}  // namespace

ExitCode presets_command(const Arguments& arguments) {
  const bool json = arguments.format == "json";
  const TextStyle style = stdout_style();
  if (arguments.claims) {
    if (!arguments.name.empty()) throw UsageError("--claims is about all presets; leave out the name");
    const Json whole{{"schema", "tahoma.claims/1"}, {"claims", claims_json()}, {"sources", sources_json()}};
    print(json ? whole.dump(2) + "\n" : claims_text(style));
    return ExitCode::ok;
  }
  if (arguments.name.empty()) {
    print(json ? catalogue_json(preset_names()) : catalogue_text(style));
    return ExitCode::ok;
  }
  const std::vector<PresetRow> rows = rows_of_preset(arguments.name);
  if (rows.empty()) {
    const std::string meant = nearest(arguments.name, preset_names_with_variants());
    throw UsageError("there is no preset '" + arguments.name + "'" +
                     (meant.empty() ? "" : "; did you mean '" + meant + "'?") + " (see `tahoma presets`)");
  }
  print(json ? catalogue_json({arguments.name}) : preset_text(arguments.name, rows, style));
  return ExitCode::ok;
}

}  // namespace tahoma
