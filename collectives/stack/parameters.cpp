#include "collectives/stack/parameters.h"

#include <algorithm>

namespace tahoma {

std::vector<StackParameter> stack_parameters(std::string_view stack) {
  std::vector<StackParameter> rows;
  for (const auto family : {nvidia_parameters(), other_parameters()}) {
    std::copy_if(family.begin(), family.end(), std::back_inserter(rows),
                 [&](const StackParameter& row) { return row.stack == stack; });
  }
  return rows;
}

}  // namespace tahoma
