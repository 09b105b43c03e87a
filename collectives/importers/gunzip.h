// Files that gzip has packed.
#pragma once

#include <string>
#include <string_view>

namespace tahoma {

bool is_gzip(std::string_view content);

/// Throws ScenarioError if it is broken, or larger than `most` bytes when unpacked.
std::string gunzip(std::string_view content, const std::string& file, std::size_t most);

}  // namespace tahoma
