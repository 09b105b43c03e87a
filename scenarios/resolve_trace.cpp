// Recorded traces as the workload: `trace` names a file for all ranks, a file per rank with `{rank}` in its
// name, or lists a file per rank; or one text of all ranks (GOAL), or of what all of them do (layers).
//
// Their contents take the place of the names in the tree, so that resolved.yaml stands alone: Chakra's in the
// JSON form, texts as they are.
#include <fmt/format.h>

#include <memory>

#include "collectives/importers/chakra.h"
#include "collectives/importers/goal.h"
#include "collectives/importers/gunzip.h"
#include "collectives/importers/layer_workload.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::size_t most_trace_bytes = std::size_t{1} << 30;
constexpr std::string_view rank_mark = "{rank}";

bool is_trace_itself(std::string_view text) {
  if (text.find('\n') != std::string_view::npos && (is_goal(text) || is_layer_workload(text))) return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         text.find("workload_graph") != std::string_view::npos;
}

/// The contents of one node, which the node then holds itself.
struct TraceText {
  std::string name, content;
};

TraceText trace_text(Node& node, const std::string& path) {
  if (is_trace_itself(node.text)) return {path, node.text};
  const Field field{&node, path};
  TraceText text;
  text.name = file_beside(field);
  text.content = read_text_file(text.name, field.place(), most_trace_bytes);
  if (is_gzip(text.content)) text.content = gunzip(text.content, text.name, most_trace_bytes);
  return text;
}

ChakraTrace chakra_of(Node& node, const TraceText& text) {
  ChakraTrace trace = read_chakra(text.content, text.name);
  if (!is_trace_itself(node.text)) node.text = to_json(trace);
  return trace;
}

// One text may be of another format than Chakra's.
void read_lone_trace(Node& node, const std::string& path, TraceWork& work) {
  TraceText text = trace_text(node, path);
  if (is_layer_workload(text.content)) {
    work.layers = std::make_shared<const LayerWorkload>(read_layer_workload(text.content, text.name));
    node.text = std::move(text.content);
  } else if (is_goal(text.content)) {
    work.traces = std::make_shared<const std::vector<ChakraTrace>>(read_goal(text.content, text.name));
    node.text = std::move(text.content);
  } else {
    work.traces = std::make_shared<const std::vector<ChakraTrace>>(std::vector{chakra_of(node, text)});
  }
}

/// `x.{rank}.et` becomes a list of one name per rank.
void spell_out_ranks(Node& node, std::uint64_t ranks) {
  const std::size_t mark = node.text.find(rank_mark);
  if (!node.is_scalar() || mark == std::string::npos || is_trace_itself(node.text)) return;
  Node list = node;
  list.kind = Node::Kind::list;
  list.text.clear();
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    Node one = node;
    one.text.replace(mark, rank_mark.size(), std::to_string(rank));
    list.items.push_back(std::move(one));
  }
  node = std::move(list);
}

}  // namespace

TraceWork resolve_trace(Node& workload, const std::string& path) {
  const Field map{&workload, path};
  TraceWork work;
  resolve_participants(workload, path, work.of_ranks);
  Node& node = *workload.find("trace");
  const std::string key = joined(path, "trace");
  if (node.is_scalar() && node.text.find(rank_mark) != std::string::npos && !is_trace_itself(node.text)) {
    const auto* first = std::get_if<RanksFirst>(&work.of_ranks.ranks.value);
    if (first == nullptr)
      refuse(Field{&node, key}, {"has a file per rank, and `ranks` is no number", "ranks: N beside it", ""});
    spell_out_ranks(node, first->count);
  }
  if (node.is_list()) {
    if (node.items.empty()) refuse(Field{&node, key}, {"is empty", "a file, or one per rank", ""});
    auto traces = std::make_shared<std::vector<ChakraTrace>>();
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const TraceText text = trace_text(node.items[i], joined(key, i));
      traces->push_back(chakra_of(node.items[i], text));
    }
    work.traces = std::move(traces);
  } else {
    read_lone_trace(node, key, work);
  }
  for (const Field& name : each(map["algorithm"])) work.of_ranks.algorithms.push_back(algorithm_choice(name));
  if (work.of_ranks.algorithms.size() > 1)
    refuse(map["algorithm"], {"names several algorithms, and a trace is run once", "one name, or auto", ""});
  work.of_ranks.algorithm_place = map["algorithm"].place();
  work.of_ranks.channels = read_count32(map["channels"]);
  return work;
}

std::vector<std::string> trace_warnings(const TraceWork& work) {
  if (work.layers) return work.layers->notes;
  std::uint64_t absent = 0;
  bool left_out = false;
  for (const ChakraTrace& trace : *work.traces) {
    absent += trace.absent_needs;
    left_out = left_out || trace.controls_left_out;
  }
  std::vector<std::string> told;
  if (absent > 0) {
    told.push_back(fmt::format(
        "{} dependencies of the trace are on nodes that it does not hold; they are taken as done", absent));
  }
  if (left_out) {
    told.push_back(
        "the trace's control dependencies go round in a circle, so they are no order; only those of data are "
        "kept");
  }
  return told;
}

}  // namespace tahoma
