// One entry of `scale_up` or `scale_out` into dimensions: a torus [4, 4] is two rings, a mesh two lines.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

struct KindRow {
  std::string_view name;
  DimensionKind kind;
  bool listed;  // `size` is a list, a dimension each
};
constexpr std::array kinds = {
    KindRow{"ring", DimensionKind::ring, false},   KindRow{"torus", DimensionKind::ring, true},
    KindRow{"mesh", DimensionKind::line, true},    KindRow{"full", DimensionKind::full, false},
    KindRow{"direct", DimensionKind::full, false}, KindRow{"switch", DimensionKind::switched, false},
};

const KindRow& kind_of(const Field& entry) {
  const Field kind = required(entry, "kind");
  for (const KindRow& row : kinds) {
    if (row.name == kind.text()) return row;
  }
  refuse(kind, {"joins the NICs of chips, not the chips of a domain",
                "ring, torus, mesh, full, direct or switch; "
                "a clos or dragonfly stands alone in fabric.scale_out",
                ""});
}

std::vector<Field> sizes_of(const Field& entry, const KindRow& kind) {
  const Field size = required(entry, "size");
  if (kind.listed && !size.node->is_list()) {
    refuse(size, {fmt::format("is a single value, and the size of a {} is a list", kind.name),
                  "such as [4, 4]", fmt::format("[{}]", size.text())});
  }
  if (!kind.listed && size.node->is_list()) {
    refuse(size, {fmt::format("is a list, and a {} has one size", kind.name),
                  "one number, or kind torus or mesh", ""});
  }
  if (size.node->is_list() && size.size() == 0) refuse(size, {"is empty", "such as [4, 4]", ""});
  return each(size);
}

/// The figure of dimension i: of a list its element, else the one for all.
Field figure(const Field& values, std::size_t i, std::size_t dimensions) {
  if (!values.node->is_list()) return values;
  if (values.size() != dimensions) {
    refuse(values, {fmt::format("has {} values for {} dimensions", values.size(), dimensions),
                    "one value, or one per dimension", ""});
  }
  return values[i];
}

/// Does dimension i of a torus close? Slices of some machines go round only in whole blocks.
bool closes(const Field& entry, const std::vector<Field>& sizes, std::size_t i) {
  const auto is_multiple = [](const Field& size, const Field& block) {
    return read_count32(size) % read_count32(block) == 0;
  };
  if (const Field side = entry["wrap_side"]; side && !is_multiple(sizes[i], side)) return false;
  const Field cube = entry["wrap_cube"];
  return !cube ||
         std::all_of(sizes.begin(), sizes.end(), [&](const Field& size) { return is_multiple(size, cube); });
}

void check_trunk(const Field& bandwidth, const Decimal& raw, const Field& entry, std::string_view key,
                 std::uint32_t parallel) {
  if (parallel == 1) return;
  const Decimal trunk = scaled(raw, parallel, 0);
  if (compare(trunk, {16, 12}) <= 0) return;
  refuse(entry[key], {fmt::format("times {} is more than one flow's rate can hold", bandwidth.text()),
                      "together up to 16TB/s", ""});
}

}  // namespace

std::uint32_t read_count32(const Field& field) {
  const std::uint64_t count = read_field(field, read_count);
  if (count > most_ranks) refuse(field, {"is too large", "at most 2147483648", ""});
  return static_cast<std::uint32_t>(count);
}

Decimal read_link_bandwidth(const Field& field, bool both_directions) {
  const Decimal raw = read_field(field, read_bandwidth);
  return both_directions ? scaled(raw, 5, -1) : raw;
}

std::vector<Dimension> resolve_dimension(const Field& entry) {
  const KindRow& kind = kind_of(entry);
  const std::vector<Field> sizes = sizes_of(entry, kind);
  const Field bandwidth = required(entry, "bandwidth"), latency = required(entry, "latency");
  const bool both = entry["both_directions"] && entry["both_directions"].text() == "true";
  std::vector<Dimension> dimensions;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Dimension dimension;
    dimension.kind = kind.kind;
    if (kind.name == "torus" && !closes(entry, sizes, i)) dimension.kind = DimensionKind::line;
    dimension.size = read_count32(sizes[i]);
    const Field raw = figure(bandwidth, i, sizes.size());
    dimension.bandwidth = read_link_bandwidth(raw, both);
    dimension.latency = read_field(figure(latency, i, sizes.size()), read_time);
    dimension.efficiency = read_field(entry["efficiency"], read_number);
    const bool switched = kind.kind == DimensionKind::switched;
    if (!switched) dimension.links = read_count32(entry["links"]);
    const Field stores = entry["store_and_forward"];
    dimension.stores = stores && stores.text() == "true";
    if (switched) dimension.planes = read_count32(entry["planes"]);
    check_trunk(raw, dimension.bandwidth, entry, switched ? "planes" : "links",
                switched ? dimension.planes : dimension.links);
    if (dimension.size > 1) dimensions.push_back(dimension);
  }
  return dimensions;
}

}  // namespace tahoma
