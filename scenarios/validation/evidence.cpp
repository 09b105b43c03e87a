#include "scenarios/validation/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/number_text.h"
#include "scenarios/validation/embedded.h"
#include "scenarios/validation/families.h"
#include "scenarios/validation/validation_report.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_ranks_ratio = 2, most_size_ratio = 4;
constexpr std::size_t most_questions = 4, most_cases = 2;

// Rows of a result that one measured setup can speak for.
struct Question {
  std::string collective;
  std::uint64_t ranks = 0;
  bool is_wide = false;  // beyond one scale-up domain
  std::vector<std::uint64_t> sizes;
};

std::uint64_t chips_of_domain(const ClusterShape& shape) {
  std::uint64_t chips = 1;
  for (const Dimension& dimension : shape.scale_up) chips *= dimension.size;
  return chips;
}

bool stays_inside(const Ranks& ranks, std::uint64_t domain) {
  if (const auto* first = std::get_if<RanksFirst>(&ranks)) return first->count <= domain;
  if (const auto* size = std::get_if<RanksSize>(&ranks))
    return size->size <= domain && domain % size->size == 0;
  if (const auto* by = std::get_if<RanksBy>(&ranks)) return by->level <= Level::ultraserver;
  return false;
}

bool is_wide(const Scenario& scenario, const std::string& job) {
  if (const auto* graph = std::get_if<GraphShape>(&scenario.network)) {
    return std::any_of(graph->vertices.begin(), graph->vertices.end(),
                       [](const GraphVertex& v) { return v.name.rfind("s1.", 0) == 0; });
  }
  if (std::holds_alternative<MixedShape>(scenario.network)) return true;
  const auto& shape = std::get<ClusterShape>(scenario.network);
  std::uint64_t domains = 0;
  for (const Site& site : shape.sites) domains += site.domains;
  const auto at =
      std::find_if(scenario.jobs.begin(), scenario.jobs.end(), [&](const Job& j) { return j.name == job; });
  const auto* work = at == scenario.jobs.end() ? nullptr : std::get_if<CollectiveWork>(&at->work);
  return domains > 1 && (work == nullptr || !stays_inside(work->ranks.value, chips_of_domain(shape)));
}

std::vector<Question> questions_of(const Scenario& scenario, const Result& result) {
  std::vector<Question> questions;
  for (const CollectiveRow& row : result.collectives) {
    const bool wide = is_wide(scenario, row.job);
    auto at = std::find_if(questions.begin(), questions.end(), [&](const Question& q) {
      return q.collective == row.collective && q.ranks == row.ranks && q.is_wide == wide;
    });
    if (at == questions.end()) at = questions.insert(at, {row.collective, row.ranks, wide, {}});
    at->sizes.push_back(row.bytes);
  }
  return questions;
}

bool is_about(const CheckedCase& c, const Question& q) {
  const auto [less, more] = std::minmax(c.ranks, q.ranks);
  return c.collective == q.collective && (c.count > 1) == q.is_wide && more <= most_ranks_ratio * less;
}

bool covers(const CheckedCase& c, std::uint64_t bytes) {
  return bytes * most_size_ratio >= c.least_bytes && bytes <= c.most_bytes * most_size_ratio;
}

// The cases of one source and setup, which differ in size alone.
struct Setup {
  std::vector<const CheckedCase*> cases;
  std::size_t covered = 0;  // sizes of the question
};

std::vector<Setup> setups_for(const Question& question, const std::vector<CheckedCase>& near,
                              const std::string& preset) {
  std::vector<Setup> setups;
  for (const CheckedCase& c : near) {
    const bool helps = std::any_of(question.sizes.begin(), question.sizes.end(),
                                   [&](std::uint64_t bytes) { return covers(c, bytes); });
    if (!is_about(c, question) || !helps) continue;
    const auto at = std::find_if(setups.begin(), setups.end(), [&](const Setup& s) {
      const CheckedCase& first = *s.cases.front();
      return first.source == c.source && first.preset == c.preset && first.count == c.count &&
             first.ranks == c.ranks;
    });
    if (at == setups.end()) {
      setups.push_back({{&c}, 0});
    } else {
      at->cases.push_back(&c);
    }
  }
  for (Setup& setup : setups) {
    setup.covered = static_cast<std::size_t>(
        std::count_if(question.sizes.begin(), question.sizes.end(), [&](std::uint64_t bytes) {
          return std::any_of(setup.cases.begin(), setup.cases.end(),
                             [&](const CheckedCase* c) { return covers(*c, bytes); });
        }));
  }
  // The same system first, then the nearest number of ranks, then who speaks for more sizes.
  std::stable_sort(setups.begin(), setups.end(), [&](const Setup& a, const Setup& b) {
    const CheckedCase &x = *a.cases.front(), &y = *b.cases.front();
    if ((x.preset == preset) != (y.preset == preset)) return x.preset == preset;
    const auto gap = [&](const CheckedCase& c) {
      return std::max(c.ranks, question.ranks) - std::min(c.ranks, question.ranks);
    };
    if (gap(x) != gap(y)) return gap(x) < gap(y);
    return a.covered > b.covered;
  });
  return setups;
}

std::string size_span(const std::vector<std::uint64_t>& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  if (*least == *most) return readable_bytes(*least);
  return readable_bytes(*least) + " to " + readable_bytes(*most);
}

std::string hardware_text(const CheckedCase& c) {
  return c.count == 1 ? c.preset : fmt::format("{} x {}", c.count, c.preset);
}

std::string measured_line(const Question& question, const Setup& setup) {
  const CheckedCase& first = *setup.cases.front();
  std::string errors;
  for (const CheckedCase* c : setup.cases) {
    errors += fmt::format("{}{} at {} ({})", errors.empty() ? "" : ", ", percent_text(c->error),
                          name_of(c->size), c->rows);
  }
  return fmt::format("{} on {} ranks: measured on {}, {} ranks ({}); mean error of the time there: {}.",
                     question.collective, grouped(question.ranks), hardware_text(first), first.ranks,
                     first.source, errors);
}

std::string outside_line(const Question& question, const std::vector<std::uint64_t>& sizes,
                         const PresetFamily& family, const std::vector<CheckedCase>& near) {
  std::string line = fmt::format("{} of {} on {} ranks is outside what was checked", question.collective,
                                 size_span(sizes), grouped(question.ranks));
  // The least ratio of ranks; then the same system; then the later row, for sizes grow down the table.
  const auto distance = [&](const CheckedCase& c) {
    const auto [less, more] = std::minmax(c.ranks, question.ranks);
    return std::pair(static_cast<double>(more) / static_cast<double>(less), c.preset != family.preset);
  };
  const CheckedCase* best = nullptr;
  for (const CheckedCase& c : near) {
    if (c.collective != question.collective) continue;
    if (best == nullptr || distance(c) <= distance(*best)) best = &c;
  }
  if (best == nullptr) return fmt::format("{}: no such row of {} has been compared.", line, family.family);
  return fmt::format("{}: the nearest measured case of {} is {}, {} ranks, {} ({}).", line, family.family,
                     hardware_text(*best), best->ranks, size_span({best->least_bytes, best->most_bytes}),
                     best->source);
}

void answer(const Question& question, const PresetFamily& family, const std::string& preset,
            const std::vector<CheckedCase>& near, std::vector<std::string>& lines) {
  std::vector<Setup> setups = setups_for(question, near, preset);
  setups.resize(std::min(setups.size(), most_cases));
  for (const Setup& setup : setups) lines.push_back(measured_line(question, setup));
  std::vector<std::uint64_t> outside;
  for (const std::uint64_t bytes : question.sizes) {
    const bool covered = std::any_of(near.begin(), near.end(), [&](const CheckedCase& c) {
      return is_about(c, question) && covers(c, bytes);
    });
    if (!covered) outside.push_back(bytes);
  }
  if (!outside.empty()) lines.push_back(outside_line(question, outside, family, near));
}

const std::vector<CheckedCase>& checked_cases() {
  static const std::vector<CheckedCase> cases = read_checked_cases(embedded_checked_cases());
  return cases;
}

// Software of another kind, or a schedule of somebody's own, says nothing about an ordinary run.
std::vector<CheckedCase> cases_of_family(const std::vector<CheckedCase>& cases, std::string_view family) {
  std::vector<CheckedCase> near;
  for (const CheckedCase& c : cases) {
    const PresetFamily* other = family_of(c.preset);
    if (other != nullptr && other->family == family && c.algo.find(':') == std::string::npos)
      near.push_back(c);
  }
  return near;
}

// Systems on which nobody has published a collective.
bool is_unmeasured(const std::string& preset) {
  constexpr std::array<std::string_view, 5> names{"trn2-ultraserver", "rainier", "trn3-gen1-ultraserver",
                                                  "trn3-gen2-ultraserver", "ultracluster3"};
  return std::find(names.begin(), names.end(), preset.substr(0, preset.find('@'))) != names.end();
}

}  // namespace

std::vector<std::string> evidence_for(const Scenario& scenario, const Result& result,
                                      const std::vector<CheckedCase>& cases) {
  std::uint64_t rows = 0;
  for (const CheckedCase& c : cases) rows += c.rows;
  std::vector<std::string> lines{fmt::format(
      "The engine is exact for the network as described; how near that is to a machine was compared with {} "
      "measured rows (docs/validation.md).",
      grouped(rows))};
  const PresetFamily* family = family_of(scenario.preset);
  const std::vector<Question> questions = questions_of(scenario, result);
  if (family == nullptr) {
    if (!questions.empty())
      lines.emplace_back("The hardware is this scenario's own: no measured row is near it.");
    return lines;
  }
  const std::vector<CheckedCase> near = cases_of_family(cases, family->family);
  for (std::size_t q = 0; q < std::min(questions.size(), most_questions); ++q) {
    answer(questions[q], *family, scenario.preset, near, lines);
  }
  if (questions.size() > most_questions) {
    lines.push_back(
        fmt::format("{} more kinds of rows: see docs/validation.md.", questions.size() - most_questions));
  }
  if (is_unmeasured(scenario.preset)) {
    lines.emplace_back(
        "Nothing is public about collectives across Trn2 UltraServers or on Trn3: their times are "
        "predictions without a "
        "measured neighbour.");
  }
  return lines;
}

std::vector<std::string> evidence_for(const Scenario& scenario, const Result& result) {
  return evidence_for(scenario, result, checked_cases());
}

}  // namespace tahoma
