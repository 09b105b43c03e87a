#include "apps/cli/schedule_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace tahoma {

namespace {

using Json = nlohmann::ordered_json;

template <class Enum, std::size_t n>
std::string_view name_in(const std::array<std::string_view, n>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

constexpr std::array<std::string_view, 6> axis_kinds{"ring", "line", "full", "switched", "fabric", "list"};
constexpr std::array<std::string_view, 4> peer_kinds{"shift", "exclusive_or", "absolute", "table"};
constexpr std::array<std::string_view, 2> op_names{"copy", "reduce"};
constexpr std::array<std::string_view, 4> anchor_names{"all", "own", "peer", "fixed"};
Json to_value(const PieceRange& range) {
  return {{"anchor", name_in(anchor_names, range.anchor)},
          {"offset", range.offset},
          {"per_rep", range.per_rep},
          {"length", range.length},
          {"aligned", range.aligned}};
}

Json to_value(const Send& send) {
  Json peer{{"rule", name_in(peer_kinds, send.peer.kind)}, {"value", send.peer.value}};
  if (send.peer.axis != flat_axis) peer["axis"] = send.peer.axis;
  if (send.peer.also_axis != flat_axis) {
    peer["also_axis"] = send.peer.also_axis;
    peer["also"] = send.peer.also;
  }
  Json waits = Json::array();
  for (const Wait& wait : send.waits) {
    waits.push_back({{"tag", wait.tag}, {"count", wait.count}, {"per_rep", wait.per_rep}});
  }
  Json piece = Json::array();
  for (const PieceRange& range : send.piece) piece.push_back(to_value(range));
  if (send.piece.empty()) piece.push_back(to_value(send.flat));
  Json value{{"to", std::move(peer)}, {"repetitions", send.reps},         {"bytes", send.bytes},
             {"tag", send.tag},       {"op", name_in(op_names, send.op)}, {"waits", std::move(waits)},
             {"part", send.part},     {"piece", std::move(piece)}};
  if (send.part_per_rep != 0) value["part_per_rep"] = send.part_per_rep;
  return value;
}

Json to_value(const Role& role) {
  Json lanes = Json::array();
  for (const Lane& lane : role.lanes) {
    Json sends = Json::array();
    for (const Send& send : lane.sends) sends.push_back(to_value(send));
    lanes.push_back({{"channel", lane.channel}, {"sends", std::move(sends)}});
  }
  return {{"first", role.first}, {"count", role.count}, {"stride", role.stride}, {"lanes", std::move(lanes)}};
}

Json to_value(const Phase& phase) {
  Json roles = Json::array();
  for (const Role& role : phase.roles) roles.push_back(to_value(role));
  Json value{{"name", phase.name},           {"goal", name_of(phase.goal)},      {"axes", phase.axes},
             {"positions", phase.positions}, {"pieces", pieces_per_part(phase)}, {"tags", phase.tags},
             {"parts", phase.parts},         {"piece_bytes", phase.piece_bytes}, {"roles", std::move(roles)}};
  if (!phase.table.empty()) value["table"] = phase.table;
  if (phase.part != whole_group) value["site"] = phase.part;
  if (!phase.between_bytes.empty()) value["between_bytes"] = phase.between_bytes;
  return value;
}

}  // namespace

std::string to_json(const Schedule& schedule) {
  Json axes = Json::array();
  for (const Axis& axis : schedule.axes) {
    axes.push_back(
        {{"size", axis.size}, {"kind", name_in(axis_kinds, axis.kind)}, {"level", name_of(axis.level)}});
  }
  Json phases = Json::array();
  for (const Phase& phase : schedule.phases) phases.push_back(to_value(phase));
  const Json whole{{"schema", "tahoma.schedule/1"},
                   {"collective", name_of(schedule.collective)},
                   {"algorithm", schedule.algorithm},
                   {"why", schedule.why},
                   {"ranks", schedule.ranks},
                   {"bytes", schedule.size.count},
                   {"element_bytes", schedule.element_bytes},
                   {"root", schedule.root},
                   {"pipeline", schedule.pipeline},
                   {"channels", schedule.channels},
                   {"axes", std::move(axes)},
                   {"phases", std::move(phases)}};
  return whole.dump(2) + "\n";
}

}  // namespace tahoma
