#include "collectives/stack/stack.h"

#include <algorithm>
#include <array>

namespace tahoma {
namespace {

constexpr std::array stack_figure_rows{
    StackFigure{"offered", &StackFigures::offered, "whether the way is there at all"},
    StackFigure{"least", &StackFigures::least, "the smallest size it is offered for"},
    StackFigure{"most", &StackFigures::most, "the largest size it is offered for"},
    StackFigure{"least_of_rank", &StackFigures::least_of_rank, "the same for the size divided by the ranks"},
    StackFigure{"most_of_rank", &StackFigures::most_of_rank, "the same for the size divided by the ranks"},
    StackFigure{"factor_up", &StackFigures::factor_up, "what is left of a link inside a scale-up domain"},
    StackFigure{"factor_out", &StackFigures::factor_out, "what is left of a link between domains"},
    StackFigure{"factor_chip", &StackFigures::factor_chip, "what is left of a rank's port inside its chip"},
    StackFigure{"step_up", &StackFigures::step_up, "added to a message's latency inside a domain"},
    StackFigure{"step_out", &StackFigures::step_out, "added to a message's latency between domains"},
    StackFigure{"overhead", &StackFigures::overhead,
                "added to the chip's overhead: each message occupies its lane"},
    StackFigure{"floor", &StackFigures::floor, "before the first send of every rank"},
    StackFigure{"floor_per_doubling", &StackFigures::floor_per_doubling,
                "the same for each doubling of the ranks"},
    StackFigure{"floor_per_domain", &StackFigures::floor_per_domain,
                "the same for each domain after the first"},
    StackFigure{"floor_per_rank", &StackFigures::floor_per_rank, "the same for each other rank"},
    StackFigure{"least_time", &StackFigures::least_time,
                "the host starts one collective after another no faster than this"},
    StackFigure{"copy_rate", &StackFigures::copy_rate,
                "at which a rank copies its part of the buffer before its first send"},
    StackFigure{"reduction_rate", &StackFigures::reduction_rate, "at which a rank adds what it receives"},
    StackFigure{"chunks", &StackFigures::chunks,
                "at most so many chunks follow each other through the levels"},
    StackFigure{"chunk", &StackFigures::chunk, "no chunk is smaller"},
    StackFigure{"channels", &StackFigures::channels, "copies of the schedule side by side"},
    StackFigure{"channel_rate", &StackFigures::channel_rate,
                "what the thread block of one channel moves: no link carries more than all channels do"},
};

constexpr std::array known_stacks{
    Stack{"nccl", "v100|a100|h100|h200|h800|b200|b300|gb200|gb300", "NVIDIA's NCCL"},
    Stack{"rccl", "mi", "AMD's RCCL"},
    Stack{"msccl", "v100|a100|h100|h200|h800|b200|b300|gb200|gb300|mi",
          "MSCCL and MSCCL++: kernels of one or two exchanges beside NCCL's"},
    Stack{"neuron", "trainium|inferentia", "the collectives of the Neuron runtime"},
    Stack{"xla", "tpu-", "the collectives of XLA on TPUs"},
};

bool names_chip(const Stack& stack, std::string_view chip) {
  const auto words = words_of(stack.chips);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return chip.starts_with(word); });
}

bool among(std::string_view names, std::string_view word) {
  const auto words = words_of(names);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// 2.9 < 2.18: number by number.
std::vector<std::uint32_t> numbers_of(std::string_view version) {
  std::vector<std::uint32_t> numbers{0};
  for (const char c : version) {
    if (c == '.') {
      numbers.push_back(0);
    } else {
      numbers.back() = numbers.back() * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  return numbers;
}

/// How particular a row is about the platform: 2 names the preset, 1 the chip, 0 nothing; -1 another one.
int fit_of(const StackParameter& row, const StackPlatform& platform) {
  const bool too_new =
      !platform.version.empty() && !row.since.empty() && numbers_of(platform.version) < numbers_of(row.since);
  if (too_new) return -1;
  if (row.platform.empty()) return 0;
  if (among(row.platform, platform.preset)) return 2;
  return among(row.platform, platform.chip) ? 1 : -1;
}

}  // namespace

std::span<const StackFigure> stack_figures() {
  return stack_figure_rows;
}

std::span<const Stack> stacks() {
  return known_stacks;
}

const Stack* stack_named(std::string_view name) {
  const auto* at = std::find_if(known_stacks.begin(), known_stacks.end(),
                                [&](const Stack& stack) { return stack.name == name; });
  return at == known_stacks.end() ? nullptr : at;
}

bool runs_on(const Stack& stack, std::string_view chip) {
  const bool somebodys = std::any_of(known_stacks.begin(), known_stacks.end(),
                                     [&](const Stack& other) { return names_chip(other, chip); });
  return !somebodys || names_chip(stack, chip);
}

std::string_view name_of(Provenance provenance) {
  constexpr std::array<std::string_view, 4> names{"published", "measured", "fitted", "assumed"};
  return names[static_cast<std::size_t>(provenance)];
}

std::string_view name_of(Spread spread) {
  constexpr std::array<std::string_view, 3> names{"one domain", "several domains", "any"};
  return names[static_cast<std::size_t>(spread)];
}

std::vector<StackCase> stack_cases(std::string_view stack, Collective collective, Spread spread) {
  std::vector<StackCase> cases;
  for (const StackWay& way : stack_ways()) {
    const bool spread_fits = way.spread == Spread::any || way.spread == spread;
    if (way.stack != stack || !spread_fits || !among(way.collectives, name_of(collective))) continue;
    if (way.protocols.empty()) cases.push_back({&way, {}, collective});
    for (const std::string_view protocol : words_of(way.protocols))
      cases.push_back({&way, protocol, collective});
  }
  return cases;
}

std::vector<std::string> protocols_of(std::string_view stack) {
  std::vector<std::string> protocols;
  for (const StackWay& way : stack_ways()) {
    if (way.stack != stack) continue;
    for (const std::string_view word : words_of(way.protocols)) {
      if (std::find(protocols.begin(), protocols.end(), word) == protocols.end())
        protocols.emplace_back(word);
    }
  }
  return protocols;
}

std::vector<std::string> parameter_names(const StackCase& of, std::string_view figure) {
  const std::array<std::string_view, 3> parts{name_of(of.collective), of.way->name, of.protocol};
  std::vector<std::string> names;
  for (std::uint32_t named = 8; named-- > 0;) {
    std::string name;
    bool has_all = true;
    for (std::uint32_t part = 0; part < 3; ++part) {
      if ((named >> (2 - part) & 1) == 0) continue;
      has_all &= !parts[part].empty();
      name += std::string(parts[part]) + ".";
    }
    if (has_all) names.push_back(name + std::string(figure));
  }
  return names;
}

const StackParameter* deciding_row(std::span<const StackParameter> rows, const StackCase& of,
                                   std::string_view figure, const StackPlatform& platform) {
  for (const std::string& name : parameter_names(of, figure)) {
    const StackParameter* best = nullptr;
    int best_fit = -1;
    for (const StackParameter& row : rows) {
      if (row.name != name) continue;
      const int fit = fit_of(row, platform);
      const bool better =
          fit > best_fit || (fit >= 0 && fit == best_fit && numbers_of(row.since) >= numbers_of(best->since));
      if (better) best = &row, best_fit = fit;
    }
    if (best != nullptr) return best;
  }
  return nullptr;
}

bool is_version(std::string_view text) {
  if (text.empty() || text.size() > 16 || text.front() == '.' || text.back() == '.') return false;
  std::size_t digits = 0;
  for (const char c : text) {
    if (c != '.' && (c < '0' || c > '9')) return false;
    digits = c == '.' ? 0 : digits + 1;
    if (digits > 6) return false;
  }
  return text.find("..") == std::string_view::npos;
}

std::vector<std::string_view> words_of(std::string_view names) {
  std::vector<std::string_view> words;
  while (!names.empty()) {
    const std::size_t bar = std::min(names.find('|'), names.size());
    words.push_back(names.substr(0, bar));
    names.remove_prefix(std::min(bar + 1, names.size()));
  }
  return words;
}

}  // namespace tahoma
