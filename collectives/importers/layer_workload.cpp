#include "collectives/importers/layer_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/errors.h"
#include "core/nearest.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_layers = 1'000'000, most_layer_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t most_layer_nanos =
    9'000'000'000'000;  // a thousandth of what a clock of picoseconds reaches
constexpr std::uint64_t most_layer_ranks = 1 << 24;

constexpr std::array<std::string_view, 2> run_policies = {"HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                          "HYBRID_TRANSFORMER"};
constexpr std::array<std::string_view, 11> other_policies = {"DATA",
                                                             "MODEL",
                                                             "HYBRID_DATA_MODEL",
                                                             "HYBRID_MODEL_DATA",
                                                             "HYBRID_DLRM",
                                                             "HYBRID_DLRM_ENHANCED",
                                                             "MICRO",
                                                             "DISTRIBUTED_INFERENCE",
                                                             "HYBRID_CUSTOMIZED",
                                                             "ALL",
                                                             "TRANSFORMER"};

struct LayerCollective {
  std::string_view word;
  Collective collective;
};
constexpr std::array layer_collectives = {
    LayerCollective{"ALLREDUCE", Collective::all_reduce},
    LayerCollective{"ALLGATHER", Collective::all_gather},
    LayerCollective{"REDUCESCATTER", Collective::reduce_scatter},
    LayerCollective{"ALLTOALL", Collective::all_to_all},
    LayerCollective{"BROADCAST", Collective::broadcast},
};
struct GroupSuffix {
  std::string_view suffix;
  LayerGroup group;
};
// The longer one first, since it ends like the shorter.
constexpr std::array group_suffixes = {GroupSuffix{"_DP_EP", LayerGroup::data_expert},
                                       GroupSuffix{"_EP", LayerGroup::expert}};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

struct LayerWord {
  std::string_view text;
  std::uint32_t line, column;
};

class LayerReader {
 public:
  LayerReader(std::string_view content, const std::string& file) : left_(content), file_(file) {}

  LayerWorkload read() {
    out_.file = file_;
    if (!next_line()) refuse({"", 1, 1}, "the file is empty");
    header();
    if (!next_line()) refuse({"", line_, 1}, "the number of layers is missing");
    const LayerWord count = words_.front();
    const std::uint64_t layers = whole(count, most_layers);
    if (words_.size() > 1) refuse(words_[1], "stands beside the number of layers");
    struct Layer {
      LayerWorkload::Step forward, input, weight;
    };
    std::vector<Layer> rows;
    while (rows.size() < layers) {
      if (!next_line()) {
        refuse(
            {count.text, count.line, count.column},
            fmt::format(
                "layers are said to be there, and the file holds {}: it is cut off, or its number is wrong",
                rows.size()));
      }
      if (words_.size() != 12) columns(layers == rows.size() + 1);
      Layer row;
      const std::uint64_t after = whole(words_[11], most_layer_nanos);
      row.forward = step(2, LayerGroup::tensor, after);
      row.input = step(5, LayerGroup::tensor, after);
      row.weight = step(8, LayerGroup::data, after);
      rows.push_back(row);
    }
    if (next_line()) refuse(words_.front(), fmt::format("stands after the last of {} layers", layers));
    for (const Layer& row : rows) out_.steps.push_back(row.forward);
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      out_.steps.push_back(row->input);
      out_.steps.push_back(row->weight);
    }
    out_.layers = layers;
    if (out_.pipeline > 1) {
      out_.notes.push_back(
          fmt::format("it is one of {} stages of a pipeline: the bubble and the {} bytes between stages are "
                      "not in the time",
                      out_.pipeline, out_.stage_bytes));
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const LayerWord& word, const std::string& what) const {
    std::string shown(word.text.substr(0, 60));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    throw ScenarioError(fmt::format("{}:{}:{}: {}{}", file_, word.line, word.column,
                                    shown.empty() ? "" : "'" + shown + "' ", what));
  }

  // The words of the next line that has some.
  bool next_line() {
    words_.clear();
    while (words_.empty() && !left_.empty()) {
      const std::size_t end = std::min(left_.find('\n'), left_.size());
      const std::string_view line = left_.substr(0, end);
      left_.remove_prefix(std::min(end + 1, left_.size()));
      ++line_;
      for (std::size_t at = 0; at < line.size();) {
        if (is_blank(line[at])) {
          ++at;
          continue;
        }
        std::size_t stop = at;
        while (stop < line.size() && !is_blank(line[stop])) ++stop;
        words_.push_back({line.substr(at, stop - at), line_, static_cast<std::uint32_t>(at + 1)});
        at = stop;
      }
    }
    return !words_.empty();
  }

  std::uint64_t whole(const LayerWord& word, std::uint64_t most) const {
    std::uint64_t value = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [at, error] = std::from_chars(word.text.data(), end, value);
    if (error != std::errc{} || at != end || value > most)
      refuse(word, fmt::format("is no whole number from 0 to {}", most));
    return value;
  }

  void header() {
    const std::vector<LayerWord> words = words_;
    if (std::find(run_policies.begin(), run_policies.end(), words[0].text) == run_policies.end()) {
      const bool known =
          std::find(other_policies.begin(), other_policies.end(), words[0].text) != other_policies.end();
      refuse(words[0],
             fmt::format("{}; accepted: {}",
                         known ? "is a policy whose groups are dimensions of a network, which the text does "
                                 "not hold"
                               : "is no workload of layers",
                         fmt::join(run_policies, ", ")));
    }
    struct Size {
      std::string_view name;
      std::uint32_t LayerWorkload::*member;
    };
    static constexpr std::array sizes = {
        Size{"model_parallel_NPU_group", &LayerWorkload::tensor}, Size{"ep", &LayerWorkload::expert},
        Size{"pp", &LayerWorkload::pipeline}, Size{"all_gpus", &LayerWorkload::ranks}};
    for (std::size_t i = 1; i < words.size(); i += 2) {
      std::string_view name = words[i].text;
      if (name.ends_with(':')) name.remove_suffix(1);
      if (i + 1 == words.size()) refuse(words[i], "has no number after it");
      const LayerWord& value = words[i + 1];
      const auto row =
          std::find_if(sizes.begin(), sizes.end(), [&](const Size& size) { return size.name == name; });
      if (row != sizes.end()) {
        const std::uint64_t number = whole(value, most_layer_ranks);
        if (number == 0) refuse(value, "ranks make no group");
        out_.*row->member = static_cast<std::uint32_t>(number);
      } else if (name == "pp_comm") {
        out_.stage_bytes = whole(value, most_layer_bytes);
      } else if (name == "checkpoints" || name == "checkpoint_initiates") {
        if (whole(value, most_layers) != 0)
          refuse(value, "layers are computed a second time on the way back, which is not built");
      } else if (name == "vpp" || name == "ga") {
        whole(value, most_layer_ranks);  // how a stage's work was unrolled into layers
      } else {
        static constexpr std::array<std::string_view, 9> known = {
            "model_parallel_NPU_group", "ep",     "pp", "all_gpus", "vpp", "ga", "checkpoints",
            "checkpoint_initiates",     "pp_comm"};
        const std::string near = nearest(name.substr(0, 80), std::span<const std::string_view>(known));
        refuse(words[i], fmt::format("is not known; accepted: {}{}", fmt::join(known, ", "),
                                     near.empty() ? "" : "; did you mean '" + near + "'?"));
      }
    }
  }

  // The tool itself stops reading after the last layer's twelfth column.
  void columns(bool is_last) {
    if (words_.size() > 12 && is_last) {
      out_.notes.push_back(
          fmt::format("'{}' after the last layer is left out", words_[12].text.substr(0, 40)));
      return;
    }
    if (words_.size() > 12) refuse(words_[12], "is a column too many: a layer has 12");
    refuse(words_.back(), fmt::format("is the last of {} columns: a layer has 12", words_.size()));
  }

  LayerWorkload::Step step(std::size_t first, LayerGroup plain, std::uint64_t after) const {
    LayerWorkload::Step step;
    step.line = words_[first].line;
    step.nanos = whole(words_[first], most_layer_nanos);
    step.bytes = whole(words_[first + 2], most_layer_bytes);
    std::string_view word = words_[first + 1].text;
    if (word == "NONE") {
      step.bytes = 0;  // whatever stands there
      return step;
    }
    step.group = plain;
    for (const GroupSuffix& row : group_suffixes) {
      if (!word.ends_with(row.suffix)) continue;
      step.group = row.group;
      word.remove_suffix(row.suffix.size());
      break;
    }
    const auto row = std::find_if(layer_collectives.begin(), layer_collectives.end(),
                                  [&](const LayerCollective& one) { return one.word == word; });
    if (row == layer_collectives.end()) {
      refuse(words_[first + 1],
             "is no collective; accepted: NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL, "
             "BROADCAST, and _EP or _DP_EP behind them");
    }
    step.collective = row->collective;
    step.after_nanos = step.bytes == 0 ? 0 : after;
    return step;
  }

  std::string_view left_;
  const std::string& file_;
  std::uint32_t line_ = 0;
  std::vector<LayerWord> words_;  // of this line
  LayerWorkload out_;
};

}  // namespace

bool is_layer_workload(std::string_view content) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string_view line = content.substr(first);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r\n"));
  return std::find(run_policies.begin(), run_policies.end(), word) != run_policies.end() ||
         std::find(other_policies.begin(), other_policies.end(), word) != other_policies.end();
}

LayerWorkload read_layer_workload(std::string_view content, const std::string& file) {
  return LayerReader(content, file).read();
}

std::vector<std::vector<std::uint32_t>> ranks_of_groups(const LayerWorkload& workload, std::uint32_t ranks,
                                                        LayerGroup group) {
  const std::uint64_t tensor = workload.tensor, expert = workload.expert;
  const std::uint64_t of_stage = ranks / std::max(workload.pipeline, 1U);
  if (ranks % (tensor * workload.pipeline) != 0) {
    throw ScenarioError(fmt::format("{}: {} ranks are no multiple of {} tensor-parallel ones x {} stages",
                                    workload.file, ranks, tensor, workload.pipeline));
  }
  const std::uint64_t data = of_stage / tensor;
  const bool of_experts = group == LayerGroup::expert || group == LayerGroup::data_expert;
  if (of_experts && data % expert != 0) {
    throw ScenarioError(fmt::format("{}: {} data-parallel ranks are no multiple of {} expert-parallel ones",
                                    workload.file, data, expert));
  }
  // Digits of a rank, innermost first: tensor, expert, the rest of data, stage.
  const std::array<std::uint64_t, 4> sizes = {tensor, of_experts ? expert : 1,
                                              of_experts ? data / expert : data, workload.pipeline};
  static constexpr std::array<std::size_t, 4> digit_of_group = {0, 2, 1, 2};
  const std::size_t inside = digit_of_group[static_cast<std::size_t>(group)];
  std::uint64_t stride = 1;
  for (std::size_t d = 0; d < inside; ++d) stride *= sizes[d];
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint64_t first = 0; first < ranks; ++first) {
    if (first / stride % sizes[inside] != 0) continue;
    std::vector<std::uint32_t> one;
    for (std::uint64_t k = 0; k < sizes[inside]; ++k)
      one.push_back(static_cast<std::uint32_t>(first + k * stride));
    groups.push_back(std::move(one));
  }
  return groups;
}

}  // namespace tahoma
