#include "scenarios/validation/exclusions.h"

#include <algorithm>

namespace tahoma {

namespace {

constexpr std::string_view other_domains =
    "its servers lie in different NVLink domains, and no column tells them from servers of one domain";

constexpr Exclusion excluded_ranges[] = {
    {"G21", "M1175", "M1183", other_domains},
    {"G21", "M1185", "M1192", other_domains},
    {"G21", "M1207", "M1214", other_domains},
};

// "M999" comes before "M1000".
bool comes_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

std::span<const Exclusion> exclusions() {
  return excluded_ranges;
}

std::string_view excluded_because(const MeasuredRow& row) {
  const auto at =
      std::find_if(std::begin(excluded_ranges), std::end(excluded_ranges), [&](const Exclusion& e) {
        return row.source == e.source && !comes_before(row.id, e.first) && !comes_before(e.last, row.id);
      });
  return at == std::end(excluded_ranges) ? std::string_view{} : at->reason;
}

}  // namespace tahoma
