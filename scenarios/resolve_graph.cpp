// An explicit graph: declared vertices first, then the others as the links name them.
//
// A one-way link is known by its name, `a->b` if it has none. The directions of a two-way link called X are
// `X:a->b` and `X:b->a`; without a name, `a->b` and `b->a`.
#include <fmt/format.h>

#include <map>

#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

class GraphBuilder {
 public:
  GraphShape graph;

  void declare(const Field& vertex) {
    const Field vertex_name = required(vertex, "name");
    check_vertex_name(vertex_name);
    const auto [at, is_new] = vertices_.emplace(vertex_name.text(), graph.vertices.size());
    if (!is_new) refuse(vertex_name, {"is declared twice", "a name of its own", ""});
    const std::string& kind = vertex["kind"].text();
    graph.vertices.push_back({vertex_name.text(), kind == "switch" ? VertexKind::switch_
                                                  : kind == "nic"  ? VertexKind::nic
                                                                   : VertexKind::chip});
  }

  void link(const Field& field) {
    const Field a = required(field, "a"), b = required(field, "b");
    GraphLink forward;
    forward.from = vertex(a);
    forward.to = vertex(b);
    if (forward.from == forward.to) refuse(b, {"is the vertex it comes from", "another vertex", ""});
    forward.bandwidth = read_field(required(field, "bandwidth"), read_bandwidth);
    forward.efficiency = read_field(field["efficiency"], read_number);
    forward.latency = read_field(field["latency"], read_time);
    const bool two_way = field["two_way"].text() == "true";
    const Field given = field["name"];
    if (given && given.text().find("->") != std::string::npos && two_way) {
      refuse(given, {"has an arrow, and the link goes both ways", "a name without ->", ""});
    }
    const std::string there = a.text() + "->" + b.text(), back = b.text() + "->" + a.text();
    forward.name = !given ? there : two_way ? given.text() + ":" + there : given.text();
    add(forward, field);
    if (!two_way) return;
    GraphLink reverse = forward;
    std::swap(reverse.from, reverse.to);
    reverse.name = given ? given.text() + ":" + back : back;
    add(reverse, field);
    const auto last = static_cast<std::uint32_t>(graph.links.size()) - 1;
    graph.links[last].reverse = last - 1;
    graph.links[last - 1].reverse = last;
  }

 private:
  static void check_vertex_name(const Field& field) {
    for (const std::string_view mark : {"->", " ", "*", "[", "]", ","}) {
      if (field.text().find(mark) == std::string::npos) continue;
      refuse(field,
             {fmt::format("holds '{}', which selectors need for themselves", mark), "a name without it", ""});
    }
  }

  std::uint32_t vertex(const Field& end) {
    const auto [at, is_new] = vertices_.emplace(end.text(), graph.vertices.size());
    if (is_new) {
      check_vertex_name(end);
      graph.vertices.push_back({end.text(), VertexKind::chip});
    }
    return static_cast<std::uint32_t>(at->second);
  }

  void add(const GraphLink& made, const Field& field) {
    const auto [at, is_new] = names_.emplace(made.name, field.path);
    if (!is_new) {
      refuse({field.place(),
              field.path,
              "",
              {fmt::format("gives the name '{}', which {} has already", made.name, at->second),
               "a `name` of its own", ""}});
    }
    graph.links.push_back(made);
  }

  std::map<std::string, std::size_t> vertices_;
  std::map<std::string, std::string> names_;
};

}  // namespace

GraphShape resolve_graph(const Field& graph) {
  GraphBuilder builder;
  for (const Field& vertex : each(graph["vertices"])) builder.declare(vertex);
  const Field links = required(graph, "links");
  if (links.size() == 0) refuse(links, {"is empty", "at least one link", ""});
  for (const Field& link : each(links)) builder.link(link);
  return std::move(builder.graph);
}

}  // namespace tahoma
