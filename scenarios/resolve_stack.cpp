// `stack`: the communication software of a collective, and the user's own values of its parameters.
#include <fmt/format.h>

#include <algorithm>

#include "collectives/collective.h"
#include "core/nearest.h"
#include "scenarios/resolve.h"
#include "scenarios/stack_text.h"

namespace tahoma {

namespace {

/// The words that may stand before the figure in a parameter's name, by place.
struct NameParts {
  std::vector<std::string> collectives, ways, protocols, figures;
};

NameParts parts_of_stack(const std::string& stack) {
  NameParts parts;
  for (const std::string_view name : collective_names()) parts.collectives.emplace_back(name);
  for (const StackWay& way : stack_ways()) {
    if (way.stack == stack) parts.ways.emplace_back(way.name);
  }
  parts.protocols = protocols_of(stack);
  for (const StackFigure& figure : stack_figures()) parts.figures.emplace_back(figure.name);
  return parts;
}

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const StackFigure& figure_named(const std::string& name) {
  const auto figures = stack_figures();
  return *std::find_if(figures.begin(), figures.end(), [&](const StackFigure& f) { return f.name == name; });
}

class ParameterReader {
 public:
  ParameterReader(StackWork& work, const std::string& stack) : work_(work), parts_(parts_of_stack(stack)) {}

  /// `place`: 0 a collective may come next, 1 a way, 2 a protocol, 3 only a figure.
  void read(const Field& map, const std::string& name, std::uint32_t place) {
    if (!map.node->is_map())
      refuse(map, {"is no map of parameters", "NAME: VALUE, names as in `tahoma stack NAME`", ""});
    for (const Entry& entry : map.node->entries) {
      const Field value = map[entry.key];
      if (is_one_of(parts_.figures, entry.key)) {
        keep(value, name + entry.key, entry.key);
        continue;
      }
      const std::uint32_t next = place_after(entry.key, place);
      if (next == 0) unknown(entry, map.path, place);
      read(value, name + entry.key + ".", next);
    }
  }

 private:
  std::uint32_t place_after(const std::string& word, std::uint32_t place) const {
    const std::vector<std::string>* by_place[] = {&parts_.collectives, &parts_.ways, &parts_.protocols};
    for (std::uint32_t p = place; p < 3; ++p) {
      if (is_one_of(*by_place[p], word)) return p + 1;
    }
    return 0;
  }

  [[noreturn]] void unknown(const Entry& entry, const std::string& path, std::uint32_t place) const {
    const std::vector<std::string>* by_place[] = {&parts_.collectives, &parts_.ways, &parts_.protocols};
    std::vector<std::string> names = parts_.figures;
    for (std::uint32_t p = place; p < 3; ++p)
      names.insert(names.end(), by_place[p]->begin(), by_place[p]->end());
    refuse({entry.key_place,
            joined(path, entry.key),
            "",
            {"is no part of a parameter's name", listed(names),
             nearest(entry.key, std::span<const std::string>(names))}});
  }

  void keep(const Field& value, const std::string& name, const std::string& figure) {
    const StackFigure& kept = figure_named(figure);
    if (!value || !value.node->is_scalar()) refuse(value, {"is no single value", accepted_text(kept), ""});
    StackFigures ignored;
    read_field(value, [&](std::string_view text) {
      read_figure(kept, text, ignored);
      return 0;
    });
    work_.parameters.push_back({name, value.text(), value.place()});
  }

  StackWork& work_;
  NameParts parts_;
};

}  // namespace

std::optional<StackWork> resolve_stack(const Field& stack, const Scenario& scenario) {
  if (!stack) return std::nullopt;
  const Field name = required(stack, "name");
  StackWork work;
  work.name = name.text();
  work.place = name.place();
  if (std::holds_alternative<MixedShape>(scenario.network))
    throw InfeasibleError(sentence({name.place(),
                                    name.path,
                                    name.text(),
                                    {"is not built over sites of different hardware", "no stack", ""}}));
  const Stack& known = *stack_named(work.name);
  if (!runs_on(known, scenario.chip)) {
    std::string fitting;
    for (const Stack& other : stacks()) {
      if (runs_on(other, scenario.chip)) fitting += (fitting.empty() ? "" : ", ") + std::string(other.name);
    }
    refuse(name, {fmt::format("does not run on {}: it is {}", scenario.chip, known.meaning), fitting, ""});
  }
  if (const Field version = stack["version"]) {
    work.version = version.text();
    if (!is_version(work.version)) refuse(version, {"is no version", "numbers with dots, such as 2.28", ""});
  }
  if (const Field protocol = stack["protocol"]; protocol && protocol.text() != "auto") {
    work.protocol = protocol.text();
    const std::vector<std::string> protocols = protocols_of(work.name);
    if (!is_one_of(protocols, work.protocol)) {
      refuse(protocol,
             {fmt::format("is no protocol of {}", work.name),
              protocols.empty() ? "auto: it has no choice of protocols" : "auto, " + listed(protocols), ""});
    }
  }
  if (const Field parameters = stack["parameters"]) ParameterReader(work, work.name).read(parameters, "", 0);
  return work;
}

}  // namespace tahoma
