// The forms of `placement`: a word, random(SEED), a list of chips, or a file of them.
#include <array>

#include "core/nearest.h"
#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

constexpr std::string_view accepted =
    "packed, scattered, by_rail, random, random(SEED), a list of chips, or a file with one chip a line";

struct Word {
  std::string_view name;
  Placement::Kind kind;
};
constexpr std::array words{
    Word{"packed", Placement::Kind::packed}, Word{"scattered", Placement::Kind::scattered},
    Word{"by_rail", Placement::Kind::by_rail}, Word{"random", Placement::Kind::random}};

Placement random_of(const Field& placement) {
  const std::string_view text = placement.text();
  constexpr std::string_view begin = "random(";
  if (!text.ends_with(')')) refuse(placement, {"has no closing bracket", std::string(accepted), ""});
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
    for (const Word& word : words) {
      if (text == word.name) return {{word.kind, {}, {}}, place};
    }
    if (text.starts_with("random(")) return {random_of(placement), place};
    const bool is_file = text.find('.') != std::string::npos || text.find('/') != std::string::npos;
    if (!is_file) {
      std::vector<std::string> names;
      for (const Word& word : words) names.emplace_back(word.name);
      refuse(placement,
             {"is no placement", std::string(accepted), nearest(text, std::span<const std::string>(names))});
    }
    const std::vector<std::string> lines = lines_beside(placement, "chips");
    const Layer layer = placement.node->layer;
    workload.erase("placement");
    settle(workload, "placement", lines);
    workload.find("placement")->layer = layer;  // still the user's own key
    placement = map["placement"];
  }
  Placement listed{Placement::Kind::listed, {}, {}};
  for (const Field& one : each(placement)) {
    if (!one.node->is_scalar()) refuse(one, {"is no chip", std::string(accepted), ""});
    listed.chips.push_back(one.text());
  }
  if (listed.chips.empty()) refuse(placement, {"is empty", std::string(accepted), ""});
  return {listed, place};
}

}  // namespace tahoma
