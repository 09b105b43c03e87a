// Where the open rows come from.
#pragma once

#include <span>
#include <string_view>

namespace tahoma {

struct MeasuredSource {
  std::string_view id;
  std::string_view what;
  std::string_view software;  // "" = not said
  std::string_view where;
};

std::span<const MeasuredSource> measured_sources();

}  // namespace tahoma
