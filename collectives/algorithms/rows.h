// One pair per algorithm: why it cannot do a request (empty if it can), and its phases. The table in
// collectives/algorithms.cpp lists them. `make_` is only called where `refuse_` was empty, for two or more
// positions.
#pragma once

#include <string>
#include <vector>

#include "collectives/algorithms.h"

namespace tahoma {

std::string refuse_ring(const PhaseRequest& request);
std::vector<Phase> make_ring(const PhaseRequest& request);

std::string refuse_bidirectional_ring(const PhaseRequest& request);
std::vector<Phase> make_bidirectional_ring(const PhaseRequest& request);

std::string refuse_torus_sequential(const PhaseRequest& request);
std::vector<Phase> make_torus_sequential(const PhaseRequest& request);

std::string refuse_torus(const PhaseRequest& request);
std::vector<Phase> make_torus(const PhaseRequest& request);

std::string refuse_halving_doubling(const PhaseRequest& request);
std::vector<Phase> make_halving_doubling(const PhaseRequest& request);

std::string refuse_direct(const PhaseRequest& request);
std::vector<Phase> make_direct(const PhaseRequest& request);

std::string refuse_pairwise(const PhaseRequest& request);
std::vector<Phase> make_pairwise(const PhaseRequest& request);

std::string refuse_double_binary_tree(const PhaseRequest& request);
std::vector<Phase> make_double_binary_tree(const PhaseRequest& request);

std::string refuse_bruck(const PhaseRequest& request);
std::vector<Phase> make_bruck(const PhaseRequest& request);

std::string refuse_swing(const PhaseRequest& request);
std::vector<Phase> make_swing(const PhaseRequest& request);

std::string refuse_disjoint_rings(const PhaseRequest& request);
std::vector<Phase> make_disjoint_rings(const PhaseRequest& request);

std::string refuse_graph_rings(const PhaseRequest& request);
std::vector<Phase> make_graph_rings(const PhaseRequest& request);

std::string refuse_kangaring(const PhaseRequest& request);
std::vector<Phase> make_kangaring(const PhaseRequest& request);

std::string refuse_rail_rings(const PhaseRequest& request);
std::vector<Phase> make_rail_rings(const PhaseRequest& request);

std::string refuse_one_shot(const PhaseRequest& request);
std::vector<Phase> make_one_shot(const PhaseRequest& request);

std::string refuse_in_switch(const PhaseRequest& request);
std::vector<Phase> make_in_switch(const PhaseRequest& request);

}  // namespace tahoma
