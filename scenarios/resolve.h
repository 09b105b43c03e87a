// The second of two checks: what the values mean together. From the merged tree to the typed Scenario; the
// tree comes back with every default and derived value filled in, for resolved.yaml and explain.
#pragma once

#include "scenarios/field.h"
#include "scenarios/load.h"
#include "topology/dragonfly.h"

namespace tahoma {

struct Resolved {
  Scenario scenario;
  Node tree;
};
Resolved resolve(Layered layered, const std::string& file, bool needs_workload);

// The stages, one file each. They read `root`, write into `scenario`, and settle what they derive.
void resolve_network(Node& root, Scenario& scenario);
/// `cluster.ranks_per_chip`: several share a chip and the fabric inside it (resolve_inner.cpp).
bool has_several_ranks(const Field& top);
void resolve_ranks_per_chip(const Node& root, ClusterShape& shape);
/// A preset's inner fabric is no part of a scenario whose chips are one rank each.
void drop_inner_fabric(Node& root);
ClusterShape resolve_cluster(Node& root, Scenario& scenario);
/// Sites of different hardware, each with a cluster and a fabric of its own.
bool is_mixed(const Field& sites);
MixedShape resolve_mixed(Node& root, Scenario& scenario);
GraphShape resolve_graph(const Field& graph);
/// `count` copies of a graph whose NICs the scale-out switch joins.
GraphShape copies_of(const GraphShape& server, const Field& count, const Field& scale_out);
std::uint64_t nics_in(const GraphShape& graph);
bool is_dragonfly(const Field& scale_out);
Dragonfly resolve_dragonfly(const Field& scale_out);
/// Lone chips on its routers.
GraphShape dragonfly_cluster(const Field& top);
/// Writes `cluster.shape` and `cluster.transport` into the fabric, before it is read.
void take_options(Node& root);
/// Writes `cluster.nic` into the fabric; a server has `chips` chips, or is a graph with NICs of its own.
void take_nics(Node& root, std::uint64_t chips, std::optional<std::uint64_t> nics_of_graph);
std::vector<Dimension> resolve_dimension(const Field& entry);
Clos resolve_clos(Node& entry, const std::string& path, const ClusterShape& shape);
std::vector<Wan> resolve_wans(const Field& wans, const std::vector<Site>& sites);
void resolve_workload(Node& root, Scenario& scenario);
CollectiveWork resolve_collective(Node& workload, const std::string& path);
/// Sizes, and what resolve_participants reads: the same for a collective and a listed program.
void resolve_buffer(Node& workload, const std::string& path, CollectiveWork& work);
/// Ranks, their placement, element type and rounds.
void resolve_participants(Node& workload, const std::string& path, CollectiveWork& work);
AlgorithmChoice algorithm_choice(const Field& field);
/// `trace: FILE` or files, which are put into the tree as text.
TraceWork resolve_trace(Node& workload, const std::string& path);
TrainingJob resolve_training(const Field& training, const Scenario& scenario);
std::vector<std::string> trace_warnings(const TraceWork& work);
/// `program: FILE`, which is put into the tree as text.
CollectiveWork resolve_program(Node& workload, const std::string& path);
std::vector<std::string> program_warnings(const ListedSchedule& listed, const CollectiveWork& work);
FlowWork resolve_flows(const Field& flows);
/// Reads `file: m.csv` and puts its rows into the tree as `flows`, so that resolved.yaml stands alone.
void inline_flow_file(Node& workload, const std::string& path);
Placed<Ranks> resolve_ranks(const Field& ranks);
/// The lines of a file named by a key, without comments; it may be 64 MiB long.
std::vector<std::string> lines_beside(const Field& field, const std::string& of_what);
Placed<Placement> resolve_placement(Node& workload, const std::string& path);
/// None without a `stack`. Refuses one that is not for the cluster's chips.
std::optional<StackWork> resolve_stack(const Field& stack, const Scenario& scenario);
std::optional<PermutePattern> resolve_pattern(Node& workload, const std::string& path);
void resolve_faults(const Field& faults, Scenario& scenario);
void resolve_assertions(const Field& assertions, Scenario& scenario);
/// Builds the healthy network and checks every selector, rank list, flow and fault against it.
void check_against_network(const Node& root, const Scenario& scenario);
std::vector<std::string> warnings_of(const Node& root, const Scenario& scenario);

// Of a cluster or of one site, whose node then stands in for `root`; `at` is the path of that node.
ChipCosts resolve_chip(const Field& chip);
void resolve_scale_up(Node& root, const std::string& at, ClusterShape& shape);
void resolve_scale_out(Node& root, const std::string& at, ClusterShape& shape);
std::uint32_t domains_of(const Field& site, const ClusterShape& shape);
std::uint64_t chips_per_server(const ClusterShape& shape);

// Small readers shared by the stages.
std::uint32_t read_count32(const Field& field);
Decimal read_link_bandwidth(const Field& field, bool both_directions);
/// A file named by a key: beside the file that holds the key.
std::string file_beside(const Field& field);

/// More ranks than a chip number can hold.
inline constexpr std::uint64_t most_ranks = 1ULL << 31;
std::uint64_t chips_per_domain(const ClusterShape& shape);

}  // namespace tahoma
