// MSCCL XML -> value. Whatever is not understood is refused by name and line: a schedule that is run without
// one of its constructs would give a time that means nothing.
#include <fmt/format.h>

#include <algorithm>

#include "collectives/importers/msccl.h"
#include "collectives/importers/xml_document.h"
#include "core/errors.h"
#include "core/nearest.h"

namespace tahoma {

namespace {

constexpr std::int64_t most_gpus = 1 << 20, most_chunks = 1 << 24, most_steps = 50'000'000;

class MscclReader {
 public:
  MscclReader(std::string_view xml, const std::string& file) : xml_(xml, file) { out_.file = file; }

  Msccl read() {
    const pugi::xml_node algo = xml_.root();
    if (std::string_view(algo.name()) != "algo") xml_.refuse(algo, "is no MSCCL algorithm; accepted: algo");
    if (algo.next_sibling()) xml_.refuse_child(algo.next_sibling(), "one algo");
    head(algo);
    const auto gpus = static_cast<std::size_t>(xml_.whole(algo, "ngpus", 1, most_gpus));
    for (const pugi::xml_node child : algo.children()) {
      if (std::string_view(child.name()) != "gpu") xml_.refuse_child(child, "gpu");
      gpu(child, gpus);
    }
    if (out_.gpus.size() != gpus)
      xml_.refuse(algo, fmt::format("says ngpus=\"{}\" and holds {} gpu", gpus, out_.gpus.size()));
    return std::move(out_);
  }

 private:
  bool flag(const pugi::xml_node& node, const char* name, bool otherwise) const {
    return xml_.whole_or(node, name, otherwise ? 1 : 0, 0, 1) == 1;
  }

  void head(const pugi::xml_node& algo) {
    static constexpr std::string_view known[] = {"name",     "proto",    "nchannels", "nchunksperloop",
                                                 "ngpus",    "coll",     "inplace",   "outofplace",
                                                 "minBytes", "maxBytes", "redop"};
    xml_.allow(algo, known);
    out_.name = xml_.text(algo, "name");
    out_.protocol = xml_.text(algo, "proto");
    static constexpr std::string_view protocols[] = {"Simple", "LL", "LL128"};
    if (std::find(std::begin(protocols), std::end(protocols), out_.protocol) == std::end(protocols))
      xml_.refuse(algo, "proto", out_.protocol, "is not known; accepted: Simple, LL, LL128");
    out_.collective = xml_.text(algo, "coll");
    static constexpr std::string_view collectives[] = {"allreduce", "allgather", "reducescatter",
                                                       "alltoall",  "broadcast", "custom"};
    if (std::find(std::begin(collectives), std::end(collectives), out_.collective) == std::end(collectives)) {
      const std::string near = nearest(out_.collective, std::span<const std::string_view>(collectives));
      xml_.refuse(algo, "coll", out_.collective,
                  fmt::format("is not known; accepted: {}{}", fmt::join(collectives, ", "),
                              near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    if (algo.attribute("redop")) out_.reduction = xml_.text(algo, "redop");
    out_.channels = static_cast<std::uint32_t>(xml_.whole(algo, "nchannels", 1, most_chunks));
    out_.chunks = static_cast<std::uint32_t>(xml_.whole(algo, "nchunksperloop", 1, most_chunks));
    constexpr auto most_bytes = std::numeric_limits<std::int64_t>::max();
    out_.least_bytes = static_cast<std::uint64_t>(xml_.whole_or(algo, "minBytes", 0, 0, most_bytes));
    out_.most_bytes = static_cast<std::uint64_t>(xml_.whole_or(algo, "maxBytes", 0, 0, most_bytes));
    out_.in_place = flag(algo, "inplace", false);
    out_.out_of_place = flag(algo, "outofplace", !out_.in_place);
    if (!out_.in_place && !out_.out_of_place)
      xml_.refuse(algo, "is neither for inplace nor for outofplace: nothing could run it");
  }

  void gpu(const pugi::xml_node& node, std::size_t gpus) {
    static constexpr std::string_view known[] = {"id", "i_chunks", "o_chunks", "s_chunks"};
    xml_.allow(node, known);
    const std::int64_t id = xml_.whole(node, "id", 0, most_gpus);
    if (static_cast<std::size_t>(id) != out_.gpus.size() || out_.gpus.size() >= gpus) {
      xml_.refuse(node, "id", xml_.text(node, "id"),
                  fmt::format("is out of turn: {} gpu stand before it, of {}", out_.gpus.size(), gpus));
    }
    Msccl::Gpu gpu;
    gpu.line = xml_.line(node);
    gpu.input_chunks = static_cast<std::uint32_t>(xml_.whole(node, "i_chunks", 0, most_chunks));
    gpu.output_chunks = static_cast<std::uint32_t>(xml_.whole(node, "o_chunks", 0, most_chunks));
    gpu.scratch_chunks = static_cast<std::uint32_t>(xml_.whole(node, "s_chunks", 0, most_chunks));
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = child.name();
      if (name == "copy") {
        static constexpr std::string_view offsets[] = {"i_off", "o_off"};
        xml_.allow(child, offsets);
        gpu.copies.push_back({static_cast<std::uint32_t>(xml_.whole(child, "i_off", 0, most_chunks)),
                              static_cast<std::uint32_t>(xml_.whole(child, "o_off", 0, most_chunks)),
                              xml_.line(child)});
      } else if (name == "tb") {
        block(child, gpu, gpus);
      } else {
        xml_.refuse_child(child, "tb or copy");
      }
    }
    out_.gpus.push_back(std::move(gpu));
  }

  void block(const pugi::xml_node& node, Msccl::Gpu& gpu, std::size_t gpus) {
    static constexpr std::string_view known[] = {"id", "send", "recv", "chan"};
    xml_.allow(node, known);
    if (static_cast<std::size_t>(xml_.whole(node, "id", 0, most_chunks)) != gpu.blocks.size()) {
      xml_.refuse(node, "id", xml_.text(node, "id"),
                  fmt::format("is out of turn: {} tb stand before it", gpu.blocks.size()));
    }
    Msccl::Block block;
    block.line = xml_.line(node);
    const auto last = static_cast<std::int64_t>(gpus) - 1;
    block.send = xml_.whole(node, "send", -1, last);
    block.receive = xml_.whole(node, "recv", -1, last);
    block.channel = static_cast<std::uint32_t>(xml_.whole(node, "chan", 0, out_.channels - 1));
    const auto me = static_cast<std::int64_t>(out_.gpus.size());
    if (block.send == me || block.receive == me)
      xml_.refuse(node, fmt::format("of gpu {} has itself as peer", me));
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "step") xml_.refuse_child(child, "step");
      step(child, block);
    }
    gpu.blocks.push_back(std::move(block));
  }

  void step(const pugi::xml_node& node, Msccl::Block& block) {
    static constexpr std::string_view known[] = {"s",      "type", "srcbuf", "srcoff", "dstbuf",
                                                 "dstoff", "cnt",  "depid",  "deps",   "hasdep"};
    xml_.allow(node, known);
    if (++steps_ > most_steps)
      xml_.refuse(node, fmt::format("is one too many: {} are the limit", most_steps));
    if (static_cast<std::size_t>(xml_.whole(node, "s", 0, most_steps)) != block.steps.size()) {
      xml_.refuse(node, "s", xml_.text(node, "s"),
                  fmt::format("is out of turn: {} steps stand before it", block.steps.size()));
    }
    Msccl::Step step;
    step.line = xml_.line(node);
    const std::string_view type = xml_.text(node, "type");
    const auto row = std::find_if(Msccl::types.begin(), Msccl::types.end(),
                                  [&](const Msccl::StepType& t) { return t.name == type; });
    if (row == Msccl::types.end()) {
      xml_.refuse(node, "type", type, "is not known; accepted: s, r, rcs, rrs, rrc, rrcs, cpy, re, nop");
    }
    step.type = static_cast<Msccl::Type>(row - Msccl::types.begin());
    if (row->sends && block.send < 0)
      xml_.refuse(node, "type", type, "sends, and its tb has no peer to send to");
    if (row->receives && block.receive < 0)
      xml_.refuse(node, "type", type, "receives, and its tb has no peer to receive from");
    const bool is_nop = step.type == Msccl::Type::nop;
    step.source = buffer(node, "srcbuf");
    step.target = buffer(node, "dstbuf");
    step.source_chunk = xml_.whole(node, "srcoff", is_nop ? -1 : 0, most_chunks);
    step.target_chunk = xml_.whole(node, "dstoff", is_nop ? -1 : 0, most_chunks);
    step.count = static_cast<std::uint32_t>(xml_.whole(node, "cnt", is_nop ? 0 : 1, most_chunks));
    step.waits_block = xml_.whole(node, "depid", -1, most_chunks);
    step.waits_step = xml_.whole(node, "deps", -1, most_steps);
    step.is_waited_for = xml_.whole(node, "hasdep", 0, 1) == 1;
    block.steps.push_back(step);
  }

  char buffer(const pugi::xml_node& node, const char* name) const {
    const std::string_view value = xml_.text(node, name);
    if (value != "i" && value != "o" && value != "s")
      xml_.refuse(node, name, value, "is no buffer; accepted: i, o, s");
    return value[0];
  }

  XmlDocument xml_;
  std::int64_t steps_ = 0;
  Msccl out_;
};

}  // namespace

Msccl read_msccl(std::string_view xml, const std::string& file) {
  return MscclReader(xml, file).read();
}

}  // namespace tahoma
