// A key that is set on a small scenario, and so must change its result.
#pragma once

#include <string>
#include <vector>

namespace tahoma {

struct Effect {
  std::string key, text, setting;
  std::string otherwise = {};  // set for the comparison instead; "" = nothing
};

/// Of `workload.training`.
const std::vector<Effect>& training_effects();

}  // namespace tahoma
