// The forms of `placement`: a word, random(SEED), a list of chips, or a file of them.
#include <array>

#include "core/nearest.h"
#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

constexpr std::string_view placement_forms =
    "packed, scattered, by_rail, random, random(SEED), a list of chips, or a file with one chip a line";

struct PlacementWord {
  std::string_view name;
  Placement::Kind kind;
};
constexpr std::array placement_words{
    PlacementWord{"packed", Placement::Kind::packed}, PlacementWord{"scattered", Placement::Kind::scattered},
    PlacementWord{"by_rail", Placement::Kind::by_rail}, PlacementWord{"random", Placement::Kind::random}};

Placement seeded_order(const Field& placement) {
  const std::string_view text = placement.text();
  constexpr std::string_view begin = "random(";
  if (!text.ends_with(')')) refuse(placement, {"has no closing bracket", std::string(placement_forms), ""});
  const std::string_view seed = text.substr(begin.size(), text.size() - begin.size() - 1);
  try {
    return {Placement::Kind::random, read_count(seed), {}};
  } catch (const BadText&) {
    refuse(placement, {"has no whole number as its seed", "random(SEED), such as random(7)", ""});
  }
}

}  // namespace

Placed<Placement> resolve_placement(Node& workload, const std::string& path) {
  const Field map{&workload, path};
  Field placement = map["placement"];
  if (!placement) return {};
  const Place place = placement.place();
  if (placement.node->is_scalar()) {
    const std::string& text = placement.text();
    for (const PlacementWord& word : placement_words) {
      if (text == word.name) return {{word.kind, {}, {}}, place};
    }
    if (text.starts_with("random(")) return {seeded_order(placement), place};
    const bool is_file = text.find('.') != std::string::npos || text.find('/') != std::string::npos;
    if (!is_file) {
      std::vector<std::string> names;
      for (const PlacementWord& word : placement_words) names.emplace_back(word.name);
      refuse(placement, {"is no placement", std::string(placement_forms),
                         nearest(text, std::span<const std::string>(names))});
    }
    inline_lines(workload, "placement", lines_beside(placement, "chips"));
    placement = map["placement"];
  }
  Placement listed{Placement::Kind::listed, {}, {}};
  for (const Field& one : each(placement)) {
    if (!one.node->is_scalar()) refuse(one, {"is no chip", std::string(placement_forms), ""});
    listed.chips.push_back(one.text());
  }
  if (listed.chips.empty()) refuse(placement, {"is empty", std::string(placement_forms), ""});
  return {listed, place};
}

}  // namespace tahoma
