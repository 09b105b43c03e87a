// Schedules as MSCCL XML, run by an executor of our own that knows nothing of schedules.
#include "collectives/msccl_text.h"

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <sstream>

#include "collectives/choose.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"

using namespace tahoma;

namespace {

// What a chunk holds: for each piece of the original buffers, whose contributions are in it.
using Content = std::map<std::uint32_t, std::uint64_t>;  // piece -> ranks

std::string attribute(const std::string& line, const std::string& name) {
  const std::size_t at = line.find(" " + name + "=\"");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + name.size() + 3;
  return line.substr(begin, line.find('"', begin) - begin);
}
int number(const std::string& line, const std::string& name) {
  return std::stoi(attribute(line, name));
}

struct XmlStep {
  std::string type, source_buffer, target_buffer;
  int source, target, count, depid, deps;
};
struct Block {
  int send, receive, channel;
  std::vector<XmlStep> steps;
  std::size_t done = 0;
};
struct Machine {
  std::vector<std::vector<Block>> gpus;
  std::map<std::string, std::vector<Content>> memory;  // "3i": rank 3's input
  std::map<std::tuple<int, int, int>, std::deque<std::vector<Content>>> wires;
};

Machine read(const std::string& xml) {
  Machine machine;
  std::istringstream stream(xml);
  for (std::string line; std::getline(stream, line);) {
    if (line.find("<gpu ") != std::string::npos) machine.gpus.emplace_back();
    if (line.find("<tb ") != std::string::npos)
      machine.gpus.back().push_back(
          {number(line, "send"), number(line, "recv"), number(line, "chan"), {}, 0});
    if (line.find("<step ") == std::string::npos) continue;
    std::vector<XmlStep>& steps = machine.gpus.back().back().steps;
    REQUIRE(number(line, "s") == static_cast<int>(steps.size()));
    steps.push_back({attribute(line, "type"), attribute(line, "srcbuf"), attribute(line, "dstbuf"),
                     number(line, "srcoff"), number(line, "dstoff"), number(line, "cnt"),
                     number(line, "depid"), number(line, "deps")});
  }
  return machine;
}

bool advance(Machine& machine, std::size_t rank, Block& block) {
  if (block.done == block.steps.size()) return false;
  const XmlStep& step = block.steps[block.done];
  if (step.depid >= 0 &&
      machine.gpus[rank][static_cast<std::size_t>(step.depid)].done <= static_cast<std::size_t>(step.deps))
    return false;
  const int me = static_cast<int>(rank);
  const auto at = [&](const std::string& buffer, int chunk) -> Content& {
    auto& chunks = machine.memory[std::to_string(rank) + buffer];
    if (chunks.size() <= static_cast<std::size_t>(chunk)) chunks.resize(static_cast<std::size_t>(chunk) + 1);
    return chunks[static_cast<std::size_t>(chunk)];
  };
  if (step.type == "s") {
    std::vector<Content> sent;
    for (int c = 0; c < step.count; ++c) sent.push_back(at(step.source_buffer, step.source + c));
    machine.wires[{me, block.send, block.channel}].push_back(sent);
  } else if (step.type == "cpy") {
    at(step.target_buffer, step.target) = at(step.source_buffer, step.source);
  } else if (step.type != "nop") {
    auto& wire = machine.wires[{block.receive, me, block.channel}];
    if (wire.empty()) return false;
    for (int c = 0; c < step.count; ++c) {
      Content& held = at(step.target_buffer, step.target + c);
      if (step.type == "r") held.clear();
      for (const auto& [piece, ranks] : wire.front()[static_cast<std::size_t>(c)]) {
        REQUIRE((held[piece] & ranks) == 0);  // nothing is added twice
        held[piece] |= ranks;
      }
    }
    wire.pop_front();
  }
  ++block.done;
  return true;
}

// Blocks are asked in one order or the other, one step or all they can at a time: what is missing shows.
void execute(Machine& machine, bool backwards, bool greedy) {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t g = 0; g < machine.gpus.size(); ++g) {
      const std::size_t rank = backwards ? machine.gpus.size() - 1 - g : g;
      auto& blocks = machine.gpus[rank];
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        Block& block = blocks[backwards ? blocks.size() - 1 - b : b];
        while (advance(machine, rank, block)) {
          moved = true;
          if (!greedy) break;
        }
      }
    }
  }
  for (const auto& gpu : machine.gpus) {
    for (const Block& block : gpu) REQUIRE(block.done == block.steps.size());
  }
}

void check(Collective collective, const std::string& xml, std::uint32_t n, std::uint32_t channels) {
  const std::uint64_t all = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  const std::uint32_t chunks = n * channels;
  for (const bool backwards : {false, true}) {
    for (const bool greedy : {false, true}) {
      Machine machine = read(xml);
      REQUIRE(machine.gpus.size() == n);
      const bool gathers = collective == Collective::all_gather;
      for (std::uint32_t rank = 0; rank < n; ++rank) {
        auto& memory = machine.memory[std::to_string(rank) + (gathers ? "o" : "i")];
        memory.resize(chunks);
        for (std::uint32_t c = 0; c < chunks; ++c) {
          if (!gathers || c / channels == rank) memory[c][c] = std::uint64_t{1} << rank;
        }
      }
      execute(machine, backwards, greedy);
      for (std::uint32_t rank = 0; rank < n; ++rank) {
        for (std::uint32_t c = 0; c < chunks; ++c) {
          const auto content = [&](const char* buffer) {
            return machine.memory[std::to_string(rank) + buffer].at(c);
          };
          if (collective == Collective::all_reduce) REQUIRE(content("i") == Content{{c, all}});
          if (gathers) REQUIRE(content("o") == Content{{c, std::uint64_t{1} << (c / channels)}});
          if (collective == Collective::reduce_scatter && c / channels == rank)
            REQUIRE(content("i") == Content{{c, all}});
          if (collective == Collective::all_to_all) {
            const std::uint32_t mine = rank * channels + c % channels;
            REQUIRE(content("o") == Content{{mine, std::uint64_t{1} << (c / channels)}});
          }
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("schedules as MSCCL XML do the collective in whatever order its thread blocks run") {
  int written = 0, refused = 0;
  for (const char* algorithm : {"ring", "bidirectional_ring", "halving_doubling", "direct", "pairwise",
                                "torus_sequential", "torus", "bruck", "swing", "double_binary_tree"}) {
    for (const Collective collective :
         {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all,
          Collective::broadcast}) {
      for (const auto& sizes : std::vector<std::vector<std::uint32_t>>{{2}, {5}, {8}, {4, 4}, {3, 2, 2}}) {
        for (const std::uint32_t channels : {1u, 2u}) {
          std::vector<Axis> axes;
          for (const std::uint32_t size : sizes) axes.push_back(axis_of(size));
          ScheduleRequest request = request_of(collective, axes, algorithm, Bytes{1 << 16});
          request.channels = channels;
          request.pipeline = 1;
          std::string xml;
          std::uint32_t ranks = 1;
          for (const std::uint32_t size : sizes) ranks *= size;
          try {
            xml = msccl_text(make_schedule(request));
          } catch (const ScenarioError&) {
            continue;  // not offered
          } catch (const InfeasibleError& error) {
            CHECK(std::string(error.what()).find("cannot be said in MSCCL XML") != std::string::npos);
            ++refused;
            continue;
          }
          INFO(algorithm << " " << name_of(collective) << " on " << ranks << " ranks");
          check(collective, xml, ranks, channels);
          ++written;
        }
      }
    }
  }
  CHECK(written >= 60);
  CHECK(refused >= 20);
}

TEST_CASE(
    "the MSCCL XML of a ring of 4 has 6 sends and 6 receives per rank, each waiting for the one before") {
  ScheduleRequest request = request_of(Collective::all_reduce, {axis_of(4)}, "ring", Bytes{1 << 16});
  request.pipeline = 1;
  const std::string xml = msccl_text(make_schedule(request));
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = xml.find(text); at != std::string::npos; at = xml.find(text, at + 1)) ++found;
    return found;
  };
  CHECK(xml.find("<algo name=\"ring\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"4\" ngpus=\"4\" "
                 "coll=\"allreduce\"") == 0);
  CHECK(count("type=\"s\"") == 4 * 6);
  CHECK(count("type=\"rrc\"") == 4 * 3);
  CHECK(count("type=\"r\"") == 4 * 3);
  CHECK(count("type=\"nop\"") == 0);
  CHECK(count("<tb ") == 4 * 2);
}
