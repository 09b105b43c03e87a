// MSCCL++ plan, JSON -> value. Channels and remote buffers are numbered by kind, and per block by position in
// its own lists; here they are looked up, so that ops name ranks and buffers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "collectives/importers/mscclpp.h"
#include "core/nearest.h"

namespace tahoma {

namespace {

constexpr std::int64_t most_plan_gpus = 1 << 14, most_plan_chunks = 1 << 16, most_plan_id = 1 << 20;
constexpr std::size_t most_plan_ops = 5'000'000;
constexpr std::uint32_t most_slices = 64;

using Shape = MscclppOpType::Shape;

/// A block's own numbering: what its k-th memory (port) channel, or remote buffer, is among the gpu's.
struct BlockNames {
  std::array<std::vector<std::uint32_t>, 2> channels, buffers;  // by memory, port
};

struct RemoteBuffer {
  std::uint32_t rank = 0;
  char buffer = 'i';
};

class MscclppReader {
 public:
  explicit MscclppReader(const JsonDocument& json) : json_(json) {}

  MscclppPlan read() {
    const JsonValue& root = json_.root();
    static constexpr std::array<std::string_view, 11> known = {"name",
                                                               "collective",
                                                               "protocol",
                                                               "inplace",
                                                               "reuse_resources",
                                                               "num_threads_per_block",
                                                               "use_double_scratch_buffer",
                                                               "buffer_alignment",
                                                               "min_message_size",
                                                               "max_message_size",
                                                               "gpus"};
    json_.allow(root, known);
    head(root);
    const auto& gpus = json_.list(json_.at(root, "gpus"));
    if (gpus.empty() || gpus.size() > static_cast<std::size_t>(most_plan_gpus))
      json_.refuse(json_.at(root, "gpus"),
                   fmt::format("holds {} gpus; accepted: 1 to {}", gpus.size(), most_plan_gpus));
    ranks_ = static_cast<std::uint32_t>(gpus.size());
    for (const JsonValue& gpu : gpus) slices_of(gpu);
    out_.head.gpus.resize(ranks_);
    out_.gpus.resize(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) buffers(gpus[rank], rank);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) blocks(gpus[rank], rank);
    chunks(json_.at(root, "gpus"));
    return std::move(out_);
  }

 private:
  void head(const JsonValue& root) {
    Msccl& head = out_.head;
    head.file = json_.file();
    head.name = json_.text(json_.at(root, "name"));
    const JsonValue& protocol = json_.at(root, "protocol");
    head.protocol = json_.text(protocol);
    if (head.protocol != "Simple" && head.protocol != "LL")
      json_.refuse(protocol, "is not known; accepted: Simple, LL");
    const JsonValue& collective = json_.at(root, "collective");
    head.collective = json_.text(collective);
    static constexpr std::string_view collectives[] = {"allreduce", "allgather", "reducescatter", "alltoall",
                                                       "broadcast"};
    if (std::find(std::begin(collectives), std::end(collectives), head.collective) == std::end(collectives)) {
      const std::string near =
          nearest(head.collective.substr(0, 80), std::span<const std::string_view>(collectives));
      json_.refuse(collective, fmt::format("is not known; accepted: {}{}", fmt::join(collectives, ", "),
                                           near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    head.in_place = json_.boolean(json_.at(root, "inplace"));
    head.out_of_place = !head.in_place;
    head.least_bytes = static_cast<std::uint64_t>(json_.whole_or(root, "min_message_size", 0, 0, INT64_MAX));
    if (const JsonValue* most = root.find("max_message_size");
        most != nullptr && most->kind == JsonValue::Kind::whole)
      head.most_bytes = static_cast<std::uint64_t>(json_.whole(*most, 1, INT64_MAX));
    for (const char* flag : {"reuse_resources", "use_double_scratch_buffer"}) {
      if (const JsonValue* value = root.find(flag)) json_.boolean(*value);
    }
    for (const char* count : {"num_threads_per_block", "buffer_alignment"})
      json_.whole_or(root, count, 1, 1, most_plan_id);
    if (head.protocol == "LL")
      out_.notes.emplace_back(
          "packets carry a flag beside each word, so twice the bytes; that is not in the time");
  }

  // Chunks are cut as fine as the ops that several blocks share ask for.
  void slices_of(const JsonValue& gpu) {
    for (const JsonValue& block : json_.list(json_.at(gpu, "threadblocks"))) {
      for (const JsonValue& op : json_.list(json_.at(block, "ops"))) {
        const JsonValue* shared = op.find("tbg_info");
        if (shared == nullptr) continue;
        const auto size =
            static_cast<std::uint32_t>(json_.whole(json_.at(*shared, "tbg_size"), 1, most_slices));
        const std::uint64_t all = std::lcm<std::uint64_t>(out_.slices, size);
        if (all > most_slices)
          json_.refuse(*shared, fmt::format("cuts chunks into {} slices with others; {} are the limit", all,
                                            most_slices));
        out_.slices = static_cast<std::uint32_t>(all);
      }
    }
  }

  std::uint32_t is_port(const JsonValue& type) const {
    const std::string& word = json_.text(type);
    if (word == "switch") json_.refuse(type, std::string(mscclpp_multicast));
    if (word != "memory" && word != "port")
      json_.refuse(type, "is no kind of channel; accepted: memory, port");
    return word == "port" ? 1 : 0;
  }

  char buffer_named(const JsonValue& type) const {
    const std::string& word = json_.text(type);
    if (word != "i" && word != "o" && word != "s") json_.refuse(type, "is no buffer; accepted: i, o, s");
    return word[0];
  }

  std::uint32_t peer_of(const JsonValue& value, std::uint32_t rank) const {
    const auto peer = static_cast<std::uint32_t>(json_.whole(value, 0, std::int64_t{ranks_} - 1));
    if (peer == rank) json_.refuse(value, "is the gpu itself");
    return peer;
  }

  void buffers(const JsonValue& gpu, std::uint32_t rank) {
    static constexpr std::array<std::string_view, 8> known = {
        "id",       "input_chunks",   "output_chunks", "scratch_chunks",
        "channels", "remote_buffers", "semaphores",    "threadblocks"};
    json_.allow(gpu, known);
    const JsonValue& id = json_.at(gpu, "id");
    if (json_.whole(id, 0, most_plan_id) != rank)
      json_.refuse(id, fmt::format("is out of turn: this is gpu {}", rank));
    Msccl::Gpu& size = out_.head.gpus[rank];
    size.line = json_.line(gpu);
    const auto count = [&](std::string_view key) {
      return static_cast<std::uint32_t>(json_.whole(json_.at(gpu, key), 0, most_plan_chunks)) * out_.slices;
    };
    size.input_chunks = count("input_chunks");
    size.output_chunks = count("output_chunks");
    size.scratch_chunks = count("scratch_chunks");
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_pair;
    for (const JsonValue& channel : json_.list(json_.at(gpu, "channels"))) {
      static constexpr std::array<std::string_view, 2> keys = {"channel_type", "connected_to"};
      const std::uint32_t port = is_port(json_.at(channel, "channel_type"));
      json_.allow(channel, keys);
      for (const JsonValue& to : json_.list(json_.at(channel, "connected_to"))) {
        const std::uint32_t peer = peer_of(to, rank);
        out_.gpus[rank].channels.push_back({port == 1, peer, of_pair[{port, peer}]++});
      }
    }
    remote_.emplace_back();
    if (const JsonValue* list = gpu.find("remote_buffers")) {
      for (const JsonValue& one : json_.list(*list)) {
        static constexpr std::array<std::string_view, 3> keys = {"rank", "type", "access_channel_types"};
        json_.allow(one, keys);
        remote_.back().push_back({peer_of(json_.at(one, "rank"), rank), buffer_named(json_.at(one, "type"))});
        for (const JsonValue& type : json_.list(json_.at(one, "access_channel_types"))) is_port(type);
      }
    }
    if (const JsonValue* list = gpu.find("semaphores")) {
      for (const JsonValue& one : json_.list(*list)) {
        out_.gpus[rank].semaphores.push_back(
            static_cast<std::uint32_t>(json_.whole(json_.at(one, "init_value"), 0, most_plan_id)));
      }
    }
  }

  void blocks(const JsonValue& gpu, std::uint32_t rank) {
    for (const JsonValue& value : json_.list(json_.at(gpu, "threadblocks"))) {
      static constexpr std::array<std::string_view, 4> known = {"id", "ops", "channels",
                                                                "remote_buffer_refs"};
      json_.allow(value, known);
      MscclppPlan::Block block;
      block.line = json_.line(value);
      const JsonValue& id = json_.at(value, "id");
      const std::size_t before = out_.gpus[rank].blocks.size();
      if (static_cast<std::size_t>(json_.whole(id, 0, most_plan_id)) != before)
        json_.refuse(id, fmt::format("is out of turn: {} threadblocks stand before it", before));
      const BlockNames names = names_of(value, rank);
      for (const JsonValue& op : json_.list(json_.at(value, "ops")))
        block.ops.push_back(op_of(op, rank, names));
      out_.gpus[rank].blocks.push_back(std::move(block));
    }
  }

  BlockNames names_of(const JsonValue& block, std::uint32_t rank) const {
    BlockNames names;
    // The gpu's channels of a kind, by their number among those of the kind.
    std::array<std::vector<std::uint32_t>, 2> of_kind;
    const auto& channels = out_.gpus[rank].channels;
    for (std::uint32_t c = 0; c < channels.size(); ++c) of_kind[channels[c].is_port ? 1 : 0].push_back(c);
    if (const JsonValue* list = block.find("channels")) {
      for (const JsonValue& one : json_.list(*list)) {
        const std::uint32_t port = is_port(json_.at(one, "channel_type"));
        for (const JsonValue& id : json_.list(json_.at(one, "channel_ids")))
          names.channels[port].push_back(of_kind[port][number_in(id, of_kind[port].size())]);
      }
    }
    if (const JsonValue* list = block.find("remote_buffer_refs")) {
      for (const JsonValue& one : json_.list(*list)) {
        const std::uint32_t port = is_port(json_.at(one, "access_channel_type"));
        for (const JsonValue& id : json_.list(json_.at(one, "remote_buffer_ids")))
          names.buffers[port].push_back(number_in(id, remote_[rank].size()));
      }
    }
    return names;
  }

  std::uint32_t number_in(const JsonValue& id, std::size_t count) const {
    if (count == 0) json_.refuse(id, "numbers one of a list that is empty");
    return static_cast<std::uint32_t>(json_.whole(id, 0, static_cast<std::int64_t>(count) - 1));
  }

  MscclppOp op_of(const JsonValue& value, std::uint32_t rank, const BlockNames& names) {
    if (++ops_ > most_plan_ops)
      json_.refuse(value, fmt::format("is one op too many: {} are the limit", most_plan_ops));
    static constexpr std::array<std::string_view, 11> known = {
        "name",     "channel_ids", "channel_type",     "src_buff",      "dst_buff", "reduce_op",
        "tbg_info", "barrier_id",  "num_threadblocks", "semaphore_ids", "ops"};
    json_.allow(value, known);
    MscclppOp op;
    op.type = &op_type_named(json_, json_.at(value, "name"));
    op.line = json_.line(value);
    std::uint32_t port = 0;
    if (const JsonValue* type = value.find("channel_type"); type != nullptr && json_.text(*type) != "none")
      port = is_port(*type);
    op.by_port = port == 1;
    if (const JsonValue* ids = value.find("channel_ids")) {
      for (const JsonValue& id : json_.list(*ids))
        op.channels.push_back(names.channels[port][number_in(id, names.channels[port].size())]);
    }
    if (const JsonValue* reduce = value.find("reduce_op")) {
      const std::string& what = json_.text(*reduce);
      if (what != "sum" && what != "min" && what != "max")
        json_.refuse(*reduce, "is not known; accepted: sum, min, max");
    }
    data(value, rank, names, op);
    if (op.type->shape == Shape::barrier) {
      op.barrier = static_cast<std::uint32_t>(json_.whole(json_.at(value, "barrier_id"), 0, most_plan_id));
      op.blocks =
          static_cast<std::uint32_t>(json_.whole(json_.at(value, "num_threadblocks"), 1, most_plan_id));
    }
    if (op.type->shape == Shape::acquire || op.type->shape == Shape::release) {
      for (const JsonValue& id : json_.list(json_.at(value, "semaphore_ids")))
        op.semaphores.push_back(number_in(id, out_.gpus[rank].semaphores.size()));
    }
    const bool needs_channel =
        op.type->shape == Shape::signal || op.type->shape == Shape::wait || op.type->signals;
    if (needs_channel && op.channels.empty()) json_.refuse(value, "names no channel");
    if (op.type->signals && op.type->shape == Shape::moves &&
        (!op.by_port || op.channels.size() != op.targets.size()))
      json_.refuse(value, "must name a port channel for each target");
    return op;
  }

  void data(const JsonValue& value, std::uint32_t rank, const BlockNames& names, MscclppOp& op) {
    std::uint32_t part = 0, parts = 1;
    if (const JsonValue* shared = value.find("tbg_info")) {
      parts = static_cast<std::uint32_t>(json_.whole(json_.at(*shared, "tbg_size"), 1, most_slices));
      part = static_cast<std::uint32_t>(json_.whole(json_.at(*shared, "tb_id"), 0, std::int64_t{parts} - 1));
    }
    for (const bool is_source : {true, false}) {
      const JsonValue* list = value.find(is_source ? "src_buff" : "dst_buff");
      if (list == nullptr) continue;
      for (const JsonValue& one : json_.list(*list)) {
        static constexpr std::array<std::string_view, 4> known = {"type", "buffer_id", "index", "size"};
        json_.allow(one, known);
        MscclppRange range;
        const JsonValue* remote = one.find("buffer_id");
        if (remote != nullptr) {
          const auto& ids = names.buffers[op.by_port ? 1 : 0];
          const RemoteBuffer& buffer = remote_[rank][ids[number_in(*remote, ids.size())]];
          range.rank = buffer.rank;
          range.buffer = buffer.buffer;
        } else {
          range.rank = rank;
          range.buffer = buffer_named(json_.at(one, "type"));
        }
        const auto index =
            static_cast<std::uint32_t>(json_.whole(json_.at(one, "index"), 0, most_plan_chunks));
        const auto size = static_cast<std::uint32_t>(json_.whole(json_.at(one, "size"), 1, most_plan_chunks));
        range.count = size * (out_.slices / parts);
        range.first = index * out_.slices + part * range.count;
        (is_source ? op.sources : op.targets).push_back(range);
      }
    }
    check_op_buffers(json_, value, rank, op);
  }

  void chunks(const JsonValue& gpus) {
    Msccl& head = out_.head;
    const bool gathers = head.collective == "allgather";
    const Msccl::Gpu& first = head.gpus.front();
    head.chunks = gathers ? std::max(first.output_chunks, first.input_chunks * ranks_)
                          : std::max(first.input_chunks, head.collective == "reducescatter"
                                                             ? first.output_chunks * ranks_
                                                             : first.output_chunks);
    if (head.chunks == 0) json_.refuse(gpus, "have neither input nor output chunks");
  }

  const JsonDocument& json_;
  MscclppPlan out_;
  std::uint32_t ranks_ = 0;
  std::size_t ops_ = 0;
  std::vector<std::vector<RemoteBuffer>> remote_;  // by gpu
};

}  // namespace

bool is_mscclpp(const JsonDocument& json) {
  return json.root().find("gpus") != nullptr;
}

MscclppPlan read_mscclpp(const JsonDocument& json) {
  return MscclppReader(json).read();
}

}  // namespace tahoma
