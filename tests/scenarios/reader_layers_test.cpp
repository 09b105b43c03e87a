// Layers: who wins, what is replaced and what is merged, and where a value says it came from.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/scenarios/reader_support.h"

using namespace tahoma;
namespace fs = std::filesystem;

namespace {

/// A folder of its own, gone at the end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tahoma-layers-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

const ClusterShape& shape_of(const Scenario& scenario) {
  return std::get<ClusterShape>(scenario.network);
}

const CollectiveWork& work_of(const Scenario& scenario) {
  return std::get<CollectiveWork>(scenario.jobs.at(0).work);
}

Explained explained(const LoadRequest& request, const std::string& path) {
  for (const Explained& row : explain(request)) {
    if (row.path == path) return row;
  }
  FAIL("nothing explains " << path);
  return {};
}

}  // namespace

TEST_CASE("preset < extends < file < overlay < --set, each seen where the later ones are silent") {
  const Folder folder;
  folder.write(
      "base.yaml",
      "extends: trn2-ultraserver\ndescription: base\ncluster: {count: 2, chip: {overhead: 1us}}\nseed: 1\n");
  const std::string file = folder.write("file.yaml",
                                        "extends: [base.yaml]\ndescription: file\nname: file\nworkload: "
                                        "{collective: all_reduce, sizes: 1MiB}\n");
  const std::string over = folder.write("over.yaml", "name: over\nworkload: {sizes: 2MiB}\n");
  const Scenario alone = load({file, {}, {}});
  CHECK(alone.name == "file");
  CHECK(alone.description == "file");
  CHECK(alone.overhead.ps == 1'000'000);            // base.yaml
  CHECK(shape_of(alone).sites.at(0).domains == 2);  // base.yaml
  CHECK(shape_of(alone).scale_up.at(2).size == 4);  // the preset's ring between servers
  CHECK(alone.preset == "trn2-ultraserver");
  const Scenario all = load({file, {over}, {"workload.sizes=4MiB", "cluster.count=3"}});
  CHECK(all.name == "over");
  CHECK(work_of(all).sizes == std::vector<Bytes>{{4ULL << 20}});
  CHECK(shape_of(all).sites.at(0).domains == 3);
}

TEST_CASE("later entries of extends and later --set win") {
  const Folder folder;
  folder.write("a.yaml", "seed: 1\nname: a\n");
  folder.write("b.yaml", "seed: 2\n");
  const std::string file = folder.write("c.yaml", "extends: [a.yaml, b.yaml]\n" + ring_of_eight);
  CHECK(load({file, {}, {}}).seed == 2);
  CHECK(load({file, {}, {}}).name == "a");
  CHECK(load({file, {}, {"seed=3", "seed=4"}}).seed == 4);
}

TEST_CASE("cluster.preset lies below everything else") {
  const Scenario scenario = load(text_request("cluster: {preset: trn2-server, count: 2}\n" + one_all_reduce));
  CHECK(shape_of(scenario).scale_up.size() == 2);
  CHECK(shape_of(scenario).sites.at(0).domains == 2);
  CHECK(scenario.unit == "server");
  const Scenario sites = load(text_request(
      "sites: [{name: a, preset: trn2-server, servers: 1}, {name: b, preset: trn2-server, servers: 1}]\n" +
      one_all_reduce));
  CHECK(sites.preset == "trn2-server");
}

TEST_CASE("lists are replaced, maps are merged") {
  const Scenario scenario =
      load(text_request("extends: trn2-ultraserver\nfabric: {scale_up: [{kind: ring, size: 3, bandwidth: "
                        "1GB/s, latency: 1us}]}\n"
                        "cluster: {chip: {overhead: 5ns}}\n" +
                            one_all_reduce,
                        {"fabric.scale_out.0.rails=3"}));
  CHECK(shape_of(scenario).scale_up.size() == 1);
  CHECK(scenario.overhead.ps == 5'000);
  CHECK(shape_of(scenario).clos.has_value());  // the preset's, merged beside the new scale_up
  CHECK(shape_of(scenario).clos->rails == 3);
}

TEST_CASE("keys that exclude each other are taken over whole") {
  const std::string text =
      ring_and +
      "workload: {collective: all_reduce, sizes: 1MiB, ranks: {stride: 2}, algorithm: {intra: ring}}\n";
  CHECK(std::get<RanksBy>(work_of(load(text_request(text, {"workload.ranks={by: server}"}))).ranks.value)
            .level == Level::server);
  CHECK(work_of(load(text_request(text, {"workload.algorithm=direct"}))).algorithms.at(0).name == "direct");
  const Scenario flows = load(text_request(text, {"workload={flows: [{from: c0, to: c1, bytes: 1MB}]}"}));
  CHECK(std::holds_alternative<FlowWork>(flows.jobs.at(0).work));
  const Scenario sites =
      load(text_request("extends: rainier\n" + one_all_reduce,
                        {"sites=[{name: a, ultraservers: 4}, {name: b, ultraservers: 4}]", "fabric.wan=[]"}));
  CHECK(shape_of(sites).sites.at(1).domains == 4);
}

TEST_CASE("the flag --set reaches into lists and refuses what is not there") {
  CHECK(shape_of(load(text_request(ring_of_eight, {"fabric.scale_up.0.size=6"}))).scale_up.at(0).size == 6);
  CHECK(shape_of(
            load(text_request(ring_of_eight,
                              {"fabric.scale_up.0={kind: full, size: 5, bandwidth: 1GB/s, latency: 1us}"})))
            .scale_up.at(0)
            .kind == DimensionKind::full);
  struct BadSetting {
    std::string setting, says;
  };
  const std::vector<BadSetting> table = {
      {"fabric.scale_up.1.size=6",
       "--set fabric.scale_up.1.size=6: key 'fabric.scale_up.1' is not there: the list 'fabric.scale_up' has "
       "1 elements"},
      {"fabric.scal_up.0.size=6", "did you mean 'fabric.scale_up'?"},
      {"workload.size=6MiB", "did you mean 'workload.sizes'?"},
      {"workload.sizes=64", "key 'workload.sizes': value '64' has no unit"},
      {"workload.ranks=*", "did you mean '\"*\"'?"},
      {"workload.ranks={by: sever}", "key 'workload.ranks.by': value 'sever'"},
      {"cluster.count", "path=value"},
      {"=4", "path=value"},
      {"extends=[trn2-server]", "cluster.preset"},
      {"cluster.count={", "--set cluster.count={: "},
      {"name=", "has no value"},
  };
  for (const BadSetting& bad : table) {
    const Refusal refusal = refusal_of(text_request(ring_of_eight, {bad.setting}));
    CAPTURE(bad.setting, refusal.message);
    CHECK(refusal.exit_code == 2);
    CHECK(refusal.message.find(bad.says) != std::string::npos);
  }
}

TEST_CASE("explain names the origin of every value") {
  const Folder folder;
  const std::string file = folder.write(
      "file.yaml", "extends: [trn2-server]\nworkload:\n  collective: all_reduce\n  sizes: 1MiB\n");
  const std::string over = folder.write("over.yaml", "seed: 3\n");
  const LoadRequest request{file, {over}, {"cluster.count=2"}};
  CHECK(explained(request, "workload.collective").origin == file + ":3:15");
  CHECK(explained(request, "seed").origin == over + ":1:7");
  CHECK(explained(request, "cluster.count").origin == "--set cluster.count=2");
  CHECK(explained(request, "workload.dtype").origin == "default");
  const Explained bandwidth = explained(request, "fabric.scale_up.0.bandwidth");
  CHECK(bandwidth.value == "128GB/s");
  CHECK(bandwidth.origin == "preset trn2-server");
  CHECK(bandwidth.source == "SA-t2");
  CHECK(bandwidth.confidence == "analyst");
}

TEST_CASE("a circle of extends is refused with its chain") {
  const Folder folder;
  folder.write("b.yaml", "extends: c.yaml\n");
  folder.write("c.yaml", "extends: a.yaml\n");
  const std::string a = folder.write("a.yaml", "extends: b.yaml\n" + ring_of_eight);
  const Refusal refusal = refusal_of({a, {}, {}});
  CHECK(refusal.exit_code == 2);
  CHECK(refusal.message.find("c.yaml:1:10: key 'extends' goes in a circle: ") != std::string::npos);
  CHECK(refusal.message.find("a.yaml -> ") != std::string::npos);
  const std::string self = folder.write("self.yaml", "extends: self.yaml\n");
  CHECK(refusal_of({self, {}, {}}).message.find("goes in a circle") != std::string::npos);
}

TEST_CASE("a diamond of extends that doubles at every step is cut off") {
  const Folder folder;
  for (int i = 0; i < 30; ++i) {
    const std::string next = "d" + std::to_string(i + 1) + ".yaml";
    folder.write("d" + std::to_string(i) + ".yaml", "extends: [" + next + ", " + next + "]\n");
  }
  const std::string last = folder.write("d30.yaml", ring_of_eight);
  const Refusal refusal = refusal_of({(fs::path(last).parent_path() / "d0.yaml").string(), {}, {}});
  CHECK(refusal.exit_code == 2);
  CHECK(refusal.message.find("more than 256 files") != std::string::npos);
}

TEST_CASE("files that cannot be read are refused by name") {
  const Folder folder;
  const std::string file = folder.write("a.yaml", "extends: [nothing.yaml]\n" + ring_of_eight);
  CHECK(refusal_of({file, {}, {}}).message.find("a.yaml:1:11: the file '") != std::string::npos);
  CHECK(refusal_of({"/nowhere/a.yaml", {}, {}}).exit_code == 2);
  CHECK(refusal_of({"/", {}, {}}).message.find("is a folder") != std::string::npos);
  CHECK(refusal_of({file, {"/nowhere/b.yaml"}, {}}).exit_code == 2);
}
