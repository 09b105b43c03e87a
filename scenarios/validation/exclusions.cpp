#include "scenarios/validation/exclusions.h"

#include <algorithm>

namespace tahoma {

namespace {

constexpr std::string_view other_domains =
    "its servers lie in different NVLink domains, and no column tells them from servers of one domain";

constexpr std::string_view half_as_fast =
    "half as fast as E01's run on servers of the same columns: older software, which no column names";
constexpr std::string_view slow_launch =
    "a launch of 300 us, three times that of the other runs on these chips";

constexpr Exclusion excluded_ranges[] = {
    {"N01", "M0025", "M0027", slow_launch},
    {"N01", "M0029", "M0029", slow_launch},
    {"N01", "M0030", "M0031",
     "the same run, and kangaring with several ranks on a chip has no schedule here"},
    {"E04", "M0481", "M0487", half_as_fast},
    {"G07", "M0871", "M0871", "83 us for 8 KiB, where the other kernels of that run take 7 us"},
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
