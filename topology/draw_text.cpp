// A drawing as DOT (for people) and GraphML (for graph tools).
#include <fmt/format.h>

#include "topology/draw.h"

namespace tahoma {

namespace {

std::string gigabytes(Capacity capacity) {
  return fmt::format("{:g} GB/s", bytes_per_second(capacity) / 1e9);
}

std::string escaped(const std::string& text, bool xml) {
  std::string result;
  for (const char c : text) {
    if (xml && c == '&') {
      result += "&amp;";
    } else if (xml && c == '<') {
      result += "&lt;";
    } else if (xml && c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += xml ? "&quot;" : "\\\"";
    } else if (!xml && c == '\\') {
      result += "\\\\";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string draw_dot(const Topology& topology) {
  const Drawing drawing = draw(topology);
  std::string text = "digraph tahoma {\n";
  if (drawing.aggregated) text += "  // aggregated: a box of chips or a stage of switches is one vertex\n";
  for (const DrawnVertex& vertex : drawing.vertices) {
    const std::string chips =
        vertex.is_chip && vertex.stands_for > 1 ? fmt::format("\\n{} chips", vertex.stands_for) : "";
    text += fmt::format("  \"{0}\" [shape={1}, label=\"{0}{2}\"];\n", escaped(vertex.name, false),
                        vertex.is_chip ? "box" : "ellipse", chips);
  }
  for (const DrawnEdge& edge : drawing.edges) {
    text += fmt::format("  \"{}\" -> \"{}\" [label=\"{}\"{}];\n",
                        escaped(drawing.vertices[edge.from].name, false),
                        escaped(drawing.vertices[edge.to].name, false), gigabytes(edge.capacity),
                        edge.both_ways ? ", dir=both" : "");
  }
  return text + "}\n";
}

std::string draw_graphml(const Topology& topology) {
  const Drawing drawing = draw(topology);
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
      "  <key id=\"chips\" for=\"node\" attr.name=\"chips\" attr.type=\"long\"/>\n"
      "  <key id=\"bytes_per_second\" for=\"edge\" attr.name=\"bytes_per_second\" attr.type=\"double\"/>\n"
      "  <key id=\"latency_s\" for=\"edge\" attr.name=\"latency_s\" attr.type=\"double\"/>\n"
      "  <graph id=\"tahoma\" edgedefault=\"directed\">\n";
  for (std::size_t i = 0; i < drawing.vertices.size(); ++i) {
    const DrawnVertex& vertex = drawing.vertices[i];
    text += fmt::format("    <node id=\"n{}\"><data key=\"name\">{}</data><data key=\"kind\">{}</data>", i,
                        escaped(vertex.name, true), vertex.is_chip ? "chip" : "switch");
    if (vertex.is_chip) text += fmt::format("<data key=\"chips\">{}</data>", vertex.stands_for);
    text += "</node>\n";
  }
  std::size_t id = 0;
  for (const DrawnEdge& edge : drawing.edges) {
    const auto write = [&](std::uint32_t from, std::uint32_t to) {
      text += fmt::format(
          "    <edge id=\"e{}\" source=\"n{}\" target=\"n{}\"><data key=\"bytes_per_second\">{}</data>"
          "<data key=\"latency_s\">{}</data></edge>\n",
          id++, from, to, bytes_per_second(edge.capacity), seconds(edge.latency));
    };
    write(edge.from, edge.to);
    if (edge.both_ways) write(edge.to, edge.from);
  }
  return text + "  </graph>\n</graphml>\n";
}

}  // namespace tahoma
