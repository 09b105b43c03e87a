#include "collectives/solve/classes_by_site.h"

#include <algorithm>
#include <map>

#include "collectives/between_sites.h"

namespace tahoma {

namespace {

// Class -> (how many, the first). A class is the sum of what the chip within its domain and the domain add to
// it, since digits lie in one or the other.
struct Counted {
  std::uint64_t many = 0;
  ChipId first = 0;
};
using Counts = std::map<std::uint32_t, Counted>;

/// Of `from`, from + step, ... below `end`, each standing for the chip number x unit.
Counts counted(const ChipClasses& classes, std::uint32_t from, std::uint32_t step, std::uint32_t end,
               std::uint32_t unit) {
  Counts counts;
  for (std::uint32_t k = from; k < end; k += step) {
    const ChipId chip = k * unit;
    const auto [at, fresh] = counts.try_emplace(classes.of(chip), Counted{0, chip});
    ++at->second.many;
  }
  return counts;
}

struct Side {
  const ChipClasses& classes;
  std::uint32_t count, unit;
};

/// Members of `from` meet those of `to` that are equal modulo `common`: do members of a class of `from` meet
/// as many of each class of `to`?
bool meet_alike(const Side& from, const Side& to, std::uint32_t common) {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> met(common);
  for (std::uint32_t r = 0; r < common; ++r) {
    for (const auto& [chip_class, counted] : counted(to.classes, r, common, to.count, to.unit))
      met[r].emplace_back(chip_class, counted.many);
  }
  std::map<std::uint32_t, std::uint32_t> residue_of;  // class -> residue of its first member
  for (std::uint32_t k = 0; k < from.count; ++k) {
    const auto [at, fresh] = residue_of.try_emplace(from.classes.of(k * from.unit), k % common);
    if (!fresh && at->second != k % common && met[at->second] != met[k % common]) return false;
  }
  return true;
}

}  // namespace

std::vector<ClassesBySite::Met> ClassesBySite::met_by(const std::vector<SchedulePart>& parts,
                                                      ChipId chip) const {
  std::vector<Met> all;
  std::uint32_t from = 0;
  while (from + 1 < parts.size() && parts[from + 1].first <= chip) ++from;
  const std::uint32_t own = chip - parts[from].first;
  for (std::uint32_t to = 0; to < parts.size(); ++to) {
    if (to == from) continue;
    const Meeting meeting(parts[from], parts[to]);
    const ChipClasses& classes = classes_.parts[to].inside;
    const std::uint32_t domain = parts[to].domain;
    const Counts chips = counted(classes, own % parts[from].domain % meeting.common_chips(),
                                 meeting.common_chips(), domain, 1);
    const Counts domains = counted(classes, own / parts[from].domain % meeting.common_domains(),
                                   meeting.common_domains(), parts[to].ranks / domain, domain);
    for (const auto& [of_domain, d] : domains) {
      for (const auto& [of_chip, c] : chips) {
        all.push_back({from, to, classes_.parts[to].first_class + of_domain + of_chip,
                       parts[to].first + d.first + c.first, c.many * d.many});
      }
    }
  }
  return all;
}

bool ClassesBySite::all_alike(const std::vector<SchedulePart>& parts) const {
  const auto meets = [&](std::uint32_t from, std::uint32_t to) {
    const Meeting meeting(parts[from], parts[to]);
    const ChipClasses &here = classes_.parts[from].inside, &there = classes_.parts[to].inside;
    return meet_alike({here, parts[from].domain, 1}, {there, parts[to].domain, 1}, meeting.common_chips()) &&
           meet_alike({here, parts[from].ranks / parts[from].domain, parts[from].domain},
                      {there, parts[to].ranks / parts[to].domain, parts[to].domain},
                      meeting.common_domains());
  };
  for (std::uint32_t from = 0; from < parts.size(); ++from) {
    for (std::uint32_t to = 0; to < parts.size(); ++to) {
      if (from != to && !meets(from, to)) return false;
    }
  }
  return true;
}

}  // namespace tahoma
