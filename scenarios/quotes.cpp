#include "scenarios/quotes.h"

#include <fmt/format.h>

#include <array>

#include "scenarios/complaint.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

/// Bytes of the UTF-8 sequence at text[i], 0 if it is not one (overlong forms and surrogates included).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(i);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(i + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(i + 1) < 0xA0;
    const bool surrogate = first == 0xED && byte(i + 1) > 0x9F;
    return follows(i + 1) && follows(i + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(i + 1) < 0x90;
    const bool beyond = first == 0xF4 && byte(i + 1) > 0x8F;
    return follows(i + 1) && follows(i + 2) && follows(i + 3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

std::string_view line_of(std::string_view text, std::size_t line) {
  for (; line > 0; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

bool opens(char c) {
  return c == '[' || c == '(';
}

/// The word that starts at `start`: up to a blank, comma or closing brace outside its own brackets.
std::size_t word_end(std::string_view line, std::size_t start) {
  int depth = 0;
  std::size_t i = start;
  for (; i < line.size(); ++i) {
    const char c = line[i];
    if (opens(c)) ++depth;
    if ((c == ']' || c == ')') && --depth < 0) break;
    const bool ends = c == ',' || c == ' ' || c == '}' || c == '\r' || c == '#';
    if (depth == 0 && ends) break;
  }
  return i;
}

bool collides(std::string_view word) {
  const std::size_t bracket = word.find_first_of("[(");
  const bool selector = bracket != std::string_view::npos && bracket > 0;
  return selector || word.find('*') != std::string_view::npos;
}

}  // namespace

void check_encoding(std::string_view text, const std::string& file) {
  const auto fail = [&](std::size_t line, std::size_t column, const std::string& why) {
    refuse({{file, static_cast<int>(line), static_cast<int>(column)}, "", "", {why, "UTF-8 text", ""}});
  };
  if (text.size() > most_yaml_bytes) {
    fail(0, 0, fmt::format("the file is larger than {} MiB", most_yaml_bytes >> 20));
  }
  std::size_t line = 1, start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t column = i - start + 1;
    const bool control = byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t';
    if (control || byte == 0x7f)
      fail(line, column, fmt::format("the file holds the byte 0x{:02x}: is it text?", byte));
    const std::size_t length = utf8_length(text, i);
    if (length == 0) fail(line, column, fmt::format("the byte 0x{:02x} is not UTF-8: is it text?", byte));
    if (byte == '\n') ++line, start = i + 1;
    i += length;
  }
}

std::string quotes_meant(std::string_view text, std::size_t line, std::size_t column) {
  const std::string_view content = line_of(text, line).substr(0, 2000);
  std::string found;
  for (std::size_t i = 0; i < content.size();) {
    const char c = content[i];
    if (c == '"' || c == '\'') {
      const std::size_t close = content.find(c, i + 1);
      i = close == std::string_view::npos ? content.size() : close + 1;
      continue;
    }
    if (c == ' ' || c == ',' || c == '{' || c == '[' || c == '}' || c == ']') {
      ++i;
      continue;
    }
    if (c == '#') break;
    const std::size_t end = std::max(word_end(content, i), i + 1);
    const std::string_view word = content.substr(i, end - i);
    if (collides(word)) {
      found = fmt::format("\"{}\"", word);
      if (end >= column) break;  // else a later word is nearer to the error
    }
    i = end;
  }
  return found;
}

bool quote_is_closed(std::string_view text) {
  if (text.empty()) return true;
  const char quote = text.front();
  if (quote != '"' && quote != '\'') return true;  // a block scalar: it ends with its indentation
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return true;
      ++i;
    }
  }
  return false;
}

bool tab_indents(std::string_view text, std::size_t line) {
  const std::string_view content = line_of(text, line);
  return content.substr(0, content.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

std::string plain_words(std::string_view message) {
  struct Words {
    std::string_view library, ours;
  };
  constexpr std::array table = {
      Words{"end of map not found", "the indentation of this line fits no map above it"},
      Words{"end of map flow not found", "a {...} is not closed, or a comma is missing before this place"},
      Words{"end of sequence not found", "a list item is not in line with the ones above it"},
      Words{"end of sequence flow not found",
            "a [...] is not closed, or a comma is missing before this place"},
      Words{"illegal map value", "a second ':' on one line, or a value under a key that has one already"},
      Words{"bad file", "lists and maps are nested too deep"},
      Words{"illegal EOF in scalar", "a quote is opened and never closed"},
      Words{"illegal tab when looking for indentation", "a tab indents this line; YAML takes only spaces"},
      Words{"unknown token", "a character that YAML keeps for itself starts this value"},
  };
  for (const Words& words : table) {
    if (message == words.library) return std::string(words.ours);
  }
  if (message.starts_with("the referenced anchor"))
    return "a star starts this value: YAML takes it for an alias";
  if (message.starts_with("alias not found")) return "a star starts this value: YAML takes it for an alias";
  return fmt::format("YAML cannot read this place ({})", message);
}

}  // namespace tahoma
