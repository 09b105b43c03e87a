// The nearest name to a mistyped one, for "did you mean ...?".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tahoma {

/// Damerau-Levenshtein distance (insert, delete, replace, swap of neighbours), upper and lower case alike.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate at the least distance, the first one on ties; "" if none is near enough to be meant (more
/// than a third of the word, at least one edit). Costs |word| x |candidate| each: give it thousands, not
/// millions.
std::string nearest(std::string_view word, std::span<const std::string> candidates);
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace tahoma
