// Measured rows out of a file: what is read, and how a bad file is told.
#include <catch2/catch.hpp>

#include "core/errors.h"
#include "scenarios/validation/measured.h"

using namespace tahoma;

namespace {

const std::string head =
    "id,source_id,trust,basis,collective,dtype,bytes,time_us,algbw_GBps,busbw_GBps,preset,count,ranks,"
    "ranks_per_chip,shape,nic,transport,algo\n";
const std::string good = "R1,S1,A,time,all_reduce,fp32,1048576,100,10.4858,18.35,hgx-h100,1,8,,,,,\n";

std::string refusal(const std::string& text) {
  try {
    read_measured(text, "rows.csv");
    return "";
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

struct HostileFile {
  const char* what;
  std::string text;
  std::vector<std::string> says;
};

std::string with(const std::string& cell, const std::string& instead) {
  std::string row = good;
  return head + row.replace(row.find(cell), cell.size(), instead);
}

}  // namespace

TEST_CASE("a measured row is read by the names of its columns in any order and with others between") {
  const auto rows = read_measured(
      "notes,algo,bytes,time_us,algbw_GBps,busbw_GBps,id,source_id,trust,basis,collective,dtype,preset,count,"
      "ranks,ranks_per_chip,shape,nic,transport\r\n"
      "\"one, and \"\"two\"\"\nlines\",ring,1024,12.5,0.0819,0.1433,R1,S1,B,time,all_reduce,fp16,p5,2,16,,,"
      "32x100Gbps,efa\r\n",
      "rows.csv");
  REQUIRE(rows.size() == 1);
  const MeasuredRow& row = rows[0];
  CHECK(row.id == "R1");
  CHECK(row.bytes == 1024);
  CHECK(row.time == Duration{12'500'000});  // 12.5 us in ps
  CHECK(row.preset == "p5");
  CHECK(row.count == 2);
  CHECK(row.ranks == 16);
  CHECK(row.ranks_per_chip == 1);
  CHECK(row.nic == "32x100Gbps");
  CHECK(row.algo == "ring");
  CHECK(row.place.line == 3);  // the cell before it holds a line end
}

TEST_CASE("a row without a published size is compared by bandwidth at 64 MiB") {
  const auto rows = read_measured(
      head + "R1,S1,B,bw_size_unknown,all_reduce,,,,67.108864,117.4,hgx-h100,1,8,,,,,\n", "rows.csv");
  CHECK(rows[0].bytes == 64u << 20);
  CHECK(rows[0].bytes_stated);
  CHECK(rows[0].time == Duration{1'000'000'000});  // 67,108,864 B / 67.108864 GB/s = 1 ms
}

TEST_CASE("a row without a preset needs no count and keeps its ranks") {
  const auto rows =
      read_measured(head + "R1,S1,B,time,all_reduce,fp32,1024,10,0.1024,0.1024,,,2,,,,,\n", "rows.csv");
  CHECK(rows[0].preset.empty());
  CHECK(rows[0].ranks == 2);
}

TEST_CASE("hostile files are refused with line and column and what is accepted") {
  std::string no_ranks = head + good;
  no_ranks.replace(no_ranks.find("ranks,"), 6, "rank,");
  const std::vector<HostileFile> files{
      {"empty", "", {"rows.csv:1:1", "is empty"}},
      {"a head alone", head, {"rows.csv:1:1", "has no row"}},
      {"a missing column", no_ranks, {"rows.csv:1:1", "no column 'ranks'", "'rank' is near it"}},
      {"a column twice", "id," + head + "R0," + good, {"rows.csv:1:4", "column 'id'", "second time"}},
      {"too few cells", head + "R1,S1,A\n", {"rows.csv:2:1", "3 cells", "18 columns"}},
      {"too many cells", head + "x," + good, {"rows.csv:2:1", "19 cells"}},
      {"an open quote", head + good + "\"R2,S1,A,time\n", {"rows.csv:3:1", "never closed"}},
      {"text after a quote", head + "\"R1\"x,S1\n", {"rows.csv:2:5", "after a closing quote"}},
      {"a word for a number",
       with("1048576", "1MiB"),
       {"rows.csv:2:30", "column 'bytes'", "'1MiB'", "a number above 0"}},
      {"a negative size", with("1048576", "-1048576"), {"rows.csv:2:30", "column 'bytes'", "'-1048576'"}},
      {"half a byte", with("1048576", "1048576.5"), {"column 'bytes'", "is not whole"}},
      {"a huge size", with("1048576", "1e30"), {"column 'bytes'", "is too large"}},
      {"a size missing", with("1048576", ""), {"rows.csv:2:30", "column 'bytes'"}},
      {"no time", with(",100,", ",0,"), {"column 'time_us'", "is 0"}},
      {"a time that is no number", with(",100,", ",nan,"), {"rows.csv:2:38", "column 'time_us'", "'nan'"}},
      {"an endless time", with(",100,", ",inf,"), {"column 'time_us'", "'inf'"}},
      {"a time of years", with(",100,", ",1e20,"), {"column 'time_us'", "1 ps to 11 days"}},
      {"figures that contradict each other", with("10.4858", "20"), {"column 'algbw_GBps'", "contradicts"}},
      {"the same id", head + good + good, {"rows.csv:3:1", "column 'id'", "'R1'", "twice"}},
      {"no id", with("R1", ""), {"rows.csv:2:1", "column 'id'", "is missing"}},
      {"a mistyped preset",
       with("hgx-h100", "hgx-h10"),
       {"column 'preset'", "'hgx-h10'", "did you mean 'hgx-h100'?"}},
      {"a mistyped collective",
       with("all_reduce", "allreduce"),
       {"rows.csv:2:14", "column 'collective'", "did you mean 'all_reduce'?"}},
      {"an unknown trust", with(",A,", ",D,"), {"column 'trust'", "A, B or C"}},
      {"an unknown basis", with(",time,", ",tme,"), {"column 'basis'", "did you mean 'time'?"}},
      {"no ranks", with(",1,8,", ",1,0,"), {"column 'ranks'", "is 0"}},
  };
  for (const HostileFile& file : files) {
    const std::string told = refusal(file.text);
    INFO(file.what << "\n" << told);
    CHECK_FALSE(told.empty());
    for (const std::string& word : file.says) {
      CAPTURE(word);
      CHECK(told.find(word) != std::string::npos);
    }
  }
}

TEST_CASE("the rows that come with the program are read and have names of their own") {
  CHECK(open_rows().size() >= 833);
}
