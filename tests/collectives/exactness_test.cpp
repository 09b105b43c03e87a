// Quotient = engine = judge: identical picoseconds on every rank and identical bytes on every link.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "core/errors.h"
#include "tests/collectives/exactness_cases.h"

using namespace tahoma;
using namespace tahoma::literals;

namespace {

using Finishes = std::vector<std::int64_t>;  // by part, group, position
using LinkBytes = std::map<LinkId, std::uint64_t>;

Finishes finishes_of(const ExactnessCase& one, const Solution& solution) {
  Finishes result;
  for (std::size_t part = 0; part < one.parts.size(); ++part) {
    const RankGroups& groups = *one.parts[part].groups;
    for (std::uint32_t g = 0; g < groups.groups(); ++g) {
      for (std::uint32_t p = 0; p < groups.size(); ++p) {
        const Time finish = solution.finish(part, groups.chip(g, p));
        REQUIRE(finish != Time::never());
        result.push_back(finish.ps);
      }
    }
  }
  return result;
}

Finishes finishes_of(const judge::Answer& answer) {
  Finishes result;
  for (const auto& job : answer.rank_finish) {
    for (const auto& group : job) {
      for (const judge::Number& finish : group) result.push_back(judge::picoseconds(finish));
    }
  }
  return result;
}

LinkBytes bytes_of(const Solution& solution) {
  LinkBytes result;
  for (const LinkUse& use : solution.links) {
    if (use.bytes > 0) result[use.link] = use.bytes;
  }
  return result;
}

LinkBytes bytes_of(const judge::Answer& answer) {
  LinkBytes result;
  for (const auto& [link, bytes] : answer.link_bytes) {
    if (bytes > 0) result[link] = static_cast<std::uint64_t>(bytes);
  }
  return result;
}

struct Counts {
  int cases = 0, folded = 0, by_pairs = 0, by_phases = 0, judged = 0;
};

// The judge solves all flows again at every instant; beyond this it takes seconds.
constexpr std::uint64_t most_judged_messages = 2000;

// Links under a fold are told by their representatives.
void check_folded(const ExactnessCase& one, const Solution& solution, const Finishes& finishes,
                  const LinkBytes& bytes) {
  CHECK(finishes_of(one, solution) == finishes);
  const LinkBytes representative = bytes_of(solution);
  const DigitMask folded = foldable_digits(one.problem());
  std::size_t wrong = 0;
  for (const auto& [link, carried] : bytes) {
    const auto found = representative.find(one.topology->canonical(link, folded));
    if (found == representative.end() || found->second != carried) ++wrong;
  }
  CHECK(wrong == 0);
}

bool check_pairs(const ExactnessCase& one, const Finishes& finishes, const LinkBytes& bytes) {
  try {
    const Solution pairs = solve(one.problem(), "pairs");
    CHECK(pairs.solver == "pairs");
    check_folded(one, pairs, finishes, bytes);
    return true;
  } catch (const InfeasibleError&) {
    return false;  // does not apply
  }
}

bool check_phases(const ExactnessCase& one, const Finishes& finishes) {
  try {
    const Solution phases = solve(one.problem(), "phases");
    CHECK(finishes_of(one, phases) == finishes);
    return true;
  } catch (const InfeasibleError&) {
    return false;  // does not apply
  }
}

void check_case(const ExactnessCase& one, Counts& counts) {
  INFO(one.name);
  const Problem problem = one.problem();
  Solution engine;
  try {
    engine = solve(problem, "engine");
  } catch (const InfeasibleError&) {
    return;  // the fault cuts ranks off
  }
  const Finishes finishes = finishes_of(one, engine);
  const LinkBytes bytes = bytes_of(engine);
  ++counts.cases;
  if (foldable_digits(problem) != 0) {
    ++counts.folded;
    const Solution quotient = solve(problem, "quotient");
    CHECK(quotient.solver == "quotient");
    check_folded(one, quotient, finishes, bytes);
  }
  if (check_pairs(one, finishes, bytes)) ++counts.by_pairs;
  if (check_phases(one, finishes)) ++counts.by_phases;
  if (one.messages() <= most_judged_messages) {
    ++counts.judged;
    const judge::Answer answer = judge::judge(one.question(), judge::Arithmetic::rounded);
    CHECK(finishes_of(answer) == finishes);
    CHECK(bytes_of(answer) == bytes);
  }
}

judge::Number farthest_apart(const std::vector<judge::Number>& a, const std::vector<judge::Number>& b) {
  judge::Number farthest = 0;
  for (std::size_t rank = 0; rank < a.size(); ++rank) {
    const judge::Number off = abs(a[rank] - b[rank]);
    farthest = std::max(farthest, off);
  }
  return farthest;
}

std::vector<judge::Number> unrounded(const judge::Question& question) {
  std::vector<judge::Number> result;
  for (const auto& job : judge::judge(question, judge::Arithmetic::exact).rank_finish) {
    for (const auto& group : job) result.insert(result.end(), group.begin(), group.end());
  }
  return result;
}

// How far one picosecond goes in the model itself: the most that any rank's finish moves, without any
// rounding, when one rank begins 1 ps late.
judge::Number amplification(const ExactnessCase& one, const std::vector<judge::Number>& finishes) {
  judge::Number most = 0;
  for (ChipId chip = 0; chip < one.topology->chips(); ++chip) {
    judge::Question question = one.question();
    for (judge::Job& job : question.jobs) job.delays[chip] += 1_ps;
    most = std::max(most, farthest_apart(finishes, unrounded(question)));
  }
  return most;
}

}  // namespace

TEST_CASE("exactness: every solver agrees with the judge on every rank of every small case", "[slow]") {
  Random random(1);
  Counts counts;
  for (const NamedShape& network : small_networks()) {
    for (const ExactnessCase& one : cases_on(network, 2, random)) check_case(one, counts);
  }
  INFO(counts.cases << " cases, " << counts.folded << " folded, " << counts.by_pairs << " by pairs, "
                    << counts.by_phases << " by phases, " << counts.judged << " judged");
  CHECK(counts.folded >= 400);
  CHECK(counts.by_pairs >= 15);
  CHECK(counts.by_phases >= 200);
  CHECK(counts.judged >= 1000);
}

TEST_CASE("exactness: quotient, phases and engine agree on every rank of up to 4,096 chips", "[slow]") {
  Random random(2);
  Counts counts;
  for (const NamedShape& network : large_networks()) {
    for (const ExactnessCase& one : cases_on(network, 1, random)) {
      const bool folds = foldable_digits(one.problem()) != 0;
      if (one.messages() <= 200'000 && (folds || !one.is_crowded())) check_case(one, counts);
    }
  }
  INFO(counts.cases << " cases, " << counts.folded << " folded, " << counts.by_phases << " by phases");
  CHECK(counts.folded >= 40);
  CHECK(counts.by_phases >= 20);
}

TEST_CASE("exactness: phases stand back where reductions of one phase may wait for those of another") {
  // Rings of 4, then rails. With one rank late, the rails' messages from its neighbours' servers reach its
  // reducer while the ring's are still there; with nobody late all ranks of a rail are ready together.
  const std::vector<NamedShape> networks = small_networks();
  const auto network = std::find_if(networks.begin(), networks.end(), [](const NamedShape& named) {
    return named.name == "clos of 8 rings of 4, rails";
  });
  REQUIRE(network != networks.end());
  ExactnessCase one;
  one.topology = make_topology(*network);
  one.parts.emplace_back();
  one.parts[0].groups = std::make_unique<RankGroups>(RankGroups::all(*one.topology));
  ScheduleRequest request;
  request.size = {400'000};
  request.pipeline = 1;
  request.axes = one.parts[0].groups->axes();
  request.levels = {{{0}, "server", "ring"}, {{}, "cluster", "halving_doubling"}};
  for (std::uint8_t axis = 1; axis < request.axes.size(); ++axis) request.levels[1].axes.push_back(axis);
  one.parts[0].schedule = make_schedule(request);
  one.reduction_rate = 50_GBps;
  int applied = 0, refused = 0;
  for (std::int64_t late = 0; late < 20; ++late) {
    one.delays.clear();
    if (late > 0) one.delays = {{1, {late * 1'500'000}}};
    const Finishes finishes = finishes_of(one, solve(one.problem(), "engine"));
    (check_phases(one, finishes) ? applied : refused) += 1;
  }
  CHECK(applied >= 1);
  CHECK(refused >= 1);
}

// A message's end is rounded up to a picosecond. Where messages share links and later ones depend on them,
// the model stretches a picosecond of delay into many, so those cases are held to what 10 ps would do.
TEST_CASE(
    "exactness: without any rounding ranks finish within a nanosecond, unless a picosecond goes farther") {
  Random random(3);
  int compared = 0, within = 0;
  for (const NamedShape& network : small_networks()) {
    for (ExactnessCase& one : cases_on(network, 1, random)) {
      // Who is reduced first may hang on one picosecond; then whole messages change places.
      one.reduction_rate = {};
      // So may who waits behind whom.
      if (one.messages() > 400 || one.topology->stores_somewhere()) continue;
      INFO(one.name);
      const Finishes finishes = finishes_of(one, solve(one.problem(), "engine"));
      const std::vector<judge::Number> exact = unrounded(one.question());
      REQUIRE(exact.size() == finishes.size());
      const judge::Number off = farthest_apart(exact, {finishes.begin(), finishes.end()});
      if (off < 1000) ++within;
      if (off >= 1000) REQUIRE(off < 10 * amplification(one, exact));
      ++compared;
    }
  }
  CHECK(compared >= 100);
  CHECK(within * 100 >= compared * 98);
}
