// The cuts of a product topology's own levels, halves of its digits, and the levels around what is broken.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "topology/cut_box.h"
#include "topology/dimension_links.h"

namespace tahoma {

namespace {

class CutLister {
 public:
  CutLister(const ProductTopology& topology, const ProductDigits& digits)
      : topology_(topology),
        digits_(digits),
        effective_(effective_rates(topology.geometry())),
        raw_(raw_rates(topology.geometry())) {}

  std::vector<Cut> list() {
    const std::set<ChipId> faulty = chips_near_faults();
    append_levels(0, "");
    append_best_chip(faulty);
    for (std::uint32_t d = 0; d < digits_.digits.size(); ++d) {
      const Digit& digit = digits_.digits[d];
      if (digit.size > 1) append("half of " + digit.name, digit.level, {{d, 0, digit.size / 2}});
    }
    std::size_t room = 64;  // beyond it, cuts around faults would cost more than they say
    for (const ChipId chip : faulty) {
      if (room-- == 0) break;
      append_levels(chip, " around " + topology_.chip_name(chip));
    }
    return std::move(cuts_);
  }

 private:
  void append(std::string name, Level level, std::vector<Cut::Range> box) {
    if (box.empty()) return;
    const BothWays effective = capacity_of_box(topology_, digits_, box, effective_, CountFaults::yes);
    const BothWays raw = capacity_of_box(topology_, digits_, box, raw_, CountFaults::no);
    cuts_.push_back(
        {std::move(name), level, std::move(box), {effective.out}, {effective.in}, {raw.out}, {raw.in}});
  }

  // The groups that hold `chip`: the chip, its server, its UltraServer, its leaf group, its pod, its site.
  void append_levels(ChipId chip, const std::string& where) {
    const auto box_above = [&](auto is_above) {
      std::vector<Cut::Range> box;
      for (std::uint32_t d = 0; d < digits_.digits.size(); ++d) {
        const Digit& digit = digits_.digits[d];
        const std::uint32_t value = chip / digit.stride % digit.size;
        if (digit.size > 1 && is_above(digit)) box.push_back({d, value, value + 1});
      }
      return box;
    };
    const auto has = [&](Level level) {
      return std::any_of(digits_.digits.begin(), digits_.digits.end(),
                         [&](const Digit& d) { return d.level == level && d.size > 1; });
    };
    append("one chip" + where, Level::chip, box_above([](const Digit&) { return true; }));
    constexpr std::pair<Level, const char*> levels[] = {
        {Level::server, "one server"}, {Level::ultraserver, "one UltraServer"}, {Level::site, "one site"}};
    for (const auto& [level, name] : levels) {
      if (!has(level)) continue;
      append(name + where, level, box_above([&, l = level](const Digit& d) { return d.level > l; }));
    }
    constexpr std::pair<const char*, const char*> parts[] = {{"pos", "one leaf group"}, {"leaf", "one pod"}};
    for (const auto& [digit_name, name] : parts) {
      const auto inner = std::find_if(digits_.digits.begin(), digits_.digits.end(),
                                      [&, n = digit_name](const Digit& d) { return d.name == n; });
      if (inner == digits_.digits.end()) continue;
      append(name + where, Level::site, box_above([&](const Digit& d) { return d.stride > inner->stride; }));
    }
  }

  // No chip can send more than one that is whole and not at the end of a line: bounds of groups that leave
  // chips out need it. Chip 0 is it unless it is damaged or on a line.
  void append_best_chip(const std::set<ChipId>& faulty) {
    const Geometry& g = topology_.geometry();
    ChipId chip = 0;
    for (const GridDimension& d : g.dimensions) {
      if (d.kind == DimensionKind::line) chip += d.stride;
    }
    while (chip + 1 < g.chips && faulty.count(chip) == 1) ++chip;
    if (chip == 0) return;
    std::vector<Cut::Range> box;
    for (std::uint32_t d = 0; d < digits_.digits.size(); ++d) {
      const std::uint32_t value = chip / digits_.digits[d].stride % digits_.digits[d].size;
      if (digits_.digits[d].size > 1) box.push_back({d, value, value + 1});
    }
    append("one inner chip", Level::chip, std::move(box));
  }

  std::set<ChipId> chips_near_faults() const {
    std::set<ChipId> chips;
    const Geometry& g = topology_.geometry();
    for (const auto& [value, state] : topology_.exceptions()) {
      const LinkKey key = key_of(LinkId{value});
      if (key.kind == LinkKind::dimension || key.kind == LinkKind::nic) chips.insert(key.owner);
      if (key.kind == LinkKind::leaf_trunk || key.kind == LinkKind::leaf_spine) {
        chips.insert(g.first_chip_of_leaf(key.owner));
      }
    }
    return chips;
  }

  const ProductTopology& topology_;
  const ProductDigits& digits_;
  LinkRates effective_, raw_;
  std::vector<Cut> cuts_;
};

}  // namespace

std::vector<Cut> ProductTopology::cuts() const {
  std::call_once(cuts_once_, [&] { cuts_ = CutLister(*this, digits_).list(); });
  return cuts_;
}

}  // namespace tahoma
