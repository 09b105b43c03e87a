// `tahoma validate` from outside: its formats, its files, its exit codes.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;
using Json = nlohmann::ordered_json;

namespace {

const std::string columns =
    "id,source_id,trust,basis,collective,dtype,bytes,time_us,algbw_GBps,busbw_GBps,preset,count,ranks,"
    "ranks_per_chip,shape,nic,transport,algo\n";
// hgx-a100 sends 8 x 64 MiB to the next rank: 67,108,864 B / (300 GB/s x 0.85 x 0.77 of NCCL's sends) = 341.8
// us, and about 42 us of launch and latency.
const std::string near_row = "R1,S1,A,time,sendrecv,fp32,67108864,384,,,hgx-a100,1,8,,,,,\n";
const std::string far_row = "R2,S1,A,time,sendrecv,fp32,67108864,100,,,hgx-a100,1,8,,,,,\n";
const std::string shown_row = "R3,S1,C,time,sendrecv,fp32,67108864,100,,,hgx-a100,1,8,,,,,\n";

}  // namespace

TEST_CASE("validate is done with 0 where every threshold holds and with 4 where one is crossed") {
  const Folder folder;
  const Outcome good = run({"validate", "--data", folder.file("good.csv", columns + near_row)});
  CHECK(good.code == 0);
  CHECK_THAT(good.out, Contains("large_mape") && !Contains("CROSSED"));
  const std::string bad = folder.file("bad.csv", columns + near_row + far_row);
  const Outcome crossed = run({"validate", "--data", bad});
  CHECK(crossed.code == 4);
  CHECK_THAT(crossed.out, Contains("CROSSED"));
  const Outcome allowed = run(
      {"validate", "--data", bad, "--threshold", "large_mape=200%", "--threshold", "large_source_mape=200%"});
  CHECK(allowed.code == 0);
}

TEST_CASE("validate answers a bad data file with 2 and its line and a bad threshold with 1") {
  const Folder folder;
  std::string row = near_row;
  row.replace(row.find("hgx-a100"), 8, "hgx-a10");
  const Outcome bad = run({"validate", "--data", folder.file("bad.csv", columns + row)});
  CHECK(bad.code == 2);
  CHECK(bad.out.empty());
  CHECK_THAT(bad.err, Contains("bad.csv:2:43") && Contains("did you mean 'hgx-a100'?"));
  CHECK(run({"validate", "--data", folder.path("absent.csv")}).code == 2);
  const Outcome typo = run({"validate", "--threshold", "large_map=8%"});
  CHECK(typo.code == 1);
  CHECK_THAT(typo.err, Contains("did you mean 'large_mape'?"));
  CHECK(run({"validate", "--threshold", "large_mape=8"}).code == 1);
}

TEST_CASE("validate prints JSON as promised with a row that has no prediction as null") {
  const Folder folder;
  const std::string unknown = "R4,S2,A,time,all_reduce,fp32,1024,10,,,hgx-a100,1,8,,,,,magic\n";
  const Outcome outcome = run({"validate", "--format", "json", "--data",
                               folder.file("rows.csv", columns + near_row + shown_row + unknown)});
  CHECK(outcome.code == 4);  // a failed row
  const Json json = Json::parse(outcome.out);
  CHECK(json["schema"] == "tahoma.validation/1");
  REQUIRE(json["rows"].size() == 3);
  std::vector<std::string> keys;
  for (const auto& item : json["rows"][0].items()) keys.push_back(item.key());
  keys.resize(7);
  CHECK(keys ==
        std::vector<std::string>{"id", "source", "measured_s", "predicted_s", "bytes", "counted", "why_not"});
  CHECK(json["rows"][0]["measured_s"].get<double>() == Approx(384e-6));
  CHECK(json["rows"][0]["counted"] == true);
  CHECK(json["rows"][1]["counted"] == false);
  CHECK_THAT(json["rows"][1]["why_not"].get<std::string>(), Contains("trust C"));
  CHECK(json["rows"][2]["predicted_s"].is_null());
  CHECK_THAT(json["rows"][2]["why_not"].get<std::string>(), Contains("algo 'magic'"));
  CHECK(json["sources"].size() == 2);
  CHECK(json["sources"][1]["failed"] == 1);
}

TEST_CASE("validate prints a line of CSV per row and writes its files") {
  const Folder folder;
  const std::string data = folder.file("rows.csv", columns + near_row + shown_row);
  const Outcome outcome = run({"validate", "--data", data, "--format", "csv", "--out", folder.path("out")});
  CHECK(outcome.code == 0);
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3);
  CHECK_THAT(outcome.out, Contains("\nR1,S1,A,time,sendrecv,fp32,67108864,>= 64 MiB,hgx-a100,1,8,1,"));
  CHECK(content(folder.path("out/validation.csv")) == outcome.out);
  CHECK(Json::parse(content(folder.path("out/validation.json")))["rows"].size() == 2);
  CHECK_THAT(content(folder.path("out/validation.txt")), Contains("by source"));
}

TEST_CASE("validate --show prints a scenario that runs to the predicted time") {
  const Folder folder;
  const std::string data = folder.file("rows.csv", columns + near_row);
  const Outcome shown = run({"validate", "--data", data, "--show", "R1"});
  CHECK(shown.code == 0);
  const Json result = Json::parse(run({"run", folder.file("r1.yaml", shown.out), "--format", "json"}).out);
  const Json validation = Json::parse(run({"validate", "--data", data, "--format", "json"}).out);
  CHECK(result["collectives"][0]["time_s"] == validation["rows"][0]["predicted_s"]);
  const Outcome typo = run({"validate", "--data", data, "--show", "R11"});
  CHECK(typo.code == 1);
  CHECK_THAT(typo.err, Contains("no row 'R11'"));
}

TEST_CASE("validate --only takes some rows and --set lays a value over their scenarios") {
  const Folder folder;
  std::string other = far_row;
  other.replace(other.find("S1"), 2, "S2");
  const std::string data = folder.file("rows.csv", columns + near_row + other);
  const Outcome one = run({"validate", "--data", data, "--format", "csv", "--only", "source_id=S1"});
  CHECK(one.code == 0);
  CHECK_THAT(one.out, Contains("\nR1,") && !Contains("\nR2,"));
  const std::string late = "cluster.chip.overhead=100us";  // before the one message of each rank
  const Json slow = Json::parse(
      run({"validate", "--data", data, "--format", "json", "--only", "id=R1", "--set", late}).out);
  const Json plain =
      Json::parse(run({"validate", "--data", data, "--format", "json", "--only", "id=R1"}).out);
  CHECK(slow["rows"][0]["predicted_s"].get<double>() - plain["rows"][0]["predicted_s"].get<double>() ==
        Approx(100e-6));
  CHECK_THAT(slow["data"].get<std::string>(), Contains("only id=R1, --set " + late));
  const Outcome typo = run({"validate", "--data", data, "--only", "sourceid=S1"});
  CHECK(typo.code == 1);
  CHECK_THAT(typo.err, Contains("did you mean 'source_id'?"));
  CHECK(run({"validate", "--data", data, "--only", "id=R9"}).code == 1);
  CHECK(run({"validate", "--data", data, "--set", "seed"}).code == 1);
}
