// MSCCL value -> XML, a line per element.
#include <fmt/format.h>

#include <string_view>

#include "collectives/importers/msccl.h"

namespace tahoma {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string to_xml(const Msccl& algorithm) {
  std::string xml = fmt::format(
      "<algo name=\"{}\" proto=\"{}\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
      "inplace=\"{}\" outofplace=\"{}\" minBytes=\"{}\" maxBytes=\"{}\"",
      escaped(algorithm.name), algorithm.protocol, algorithm.channels, algorithm.chunks,
      algorithm.gpus.size(), algorithm.collective, algorithm.in_place ? 1 : 0, algorithm.out_of_place ? 1 : 0,
      algorithm.least_bytes, algorithm.most_bytes);
  if (algorithm.reduction) xml += fmt::format(" redop=\"{}\"", escaped(*algorithm.reduction));
  xml += ">\n";
  for (std::size_t rank = 0; rank < algorithm.gpus.size(); ++rank) {
    const Msccl::Gpu& gpu = algorithm.gpus[rank];
    xml += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", rank,
                       gpu.input_chunks, gpu.output_chunks, gpu.scratch_chunks);
    for (const Msccl::Copy& copy : gpu.copies)
      xml += fmt::format("    <copy i_off=\"{}\" o_off=\"{}\"/>\n", copy.input, copy.output);
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
      const Msccl::Block& block = gpu.blocks[b];
      xml += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", b, block.send,
                         block.receive, block.channel);
      for (std::size_t s = 0; s < block.steps.size(); ++s) {
        const Msccl::Step& step = block.steps[s];
        xml += fmt::format(
            "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" "
            "cnt=\"{}\" "
            "depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
            s, step.what().name, step.source, step.source_chunk, step.target, step.target_chunk, step.count,
            step.waits_block, step.waits_step, step.is_waited_for ? 1 : 0);
      }
      xml += "    </tb>\n";
    }
    xml += "  </gpu>\n";
  }
  return xml + "</algo>\n";
}

}  // namespace tahoma
