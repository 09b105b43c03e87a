// `tahoma stack [NAME]`: the tables of collectives/stack, for reading.
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "collectives/stack/stack.h"
#include "core/nearest.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

using StackJson = nlohmann::ordered_json;
constexpr auto at_left = TextColumn::Align::left;

std::string algorithm_text(const StackWay& way) {
  if (way.between.empty()) return std::string(way.algorithm);
  return "intra: " + std::string(way.algorithm) + ", inter: " + std::string(way.between);
}

std::string spaced(std::string_view words) {
  std::string text;
  for (const std::string_view word : words_of(words)) text += (text.empty() ? "" : " ") + std::string(word);
  return text;
}

std::string overview_text(const TextStyle& style) {
  TextTable table;
  table.columns = {{at_left, "stack", ""}, {at_left, "chips", ""}, {at_left, "what it is", ""}};
  for (const Stack& stack : stacks())
    table.rows.push_back({std::string(stack.name), spaced(stack.chips), std::string(stack.meaning)});
  return to_text(table, 0, style.width);
}

std::string whole_text(const Stack& stack, const TextStyle& style) {
  TextTable ways;
  ways.columns = {{at_left, "way", ""},
                  {at_left, "protocols", ""},
                  {at_left, "collectives", ""},
                  {at_left, "groups", ""},
                  {at_left, "algorithm", ""}};
  for (const StackWay& way : stack_ways()) {
    if (way.stack != stack.name) continue;
    ways.rows.push_back({std::string(way.name), spaced(way.protocols), spaced(way.collectives),
                         std::string(name_of(way.spread)), algorithm_text(way)});
  }
  TextTable parameters;
  parameters.columns = {{at_left, "parameter", ""}, {at_left, "value", ""},      {at_left, "platform", ""},
                        {at_left, "since", ""},     {at_left, "provenance", ""}, {at_left, "source", ""}};
  for (const StackParameter& row : stack_parameters(stack.name)) {
    parameters.rows.push_back({std::string(row.name), std::string(row.value), spaced(row.platform),
                               std::string(row.since), std::string(name_of(row.provenance)),
                               std::string(row.source)});
  }
  TextTable figures;
  figures.columns = {{at_left, "figure", ""}, {at_left, "what it is", ""}};
  for (const StackFigure& figure : stack_figures())
    figures.rows.push_back({std::string(figure.name), std::string(figure.meaning)});
  const auto heading = [&](const char* text) { return "\n" + paint(style, Ink::bold, text) + "\n"; };
  return paint(style, Ink::bold, std::string(stack.name)) + "\n" + std::string(stack.meaning) + "\n" +
         heading("ways of working") + to_text(ways, 2) + heading("parameters") + to_text(parameters, 2) +
         heading("figures: a parameter is [COLLECTIVE.][WAY.][PROTOCOL.]FIGURE") +
         to_text(figures, 2, style.width);
}

StackJson stack_json(const Stack& stack) {
  StackJson ways = StackJson::array(), parameters = StackJson::array();
  for (const StackWay& way : stack_ways()) {
    if (way.stack != stack.name) continue;
    ways.push_back({{"way", way.name},
                    {"protocols", words_of(way.protocols)},
                    {"collectives", words_of(way.collectives)},
                    {"groups", name_of(way.spread)},
                    {"algorithm", way.algorithm},
                    {"between", way.between},
                    {"meaning", way.meaning}});
  }
  for (const StackParameter& row : stack_parameters(stack.name)) {
    parameters.push_back({{"parameter", row.name},
                          {"value", row.value},
                          {"platform", words_of(row.platform)},
                          {"since", row.since},
                          {"provenance", name_of(row.provenance)},
                          {"source", row.source}});
  }
  return {{"name", stack.name},
          {"meaning", stack.meaning},
          {"ways", std::move(ways)},
          {"parameters", std::move(parameters)}};
}

}  // namespace

ExitCode stack_command(const Arguments& arguments) {
  const TextStyle style = stdout_style();
  const Stack* named = arguments.name.empty() ? nullptr : stack_named(arguments.name);
  if (!arguments.name.empty() && named == nullptr) {
    std::vector<std::string_view> names;
    for (const Stack& stack : stacks()) names.push_back(stack.name);
    const std::string meant = nearest(arguments.name, std::span<const std::string_view>(names));
    throw UsageError("there is no stack '" + arguments.name + "'" +
                     (meant.empty() ? "" : "; did you mean '" + meant + "'?") + " (see `tahoma stack`)");
  }
  if (arguments.format == "json") {
    StackJson list = StackJson::array();
    for (const Stack& stack : stacks())
      if (named == nullptr || named == &stack) list.push_back(stack_json(stack));
    print(StackJson{{"schema", "tahoma.stacks/1"}, {"stacks", std::move(list)}}.dump(2) + "\n");
  } else {
    print(named == nullptr ? overview_text(style) : whole_text(*named, style));
  }
  return ExitCode::ok;
}

}  // namespace tahoma
