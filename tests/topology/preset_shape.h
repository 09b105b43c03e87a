// A preset's rows as a shape, read by a few lines of the test's own, so that the room's figures are checked
// without the reader above it.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "topology/presets.h"
#include "topology/topology.h"

namespace tahoma::test {

class PresetShape {
 public:
  explicit PresetShape(std::string name) : name_(std::move(name)) {}

  /// `count` scale-up domains in one site, or the preset's own sites.
  ClusterShape shape(std::uint32_t count) const {
    ClusterShape shape;
    for (int i = 0; has(entry(i) + "kind"); ++i) {
      for (const Dimension& d : dimensions(entry(i))) shape.scale_up.push_back(d);
      if (i == 0) shape.server_dimensions = static_cast<std::uint32_t>(shape.scale_up.size());
    }
    if (has("fabric.scale_out.0.kind")) shape.clos = clos("fabric.scale_out.0.");
    for (int i = 0; has("sites." + std::to_string(i) + ".name"); ++i) {
      const std::string site = "sites." + std::to_string(i) + ".";
      shape.sites.push_back({text(site + "name"), number(site + "ultraservers")});
    }
    if (shape.sites.empty()) shape.sites.push_back({"", count});
    for (int i = 0; has("fabric.wan." + std::to_string(i) + ".a"); ++i) {
      shape.wans.push_back(wan("fabric.wan." + std::to_string(i) + ".", shape.sites));
    }
    return shape;
  }

  bool has(const std::string& path) const { return preset_value(name_, path).has_value(); }
  std::string text(const std::string& path) const {
    const auto value = preset_value(name_, path);
    if (!value) throw std::runtime_error(name_ + " has no " + path);
    return std::string(*value);
  }
  std::uint32_t number(const std::string& path) const {
    return static_cast<std::uint32_t>(std::stoul(text(path)));
  }

  /// "1.5us" -> {15, -1} and "us".
  static std::pair<Decimal, std::string> quantity(const std::string& text) {
    std::size_t at = text.find_first_not_of(" [");
    Decimal value;
    bool fraction = false;
    for (; at < text.size() && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9')); ++at) {
      if (text[at] == '.') {
        fraction = true;
      } else {
        value.mantissa = value.mantissa * 10 + (text[at] - '0');
        value.exponent -= fraction ? 1 : 0;
      }
    }
    return {value, text.substr(at, text.find_first_of(",] ", at) - at)};
  }

 private:
  static std::string entry(int i) { return "fabric.scale_up." + std::to_string(i) + "."; }

  static std::vector<std::string> items(const std::string& text) {
    std::vector<std::string> items;
    std::stringstream stream(text.front() == '[' ? text.substr(1, text.size() - 2) : text);
    for (std::string item; std::getline(stream, item, ',');)
      items.push_back(item.substr(item.find_first_not_of(' ')));
    return items;
  }

  static Decimal bandwidth(const std::string& text) {
    auto [value, unit] = quantity(text);
    if (unit == "GB/s") return {value.mantissa, value.exponent + 9};
    if (unit == "GiB/s") return {value.mantissa << 30, value.exponent};
    if (unit == "Gbps") return {value.mantissa * 125, value.exponent + 6};
    if (unit == "Tbps") return {value.mantissa * 125, value.exponent + 9};
    throw std::runtime_error("unit " + unit);
  }
  static Duration latency(const std::string& text) {
    auto [value, unit] = quantity(text);
    if (unit != "us") throw std::runtime_error("unit " + unit);
    std::int64_t ps = value.mantissa * 1'000'000;
    for (; value.exponent < 0; ++value.exponent) ps /= 10;
    return {ps};
  }
  Decimal plain(const std::string& path) const { return quantity(text(path)).first; }

  std::vector<Dimension> dimensions(const std::string& entry) const {
    const std::string kind = text(entry + "kind");
    Dimension d;
    d.kind = kind == "switch"   ? DimensionKind::switched
             : kind == "direct" ? DimensionKind::full
             : kind == "full"   ? DimensionKind::full
                                : DimensionKind::ring;
    d.bandwidth = bandwidth(text(entry + "bandwidth"));
    d.efficiency = plain(entry + "efficiency");
    d.latency = latency(text(entry + "latency"));
    if (has(entry + "planes")) d.planes = number(entry + "planes");
    if (has(entry + "links")) d.links = number(entry + "links");
    std::vector<Dimension> all;
    for (const std::string& size : items(text(entry + "size"))) {
      d.size = static_cast<std::uint32_t>(std::stoul(size));
      all.push_back(d);
    }
    return all;
  }

  Clos clos(const std::string& entry) const {
    Clos c;
    c.tiers = number(entry + "tiers");
    c.rails = number(entry + "rails");
    const auto size = items(text(entry + "size"));
    c.leaf_width = static_cast<std::uint32_t>(std::stoul(size.at(0)));
    if (size.size() > 1) c.leaves_per_pod = static_cast<std::uint32_t>(std::stoul(size.at(1)));
    for (const std::string& ratio : items(text(entry + "oversubscription"))) {
      c.oversubscription.push_back(quantity(ratio).first);
    }
    c.bandwidth = bandwidth(text(entry + "bandwidth"));
    c.efficiency = plain(entry + "efficiency");
    for (const std::string& item : items(text(entry + "latency"))) c.latency.push_back(latency(item));
    c.spines_per_pod = number(entry + "spines");
    if (has(entry + "cores")) c.cores = number(entry + "cores");
    if (has(entry + "planes")) c.planes = number(entry + "planes");
    return c;
  }

  Wan wan(const std::string& entry, const std::vector<Site>& sites) const {
    Wan w;
    w.name = text(entry + "name");
    const auto index = [&](const std::string& site) {
      for (std::uint32_t i = 0; i < sites.size(); ++i) {
        if (sites[i].name == site) return i;
      }
      throw std::runtime_error("site " + site);
    };
    w.a = index(text(entry + "a"));
    w.b = index(text(entry + "b"));
    w.bandwidth = bandwidth(text(entry + "bandwidth"));
    const auto [distance, unit] = quantity(text(entry + "distance"));
    w.latency = Duration{distance.mantissa * 4'900'000};  // 4.9 us/km
    return w;
  }

  std::string name_;
};

}  // namespace tahoma::test
