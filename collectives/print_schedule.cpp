#include "collectives/print_schedule.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace tahoma {
namespace {

constexpr std::size_t most_roles = 12, most_lanes = 12, most_sends = 40;

using Text = std::back_insert_iterator<std::string>;

/// "1", "k", "2+k", "2-3k": a number that may grow with the repetition.
std::string with_rep(std::int64_t base, std::int64_t per_rep) {
  if (per_rep == 0) return fmt::format("{}", base);
  std::string step = per_rep == 1 ? "k" : per_rep == -1 ? "-k" : fmt::format("{}k", per_rep);
  if (base == 0) return step;
  return fmt::format("{}{}{}", base, per_rep > 0 ? "+" : "", step);
}

std::string range_text(const PieceRange& range) {
  constexpr std::string_view anchors[] = {"all", "own", "peer", "", ""};
  const bool fixed = range.anchor == PieceRange::Anchor::fixed;
  if (range.anchor == PieceRange::Anchor::all) return "all";
  if (range.anchor == PieceRange::Anchor::bit) return fmt::format("bit {} set", range.offset);
  std::string start(anchors[static_cast<std::size_t>(range.anchor)]);
  if (fixed || range.offset != 0 || range.per_rep != 0) {
    const std::string number = with_rep(range.offset, range.per_rep);
    if (!fixed && number.front() != '-') start += '+';
    start += number;
  }
  const std::string order = range.order == no_order ? "" : fmt::format(" in order {}", range.order);
  if (range.length == 1) return start + order;
  return fmt::format("{} {} {}{}", range.length, range.aligned ? "around" : "from", start, order);
}

std::string pieces_text(const Send& send) {
  if (send.piece.empty()) return range_text(send.flat);
  std::string text;
  for (const PieceRange& range : send.piece) text += (text.empty() ? "" : ", ") + range_text(range);
  return text;
}

std::string peer_text(const Phase& phase, const Peer& peer) {
  std::string text;
  switch (peer.kind) {
    case Peer::Kind::shift:
      text = fmt::format("{:+}", peer.value);
      break;
    case Peer::Kind::exclusive_or:
      text = fmt::format("^{}", peer.value);
      break;
    case Peer::Kind::absolute:
      text = phase.has_switch && peer.value == std::int64_t{phase.positions}
                 ? "the switch"
                 : fmt::format("position {}", peer.value);
      break;
    case Peer::Kind::table:
      text = "its destination";
      break;
    case Peer::Kind::alternate:
      text = fmt::format("{:+} from even, {:+} from odd", peer.value, -peer.value);
      break;
  }
  if (peer.order != no_order) text += fmt::format(" in order {}", peer.order);
  if (peer.axis != flat_axis && phase.axes.size() > 1)
    text += fmt::format(" along axis {}", phase.axes[peer.axis]);
  if (peer.also_axis != flat_axis)
    text += fmt::format(" and {:+} along axis {}", peer.also, phase.axes[peer.also_axis]);
  return text;
}

std::string waits_text(const Send& send) {
  std::string text;
  for (const Wait& wait : send.waits) {
    if (wait.count == 0 && (wait.per_rep == 0 || send.reps == 1)) continue;
    text += fmt::format("{} {} of tag {}", text.empty() ? ", after" : " and",
                        with_rep(wait.count, send.reps == 1 ? 0 : wait.per_rep), wait.tag);
  }
  return text;
}

std::string part_text(const Send& send) {
  if (send.reps == 1 || send.part_per_rep == 0) return fmt::format("{}", send.part);
  return fmt::format("{} {:+} per repetition", send.part, send.part_per_rep);
}

void print_send(Text out, const Phase& phase, const Send& send) {
  const std::string times = send.reps == 1 ? "" : fmt::format("{} x ", send.reps);
  const std::string part = phase.parts == 1 ? "" : fmt::format(" of part {}", part_text(send));
  fmt::format_to(out, "        {}{} [{}]{} to {}, {} B, tag {}{}\n", times,
                 send.op == Op::reduce ? "reduce" : "copy", pieces_text(send), part,
                 peer_text(phase, send.peer), send.bytes, send.tag, waits_text(send));
}

void print_more(Text out, std::string_view indent, std::size_t all, std::size_t shown,
                std::string_view what) {
  if (all > shown) fmt::format_to(out, "{}... {} more {}\n", indent, all - shown, what);
}

std::string positions_text(const Phase& phase, const Role& role) {
  if (role.first == 0 && role.count == phase.positions) return "all positions";
  if (role.first == phase.positions) return "the switch";
  if (role.count == 1) return fmt::format("position {}", role.first);
  const std::uint32_t last = role.first + (role.count - 1) * role.stride;
  if (role.stride == 1) return fmt::format("positions {} to {}", role.first, last);
  return fmt::format("positions {}, {} to {}", role.first, role.first + role.stride, last);
}

std::string sizes_text(const Phase& phase) {
  const auto [least, most] = std::minmax_element(phase.piece_bytes.begin(), phase.piece_bytes.end());
  std::string bytes = "no pieces";
  if (!phase.piece_bytes.empty())
    bytes =
        *least == *most ? fmt::format("{} B each", *least) : fmt::format("{} to {} B each", *least, *most);
  return fmt::format("{} part{} of {} piece{}, {}", phase.parts, phase.parts == 1 ? "" : "s",
                     pieces_per_part(phase), pieces_per_part(phase) == 1 ? "" : "s", bytes);
}

void print_phase(Text out, const Phase& phase) {
  std::string axes;
  for (const std::uint8_t axis : phase.axes) axes += fmt::format("{}{}", axes.empty() ? "" : ", ", axis);
  fmt::format_to(out, "{}; {} positions along ax{} {}; {}\n", phase.name, phase.positions,
                 phase.axes.size() == 1 ? "is" : "es", axes, sizes_text(phase));
  for (std::size_t r = 0; r < std::min(phase.roles.size(), most_roles); ++r) {
    const Role& role = phase.roles[r];
    fmt::format_to(out, "    {}\n", positions_text(phase, role));
    for (std::size_t l = 0; l < std::min(role.lanes.size(), most_lanes); ++l) {
      const Lane& lane = role.lanes[l];
      fmt::format_to(out, "      lane {}\n", lane.channel);
      for (std::size_t s = 0; s < std::min(lane.sends.size(), most_sends); ++s)
        print_send(out, phase, lane.sends[s]);
      print_more(out, "        ", lane.sends.size(), most_sends, "sends");
    }
    print_more(out, "      ", role.lanes.size(), most_lanes, "lanes");
  }
  print_more(out, "    ", phase.roles.size(), most_roles, "roles");
}

}  // namespace

std::string schedule_text(const Schedule& schedule) {
  constexpr std::string_view kinds[] = {"ring", "line", "full mesh", "switch", "fabric", "list"};
  std::string text;
  const Text out(text);
  fmt::format_to(out, "{} by {}: {} ranks, {} B of {}-byte elements\n", name_of(schedule.collective),
                 schedule.algorithm, schedule.ranks, schedule.size.count, schedule.element_bytes);
  if (!schedule.why.empty()) fmt::format_to(out, "  chosen: {}\n", schedule.why);
  for (std::size_t a = 0; a < schedule.axes.size(); ++a) {
    const Axis& axis = schedule.axes[a];
    fmt::format_to(out, "  axis {}: {} of {}, {:.6g} GB/s, {:.6g} us\n", a,
                   kinds[static_cast<std::size_t>(axis.kind)], axis.size, bytes_per_second(axis.rate) / 1e9,
                   seconds(axis.latency) * 1e6);
  }
  if (has_root(schedule.collective)) fmt::format_to(out, "  root {}\n", schedule.root);
  if (schedule.pipeline > 1)
    fmt::format_to(out, "  pipeline: {} chunks, each through all phases\n", schedule.pipeline);
  if (schedule.channels > 1) fmt::format_to(out, "  channels: {} side by side\n", schedule.channels);
  if (schedule.phases.empty()) fmt::format_to(out, "  nothing to send\n");
  for (std::size_t p = 0; p < schedule.phases.size(); ++p) {
    fmt::format_to(out, "  phase {} of {}: ", p + 1, schedule.phases.size());
    print_phase(out, schedule.phases[p]);
  }
  return text;
}

}  // namespace tahoma
