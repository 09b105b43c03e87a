// Aligned tables and wrapped paragraphs for a terminal of fixed-width letters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

/// Letters on the screen: UTF-8 sequences count as one.
std::size_t screen_width(std::string_view text);

/// Control characters (a name may hold an escape sequence) become '?'.
std::string printable(std::string_view text);

/// `text` broken at blanks so that no line is longer than `width`; lines after the first begin with `indent`
/// blanks, and the first is taken to begin there already.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

struct TextColumn {
  enum class Align { left, right } align = Align::left;
  std::string heading;
  std::string unit;  // second heading line; no such line if every unit is empty
};

struct TextTable {
  std::vector<TextColumn> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Columns two blanks apart, every line after `indent` blanks, no blanks at line ends. With a `width`, the
/// last column (then aligned left) is wrapped to it.
std::string to_text(const TextTable& table, std::size_t indent = 0, std::size_t width = 0);

}  // namespace tahoma
