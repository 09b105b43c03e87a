#include "scenarios/validation/csv_table.h"

#include <fmt/format.h>

#include "scenarios/complaint.h"

namespace tahoma {

namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool at_end() const { return at_ == text_.size(); }

  std::vector<CsvCell> record() {
    std::vector<CsvCell> cells;
    do {
      cells.push_back(cell());
    } while (take(','));
    take('\r');
    if (!at_end() && !take('\n')) trouble(here(), "has text after a closing quote", "a comma or a new line");
    return cells;
  }

 private:
  Place here() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }

  [[noreturn]] static void trouble(const Place& place, std::string because, std::string accepted) {
    refuse({place, "", "", {std::move(because), std::move(accepted), ""}});
  }

  char next() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      line_start_ = at_;
    }
    return c;
  }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    next();
    return true;
  }

  CsvCell cell() {
    CsvCell cell{"", here()};
    if (!take('"')) {
      while (!at_end() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') cell.text += next();
      return cell;
    }
    for (;;) {
      if (at_end())
        trouble(cell.place, "begins with a quote that is never closed", "a quote at the end of the cell");
      const char c = next();
      if (c != '"') {
        cell.text += c;
      } else if (!take('"')) {
        return cell;
      } else {
        cell.text += '"';
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
};

bool is_blank_line(const std::vector<CsvCell>& record) {
  return record.size() == 1 && record[0].text.empty();
}

}  // namespace

CsvTable read_csv(std::string_view text, const std::string& file) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // some programs begin a file with it
  if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
  CsvReader reader(text, file);
  CsvTable table;
  while (!reader.at_end()) {
    std::vector<CsvCell> record = reader.record();
    if (is_blank_line(record)) continue;
    if (table.names.empty()) {
      table.names = std::move(record);
    } else if (record.size() != table.names.size()) {
      refuse({record.front().place,
              "",
              "",
              {fmt::format("has {} cells, and the first line names {} columns", record.size(),
                           table.names.size()),
               "a cell for each column, empty ones too; quotes around a text that holds a comma", ""}});
    } else {
      table.records.push_back(std::move(record));
    }
  }
  return table;
}

}  // namespace tahoma
