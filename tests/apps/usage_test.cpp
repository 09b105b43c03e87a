// The command line itself: what is answered before any scenario is read.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/scenario_texts.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;

namespace {

const std::vector<std::string> built_commands{"run",        "check",    "explain", "presets", "topology",
                                              "algorithms", "schedule", "compare", "schema",  "import"};

}  // namespace

TEST_CASE("a mistake on the command line is exit 1, names the nearest word and leaves stdout empty") {
  struct Case {
    std::vector<std::string> arguments;
    std::string says;
  };
  const std::vector<Case> cases{
      {{}, "a command is needed"},
      {{"chekc", "x.yaml"}, "did you mean 'check'?"},
      {{"x.yaml"}, "did you mean 'tahoma run x.yaml'?"},
      {{"run"}, "FILE is required"},
      {{"run", "x.yaml", "--formt", "json"}, "did you mean '--format'?"},
      {{"run", "x.yaml", "--format", "jsn"}, "did you mean 'json'?"},
      {{"run", "x.yaml", "--format"}, "--format"},
      {{"run", "x.yaml", "--solver", "engin"}, "did you mean 'engine'?"},
      {{"run", "x.yaml", "--seed", "-1"}, "'-1' is not a whole number"},
      {{"run", "x.yaml", "--seed", ""}, "not a whole number"},
      {{"run", "x.yaml", "--set", "no-equals-sign"}, "path=value"},
      {{"run", "x.yaml", "--out", ""}, "--out needs the name of a folder"},
      {{"run", "x.yaml", "y.yaml"}, "'y.yaml' is one argument too many"},
      {{"topology", "x.yaml", "--format", "svg"}, "summary, dot, graphml, json"},
      {{"check"}, "FILE is required"},
      {{"algorithms", "ring"}, "'ring' is one argument too many"},
      {{"--colour", "run", "x.yaml"}, "unknown flag '--colour'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.says);
    const Outcome outcome = run(c.arguments);
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains(c.says));
    CHECK_THAT(outcome.err, Contains("--help"));
  }
}

TEST_CASE("help goes to stdout, exits 0 and teaches by example") {
  CHECK_THAT(run({"--help"}).out, Contains("tahoma run scenarios/library/"));
  for (const std::string& command : built_commands) {
    CAPTURE(command);
    const Outcome outcome = run({command, "--help"});
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, Contains("Example") && Contains("tahoma " + command));
    CHECK(outcome.err.empty());
  }
  CHECK_THAT(run({"--version"}).out, Contains("tahoma "));
}

TEST_CASE("the flag --seed N is --set seed=N") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  const Outcome seed = run({"run", file, "--seed", "7", "--format", "json"});
  CHECK(seed.code == 0);
  CHECK(seed.out == run({"run", file, "--set", "seed=7", "--format", "json"}).out);
}

TEST_CASE("the flag -f takes one file each time and leaves FILE alone") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  const std::string first = folder.file("first.yaml", "name: first\ndescription: laid over\n");
  const std::string second = folder.file("second.yaml", "name: second\n");
  const Outcome outcome = run({"run", "-f", first, "-f", second, file, "--format", "json"});
  CHECK(outcome.code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["name"] == "second");  // the later overlay wins
  CHECK(json["description"] == "laid over");
}
