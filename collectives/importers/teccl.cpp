#include "collectives/importers/teccl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "collectives/importers/chunk_sends.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint32_t most_teccl_number = 1 << 20;

/// Keys are numbered for people ("7-Flows"), and the numbers differ between collectives.
const JsonValue* find_numbered(const JsonValue& root, std::string_view name) {
  for (const auto& [key, value] : root.members) {
    const std::size_t dash = key.find('-');
    if (dash != std::string::npos && dash > 0 && std::string_view(key).substr(dash + 1) == name &&
        key.find_first_not_of("0123456789") == dash)
      return &value;
  }
  return nullptr;
}

// Words and numbers of a text, from left to right; each step tells whether it fitted.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : left_(text) {}
  bool word(std::string_view expected) {
    if (!left_.starts_with(expected)) return false;
    left_.remove_prefix(expected.size());
    return true;
  }
  bool number(std::uint32_t& number) {
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (error != std::errc{} || number > most_teccl_number) return false;
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return true;
  }
  bool at_end() const { return left_.empty(); }
  std::string_view left() const { return left_; }

 private:
  std::string_view left_;
};

struct Flow {
  std::uint32_t epoch = 0, source = 0, chunk = 0, from = 0, to = 0;
  const JsonValue* value = nullptr;
};

class TecclReader {
 public:
  explicit TecclReader(const JsonDocument& json) : json_(json) {}

  Teccl read() {
    check_keys();
    head();
    demands();
    flows();
    build();
    return std::move(out_);
  }

 private:
  void check_keys() const {
    static constexpr std::array<std::string_view, 10> known = {"Epoch_Duration",  "Expected_Epoch_Duration",
                                                               "Epochs_Required", "Collective_Finish_Time",
                                                               "Algo_Bandwidth",  "Demand_Met",
                                                               "Flows",           "Chunk paths",
                                                               "chunk paths",     "Solver_Time"};
    for (const auto& [key, value] : json_.root().members) {
      const std::size_t after = key.find_first_not_of("0123456789");
      const std::string_view name = after != std::string::npos && after > 0 && key[after] == '-'
                                        ? std::string_view(key).substr(after + 1)
                                        : std::string_view(key);
      if (std::find(known.begin(), known.end(), name) == known.end())
        json_.refuse(value, fmt::format("is not known; accepted: {}", fmt::join(known, ", ")));
    }
  }

  const JsonValue& part(std::string_view name) const {
    const JsonValue* found = find_numbered(json_.root(), name);
    if (found == nullptr) json_.refuse(json_.root(), fmt::format("has no '{}'", name));
    return *found;
  }

  double positive(std::string_view name) const {
    const JsonValue* value = find_numbered(json_.root(), name);
    if (value == nullptr) return 0;
    const bool is_number = value->kind == JsonValue::Kind::whole || value->kind == JsonValue::Kind::number;
    if (!is_number || !(value->real >= 0) || !(value->real < 1e18))
      json_.refuse(*value, "is no number of at least 0 and below 10^18");
    return value->real;
  }

  void head() {
    out_.epoch_s = positive("Epoch_Duration");
    out_.finish_s = positive("Collective_Finish_Time");
    out_.bandwidth_GBps = positive("Algo_Bandwidth");
    const double bytes = std::round(out_.bandwidth_GBps * 1e9 * out_.finish_s);
    if (bytes >= 1 && bytes < 1e15) out_.bytes_per_rank = static_cast<std::uint64_t>(bytes);
  }

  std::uint32_t named(std::string_view text, std::string_view word, const JsonValue& value) const {
    WordReader reader(text);
    std::uint32_t number = 0;
    if (!reader.word(word) || !reader.number(number) || !reader.at_end())
      json_.refuse(value, fmt::format("is named '{}'; accepted: such as '{}0'", text.substr(0, 80), word));
    return number;
  }

  // Which ranks there are, and who must get what. All-to-alls tell it only in the names of their paths.
  void demands() {
    const JsonValue* met = find_numbered(json_.root(), "Demand_Met");
    if (met != nullptr) {
      demands_met(*met);
    } else {
      const JsonValue* paths = find_numbered(json_.root(), "chunk paths");
      met = paths != nullptr ? paths : &part("Chunk paths");
      demands_of_paths(*met);
    }
    demand_ = met;
    if (ids_.size() < 2) json_.refuse(*met, "names fewer than two GPUs");
    std::uint32_t rank = 0;
    for (const std::uint32_t id : ids_) rank_of_.emplace(id, rank++);
  }

  void demand(std::uint32_t source, std::uint32_t chunk, std::uint32_t target, const JsonValue& value) {
    if (source == target) json_.refuse(value, "is a demand of a GPU on itself");
    ids_.insert(source);
    ids_.insert(target);
    wanted_[{source, chunk}].insert(target);
  }

  void demands_met(const JsonValue& met) {
    if (met.kind != JsonValue::Kind::map || met.members.empty()) json_.refuse(met, "names no GPU");
    for (const auto& [target_name, sources] : met.members) {
      const std::uint32_t target = named(target_name, "GPU ", sources);
      if (sources.kind != JsonValue::Kind::map) json_.refuse(sources, "is no map");
      for (const auto& [source_name, chunks] : sources.members) {
        const std::uint32_t source = named(source_name, "GPU ", chunks);
        if (chunks.kind != JsonValue::Kind::map) json_.refuse(chunks, "is no map");
        for (const auto& [chunk_name, when] : chunks.members)
          demand(source, named(chunk_name, "Chunk ", when), target, when);
      }
    }
  }

  void demands_of_paths(const JsonValue& paths) {
    if (paths.kind != JsonValue::Kind::map || paths.members.empty()) json_.refuse(paths, "names no demand");
    for (const auto& [name, path] : paths.members) {
      WordReader reader(name);
      std::uint32_t target = 0, chunk = 0, source = 0, epoch = 0;
      const bool fits = reader.word("Demand at ") && reader.number(target) && reader.word(" for chunk ") &&
                        reader.number(chunk) && reader.word(" from ") && reader.number(source) &&
                        reader.word(" met by epoch ") && reader.number(epoch) && reader.at_end();
      if (!fits) {
        json_.refuse(path, "is named '" + name.substr(0, 80) +
                               "'; accepted: such as 'Demand at 1 for chunk 0 from 10 met by epoch 143'");
      }
      demand(source, chunk, target, path);
    }
  }

  void flows() {
    for (const JsonValue& value : json_.list(part("Flows"))) {
      const std::string& text = json_.text(value);
      WordReader reader(text);
      Flow flow;
      flow.value = &value;
      bool fits = reader.word("Chunk ") && reader.number(flow.chunk) && reader.word(" from ") &&
                  reader.number(flow.source) && reader.word(" traveled over ") && reader.number(flow.from) &&
                  reader.word("->") && reader.number(flow.to);
      if (fits && reader.word(" with volume ") && !reader.word("1.0 ") && !reader.word("1 ")) {
        json_.refuse(value, "sends a part of a chunk, and which part is not said ('" +
                                std::string(reader.left().substr(0, 20)) + "'); accepted: volume 1.0");
      } else if (fits) {
        reader.word(" ");
      }
      fits = fits && reader.word("in epoch ") && reader.number(flow.epoch);
      if (fits && reader.word(" via switches ")) {
        std::uint32_t ignored = 0;
        do {
          fits = fits && reader.number(ignored);
        } while (fits && (reader.word("->") || reader.word(", ")));
      }
      if (!fits || !reader.at_end()) {
        json_.refuse(value, "is '" + text.substr(0, 80) +
                                "'; accepted: 'Chunk 0 from 5 traveled over 5->6 in epoch 0', and ' via "
                                "switches 17' after it");
      }
      for (const std::uint32_t id : {flow.source, flow.from, flow.to}) {
        if (!ids_.contains(id)) json_.refuse(value, fmt::format("names GPU {}, which is in no demand", id));
      }
      if (flow.from == flow.to) json_.refuse(value, "sends a chunk to where it is");
      if (!wanted_.contains({flow.source, flow.chunk}))
        json_.refuse(value,
                     fmt::format("sends chunk {} of GPU {}, which nobody demands", flow.chunk, flow.source));
      flows_.push_back(flow);
    }
    std::stable_sort(flows_.begin(), flows_.end(),
                     [](const Flow& a, const Flow& b) { return a.epoch < b.epoch; });
  }

  void build() {
    const auto n = static_cast<std::uint32_t>(ids_.size());
    const bool gathers = std::all_of(wanted_.begin(), wanted_.end(),
                                     [&](const auto& one) { return one.second.size() == n - 1; });
    const bool exchanges =
        std::all_of(wanted_.begin(), wanted_.end(), [](const auto& one) { return one.second.size() == 1; });
    Msccl& algorithm = out_.algorithm;
    algorithm.file = json_.file();
    algorithm.gpus.resize(n);
    for (Msccl::Gpu& gpu : algorithm.gpus) gpu.line = 1;
    if (n == 2 || gathers) {
      gather(n);
    } else if (exchanges) {
      exchange(n);
    } else {
      json_.refuse(*demand_,
                   "is neither an all-gather, where all others demand a chunk, nor an "
                   "all-to-all, where one other does");
    }
  }

  // Chunks of a source in order of their numbers; all sources must have as many.
  std::uint32_t chunks_of_each(const std::map<std::uint32_t, std::vector<std::uint32_t>>& of_source) const {
    const std::size_t each = of_source.begin()->second.size();
    for (const auto& [source, chunks] : of_source) {
      if (chunks.size() != each || of_source.size() != ids_.size())
        json_.refuse(*demand_, "demands another number of chunks of one GPU than of others");
    }
    return static_cast<std::uint32_t>(each);
  }

  void gather(std::uint32_t n) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_source;
    for (const auto& [key, targets] : wanted_) of_source[key.first].push_back(key.second);
    const std::uint32_t each = chunks_of_each(of_source);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cell;
    for (const auto& [source, chunks] : of_source) {
      for (std::uint32_t k = 0; k < each; ++k) cell[{source, chunks[k]}] = rank_of_.at(source) * each + k;
    }
    Msccl& algorithm = out_.algorithm;
    algorithm.collective = "allgather";
    algorithm.name = "teccl_allgather";
    algorithm.chunks = n * each;
    algorithm.in_place = true;
    algorithm.out_of_place = false;
    for (Msccl::Gpu& gpu : algorithm.gpus) gpu.output_chunks = n * each;
    std::vector<ChunkSend> sends;
    for (const Flow& flow : flows_) {
      sends.push_back({cell.at({flow.source, flow.chunk}), rank_of_.at(flow.from), rank_of_.at(flow.to),
                       false, json_.line(*flow.value)});
    }
    add_chunk_sends(algorithm, sends, [](std::uint32_t, std::uint32_t chunk) {
      return ChunkPlace{'o', chunk};
    });
  }

  void exchange(std::uint32_t n) {
    struct Chunk {
      std::uint32_t source, target, of_pair;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number, in_pair;
    std::vector<Chunk> chunks;
    for (const auto& [key, targets] : wanted_) {
      const std::uint32_t source = rank_of_.at(key.first), target = rank_of_.at(*targets.begin());
      number.emplace(key, static_cast<std::uint32_t>(chunks.size()));
      chunks.push_back({source, target, in_pair[{source, target}]++});
    }
    const std::uint32_t each = in_pair.begin()->second;
    const bool even =
        in_pair.size() == std::size_t{n} * (n - 1) &&
        std::all_of(in_pair.begin(), in_pair.end(), [&](const auto& pair) { return pair.second == each; });
    if (!even) json_.refuse(*demand_, "is no all-to-all: pairs of GPUs demand unlike numbers of chunks");
    Msccl& algorithm = out_.algorithm;
    algorithm.collective = "alltoall";
    algorithm.name = "teccl_alltoall";
    algorithm.chunks = n * each;
    for (std::uint32_t rank = 0; rank < n; ++rank) {
      Msccl::Gpu& gpu = algorithm.gpus[rank];
      gpu.input_chunks = gpu.output_chunks = n * each;
      for (std::uint32_t k = 0; k < each; ++k) gpu.copies.push_back({rank * each + k, rank * each + k, 1});
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> scratch;  // rank, chunk
    std::vector<ChunkSend> sends;
    for (const Flow& flow : flows_) {
      const std::uint32_t chunk = number.at({flow.source, flow.chunk});
      const std::uint32_t to = rank_of_.at(flow.to);
      if (to == chunks[chunk].source) json_.refuse(*flow.value, "sends a chunk back to where it came from");
      if (to != chunks[chunk].target) {
        std::uint32_t& used = algorithm.gpus[to].scratch_chunks;
        if (scratch.try_emplace({to, chunk}, used).second) ++used;
      }
      sends.push_back({chunk, rank_of_.at(flow.from), to, false, json_.line(*flow.value)});
    }
    for (const Flow& flow : flows_) {
      const std::uint32_t chunk = number.at({flow.source, flow.chunk}), from = rank_of_.at(flow.from);
      if (from != chunks[chunk].source && from != chunks[chunk].target && !scratch.contains({from, chunk}))
        json_.refuse(*flow.value, fmt::format("sends from GPU {} what never comes there", flow.from));
    }
    add_chunk_sends(algorithm, sends, [&](std::uint32_t rank, std::uint32_t chunk) {
      const Chunk& one = chunks[chunk];
      if (rank == one.source) return ChunkPlace{'i', one.target * each + one.of_pair};
      if (rank == one.target) return ChunkPlace{'o', one.source * each + one.of_pair};
      return ChunkPlace{'s', scratch.at({rank, chunk})};
    });
  }

  const JsonDocument& json_;
  Teccl out_;
  const JsonValue* demand_ = nullptr;
  std::set<std::uint32_t> ids_;
  std::map<std::uint32_t, std::uint32_t> rank_of_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>>
      wanted_;  // source, chunk: targets
  std::vector<Flow> flows_;
};

}  // namespace

bool is_teccl(const JsonDocument& json) {
  return find_numbered(json.root(), "Flows") != nullptr;
}

Teccl read_teccl(const JsonDocument& json) {
  return TecclReader(json).read();
}

}  // namespace tahoma
