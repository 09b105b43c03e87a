#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"
namespace tahoma {
std::string refuse_torus(const PhaseRequest&) { return "torus is not built yet"; }
std::vector<Phase> make_torus(const PhaseRequest&) { return {}; }
}  // namespace tahoma
