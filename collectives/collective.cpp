// Names and the bus-bandwidth factors of nccl-tests (doc/PERFORMANCE.md), as one table.
#include "collectives/collective.h"

#include <array>

namespace tahoma {
namespace {

struct CollectiveRow {
  Collective collective;
  std::string_view name;
  std::uint32_t passes;  // how often nearly the whole buffer crosses a rank's link, or the root's
  bool own_share_stays;  // then busbw = algbw x passes x (n - 1) / n, else algbw x passes
  bool rooted = false;
};

constexpr std::array rows{
    CollectiveRow{Collective::all_reduce, "all_reduce", 2, true},
    CollectiveRow{Collective::all_gather, "all_gather", 1, true},
    CollectiveRow{Collective::reduce_scatter, "reduce_scatter", 1, true},
    CollectiveRow{Collective::all_to_all, "all_to_all", 1, true},
    CollectiveRow{Collective::broadcast, "broadcast", 1, false, true},
    CollectiveRow{Collective::permute, "permute", 1, false},
    CollectiveRow{Collective::gather, "gather", 1, true, true},
    CollectiveRow{Collective::scatter, "scatter", 1, true, true},
    CollectiveRow{Collective::reduce, "reduce", 1, false, true},
    CollectiveRow{Collective::barrier, "barrier", 0, false},
    CollectiveRow{Collective::custom, "custom", 1, false},
};

}  // namespace

std::string_view name_of(Collective collective) {
  return rows[static_cast<std::size_t>(collective)].name;
}

std::optional<Collective> collective_named(std::string_view name) {
  for (const CollectiveRow& row : rows)
    if (row.name == name && row.collective != Collective::custom) return row.collective;
  return std::nullopt;
}

std::vector<std::string_view> collective_names() {
  std::vector<std::string_view> names;
  for (const CollectiveRow& row : rows) {
    if (row.collective != Collective::custom) names.push_back(row.name);
  }
  return names;
}

bool has_root(Collective collective) {
  return rows[static_cast<std::size_t>(collective)].rooted;
}

double busbw_factor(Collective collective, std::uint32_t ranks) {
  const CollectiveRow& row = rows[static_cast<std::size_t>(collective)];
  if (!row.own_share_stays) return static_cast<double>(row.passes);
  return static_cast<double>(row.passes) * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

}  // namespace tahoma
