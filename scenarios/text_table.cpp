#include "scenarios/text_table.h"

#include <algorithm>
#include <numeric>

namespace tahoma {

namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t narrowest_column = 20;  // of wrapped text, whatever the width

void append_line(std::string& text, const TextTable& table, const Cells& cells,
                 const std::vector<std::size_t>& widths, std::size_t indent) {
  std::string line(indent, ' ');
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string blanks(widths[c] - std::min(widths[c], screen_width(cells[c])), ' ');
    if (c > 0) line += "  ";
    line += table.columns[c].align == TextColumn::Align::right ? blanks + cells[c] : cells[c] + blanks;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

}  // namespace

std::size_t screen_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string printable(std::string_view text) {
  std::string clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      clean += '?';  // U+0080 to U+009F: a terminal may take one for an escape sequence
      ++i;
    } else if (text[i] == '\n' || text[i] == '\t') {
      clean += ' ';
    } else {
      clean += byte < 0x20 || byte == 0x7F ? '?' : text[i];
    }
  }
  return clean;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    at = std::min(text.find_first_not_of(' ', at), text.size());
    if (at == text.size()) break;
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    const std::size_t size = screen_width(word);
    if (column > indent && column + 1 + size > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += size;
  }
  return result;
}

std::string to_text(const TextTable& table, std::size_t indent, std::size_t width) {
  Cells headings;
  Cells units;
  std::vector<std::size_t> widths;
  bool any_unit = false;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TextColumn& column = table.columns[c];
    headings.push_back(column.heading);
    units.push_back(column.unit);
    any_unit = any_unit || !column.unit.empty();
    widths.push_back(std::max(screen_width(column.heading), screen_width(column.unit)));
    for (const Cells& row : table.rows) widths.back() = std::max(widths.back(), screen_width(row[c]));
  }
  std::string text;
  append_line(text, table, headings, widths, indent);
  if (any_unit) append_line(text, table, units, widths, indent);
  const std::size_t last_column = std::accumulate(widths.begin(), widths.end() - 1, indent,
                                                  [](std::size_t sum, std::size_t w) { return sum + w + 2; });
  for (Cells row : table.rows) {
    if (width > 0)
      row.back() = wrapped(row.back(), last_column, std::max(width, last_column + narrowest_column));
    append_line(text, table, row, widths, indent);
  }
  return text;
}

}  // namespace tahoma
