// stdout carries results and nothing else; what is wrong with a stream or a folder is exit 5, not a crash.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/apps/program.h"
#include "tests/apps/scenario_texts.h"

using namespace tahoma::program;
using Catch::Matchers::Contains;
using Json = nlohmann::ordered_json;

namespace {

int exit_code_of_shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string many_sizes(const Folder& folder) {
  // Long enough to be interrupted on any machine, in rows that are each short.
  return folder.file("many.yaml", R"yaml(apiVersion: tahoma/v1
name: many-sizes
cluster: {chip: generic, count: 1}
fabric: {scale_up: [{kind: torus, size: [4, 4, 4], bandwidth: 50GB/s, latency: 500ns}]}
workload: {collective: all_reduce, sizes: "range(1MiB, 9000MiB, 1MiB)", algorithm: ring}
)yaml");
}

}  // namespace

TEST_CASE("a full device under stdout is exit 5") {
  const Folder folder;
  Start start;
  start.arguments = {"run", folder.file("ring.yaml", ring_of_four)};
  start.out = Stream::full_device;
  const Outcome outcome = run(start);
  CHECK(outcome.code == 5);
  CHECK_THAT(outcome.err, Contains("cannot write to stdout"));
}

TEST_CASE("a closed stdout is exit 5, and no file of the run takes its place") {
  const Folder folder;
  Start start;
  start.arguments = {
      "run", folder.file("ring.yaml", ring_of_four), "--format", "csv", "--out", folder.path("out")};
  start.out = Stream::closed;
  CHECK(run(start).code == 5);
  CHECK(Json::parse(content(folder.path("out/result.json")))["name"] == "ring-of-four");
}

TEST_CASE("a reader that goes away does not crash the program") {
  const Folder folder;
  const std::string command = std::string(TAHOMA_PROGRAM) + " run " + folder.file("ring.yaml", ring_of_four) +
                              " > " + folder.path("fifo") + " 2> " + folder.path("err");
  REQUIRE(exit_code_of_shell("mkfifo " + folder.path("fifo")) == 0);
  // the reader opens the pipe and closes it without reading a byte
  CHECK(exit_code_of_shell("(: < " + folder.path("fifo") + ") & " + command) == 0);
  CHECK(content(folder.path("err")).empty());
}

TEST_CASE("the flag --out writes the files, and prints as without it") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  const Outcome outcome = run({"run", file, "--format", "json", "--out", folder.path("deep/out")});
  CHECK(outcome.code == 0);
  CHECK(content(folder.path("deep/out/result.json")) == outcome.out);
  CHECK(content(folder.path("deep/out/result.csv")) == run({"run", file, "--format", "csv"}).out);
  CHECK_THAT(content(folder.path("deep/out/links.csv")), Contains("utilization"));
  CHECK_FALSE(std::filesystem::exists(folder.path("deep/out/flows.csv")));
}

TEST_CASE("the folder of a run of 1,179,648 chips holds classes, not chips: far below 50 MB") {
  const Folder folder;
  const std::string file = TAHOMA_SOURCE_DIR "/scenarios/library/ultracluster3.yaml";
  const Outcome outcome = run({"run", file, "--format", "json", "--out", folder.path("out")});
  CHECK(outcome.code == 0);
  CHECK(Json::parse(outcome.out)["cluster"]["chips"] == 1'179'648);
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("out")))
    bytes += entry.file_size();
  CHECK(bytes > 1'000);
  CHECK(bytes < 50'000'000);
}

TEST_CASE("resolved.yaml runs to the same bytes") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  const Outcome first =
      run({"run", file, "--set", "workload.algorithm=auto", "--format", "json", "--out", folder.path("a")});
  const Outcome again =
      run({"run", folder.path("a/resolved.yaml"), "--format", "json", "--out", folder.path("b")});
  CHECK(again.code == 0);
  CHECK(again.out == first.out);
  CHECK(content(folder.path("a/resolved.yaml")) == content(folder.path("b/resolved.yaml")));
}

TEST_CASE("an unwritable --out is exit 5 before anything is computed or printed") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  for (const std::string& out : {file, file + "/below", std::string("/proc/tahoma/out")}) {
    CAPTURE(out);
    const Outcome outcome = run({"run", file, "--out", out});
    CHECK(outcome.code == 5);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("cannot"));
  }
}

TEST_CASE("a disk that takes no more bytes is exit 5 and leaves no half a file") {
  const Folder folder;
  const std::string file = folder.file("ring.yaml", ring_of_four);
  // the shell's limit on file size stands for the full disk: 8 blocks of 512 B hold no trial file of 64 KiB
  const int code = exit_code_of_shell("ulimit -f 8; " + std::string(TAHOMA_PROGRAM) + " run " + file +
                                      " --out " + folder.path("out") + " > /dev/null 2>&1");
  CHECK(code == 5);
  CHECK(std::filesystem::is_empty(folder.path("out")));
}

TEST_CASE("colour and progress appear on a terminal only, and NO_COLOR is honoured") {
  const Folder folder;
  Start start;
  start.arguments = {"run", folder.file("ring.yaml", ring_of_four)};
  CHECK(run(start).out.find('\033') == std::string::npos);
  CHECK(run(start).err.empty());
  start.out = start.err = Stream::terminal;
  CHECK(run(start).out.find("\033[1m") != std::string::npos);
  CHECK_THAT(run(start).err, Contains("row 1 of 6"));
  start.environment = {"NO_COLOR=1"};
  CHECK(run(start).out.find('\033') == std::string::npos);
  start.environment = {"TERM=dumb"};
  CHECK(run(start).out.find('\033') == std::string::npos);
}

TEST_CASE("an interrupt lets the row in flight finish: exit 130 with the rows that are done") {
  const Folder folder;
  Start start;
  start.arguments = {"run",   many_sizes(folder), "--solver", "engine", "--format", "json",
                     "--out", folder.path("out")};
  start.err = Stream::terminal;  // the progress bar tells when some rows are done
  bool sent = false;
  start.on_err = [&](int process, const std::string& err) {
    if (!sent && err.find("row 3 of") != std::string::npos) sent = ::kill(process, SIGINT) == 0;
  };
  const Outcome outcome = run(start);
  CHECK(sent);
  CHECK(outcome.code == 130);
  const Json json = Json::parse(outcome.out);
  CHECK(json["interrupted"] == true);
  CHECK(json["collectives"].size() >= 3);
  CHECK(json["collectives"].size() < 9000);
  CHECK(content(folder.path("out/result.json")) == outcome.out);
}

TEST_CASE("a second interrupt ends the program at once, in the middle of a row") {
  const Folder folder;
  Start start;
  // 2 x 4095 steps of 4096 ranks: 33 million messages in one row, so the row is still in flight
  const std::string file = folder.file("slow.yaml", R"(apiVersion: tahoma/v1
name: slow
cluster: {chip: generic, count: 1}
fabric: {scale_up: [{kind: ring, size: 4096, bandwidth: 50GB/s, latency: 500ns}]}
workload: {collective: all_reduce, sizes: 1GiB, algorithm: ring}
)");
  start.arguments = {"run", file, "--solver", "engine"};
  start.err = Stream::terminal;
  Outcome outcome;
  // The bar appears a moment before the row begins; an interrupt in between ends the run without one. So the
  // first interrupt waits a little, and longer if it still came too early.
  for (int wait_ms = 50; wait_ms <= 1600 && (wait_ms == 50 || !outcome.out.empty()); wait_ms *= 2) {
    int sent = 0;
    start.on_err = [&](int process, const std::string& err) {
      const bool first = sent == 0 && err.find("first row") != std::string::npos;
      const bool second = sent == 1 && err.find("interrupted;") != std::string::npos;
      if (first) std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      if (first || second) sent += ::kill(process, SIGINT) == 0 ? 1 : 0;
    };
    outcome = run(start);
    CHECK(sent == 2);
    CHECK(outcome.code == 130);
  }
  CHECK(outcome.out.empty());
}
