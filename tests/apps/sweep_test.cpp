// `tahoma sweep` from outside: the plan, the points, the tables, and what bad input gets.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/apps/program.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;

namespace {

const std::string ring_base =
    "apiVersion: tahoma/v1\n"
    "name: rings\n"
    "cluster: {chip: generic, count: 1}\n"
    "fabric: {scale_up: [{kind: ring, size: 8, bandwidth: 100GB/s, latency: 1us}]}\n"
    "workload: {collective: all_reduce, sizes: 8MB, algorithm: ring}\n";

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

std::string cell(const std::vector<std::vector<std::string>>& rows, std::size_t row,
                 const std::string& column) {
  const auto at = std::find(rows[0].begin(), rows[0].end(), column);
  REQUIRE(at != rows[0].end());
  return rows[row].at(static_cast<std::size_t>(at - rows[0].begin()));
}

Outcome sweep(const std::string& file, std::vector<std::string> more) {
  std::vector<std::string> arguments{"sweep", file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("a sweep is a row per point and size with swept values as numbers in named units") {
  const Folder folder;
  const std::string file = folder.file("a.yaml", ring_base);
  const Outcome csv = sweep(file, {"-m", "fabric.scale_up.0.bandwidth=50GB/s,100GB/s", "-m",
                                   "workload.sizes=8MB,16MB", "--format", "csv"});
  CHECK(csv.code == 0);
  const auto rows = cells_of(csv.out);
  REQUIRE(rows.size() == 5);
  // 14 steps of an eighth: 14 x (1 MB / 50 GB/s + 1 us) = 14 x 21 us; the last path runs fastest.
  CHECK(cell(rows, 1, "fabric.scale_up.0.bandwidth_GBps") == "50");
  CHECK(cell(rows, 1, "workload.sizes_bytes") == "8000000");
  CHECK(cell(rows, 1, "time_s") == "0.000294");
  CHECK(cell(rows, 2, "workload.sizes_bytes") == "16000000");
  CHECK(cell(rows, 2, "time_s") == "0.000574");
  CHECK(cell(rows, 3, "time_s") == "0.000154");
  CHECK(cell(rows, 4, "time_s") == "0.000294");
  CHECK(cell(rows, 4, "status") == "ok");
}

TEST_CASE("a point of a sweep is what run gives with the same settings") {
  const Folder folder;
  const std::string file = folder.file("a.yaml", ring_base + "assert: ['time_s < 1s']\n");
  const auto rows = cells_of(sweep(file, {"-m", "fabric.scale_up.0.size=6,8", "--format", "csv"}).out);
  for (const std::size_t at : {std::size_t{1}, std::size_t{2}}) {
    const auto alone = nlohmann::json::parse(
        run({"run", file, "--set", "fabric.scale_up.0.size=" + cell(rows, at, "fabric.scale_up.0.size"),
             "--format", "json"})
            .out);
    CHECK(std::stod(cell(rows, at, "time_s")) == alone["collectives"][0]["time_s"].get<double>());
    CHECK(cell(rows, at, "chips") == std::to_string(alone["cluster"]["chips"].get<int>()));
  }
}

TEST_CASE("a sweep reaches into a preset's lists and changes presets") {
  const Folder folder;
  const std::string file = folder.file("a.yaml",
                                       "apiVersion: tahoma/v1\n"
                                       "cluster: {preset: trn2-server, count: 2}\n"
                                       "workload: {collective: all_reduce, sizes: 1MiB, algorithm: ring}\n");
  const auto nics =
      cells_of(sweep(file, {"-m", "fabric.scale_out.0.bandwidth=12.5GB/s,25GB/s", "--format", "csv"}).out);
  REQUIRE(nics.size() == 3);
  CHECK(std::stod(cell(nics, 1, "time_s")) > std::stod(cell(nics, 2, "time_s")));
  const auto presets = cells_of(sweep(file, {"-m", "cluster.preset=trn2-server,p5", "--format", "csv"}).out);
  REQUIRE(presets.size() == 3);
  CHECK(cell(presets, 1, "chips") == "32");
  CHECK(cell(presets, 2, "chips") == "16");
}

TEST_CASE("modes: zip pairs values and random and lhs draw the same points from the same seed") {
  const Folder folder;
  const std::string zipped = folder.file(
      "a.yaml",
      ring_base + "sweep: {mode: zip, fabric.scale_up.0.size: [4, 8], workload.sizes: [4MB, 8MB]}\n");
  const auto rows = cells_of(sweep(zipped, {"--format", "csv"}).out);
  REQUIRE(rows.size() == 3);
  CHECK(cell(rows, 1, "fabric.scale_up.0.size") == "4");
  CHECK(cell(rows, 1, "workload.sizes_bytes") == "4000000");
  CHECK(cell(rows, 2, "workload.sizes_bytes") == "8000000");
  for (const std::string mode : {"random(20)", "lhs(20)"}) {
    const auto drawn = [&](int seed) {
      const std::string text = ring_base + "sweep: {mode: " + mode + ", seed: " + std::to_string(seed) +
                               ", fabric.scale_up.0.size: 'range(2, 40, 1)', "
                               "fabric.scale_up.0.bandwidth: 'between(50GB/s, 250GB/s)'}\n";
      return sweep(folder.file("b.yaml", text), {"--format", "csv"}).out;
    };
    CHECK(cells_of(drawn(1)).size() == 21);
    CHECK(drawn(1) == drawn(1));
    CHECK(drawn(1) != drawn(2));
  }
  // 20 strata of the interval, each once: of 200 GB/s they are 10 GB/s wide.
  const std::string latin =
      ring_base + "sweep: {mode: lhs(20), fabric.scale_up.0.bandwidth: 'between(50GB/s, 250GB/s)'}\n";
  const auto points = cells_of(sweep(folder.file("c.yaml", latin), {"--format", "csv"}).out);
  std::vector<int> strata;
  for (std::size_t i = 1; i < points.size(); ++i)
    strata.push_back(
        static_cast<int>((std::stod(cell(points, i, "fabric.scale_up.0.bandwidth_GBps")) - 50) / 10));
  std::sort(strata.begin(), strata.end());
  for (int i = 0; i < 20; ++i) CHECK(strata.at(static_cast<std::size_t>(i)) == i);
}

TEST_CASE("a point that cannot be answered is a row with its reason and takes nothing with it") {
  const Folder folder;
  const std::string file = folder.file("a.yaml", ring_base);
  const std::vector<std::string> flags{"-m", "workload.ranks=4,9", "--format", "csv"};
  const Outcome csv = sweep(file, flags);
  CHECK(csv.code == 0);
  CHECK_THAT(csv.out, Contains("ok") && Contains("invalid"));
  CHECK(sweep(file, {"-m", "workload.ranks=4,9", "--strict"}).code == 3);
  const Outcome none = sweep(file, {"-m", "workload.ranks=9,10"});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("every point is invalid"));
}

TEST_CASE("assertions and constraints mark points and the best ones are told") {
  const Folder folder;
  const std::string file =
      folder.file("a.yaml", ring_base +
                                "sweep:\n"
                                "  fabric.scale_up.0.bandwidth: [50GB/s, 100GB/s, 200GB/s]\n"
                                "  constraint: 'time_s > 100us'\n"
                                "  objective: {minimize: time_s}\n");
  const Outcome text = sweep(file, {});
  CHECK(text.code == 0);
  // 14 x (5 us + 1 us) = 84 us at 200 GB/s does not meet the constraint; 154 us at 100 GB/s is the best.
  CHECK_THAT(text.out, Contains("0.000154") && Contains("bandwidth=100GB/s"));
  const auto rows = cells_of(sweep(file, {"--format", "csv"}).out);
  CHECK(cell(rows, 2, "meets") == "true");
  CHECK(cell(rows, 3, "meets") == "false");
  // A metric that no row has is not met, and finds no best point.
  const std::string of_traces = folder.file(
      "c.yaml", ring_base + "sweep: {seed: 1, fabric.scale_up.0.size: [4, 8], constraint: 'mfu >= 0'}\n");
  CHECK(cell(cells_of(sweep(of_traces, {"--format", "csv"}).out), 1, "meets") == "false");
  const std::string asserting = folder.file("b.yaml", ring_base + "assert: ['time_s < 100us']\n");
  CHECK(sweep(asserting, {"-m", "fabric.scale_up.0.bandwidth=100GB/s,200GB/s"}).code == 4);
}

TEST_CASE("variants are an axis of a sweep") {
  const Folder folder;
  const std::string file =
      folder.file("a.yaml", ring_base +
                                "sweep:\n"
                                "  variants: {base: {}, big: {workload: {sizes: 16MB}}}\n"
                                "  fabric.scale_up.0.bandwidth: [50GB/s, 100GB/s]\n");
  const auto rows = cells_of(sweep(file, {"--format", "csv"}).out);
  REQUIRE(rows.size() == 5);
  CHECK(cell(rows, 1, "variant") == "base");
  CHECK(cell(rows, 4, "variant") == "big");
  CHECK(cell(rows, 4, "time_s") == "0.000294");
}

TEST_CASE("run answers the scenario itself and says that the sweep is for tahoma sweep") {
  const Folder folder;
  const std::string file = folder.file("a.yaml", ring_base + "sweep: {fabric.scale_up.0.size: [4, 8]}\n");
  const Outcome text = run({"run", file});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("`tahoma sweep` runs the points"));
}

TEST_CASE("a dry run prints the plan and its size") {
  const Folder folder;
  const Outcome plan = sweep(folder.file("a.yaml", ring_base),
                             {"-m", "fabric.scale_up.0.size=range(2, 64, 1)", "-m", "seed=1,2", "--dry-run"});
  CHECK(plan.code == 0);
  CHECK_THAT(plan.out, Contains("126 points") && Contains("63 values"));
}

TEST_CASE("wrong sweeps are refused before anything runs with key and place") {
  struct Wrong {
    std::string flag_or_text;
    int code;
    std::string says;
  };
  const Folder folder;
  const std::string file = folder.file("a.yaml", ring_base);
  for (const Wrong& wrong : std::vector<Wrong>{
           {"fabric.scale_up.0.bandwith=1GB/s", 2, "did you mean 'fabric.scale_up.0.bandwidth'"},
           {"fabric.scale_up.0.bandwidth=50,100", 2, "has no unit"},
           {"fabric.scale_up.0.bandwidth=", 2, "empty"},
           {"cluster.count=1,1", 2, "listed twice"},
           {"workload.algorithm=ring..direct *2", 2, "takes no numbers"},
           {"extends=a,b", 2, "cannot be swept"},
           {"cluster.count", 2, "equals sign"},
           {"cluster.count=range(1, 1000000, 1)", 2, "more than 10000 values"},
       }) {
    const Outcome outcome = sweep(file, {"-m", wrong.flag_or_text});
    INFO(wrong.flag_or_text << ": " << outcome.err);
    CHECK(outcome.code == wrong.code);
    CHECK_THAT(outcome.err, Contains(wrong.says));
  }
  for (const Wrong& wrong : std::vector<Wrong>{
           {"sweep: {}\n", 2, "has nothing to vary"},
           {"sweep: {cluster.count: []}\n", 2, "has no values"},
           {"sweep: {size: [1, 2]}\n", 2, "'sweep.size'"},
           {"sweep: {mode: gird, cluster.count: [1, 2]}\n", 2, "one of grid, zip"},
           {"sweep: {mode: zip, cluster.count: [1, 2], seed: 1, workload.sizes: [1MB]}\n", 2,
            "zips 2 values"},
           {"sweep: {mode: random(9), cluster.count: [1, 2]}\n", 2, "draws 9 of 2"},
           {"sweep: {cluster.count: 'between(1, 9)'}\n", 2, "interval"},
           {"sweep: {cluster.count: [1, 2], objective: {minimize: time}}\n", 2, "is not a metric"},
           {"sweep: {cluster.count: [1, 2], constraint: 'time_s'}\n", 2, "constraint"},
       }) {
    const Outcome outcome = sweep(folder.file("w.yaml", ring_base + wrong.flag_or_text), {});
    INFO(wrong.flag_or_text << ": " << outcome.err);
    CHECK(outcome.code == wrong.code);
    CHECK_THAT(outcome.err, Contains(wrong.says) && Contains("w.yaml:6"));
  }
  const Outcome many = sweep(file, {"-m", "seed=range(1, 2000, 1)", "-m", "cluster.count=range(1, 100, 1)"});
  CHECK(many.code == 2);
  CHECK_THAT(many.err, Contains("199900") || Contains("200000 points"));
  CHECK(sweep(file, {"-m", "seed=1,2", "--resume"}).code == 1);
  CHECK(run({"sweep", "status"}).code == 1);
  CHECK(run({"sweep", "status", folder.path("none")}).code == 2);
}

TEST_CASE("two sweeps are compared by coordinates: exactly the rows that became slower cross the threshold") {
  const Folder folder;
  const std::string file = folder.file("a.yaml", ring_base);
  const std::vector<std::string> axes{"-m", "fabric.scale_up.0.size=range(2, 51, 1)", "-m",
                                      "workload.sizes=range(1MB, 20MB, 1MB)", "--out"};
  const auto into = [&](const std::string& scenario, const std::string& name) {
    std::vector<std::string> arguments = axes;
    arguments.push_back(folder.path(name));
    REQUIRE(sweep(scenario, arguments).code == 0);
  };
  into(file, "a");
  // A label and the order of the file change every id and no result.
  into(folder.file("b.yaml", ring_base + "description: edited\n"), "b");
  const Outcome same = run({"compare", folder.path("a"), folder.path("b"), "--threshold", "time_s=+2%"});
  CHECK(same.code == 0);
  CHECK_THAT(same.out, Contains("1000 rows compared, 0 only in one, 0 thresholds crossed"));
  // The points 2, 29, 56 ... 974 (37 of 1,000) get 2.1 % slower, and some others 1.9 %.
  const auto rows = cells_of(content(folder.path("b") + "/results.csv"));
  const auto time =
      static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), "time_s") - rows[0].begin());
  std::istringstream lines(content(folder.path("b") + "/results.csv"));
  std::string edited;
  std::size_t i = 0;
  for (std::string line; std::getline(lines, line); ++i) {
    // No cell before time_s is quoted, so that commas can be counted.
    std::size_t start = 0;
    for (std::size_t c = 0; c < time; ++c) start = line.find(',', start) + 1;
    const double factor = i % 27 == 2 ? 1.021 : i % 16 == 3 ? 1.019 : 1;
    const std::string slower = i == 0 || factor == 1
                                   ? rows[i][time]
                                   : std::to_string(std::stod(rows[i][time]) * factor * 1e6) + "e-6";
    edited += line.substr(0, start) + slower + line.substr(line.find(',', start)) + "\n";
  }
  folder.file("c.csv", edited);
  const Outcome worse = run(
      {"compare", folder.path("a"), folder.path("c.csv"), "--threshold", "time_s=+2%", "--format", "json"});
  CHECK(worse.code == 4);
  const auto json = nlohmann::json::parse(worse.out);
  std::size_t crossed = 0;
  for (const auto& row : json["rows"]) crossed += row["crossed"].empty() ? 0U : 1U;
  CHECK(json["rows"].size() == 1000);
  CHECK(crossed == 37);
}
