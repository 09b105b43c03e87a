#include "collectives/program/data_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

std::uint32_t Contents::number(Runs runs) {
  const auto [at, fresh] = numbers_.try_emplace(std::move(runs), static_cast<std::uint32_t>(sets_.size()));
  if (fresh) sets_.push_back(at->first);
  return at->second;
}

std::uint32_t Contents::sum(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t key = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
  if (const auto known = sums_.find(key); known != sums_.end()) return known->second;
  Runs all(sets_[a].size() + sets_[b].size()), joined;
  std::merge(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(), all.begin());
  bool overlap = false;
  for (const auto& run : all) {
    if (!joined.empty() && run.first < joined.back().second) overlap = true;
    if (!joined.empty() && run.first <= joined.back().second) {
      joined.back().second = std::max(joined.back().second, run.second);
    } else {
      joined.push_back(run);
    }
  }
  const std::uint32_t result = overlap ? nothing : number(std::move(joined));
  sums_.emplace(key, result);
  return result;
}

namespace {

using Kind = RankProgram::Kind;

class DataReplay {
 public:
  DataReplay(const RankProgram& program, std::span<const DataMove> moves, Contents& contents,
             std::vector<std::uint32_t>& cells)
      : program_(program), moves_(moves), contents_(contents), cells_(cells), held_(program.ops.size()) {}

  void play(std::uint32_t number) {
    const RankProgram::Op& op = program_.ops[number];
    const DataMove& move = moves_[number];
    std::vector<std::uint32_t> values;
    switch (op.kind) {
      case Kind::send:
        held_[number] = move.passes_on ? held_[number - 1] : read(number, move.read, move.count);
        return;
      case Kind::receive:
        values = std::move(held_[op.partner]);
        if (values.size() != move.count) tell(number, "takes another number of chunks than is sent to it");
        if (op.adds) values = added(number, values, read(number, move.read, move.count));
        break;
      case Kind::reduce:
        values = added(number, read(number, move.read, move.count), read(number, move.write, move.count));
        break;
      case Kind::some:
        return;
      case Kind::compute:
        if (move.read == DataMove::none) return;
        values = read(number, move.read, move.count);
        break;
    }
    if (move.write != DataMove::none)
      std::copy(values.begin(), values.end(), cells_.begin() + static_cast<std::ptrdiff_t>(move.write));
    if (number + 1 < moves_.size() && moves_[number + 1].passes_on) held_[number] = std::move(values);
  }

 private:
  [[noreturn]] void tell(std::uint32_t number, const std::string& what) const {
    throw ScenarioError(program_.name_of(number) + " " + what);
  }

  std::vector<std::uint32_t> read(std::uint32_t number, std::uint32_t first, std::uint32_t count) const {
    std::vector<std::uint32_t> values(
        cells_.begin() + static_cast<std::ptrdiff_t>(first),
        cells_.begin() + static_cast<std::ptrdiff_t>(first) + static_cast<std::ptrdiff_t>(count));
    const auto empty = std::find(values.begin(), values.end(), Contents::nothing);
    if (empty != values.end())
      tell(number,
           fmt::format("reads chunk {} of its range, which holds nothing yet", empty - values.begin()));
    return values;
  }

  std::vector<std::uint32_t> added(std::uint32_t number, std::vector<std::uint32_t> a,
                                   const std::vector<std::uint32_t>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = contents_.sum(a[i], b[i]);
      if (a[i] == Contents::nothing) tell(number, "adds what is already in the sum: it would count twice");
    }
    return a;
  }

  const RankProgram& program_;
  std::span<const DataMove> moves_;
  Contents& contents_;
  std::vector<std::uint32_t>& cells_;
  std::vector<std::vector<std::uint32_t>> held_;  // by operation: what its message holds
};

// What is done before an operation in every order: of each lane, how many of its operations.
class Clocks {
 public:
  Clocks(const RankProgram& program, std::span<const std::uint32_t> order,
         std::span<const std::uint32_t> lanes)
      : lanes_(lanes), count_(lanes.empty() ? 0 : *std::max_element(lanes.begin(), lanes.end()) + 1) {
    clocks_.assign(lanes.size() * count_, 0);
    std::vector<std::uint32_t> reached(count_, 0);
    for (const std::uint32_t op : order) {
      std::uint32_t* clock = at(op);
      const auto after = [&](std::uint32_t earlier) {
        const std::uint32_t* other = at(earlier);
        for (std::size_t l = 0; l < count_; ++l) clock[l] = std::max(clock[l], other[l]);
      };
      for (const std::uint32_t need : program.needs_of(op)) after(need);
      if (program.ops[op].kind == Kind::receive) after(program.ops[op].partner);
      clock[lanes[op]] = ++reached[lanes[op]];
    }
  }
  bool is_before(std::uint32_t a, std::uint32_t b) const { return at(b)[lanes_[a]] >= at(a)[lanes_[a]]; }

 private:
  std::uint32_t* at(std::uint32_t op) { return clocks_.data() + op * count_; }
  const std::uint32_t* at(std::uint32_t op) const { return clocks_.data() + op * count_; }

  std::span<const std::uint32_t> lanes_;
  std::size_t count_;
  std::vector<std::uint32_t> clocks_;
};

}  // namespace

void replay_data(const RankProgram& program, std::span<const std::uint32_t> order,
                 std::span<const DataMove> moves, Contents& contents, std::vector<std::uint32_t>& cells) {
  DataReplay replay(program, moves, contents, cells);
  for (const std::uint32_t op : order) replay.play(op);
}

std::string find_race(const RankProgram& program, std::span<const std::uint32_t> order,
                      std::span<const DataMove> moves, std::span<const std::uint32_t> lanes,
                      std::size_t cells) {
  const Clocks clocks(program, order, lanes);
  std::vector<std::uint32_t> written(cells, DataMove::none);
  std::vector<std::vector<std::uint32_t>> readers(cells);  // since it was written
  const auto told = [&](std::uint32_t a, std::uint32_t b, std::string_view deed) {
    return fmt::format("{} writes what {} {}, and nothing says which of them is first", program.name_of(b),
                       program.name_of(a), deed);
  };
  for (const std::uint32_t op : order) {
    const DataMove& move = moves[op];
    for (std::uint32_t i = 0; i < move.count; ++i) {
      if (move.read != DataMove::none && !move.passes_on) {
        const std::uint32_t cell = move.read + i, writer = written[cell];
        if (writer != DataMove::none && writer != op && !clocks.is_before(writer, op))
          return told(op, writer, "reads");
        readers[cell].push_back(op);
      }
      if (move.write != DataMove::none) {
        const std::uint32_t cell = move.write + i, writer = written[cell];
        if (writer != DataMove::none && writer != op && !clocks.is_before(writer, op))
          return told(writer, op, "writes");
        for (const std::uint32_t reader : readers[cell]) {
          if (reader != op && !clocks.is_before(reader, op)) return told(reader, op, "reads");
        }
        readers[cell].clear();
        written[cell] = op;
      }
    }
  }
  return "";
}

}  // namespace tahoma
