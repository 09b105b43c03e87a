#include "scenarios/result_csv.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/scenarios/result_sample.h"

using namespace tahoma;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// RFC 4180, by the book: the reader's side of what csv_field writes.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::string cell(const std::string& csv, std::size_t row, const std::string& column) {
  const std::vector<std::string> lines = lines_of(csv);
  const std::vector<std::string> names = fields_of(lines[0]);
  const auto at = std::find(names.begin(), names.end(), column);
  REQUIRE(at != names.end());
  return fields_of(lines.at(row)).at(static_cast<std::size_t>(at - names.begin()));
}

}  // namespace

TEST_CASE("the CSV has one tidy row per collective row, with units in the columns' names") {
  const std::string csv = collectives_csv(sample::result());
  CHECK(lines_of(csv).size() == 3);  // heading + two sizes
  CHECK(cell(csv, 1, "time_s") == "0.123456789012");
  CHECK(cell(csv, 2, "bytes") == "1073741824");
  CHECK(cell(csv, 2, "algorithm") == "torus");
  CHECK(cell(csv, 1, "scenario") == "two sizes");
  CHECK(csv.find('\r') == std::string::npos);
}

TEST_CASE("every row of the CSV has as many fields as its heading") {
  Result result = sample::result();
  result.collectives[0].algorithm = "server: ring, \"cluster\": torus";
  const std::vector<std::string> lines = lines_of(collectives_csv(result));
  for (const std::string& line : lines) CHECK(fields_of(line).size() == fields_of(lines[0]).size());
  CHECK(cell(collectives_csv(result), 1, "algorithm") == "server: ring, \"cluster\": torus");
}

TEST_CASE("fields are quoted only where they must be") {
  CHECK(csv_field("plain text") == "plain text");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field("").empty());
}

TEST_CASE("a scenario of flows alone prints its flows as CSV") {
  Result result;
  result.name = "flows";
  result.flows = {sample::flow("a", 3), sample::flow("b", 5)};
  const std::string csv = to_csv(result);
  CHECK(csv == flows_csv(result));
  CHECK(cell(csv, 2, "finish_s") == "0.000005");
  CHECK(to_csv(sample::result()) == collectives_csv(sample::result()));
}

TEST_CASE("links.csv names the row, the class and how many links it stands for") {
  const std::string csv = links_csv(sample::result());
  CHECK(cell(csv, 1, "row") == "all_reduce 1048576 ring");
  CHECK(cell(csv, 1, "links") == "128");
  CHECK(cell(csv, 1, "utilization") == "0.97");
}
