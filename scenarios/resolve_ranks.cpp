// Who takes part: the forms of `ranks`.
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

constexpr std::string_view forms =
    "all, the first N, a selector, a list of groups, {by: server}, {stride: N} or {size: N}";

Level level_named(const std::string& name) {
  if (name == "chip") return Level::chip;
  if (name == "server") return Level::server;
  return name == "site" ? Level::site : Level::ultraserver;
}

Ranks from_map(const Field& ranks) {
  if (ranks.node->entries.size() != 1) refuse(ranks, {"is not one of the forms", std::string(forms), ""});
  if (const Field by = ranks["by"]) return RanksBy{level_named(by.text())};
  if (const Field stride = ranks["stride"]) return RanksStride{read_field(stride, read_count)};
  return RanksSize{read_field(required(ranks, "size"), read_count)};
}

Ranks from_list(const Field& ranks) {
  if (ranks.size() == 0) refuse(ranks, {"is empty", std::string(forms), ""});
  RanksGroups groups;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Field group = ranks[i];
    if (group.node->is_map()) refuse(group, {"is a map", "a selector, or a list of selectors", ""});
    std::vector<std::string> selectors;
    for (const Field& selector : each(group)) {
      if (!selector.node->is_scalar())
        refuse(selector, {"is nested too deep", "groups are lists of selectors", ""});
      selectors.push_back(selector.text());
    }
    if (selectors.empty()) refuse(group, {"is an empty group", "a selector, or a list of selectors", ""});
    groups.groups.push_back(std::move(selectors));
  }
  return groups;
}

Ranks from_text(const Field& ranks) {
  const std::string& text = ranks.text();
  if (text == "all") return RanksAll{};
  const bool starts_as_number = text.find_first_of("0123456789-+.") == 0;
  if (!starts_as_number) return RanksSelected{text};
  const std::uint64_t count = read_field(ranks, read_count);
  if (count == 0) refuse(ranks, {"is zero", std::string(forms), ""});
  return RanksFirst{count};
}

}  // namespace

Placed<Ranks> resolve_ranks(const Field& ranks) {
  if (ranks.node->is_map()) return {from_map(ranks), ranks.place()};
  if (ranks.node->is_list()) return {from_list(ranks), ranks.place()};
  return {from_text(ranks), ranks.place()};
}

}  // namespace tahoma
