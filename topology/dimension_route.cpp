#include "topology/dimension_route.h"

#include "topology/link_key.h"

namespace tahoma {

namespace {

// `steps` links in one direction along a ring or line; returns the chip reached.
void append_steps(const GridDimension& d, std::uint32_t index, ChipId at, std::uint32_t steps, bool plus,
                  Path& path) {
  std::uint32_t digit = d.digit(at);
  const ChipId base = at - digit * d.stride;
  for (std::uint32_t i = 0; i < steps; ++i) {
    path.links.push_back(dimension_link(base + digit * d.stride, index, plus ? plus_port : minus_port));
    if (plus) {
      digit = digit + 1 == d.size ? 0 : digit + 1;
    } else {
      digit = digit == 0 ? d.size - 1 : digit - 1;
    }
  }
  path.latency += d.latency * std::int64_t{steps};
}

bool append_ring(const GridDimension& d, std::uint32_t index, ChipId at, std::uint32_t to, std::uint32_t way,
                 Path& path) {
  const std::uint32_t from = d.digit(at);
  const std::uint32_t forward = to > from ? to - from : to + d.size - from;
  const std::uint32_t backward = d.size - forward;
  const bool tie = forward == backward && !d.one_way_port_only();
  const bool plus = d.one_way_port_only() || forward < backward || (tie && way == 0);
  append_steps(d, index, at, plus ? forward : backward, plus, path);
  return tie;
}

}  // namespace

bool append_dimension_order(const Geometry& geometry, std::uint32_t first, std::uint32_t last, ChipId src,
                            ChipId dst, std::uint32_t way, Path& path) {
  bool tied = false;
  ChipId at = src;
  for (std::uint32_t index = first; index < last; ++index) {
    const GridDimension& d = geometry.dimensions[index];
    const std::uint32_t from = d.digit(at), to = d.digit(dst);
    if (from == to) continue;
    const ChipId next = d.with_digit(at, to);
    switch (d.kind) {
      case DimensionKind::ring:
        tied = append_ring(d, index, at, to, way, path) || tied;
        break;
      case DimensionKind::line:
        append_steps(d, index, at, to > from ? to - from : from - to, to > from, path);
        break;
      case DimensionKind::full:
        path.links.push_back(dimension_link(at, index, to > from ? to - from : to + d.size - from));
        path.latency += d.latency;
        break;
      case DimensionKind::switched:
        path.links.push_back(dimension_link(at, index, up_port));
        path.links.push_back(dimension_link(next, index, down_port));
        path.latency += d.latency * 2;
        break;
    }
    at = next;
  }
  return tied;
}

}  // namespace tahoma
