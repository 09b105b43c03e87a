// What went wrong where YAML itself gave up: is it text at all, and which word would have needed quotes.
//
// YAML's marks collide with our selectors, ranges and links: [ ] * , { } & % @. `{chips: us[0-3].c*}` ends
// the word at the bracket. The library's message then speaks of its grammar; we look at the line and propose
// the quotes.
#pragma once

#include <string>
#include <string_view>

namespace tahoma {

/// Throws ScenarioError if the text is too large, has a NUL byte or other control characters, or is not
/// UTF-8.
void check_encoding(std::string_view text, const std::string& file);

/// The unquoted selector, range or link on the line of a syntax error (lines and columns from 0), in quotes;
/// "" if there is none.
std::string quotes_meant(std::string_view text, std::size_t line, std::size_t column);

/// Does the quoted text that starts `text` (with its quote) end?
bool quote_is_closed(std::string_view text);

/// Is there a tab before the first word of the line?
bool tab_indents(std::string_view text, std::size_t line);

/// The library's message in words that say what to look for.
std::string plain_words(std::string_view message);

}  // namespace tahoma
