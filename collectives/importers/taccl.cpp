#include "collectives/importers/taccl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "collectives/importers/chunk_sends.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::int64_t most_taccl_ranks = 1 << 14, most_taccl_addresses = 1 << 20;

/// How the tool names a collective, ours, and how many addresses it has.
struct TacclCollective {
  std::string_view name, msccl;
  std::uint32_t power;  // addresses = ranks to this power x chunks
};
constexpr std::array taccl_collectives = {
    TacclCollective{"Allgather", "allgather", 1},
    TacclCollective{"Alltoall", "alltoall", 2},
    TacclCollective{"Allreduce", "allreduce", 0},
    TacclCollective{"ReduceScatter", "reducescatter", 1},
};

struct TacclSend {
  double time = 0;
  ChunkSend send;
};

class TacclReader {
 public:
  explicit TacclReader(const JsonDocument& json) : json_(json) {}

  Msccl read() {
    const JsonValue& root = json_.root();
    static constexpr std::array<std::string_view, 8> known = {
        "sccl_type", "name", "instance", "input_map", "output_map", "steps", "collective", "topology"};
    json_.allow(root, known);
    if (json_.text(json_.at(root, "sccl_type")) != "algorithm")
      json_.refuse(json_.at(root, "sccl_type"), "is no algorithm, so there is nothing to run");
    out_.file = json_.file();
    out_.name = json_.text(json_.at(root, "name"));
    if (const JsonValue* instance = root.find("instance")) {
      const JsonValue* pipeline = instance->find("pipeline");
      if (pipeline != nullptr && pipeline->kind != JsonValue::Kind::null)
        json_.refuse(*pipeline, "pipelines its steps, which the tool itself does not turn into a program");
    }
    collective(json_.at(root, "collective"));
    steps(json_.at(root, "steps"));
    build();
    return std::move(out_);
  }

 private:
  void collective(const JsonValue& map) {
    const JsonValue& name = json_.at(map, "name");
    const std::string word = json_.text(name).substr(0, json_.text(name).find('('));
    const auto row = std::find_if(taccl_collectives.begin(), taccl_collectives.end(),
                                  [&](const TacclCollective& one) { return one.name == word; });
    if (row == taccl_collectives.end()) {
      json_.refuse(name,
                   fmt::format("is '{}', which cannot be run; accepted: Allgather, Alltoall, Allreduce or "
                               "ReduceScatter",
                               word.substr(0, 80)));
    }
    row_ = *row;
    out_.collective = row->msccl;
    ranks_ = static_cast<std::uint32_t>(json_.whole(json_.at(map, "nodes"), 2, most_taccl_ranks));
    const JsonValue& chunks = json_.at(map, "chunks");
    std::int64_t last = -1;
    for (const JsonValue& chunk : json_.list(chunks))
      last = std::max(last, json_.whole(json_.at(chunk, "addr"), 0, most_taccl_addresses - 1));
    std::uint64_t unit = 1;
    for (std::uint32_t i = 0; i < row->power; ++i) unit *= ranks_;
    const auto addresses = static_cast<std::uint64_t>(last + 1);
    if (addresses == 0 || addresses % unit != 0)
      json_.refuse(chunks, fmt::format("have {} addresses; accepted: a multiple of {}", addresses, unit));
    addresses_ = static_cast<std::uint32_t>(addresses);
    each_ = static_cast<std::uint32_t>(addresses / unit);
  }

  void steps(const JsonValue& list) {
    for (const JsonValue& step : json_.list(list)) {
      static constexpr std::array<std::string_view, 3> known = {"sccl_type", "rounds", "sends"};
      json_.allow(step, known);
      const std::size_t first = sends_.size();
      for (const JsonValue& one : json_.list(json_.at(step, "sends"))) sends_.push_back(send(one));
      std::stable_sort(sends_.begin() + static_cast<std::ptrdiff_t>(first), sends_.end(),
                       [](const TacclSend& a, const TacclSend& b) { return a.time < b.time; });
    }
    if (sends_.empty()) json_.refuse(list, "send nothing");
  }

  TacclSend send(const JsonValue& value) const {
    const std::vector<JsonValue>& parts = json_.list(value);
    if (parts.size() < 3 || parts.size() > 6)
      json_.refuse(value,
                   fmt::format("has {} parts; accepted: address, source, target, and time, latency and "
                               "what is done after them",
                               parts.size()));
    TacclSend out;
    out.send.chunk = static_cast<std::uint32_t>(json_.whole(parts[0], 0, std::int64_t{addresses_} - 1));
    out.send.from = static_cast<std::uint32_t>(json_.whole(parts[1], 0, std::int64_t{ranks_} - 1));
    out.send.to = static_cast<std::uint32_t>(json_.whole(parts[2], 0, std::int64_t{ranks_} - 1));
    out.send.line = json_.line(value);
    if (out.send.from == out.send.to) json_.refuse(value, "sends from a rank to itself");
    for (std::size_t i = 3; i < std::min<std::size_t>(parts.size(), 5); ++i) {
      if (parts[i].kind != JsonValue::Kind::whole && parts[i].kind != JsonValue::Kind::number)
        json_.refuse(parts[i], "is no number");
    }
    if (parts.size() > 3) out.time = parts[3].real;
    if (parts.size() == 6 && parts[5].kind != JsonValue::Kind::null) {
      const std::string& what = json_.text(parts[5]);
      if (what != "r" && what != "rrc")
        json_.refuse(parts[5], "is '" + what.substr(0, 40) + "'; accepted: r, rrc");
      out.send.adds = what == "rrc";
    }
    return out;
  }

  ChunkPlace place_of(std::uint32_t rank, std::uint32_t address) const {
    if (row_.power == 2) {
      const std::uint32_t pair = address / each_, k = address % each_;
      const std::uint32_t source = pair % ranks_, target = pair / ranks_;
      if (rank == source) return {'i', target * each_ + k};
      if (rank == target) return {'o', source * each_ + k};
      return {'s', scratch_.at({rank, address})};
    }
    return {row_.msccl == "reducescatter" ? 'i' : 'o', address};
  }

  void build() {
    const bool exchanges = row_.power == 2;
    out_.chunks = exchanges ? ranks_ * each_ : addresses_;
    out_.in_place = !exchanges;
    out_.out_of_place = exchanges;
    out_.gpus.resize(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      Msccl::Gpu& gpu = out_.gpus[rank];
      gpu.line = 1;
      gpu.input_chunks = gpu.output_chunks = out_.chunks;
      if (row_.power == 1) (out_.collective == "allgather" ? gpu.input_chunks : gpu.output_chunks) = 0;
      if (!exchanges) continue;
      for (std::uint32_t k = 0; k < each_; ++k) gpu.copies.push_back({rank * each_ + k, rank * each_ + k, 1});
    }
    std::vector<ChunkSend> sends;
    for (const TacclSend& one : sends_) {
      sends.push_back(one.send);
      if (!exchanges) continue;
      const std::uint32_t pair = one.send.chunk / each_;
      for (const std::uint32_t rank : {one.send.from, one.send.to}) {
        if (rank == pair % ranks_ || rank == pair / ranks_) continue;
        std::uint32_t& used = out_.gpus[rank].scratch_chunks;
        if (scratch_.try_emplace({rank, one.send.chunk}, used).second) ++used;
      }
    }
    add_chunk_sends(out_, sends,
                    [this](std::uint32_t rank, std::uint32_t address) { return place_of(rank, address); });
  }

  const JsonDocument& json_;
  Msccl out_;
  TacclCollective row_;
  std::uint32_t ranks_ = 0, addresses_ = 0, each_ = 1;
  std::vector<TacclSend> sends_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> scratch_;  // rank, address
};

}  // namespace

bool is_taccl(const JsonDocument& json) {
  return json.root().find("sccl_type") != nullptr;
}

Msccl read_taccl(const JsonDocument& json) {
  return TacclReader(json).read();
}

}  // namespace tahoma
