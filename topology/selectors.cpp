#include "topology/selectors.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/nearest.h"
#include "topology/number_set.h"

namespace tahoma {

namespace {

class Finder {
 public:
  Finder(const ProductTopology& topology, std::string_view pattern)
      : topology_(topology), g_(topology.geometry()), pattern_(pattern) {}

  std::vector<Terminal> find() {
    std::vector<std::string_view> parts = split_components(pattern_);
    take_site(parts);
    if (parts.empty()) return whole_sites();
    for (const std::string_view part : parts) components_.push_back(parse_component(part, pattern_));
    const std::string& last = components_.back().word;
    if (last == "leaf" || components_.front().word == "leaf") return leaves();
    if (components_.front().word == "plane" && g_.has_clos) return planes();
    if (components_.front().word == "pod") return spines();
    if (last == "core") return cores();
    return chips_and_below();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    constexpr std::size_t most = 80;
    const std::string shown(pattern_.substr(0, most));
    throw SelectorError{fmt::format("'{}{}': {}", shown, pattern_.size() > most ? "..." : "", why)};
  }

  // ---- sites ----
  void take_site(std::vector<std::string_view>& parts) {
    if (parts.front() != "site") {
      for (std::uint32_t s = 0; s < g_.sites.size(); ++s) sites_.push_back(s);
      site_omitted_ = g_.sites.size() > 1;
      return;
    }
    if (g_.site_names.empty()) refuse("this cluster has no named sites; leave 'site.' out");
    if (parts.size() < 2) refuse(fmt::format("site.NAME expected, for example site.{}", g_.site_names[0]));
    check_pattern(parts[1]);
    for (std::uint32_t s = 0; s < g_.sites.size(); ++s) {
      if (matches_name(parts[1], g_.site_names[s])) sites_.push_back(s);
    }
    if (sites_.empty()) {
      const std::string known = nearest(parts[1], g_.site_names);
      refuse(fmt::format("no such site{}",
                         known.empty() ? "; sites are " + fmt::format("{}", fmt::join(g_.site_names, ", "))
                                       : "; did you mean site." + known + "?"));
    }
    parts.erase(parts.begin(), parts.begin() + 2);
  }

  std::vector<Terminal> whole_sites() const {
    std::vector<Terminal> found;
    for (const std::uint32_t site : sites_) found.push_back({TerminalKind::site, site, 0, 0});
    return found;
  }

  void need_site(const std::string& example) const {
    if (!site_omitted_) return;
    refuse(fmt::format("it exists in {} sites; did you mean site.{}.{}, or site.*.{}?", g_.sites.size(),
                       g_.site_names[0], example, example));
  }

  // ---- numbers ----
  void check_range(const Component& component, std::uint64_t count) const {
    const std::string& word = component.word;
    if (!component.given)
      refuse(fmt::format("'{}' needs a number, a set such as {}[0-3], or {}*", word, word, word));
    if (component.numbers.all || component.numbers.largest() < count) return;
    refuse(fmt::format("there is no {}{}; the last is {}{}", word, component.numbers.largest(), word,
                       count - 1));
  }

  // Calls visit(n) for the members of `component` below `count`, ascending.
  template <class Visit>
  static void each(const Component* component, std::uint32_t count, Visit visit) {
    if (component == nullptr || component->numbers.all) {
      for (std::uint32_t n = 0; n < count; ++n) visit(n);
      return;
    }
    for (const auto& [low, high] : component->numbers.ranges) {
      for (std::uint64_t n = low; n <= high && n < count; ++n) visit(static_cast<std::uint32_t>(n));
    }
  }

  // ---- Clos switches ----
  void need_clos(std::uint32_t tiers, const char* what) const {
    if (!g_.has_clos || g_.clos.tiers < tiers) refuse(fmt::format("this cluster has no {}", what));
  }

  std::uint32_t most(std::uint32_t SiteFabric::*count) const {
    std::uint32_t most = 0;
    for (const std::uint32_t site : sites_) most = std::max(most, g_.sites[site].*count);
    return most;
  }

  std::vector<Terminal> leaves() const {
    need_clos(1, "leaf switches");
    const bool whole = components_.size() == 1;
    if (!whole && (components_.size() != 2 || components_[1].word != "switch"))
      refuse("a leaf is named leafN, one of its switches leafN.switchN");
    need_site(components_[0].text + (whole ? "" : "." + components_[1].text));
    check_range(components_[0], std::uint64_t{most(&SiteFabric::groups)} * g_.clos.rails);
    if (!whole) check_range(components_[1], g_.clos.leaves_per_nic);
    std::vector<Terminal> found;
    for (const std::uint32_t site : sites_) {
      each(&components_[0], g_.sites[site].groups * g_.clos.rails, [&](std::uint32_t leaf) {
        const std::uint32_t owner = g_.sites[site].first_leaf + leaf;
        if (whole) return found.push_back({TerminalKind::leaf, owner, 0, 0});
        each(&components_[1], g_.clos.leaves_per_nic, [&](std::uint32_t n) {
          found.push_back({TerminalKind::leaf_switch, owner, n, 0});
        });
      });
    }
    return found;
  }

  // The same in all sites: each NIC has a port on each.
  std::vector<Terminal> planes() const {
    if (components_.size() != 1 || sites_.size() != g_.sites.size())
      refuse("a plane of the fabric is named planeN, the same in all sites");
    check_range(components_[0], g_.clos.planes);
    std::vector<Terminal> found;
    each(&components_[0], g_.clos.planes, [&](std::uint32_t plane) {
      found.push_back({TerminalKind::fabric_plane, 0, plane, 0});
    });
    return found;
  }

  std::vector<Terminal> spines() const {
    need_clos(2, "pods with spine switches");
    const bool whole = components_.size() == 1;
    if (!whole && (components_.size() != 2 || components_[1].word != "spine"))
      refuse("a spine is named podN.spineN");
    need_site(components_[0].text + (whole ? "" : "." + components_[1].text));
    check_range(components_[0], most(&SiteFabric::pods));
    if (!whole) check_range(components_[1], g_.spines);
    std::vector<Terminal> found;
    for (const std::uint32_t site : sites_) {
      each(&components_[0], g_.sites[site].pods, [&](std::uint32_t pod) {
        const std::uint32_t owner = g_.sites[site].first_pod + pod;
        if (whole) return found.push_back({TerminalKind::pod, owner, 0, 0});
        each(&components_[1], g_.spines, [&](std::uint32_t spine) {
          found.push_back({TerminalKind::spine, owner, spine, 0});
        });
      });
    }
    return found;
  }

  std::vector<Terminal> cores() const {
    need_clos(3, "core switches");
    if (components_.size() != 1) refuse("a core switch is named coreN");
    need_site(components_[0].text);
    std::vector<Terminal> found;
    if (components_[0].given) check_range(components_[0], g_.cores);
    for (const std::uint32_t site : sites_) {
      if (!components_[0].given) {
        found.push_back({TerminalKind::core_stage, site, 0, 0});
        continue;
      }
      each(&components_[0], g_.cores, [&](std::uint32_t core) {
        found.push_back({TerminalKind::core, site, core, 0});
      });
    }
    return found;
  }

  // ---- chips, NICs, dimension switches ----
  std::vector<Terminal> chips_and_below() {
    Component tail;
    bool has_tail = false;
    const std::string& last = components_.back().word;
    const bool is_chip_part = last == "us" || last == "s" || last == "c";
    if (components_.size() > 1 && !is_chip_part && components_[components_.size() - 2].word == "c") {
      tail = components_.back();
      components_.pop_back();
      has_tail = true;
    }
    const std::vector<ChipId> chips = matching_chips();
    std::vector<Terminal> found;
    if (!has_tail) {
      for (const ChipId chip : chips) found.push_back({TerminalKind::chip, chip, 0, 0});
    } else if (tail.word == "nic" && !tail.given) {
      if (!g_.has_clos) refuse("this cluster has no NICs: nothing lies outside the scale-up domain");
      for (const ChipId chip : chips) found.push_back({TerminalKind::nic, chip, 0, 0});
    } else {
      append_dimension_switches(chips, tail, found);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  void append_dimension_switches(const std::vector<ChipId>& chips, const Component& tail,
                                 std::vector<Terminal>& found) const {
    std::vector<std::string> known{"nic"};
    for (std::uint32_t index = 0; index < g_.dimensions.size(); ++index) {
      const GridDimension& d = g_.dimensions[index];
      if (d.kind != DimensionKind::switched) continue;
      known.push_back(d.name + "switch");
      if (tail.word != known.back()) continue;
      if (tail.given) check_range(tail, d.multiply);
      for (const ChipId chip : chips) {
        if (d.digit(chip) != 0) continue;
        if (!tail.given) {
          found.push_back({TerminalKind::dimension_switch, d.group(chip), 0, index});
          continue;
        }
        each(&tail, d.multiply, [&](std::uint32_t plane) {
          found.push_back({TerminalKind::plane, d.group(chip), plane, index});
        });
      }
      if (found.empty()) refuse("a switch is named after the first chip it joins; no chip named here is one");
      return;
    }
    const std::string meant = nearest(tail.word, known);
    refuse(fmt::format("a chip has no '{}'{}", tail.text,
                       meant.empty() ? fmt::format("; accepted: {}", fmt::join(known, ", "))
                                     : "; did you mean " + meant + "?"));
  }

  // Sorts the components into us, s, c; each at most once, in this order.
  void assign_components() {
    constexpr std::string_view order[] = {"us", "s", "c"};
    const Component** slots[] = {&domain_, &server_, &chip_};
    std::size_t next = 0;
    for (const Component& component : components_) {
      std::size_t slot = next;
      while (slot < 3 && component.word != order[slot]) ++slot;
      if (slot == 3) refuse(unknown_component(component));
      *slots[slot] = &component;
      next = slot + 1;
    }
  }

  std::string unknown_component(const Component& component) const {
    const std::vector<std::string> known{"us",  "s",     "c",    "nic",   "leaf",
                                         "pod", "spine", "core", "plane", "site"};
    if (std::find(known.begin(), known.end(), component.word) != known.end()) {
      return fmt::format("'{}' is out of place; a chip is named {}", component.text, topology_.chip_name(0));
    }
    const std::string meant = nearest(component.word, known);
    return fmt::format("'{}' names nothing{}; a chip is named {}", component.text,
                       meant.empty() ? "" : ", did you mean '" + meant + "'?", topology_.chip_name(0));
  }

  std::vector<ChipId> matching_chips() {
    assign_components();
    const std::uint32_t servers = g_.domain_chips / g_.server_chips;
    const std::uint32_t domains = most(&SiteFabric::domains);
    if (servers == 1 && domain_ == nullptr && server_ != nullptr && domains > 1) std::swap(domain_, server_);
    if (chip_ == nullptr) {
      refuse(fmt::format("it names no chip; add .c* for all chips of it, or .cN (a chip is named {})",
                         topology_.chip_name(0)));
    }
    if (domain_ == nullptr && domains > 1) ambiguous("us", fmt::format("{} UltraServers", domains));
    if (server_ == nullptr && servers > 1)
      ambiguous("s", fmt::format("{} servers of an UltraServer", servers));
    need_site(std::string(pattern_.substr(0, 60)));
    if (domain_ != nullptr) check_range(*domain_, domains);
    if (server_ != nullptr) check_range(*server_, servers);
    check_range(*chip_, g_.server_chips);
    std::vector<ChipId> chips;
    for (const std::uint32_t site : sites_) {
      each(domain_, g_.sites[site].domains, [&](std::uint32_t domain) {
        const ChipId first = (g_.sites[site].first_domain + domain) * g_.domain_chips;
        each(server_, servers, [&](std::uint32_t server) {
          each(chip_, g_.server_chips,
               [&](std::uint32_t chip) { chips.push_back(first + server * g_.server_chips + chip); });
        });
      });
    }
    return chips;
  }

  [[noreturn]] void ambiguous(const std::string& word, const std::string& among) const {
    std::string example = word == "us" ? "us0" : domain_ != nullptr ? domain_->text : "";
    if (word == "s") example += example.empty() ? "s0" : ".s0";
    if (word == "us" && server_ != nullptr) example += "." + server_->text;
    example += "." + chip_->text;
    refuse(fmt::format("ambiguous among {}; did you mean {}, or {}* for all?", among, example, word));
  }

  const ProductTopology& topology_;
  const Geometry& g_;
  std::string_view pattern_;
  std::vector<std::uint32_t> sites_;
  bool site_omitted_ = false;
  std::vector<Component> components_;
  const Component* domain_ = nullptr;
  const Component* server_ = nullptr;
  const Component* chip_ = nullptr;
};

}  // namespace

std::vector<Terminal> find_terminals(const ProductTopology& topology, std::string_view pattern) {
  return Finder(topology, pattern).find();
}

}  // namespace tahoma
