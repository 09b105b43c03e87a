#include "scenarios/sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "core/random.h"
#include "scenarios/complaint.h"
#include "scenarios/json_text.h"

namespace tahoma {

namespace {

using Json = nlohmann::json;

constexpr std::string_view manifest_schema = "tahoma.sweep/1";
constexpr std::string_view manifest_scenario = "scenario.yaml";  // what messages call its text

/// 64-bit hash of texts, each closed off from the next.
class TextHash {
 public:
  TextHash& add(std::string_view text) {
    for (const char c : text) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    state_ = mix64(state_ ^ text.size());
    return *this;
  }
  std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// The number of points of the whole grid, at most 2^63.
std::uint64_t grid_size(const SweepSpec& spec) {
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  std::uint64_t size = 1;
  for (const SweepAxis& axis : spec.axes) {
    if (size > most / axis.values.size()) return most;
    size *= axis.values.size();
  }
  return size;
}

void choose_grid(SweepPlan& plan) {
  // The last axis runs fastest, as nested loops would have it.
  const auto& axes = plan.spec.axes;
  for (std::uint64_t point = 0; point < plan.points; ++point) {
    std::uint64_t rest = point;
    const std::size_t first = plan.choices.size();
    plan.choices.resize(first + axes.size());
    for (std::size_t a = axes.size(); a-- > 0; rest /= axes[a].values.size())
      plan.choices[first + a] = static_cast<std::uint32_t>(rest % axes[a].values.size());
  }
}

void choose_zip(SweepPlan& plan) {
  for (std::uint64_t point = 0; point < plan.points; ++point)
    plan.choices.insert(plan.choices.end(), plan.spec.axes.size(), static_cast<std::uint32_t>(point));
}

void choose_random(SweepPlan& plan) {
  const auto& axes = plan.spec.axes;
  Random random(plan.spec.seed);
  std::set<std::vector<std::uint32_t>> drawn;
  while (drawn.size() < plan.points) {
    std::vector<std::uint32_t> choice;
    for (const SweepAxis& axis : axes)
      choice.push_back(static_cast<std::uint32_t>(random.below(axis.values.size())));
    if (!drawn.insert(choice).second) continue;
    plan.choices.insert(plan.choices.end(), choice.begin(), choice.end());
  }
}

/// A Latin hypercube: each axis is cut into as many strata as there are points, and every stratum taken once.
void choose_latin(SweepPlan& plan) {
  const auto& axes = plan.spec.axes;
  const std::uint64_t n = plan.points;
  plan.choices.resize(n * axes.size());
  Random random(plan.spec.seed);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const auto order =
        draw_without_replacement(random, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n));
    for (std::uint64_t point = 0; point < n; ++point) {
      const std::uint64_t middle = 2 * std::uint64_t{order[point]} + 1;
      plan.choices[point * axes.size() + a] =
          static_cast<std::uint32_t>(middle * axes[a].values.size() / (2 * n));
    }
  }
}

void choose(SweepPlan& plan, std::uint64_t most_points, const Place& place) {
  using Mode = SweepSpec::Mode;
  const SweepSpec& spec = plan.spec;
  const std::uint64_t grid = grid_size(spec);
  plan.points = spec.mode == Mode::grid  ? grid
                : spec.mode == Mode::zip ? spec.axes.front().values.size()
                                         : spec.samples;
  const auto complain = [&](const std::string& because, const std::string& accepted) {
    refuse({place, "sweep", "", {because, accepted, ""}});
  };
  if (plan.points > most_points) {
    std::string product;
    for (const SweepAxis& axis : spec.axes)
      product += (product.empty() ? "" : " x ") + fmt::format("{} {}", axis.values.size(), axis.path);
    complain(fmt::format("has {} points ({}), more than --max-points {}", plan.points, product, most_points),
             "fewer values, mode random(N), or a larger --max-points");
  }
  // Half of the grid at most: drawing without repetition would otherwise go on for long.
  if (spec.mode == Mode::random && plan.points > grid / 2 + 1)
    complain(fmt::format("draws {} of {} points", plan.points, grid), "mode grid, or fewer draws");
  switch (spec.mode) {
    case Mode::grid:
      return choose_grid(plan);
    case Mode::zip:
      return choose_zip(plan);
    case Mode::random:
      return choose_random(plan);
    case Mode::lhs:
      return choose_latin(plan);
  }
}

}  // namespace

ScenarioFiles files_of(const SweepPlan& plan) {
  LoadRequest request;
  request.file = (std::filesystem::path(plan.folder) / manifest_scenario).string();
  request.text = plan.text;
  request.sets = plan.sets;
  return ScenarioFiles(request);
}

namespace {

/// From text, folder, --set, -m and version to the rest.
void complete(SweepPlan& plan, std::uint64_t most_points, const Place& place) {
  const ScenarioFiles files = files_of(plan);
  plan.spec = read_sweep(files.sweep(), plan.multiplied);
  if (plan.spec.axes.empty()) {
    refuse({place,
            "sweep",
            "",
            {"has nothing to vary", "sweep: {cluster.count: [1, 2, 4]}, variants, or -m cluster.count=1,2,4",
             ""}});
  }
  plan.base = files.text(false);
  for (const std::string& set : plan.sets) plan.base += "\n--set " + set;
  choose(plan, most_points, place);
}

}  // namespace

SweepPlan plan_sweep(const PlanRequest& request) {
  const ScenarioFiles files(request.scenario);
  read_sweep(files.sweep(), request.multiplied);  // what is wrong is told at its place in the files
  SweepPlan plan;
  plan.version = request.version;
  plan.name = std::filesystem::path(request.scenario.file).stem().string();
  std::error_code ignored;
  plan.folder = std::filesystem::absolute(request.scenario.file, ignored).parent_path().string();
  plan.text = files.text(true);
  plan.sets = request.scenario.sets;
  plan.multiplied = request.multiplied;
  const bool bare = files.sweep().kind == Node::Kind::empty;
  complete(plan, request.most_points, bare ? Place{request.scenario.file, 1, 1} : files.sweep().place);
  return plan;
}

const AxisValue& coordinate(const SweepPlan& plan, std::uint64_t point, std::size_t axis) {
  return plan.spec.axes[axis].values[plan.choices[point * plan.spec.axes.size() + axis]];
}

std::string point_id(const SweepPlan& plan, std::uint64_t point) {
  TextHash hash;
  hash.add(plan.base);
  for (std::size_t a = 0; a < plan.spec.axes.size(); ++a)
    hash.add(plan.spec.axes[a].path)
        .add(coordinate(plan, point, a).text)
        .add(coordinate(plan, point, a).meaning);
  return hash.text();
}

std::string plan_id(const SweepPlan& plan) {
  TextHash hash;
  hash.add(plan.version);
  for (std::uint64_t point = 0; point < plan.points; ++point) hash.add(point_id(plan, point));
  return hash.text();
}

std::string plan_lines(const SweepPlan& plan) {
  std::string lines;
  for (std::uint64_t point = 0; point < plan.points; ++point) {
    nlohmann::ordered_json coordinates = nlohmann::ordered_json::object();
    for (std::size_t a = 0; a < plan.spec.axes.size(); ++a)
      coordinates[plan.spec.axes[a].path] = coordinate(plan, point, a).text;
    nlohmann::ordered_json line;
    line["point"] = point;
    line["id"] = point_id(plan, point);
    line["coordinates"] = std::move(coordinates);
    lines += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  return lines;
}

std::string manifest_text(const SweepPlan& plan) {
  nlohmann::ordered_json manifest;
  manifest["schema"] = manifest_schema;
  manifest["version"] = plan.version;
  manifest["plan"] = plan_id(plan);
  manifest["points"] = plan.points;
  manifest["name"] = plan.name;
  manifest["folder"] = plan.folder;
  manifest["set"] = plan.sets;
  manifest["multiplied"] = plan.multiplied;
  manifest["scenario"] = plan.text;
  return manifest.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

SweepPlan plan_from_manifest(const std::string& text, const std::string& file, const std::string& version) {
  SweepPlan plan;
  std::string id;
  std::uint64_t points = 0;
  try {
    const Json manifest = Json::parse(text);
    if (manifest.at("schema") != manifest_schema) throw ScenarioError(file + ": is no plan of a sweep");
    manifest.at("version").get_to(plan.version);
    manifest.at("plan").get_to(id);
    manifest.at("points").get_to(points);
    manifest.at("name").get_to(plan.name);
    manifest.at("folder").get_to(plan.folder);
    manifest.at("set").get_to(plan.sets);
    manifest.at("multiplied").get_to(plan.multiplied);
    manifest.at("scenario").get_to(plan.text);
  } catch (const Json::exception& error) {
    throw ScenarioError(fmt::format("{}: is no plan of a sweep: {}", file, error.what()));
  }
  if (plan.version != version) {
    throw ScenarioError(
        fmt::format("{}: was planned by version {}, this is version {}; plan it anew in another folder", file,
                    plan.version, version));
  }
  complete(plan, points, {file, 1, 1});
  if (plan_id(plan) != id)
    throw ScenarioError(fmt::format("{}: does not give the points that were planned; it was edited", file));
  return plan;
}

}  // namespace tahoma
