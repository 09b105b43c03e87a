#include "scenarios/hardware_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "topology/presets.h"

namespace tahoma {

namespace {

std::string value_or_blank(const std::string& preset, std::string_view path) {
  return std::string(preset_value(preset, path).value_or(""));
}

/// "torus [4, 4] 128GB/s, ring 4 64GB/s" of a fabric's list.
std::string dimensions_of(const std::string& preset, std::string_view list) {
  std::string text;
  for (int i = 0;; ++i) {
    const std::string entry = fmt::format("fabric.{}.{}.", list, i);
    const std::string kind = value_or_blank(preset, entry + "kind");
    if (kind.empty()) return text;
    std::string ports = value_or_blank(preset, entry + "planes");
    if (ports.empty()) ports = value_or_blank(preset, entry + "links");
    const std::string size = kind == "clos" ? "" : value_or_blank(preset, entry + "size");
    text += fmt::format("{}{}{}{}, {}{}", text.empty() ? "" : "; ", kind, size.empty() ? "" : " ", size,
                        ports.empty() ? "" : ports + " x ", value_or_blank(preset, entry + "bandwidth"));
  }
}

std::string systems_table() {
  std::string text =
      "\n## Systems\n\n| preset | what it is | scale-up | scale-out, per chip |\n|---|---|---|---|\n";
  for (const std::string& name : preset_names()) {
    const bool graph = preset_value(name, "fabric.graph.links").has_value();
    text += fmt::format("| `{}` | {} | {} | {} |\n", name, value_or_blank(name, "describes"),
                        graph ? "graph" : dimensions_of(name, "scale_up"), dimensions_of(name, "scale_out"));
  }
  return text;
}

std::string figures_table() {
  constexpr std::array<std::string_view, 6> keys{"fp4_dense", "fp8_dense",     "bf16_dense",
                                                 "hbm",       "hbm_bandwidth", "tdp"};
  std::string text =
      "\n## Figures of a chip\n\n| preset | FP4 dense | FP8 dense | BF16 dense | HBM | HBM bandwidth | TDP "
      "|\n"
      "|---|---|---|---|---|---|---|\n";
  for (const std::string& name : preset_names()) {
    std::string row, all;
    for (const std::string_view key : keys) {
      const std::string value = value_or_blank(name, fmt::format("facts.{}", key));
      all += value;
      row += " " + value + " |";
    }
    if (!all.empty()) text += fmt::format("| `{}` |{}\n", name, row);
  }
  return text;
}

std::string shortened(std::string_view value) {
  return value.size() <= 60 ? std::string(value) : "another graph";
}

std::string conflicts_table() {
  std::string text =
      "\n## Other readings of the sources\n\n| ask for | figure | preset has | this reading | source | note "
      "|\n"
      "|---|---|---|---|---|---|\n";
  for (const PresetRow& row : preset_rows()) {
    if (row.variant.empty()) continue;
    text += fmt::format("| `{}@{}` | `{}` | {} | {} | {} | {} |\n", row.preset, row.variant, row.path,
                        shortened(value_or_blank(std::string(row.preset), row.path)), shortened(row.value),
                        row.source, row.note);
  }
  return text;
}

std::string claims_table() {
  std::string text =
      "\n## What the press gets wrong\n\n| said by | statement | verdict | instead | source |\n"
      "|---|---|---|---|---|\n";
  for (const PressClaim& claim : press_claims()) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", claim.where, claim.claim, claim.verdict, claim.truth,
                        claim.source);
  }
  return text;
}

std::string sources_table() {
  std::string text = "\n## Sources\n\n| source | what it is |\n|---|---|\n";
  for (const PresetSource& source : preset_sources())
    text += fmt::format("| {} | {} |\n", source.key, source.text);
  return text;
}

}  // namespace

std::string hardware_page() {
  return systems_table() + figures_table() + conflicts_table() + claims_table() + sources_table();
}

}  // namespace tahoma
