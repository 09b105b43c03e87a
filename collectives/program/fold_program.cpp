#include "collectives/program/fold_program.h"

#include <algorithm>

#include "collectives/program/program_colours.h"
#include "core/errors.h"

namespace tahoma {

namespace {

// The first member of each class.
std::vector<std::uint32_t> firsts_of(const std::vector<std::uint32_t>& class_of, std::uint32_t classes) {
  std::vector<std::uint32_t> first(classes, RankProgram::none);
  for (std::uint32_t i = 0; i < class_of.size(); ++i) {
    if (first[class_of[i]] == RankProgram::none) first[class_of[i]] = i;
  }
  return first;
}

// The flows of a class on the classes of the links that its representative crosses.
void add_weighted_path(const ProgramNetwork& whole, std::uint32_t path, std::uint64_t flow,
                       const ProgramColours& colours, ProgramNetwork& folded) {
  const Instance& in = whole.instance;
  Instance& out = folded.instance;
  Instance::Path made = in.paths[path];
  made.first = made.count = 0;
  made.first_crossing = static_cast<std::uint32_t>(out.crossing.size());
  for (std::uint32_t c = in.paths[path].first_crossing;
       c < in.paths[path].first_crossing + in.paths[path].crossings; ++c) {
    const std::uint32_t link = colours.class_of_link[in.crossing[c].link];
    const auto begin = out.crossing.begin() + made.first_crossing;
    if (std::any_of(begin, out.crossing.end(), [&](const Crossing& known) { return known.link == link; }))
      continue;
    const auto& crossed = colours.crossed[link];
    const auto at = std::lower_bound(
        crossed.begin(), crossed.end(), flow,
        [](const ProgramColours::Crossed& known, std::uint64_t wanted) { return known.flow < wanted; });
    TAHOMA_ASSERT(at != crossed.end() && at->flow == flow && at->crossings < (std::uint64_t{1} << 31),
                  "a class does not cross the links of its representative");
    out.crossing.push_back({link, static_cast<std::uint32_t>(at->crossings)});
  }
  made.crossings = static_cast<std::uint32_t>(out.crossing.size()) - made.first_crossing;
  out.paths.push_back(made);
  out.latency.push_back(in.latency[path]);
}

}  // namespace

std::optional<FoldedProgram> fold_program(const RankProgram& program, const Problem& problem,
                                          std::span<const ChipId> chips, const ProgramNetwork& network) {
  if (reduction_rate(problem).q20 != 0) return std::nullopt;
  const ProgramColours colours = colours_of(program, problem, chips, network);
  const std::vector<std::uint32_t> ops = firsts_of(colours.class_of_op, colours.op_classes);
  FoldedProgram folded;
  folded.rounds = colours.rounds;
  folded.program.ranks = program.ranks;
  folded.program.servers = colours.server_classes;
  folded.program.lane_word = program.lane_word;
  for (const std::uint32_t link : firsts_of(colours.class_of_link, colours.link_classes))
    folded.network.instance.binding_capacity.push_back(network.instance.binding_capacity[link]);
  folded.network.of_op.resize(colours.op_classes);
  std::vector<std::uint32_t> needs;
  const auto class_of = [&](std::uint32_t op) {
    return op == RankProgram::none ? RankProgram::none : colours.class_of_op[op];
  };
  for (std::uint32_t c = 0; c < colours.op_classes; ++c) {
    const std::uint32_t first = ops[c];
    RankProgram::Op op = program.ops[first];
    op.partner = class_of(op.partner);
    if (op.server != RankProgram::none) op.server = colours.class_of_server[op.server];
    needs.clear();
    for (const std::uint32_t need : program.needs_of(first)) needs.push_back(class_of(need));
    folded.program.add(op, program.origins[first], needs);
    if (op.kind != RankProgram::Kind::send) continue;
    const ProgramNetwork::Way way = network.of_op[first];
    folded.network.of_op[c] = {static_cast<std::uint32_t>(folded.network.instance.paths.size()), way.ways};
    for (std::uint32_t w = 0; w < way.ways; ++w)
      add_weighted_path(network, way.path + w, ProgramColours::flow(c, w), colours, folded.network);
  }
  folded.class_of_op = colours.class_of_op;
  return folded;
}

namespace {

// What the links carried, and the ranks' ends: both follow from the whole program.
void complete(const RankProgram& program, const Instance& in, const std::vector<ProgramNetwork::Way>& of_op,
              ProgramRun& run) {
  run.rank_finish.assign(program.ranks, Time{});
  std::vector<std::uint64_t> carried(in.links.size(), 0);
  const auto carry = [&](std::uint32_t path, std::uint64_t bytes) {
    for (std::uint32_t i = in.paths[path].first; i < in.paths[path].first + in.paths[path].count; ++i)
      carried[in.path_links[i]] += bytes * in.path_multiplicity[i];
  };
  for (std::uint32_t i = 0; i < program.ops.size(); ++i) {
    const RankProgram::Op& op = program.ops[i];
    TAHOMA_ASSERT(run.done[i] != Time::never(), "an operation that was never done");
    run.rank_finish[op.rank] = std::max(run.rank_finish[op.rank], run.done[i]);
    if (op.kind != RankProgram::Kind::send) continue;
    const std::uint64_t second = of_op[i].ways == 2 ? op.amount / 2 : 0;
    carry(of_op[i].path, op.amount - second);
    if (second > 0) carry(of_op[i].path + 1, second);
  }
  run.links.clear();
  for (std::size_t l = 0; l < in.links.size(); ++l) {
    if (!is_memory(in.links[l].id))
      run.links.push_back({in.links[l].id, in.links[l].orbit, carried[l], in.links[l].capacity});
  }
}

}  // namespace

FoldedRun run_folded(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                     std::span<const Axis> axes, const ProgramNetwork& network) {
  FoldedRun result;
  const auto folded = fold_program(program, problem, chips, network);
  if (!folded) {
    result.run = run_program(program, problem, chips, axes, network);
    result.classes = program.ops.size();
    return result;
  }
  result.folded = true;
  result.classes = folded->program.ops.size();
  result.run = run_program(folded->program, problem, chips, axes, folded->network);
  ProgramRun& run = result.run;
  std::vector<Time> begun, done;
  begun.reserve(program.ops.size());
  done.reserve(program.ops.size());
  for (const std::uint32_t c : folded->class_of_op) {
    begun.push_back(run.begun[c]);
    done.push_back(run.done[c]);
  }
  run.begun = std::move(begun);
  run.done = std::move(done);
  complete(program, network.instance, network.of_op, run);
  return result;
}

}  // namespace tahoma
