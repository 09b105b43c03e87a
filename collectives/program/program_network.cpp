#include "collectives/program/program_network.h"

#include "collectives/solve/expand_paths.h"

namespace tahoma {

ProgramNetwork network_of(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips) {
  ProgramNetwork network;
  Problem bare = problem;
  bare.programs.clear();
  bare.flows.clear();
  network.instance.classes = chip_classes(*problem.topology, 0);
  PathExpansion expansion(bare, 0, network.instance);
  expansion.begin_program(program.ranks);
  network.of_op.resize(program.ops.size());
  for (std::uint32_t i = 0; i < program.ops.size(); ++i) {
    const RankProgram::Op& op = program.ops[i];
    if (op.kind != RankProgram::Kind::send) continue;
    const Op what = program.ops[op.partner].adds ? Op::reduce : Op::copy;
    const PathExpansion::Found found =
        expansion.path_of(op.rank, {chips[op.rank], chips[op.peer], op.channel, what, Leg::whole, false});
    network.of_op[i] = {found.path, found.ways};
  }
  return network;
}

}  // namespace tahoma
