// A training step solved with every rank, by colours and by digits: equal to the picosecond, in every piece
// of every rank's work and talk.
#include <catch2/catch.hpp>
#include <map>

#include "collectives/program/run_program.h"
#include "core/errors.h"
#include "core/random.h"
#include "scenarios/training/step_solve.h"

using namespace tahoma;
using namespace tahoma::literals;

namespace {

Dimension step_dimension(DimensionKind kind, std::uint32_t size) {
  Dimension dimension;
  dimension.kind = kind;
  dimension.size = size;
  dimension.bandwidth = {50, 9};
  dimension.efficiency = {93, -2};
  dimension.latency = 500_ns;
  return dimension;
}

// 4 x 2 chips on rings (or a switch of 4 and a pair), `domains` of them with two to a leaf, two leaves a pod.
ClusterShape step_cluster(bool rings, std::uint32_t domains, std::uint32_t ranks_per_chip) {
  ClusterShape shape;
  shape.scale_up = {step_dimension(rings ? DimensionKind::ring : DimensionKind::switched, 4),
                    step_dimension(DimensionKind::ring, 2)};
  shape.server_dimensions = 1;
  shape.sites = {{"", domains}};
  shape.ranks_per_chip = ranks_per_chip;
  shape.inner = {8, {30, 9}, {97, -2}, 250_ns};
  Clos clos;
  clos.tiers = domains > 4 ? 3 : 2;
  clos.rails = 8;
  clos.leaf_width = 2;
  clos.leaves_per_pod = domains > 4 ? 2 : 0;
  clos.oversubscription = {{2, 0}, {1, 0}};
  clos.bandwidth = {25, 9};
  clos.efficiency = {95, -2};
  clos.latency = {2_us, 700_ns, 700_ns};
  clos.spines_per_pod = 2;
  clos.cores = 2;
  shape.clos = clos;
  return shape;
}

struct StepCase {
  bool rings = true;
  std::uint32_t domains = 4, ranks_per_chip = 1;
  Parallel parallel;
  std::uint32_t m = 4;
  std::string algorithm = "ring";
  std::uint32_t straggler = 0;  // this rank begins late; 0: none
  std::uint32_t layers = 2;     // of a part
  bool mixture = false;
};

// The first part computes a little more, the last a lot.
TrainingCost step_cost(const StepCase& c, const PipelineOrder& order) {
  const Parallel& p = c.parallel;
  TrainingCost cost;
  cost.stages.resize(p.pp);
  cost.step_overhead = 3_us;
  const std::uint32_t parts = order.parts();
  for (std::uint32_t part = 0; part < parts; ++part) {
    ChunkCost chunk;
    chunk.chunk = part;
    chunk.layers = {part * c.layers, (part + 1) * c.layers};
    const std::int64_t more = part == 0 ? 7 : part + 1 == parts ? 31 : 0;
    chunk.forward = 20_us + 1_us * more;
    chunk.recompute = p.recompute == Recompute::full ? 20_us : 0_us;
    chunk.backward_input = 23_us + 1_us * more;
    chunk.backward_weight = 19_us;
    if (p.tp > 1) {
      chunk.forward_collectives = {{ParallelAxis::tp, Collective::all_gather, Bytes{65'536}, c.layers},
                                   {ParallelAxis::tp, Collective::reduce_scatter, Bytes{65'536}, c.layers}};
      chunk.backward_collectives = {{ParallelAxis::tp, Collective::all_reduce, Bytes{32'768}, c.layers}};
    }
    if (c.mixture && p.ep > 1) {
      chunk.forward_collectives.push_back({ParallelAxis::ep, Collective::all_to_all, Bytes{80'000}, 2});
      chunk.backward_collectives.push_back({ParallelAxis::ep, Collective::all_to_all, Bytes{80'000}, 2});
      chunk.expert_gradient = Bytes{100'000};
      chunk.expert_parameter = Bytes{50'000};
    }
    if (p.cp > 1) {
      chunk.forward_ring = {Bytes{120'000}, p.cp - 1, c.layers};
      chunk.backward_ring = {Bytes{240'000}, p.cp - 1, c.layers};
    }
    if (part + 1 < parts) chunk.send_forward = Bytes{200'000};
    if (part > 0) chunk.send_backward = Bytes{200'000};
    chunk.gradient = Bytes{400'000};
    chunk.parameter = Bytes{200'000};
    cost.stages[part % p.pp].chunks.push_back(chunk);
  }
  for (StageCost& stage : cost.stages) stage.optimiser = 11_us;
  return cost;
}

// What a rank did and when: its computing, then its talk, in the order in which they were listed.
using Diary = std::vector<std::pair<Time, Time>>;
std::vector<Diary> diaries_of(const StepAnswer& answer) {
  const StepProgram& step = answer.program;
  std::vector<Diary> diaries(step.program.ranks);
  for (const StepProgram::Work& work : step.works)
    diaries[step.program.ops[work.op].rank].push_back({answer.run.begun[work.op], answer.run.done[work.op]});
  for (const StepProgram::Talk& talk : step.talks)
    diaries[talk.rank].push_back({answer.run.done[talk.from], answer.run.done[talk.until]});
  for (const std::uint32_t receive : step.pipe_receives) {
    const Time arrival = answer.run.done[receive];
    diaries[step.program.ops[receive].rank].push_back({arrival, arrival});
  }
  for (const Diary& diary : diaries) {
    for (const auto& [begun, done] : diary) {
      REQUIRE(begun != Time::never());
      REQUIRE(done != Time::never());
    }
  }
  return diaries;
}

struct Compared {
  bool by_digits = false;
  std::size_t pieces = 0;  // collectives that were run alone once
  std::size_t classes = 0, operations = 0;
};

Compared compare_solvers(const StepCase& c) {
  const ClusterShape shape = step_cluster(c.rings, c.domains, c.ranks_per_chip);
  const auto topology = make_topology(shape);
  REQUIRE(c.parallel.ranks() <= topology->chips());
  Problem problem;
  problem.topology = topology.get();
  problem.overhead = 300_ns;
  if (c.straggler > 0) problem.delays = {{c.straggler, 90_us}};
  const PipelineOrder order = pipeline_order(c.parallel.schedule, c.parallel.pp, c.parallel.vp, c.m);
  const TrainingCost cost = step_cost(c, order);
  const StepPlacement placement(*topology, c.parallel);
  StepSchedules schedules(placement, always(c.algorithm));
  const TrainingStep step{&c.parallel, &cost, &order, &placement, &schedules, &problem};
  const StepAnswer judge = solve_step(step, "program"), colours = solve_step(step, "colours");
  REQUIRE(judge.run.done == colours.run.done);
  REQUIRE(judge.run.begun == colours.run.begun);
  REQUIRE(judge.finish == colours.finish);
  REQUIRE(judge.run.links.size() == colours.run.links.size());
  for (std::size_t l = 0; l < judge.run.links.size(); ++l)
    REQUIRE(judge.run.links[l].bytes == colours.run.links[l].bytes);
  const DigitMask folded = foldable_digits(step);
  std::size_t pieces = 0;
  if (folded != 0) {
    const StepAnswer quotient = solve_step(step, "quotient");
    const std::vector<Diary> whole = diaries_of(judge), part = diaries_of(quotient);
    for (ChipId rank = 0; rank < c.parallel.ranks(); ++rank) {
      const std::uint32_t of_class = quotient.classes.of(rank);
      REQUIRE(!whole[rank].empty());
      REQUIRE(whole[rank] == part[of_class]);
      REQUIRE(judge.finish[rank] == quotient.finish[of_class]);
      REQUIRE(judge.breakdowns[rank].step() == quotient.breakdowns[of_class].step());
      REQUIRE(judge.breakdowns[rank].bubble == quotient.breakdowns[of_class].bubble);
    }
    pieces = quotient.program.blocks.size();
    std::map<LinkId, std::uint64_t> carried;  // by class of links
    for (const LinkUse& use : judge.run.links) carried[topology->canonical(use.link, folded)] += use.bytes;
    for (const LinkUse& use : quotient.run.links) REQUIRE(carried[use.link] == use.bytes * use.orbit);
    // What is left unfolded by digits may still be alike.
    REQUIRE(solve_step(step, "auto").breakdown().step() == judge.breakdown().step());
  }
  return {folded != 0, pieces, colours.classes_run, colours.operations};
}

Parallel split_of(std::uint32_t tp, std::uint32_t cp, std::uint32_t dp, std::uint32_t pp) {
  Parallel parallel;
  parallel.tp = tp;
  parallel.cp = cp;
  parallel.dp = dp;
  parallel.pp = pp;
  return parallel;
}

}  // namespace

TEST_CASE("a step folded by colours and by digits equals the step of every rank in every operation") {
  using enum PipelineSchedule;
  struct Row {
    PipelineSchedule schedule;
    std::uint32_t pp, vp, m;
  };
  const Row rows[] = {{one_f_one_b, 2, 1, 3}, {gpipe, 2, 1, 2},      {interleaved, 2, 2, 4},
                      {zb_1p, 2, 1, 3},       {zb_v, 2, 2, 4},       {dualpipe, 2, 1, 4},
                      {one_f_one_b, 1, 1, 2}, {one_f_one_b, 4, 1, 5}};
  struct Degrees {
    std::uint32_t tp, cp, ep;
  };
  std::size_t cases = 0, by_digits = 0, in_pieces = 0;
  Random random(2026);
  for (const Row& row : rows) {
    for (const Degrees& degrees : {Degrees{4, 1, 1}, Degrees{2, 2, 1}, Degrees{1, 1, 4}, Degrees{4, 2, 1},
                                   Degrees{2, 1, 8}, Degrees{1, 4, 2}}) {
      for (const bool late : {false, true}) {
        for (const std::uint32_t place : {0u, 1u}) {
          StepCase c;
          c.rings = random.below(2) == 0;
          c.algorithm = random.below(2) == 0 ? "ring" : "halving_doubling";
          const std::uint32_t ranks = 32;
          c.parallel = split_of(degrees.tp, degrees.cp, ranks / (degrees.tp * degrees.cp * row.pp), row.pp);
          c.parallel.ep = degrees.ep;
          c.mixture = degrees.ep > 1;
          c.parallel.vp = row.vp;
          c.parallel.schedule = row.schedule;
          c.parallel.zero = static_cast<std::uint32_t>(random.below(4));
          c.parallel.overlap_dp = random.below(3) != 0;
          c.parallel.overlap_tp = random.below(4) == 0;
          c.parallel.recompute = random.below(2) == 0 ? Recompute::full : Recompute::none;
          if (place == 1) {
            c.parallel.order = {ParallelAxis::tp, ParallelAxis::pp, ParallelAxis::cp, ParallelAxis::dp};
          }
          c.m = row.m;
          c.layers = 1 + static_cast<std::uint32_t>(random.below(2));
          c.straggler = late ? 1 + static_cast<std::uint32_t>(random.below(ranks - 1)) : 0;
          CAPTURE(static_cast<int>(row.schedule), row.pp, degrees.tp, degrees.cp, degrees.ep, late, place,
                  c.algorithm, c.rings, c.parallel.zero);
          const Compared compared = compare_solvers(c);
          ++cases;
          by_digits += compared.by_digits ? 1 : 0;
          in_pieces += compared.pieces > 0 ? 1 : 0;
        }
      }
    }
  }
  CHECK(cases == 192);
  CHECK(by_digits > 40);
  CHECK(in_pieces > 20);
}

TEST_CASE("a step of 512 ranks folds to a few and equals the step of every rank") {
  for (const std::uint32_t ranks_per_chip : {1u, 2u}) {
    StepCase c;
    c.domains = 64 / ranks_per_chip;
    c.ranks_per_chip = ranks_per_chip;
    c.parallel = split_of(4 * ranks_per_chip, 1, 64 / ranks_per_chip, 2);
    c.parallel.order = {ParallelAxis::tp, ParallelAxis::pp, ParallelAxis::cp, ParallelAxis::dp};
    c.algorithm = "halving_doubling";
    c.rings = false;
    const Compared compared = compare_solvers(c);
    CHECK(compared.by_digits);
    CHECK(compared.classes * 50 < compared.operations);
  }
}

TEST_CASE("a step on a hundred times as many ranks has hardly more operations to run") {
  std::vector<std::uint64_t> operations;
  for (const std::uint32_t domains : {128u, 16'384u}) {  // 1,024 and 131,072 chips
    StepCase c;
    c.domains = domains;
    c.rings = false;
    c.algorithm = "halving_doubling";
    c.parallel = split_of(4, 1, domains, 2);
    c.parallel.order = {ParallelAxis::tp, ParallelAxis::pp, ParallelAxis::cp, ParallelAxis::dp};
    const auto topology = make_topology(step_cluster(c.rings, c.domains, 1));
    Problem problem;
    problem.topology = topology.get();
    const PipelineOrder order = pipeline_order(c.parallel.schedule, 2, 1, c.m);
    const TrainingCost cost = step_cost(c, order);
    const StepPlacement placement(*topology, c.parallel);
    StepSchedules schedules(placement, always(c.algorithm));
    const StepAnswer answer =
        solve_step({&c.parallel, &cost, &order, &placement, &schedules, &problem}, "quotient");
    CHECK(answer.program.chips.size() == 2);  // a rank per stage
    operations.push_back(answer.operations);
  }
  // 14 doublings of dp instead of 7; all else is the same.
  CHECK(operations[1] < 2 * operations[0]);
}
