#include "scenarios/validation/training_rows.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/decimal_text.h"
#include "scenarios/validation/csv_table.h"
#include "scenarios/validation/embedded.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

/// The two sets of columns; "" where a set has no such column.
struct ColumnNames {
  std::string_view ours, other;
};
constexpr ColumnNames id{"id", "id"}, model{"model", "model"}, parameters{"", "params_B"},
    layers{"layers", "layers"}, hidden{"hidden", "hidden"}, heads{"heads", "heads"}, kv_heads{"kv_heads", ""},
    ffn{"ffn", ""}, vocab{"vocab", ""}, seq{"seq", "seq"}, global_batch{"global_batch", "gbs"},
    chips{"n_accel", "accels"}, tp{"tp", "TP"}, pp{"pp", "PP"}, dp{"dp", "DP"}, cp{"cp", "CP"},
    ep{"ep", "EP"}, vp{"vp_stages", "VP"}, micro_batch{"micro_batch", "mbs"}, recompute{"recompute", ""},
    dtype{"dtype", "precision"}, step{"measured_step_s", "step_time_s"}, tokens{"", "tokens_per_s_per_accel"},
    tflops{"measured_tflops_per_accel", "TFLOPs_per_accel"}, source{"source", "source_id"},
    hardware{"hardware", "system"}, preset{"preset", "preset"}, nic{"nic", "nic"},
    transport{"transport", "transport"}, ranks_per_chip{"ranks_per_chip", "ranks_per_chip"},
    oversubscription{"oversubscription", "oversubscription"}, notes{"notes", "notes"};

class StepRecord {
 public:
  StepRecord(const std::map<std::string, std::size_t>& columns, const std::vector<CsvCell>& cells, bool ours)
      : columns_(columns), cells_(cells), ours_(ours) {}

  const CsvCell* cell(const ColumnNames& names) const {
    const std::string_view name = ours_ ? names.ours : names.other;
    const auto at = columns_.find(std::string(name));
    return name.empty() || at == columns_.end() ? nullptr : &cells_[at->second];
  }
  std::string text(const ColumnNames& names) const {
    const CsvCell* found = cell(names);
    return found == nullptr ? "" : found->text;
  }

  [[noreturn]] void refuse_cell(const ColumnNames& names, const std::string& because,
                                const std::string& accepted) const {
    const CsvCell* found = cell(names);
    throw at_place(found ? found->place : cells_.front().place, "",
                   "column '" + std::string(ours_ ? names.ours : names.other) + "': value '" + text(names) +
                       "' " + because + "; accepted: " + accepted);
  }

  /// 0 where the cell is empty.
  double number(const ColumnNames& names) const {
    if (text(names).empty()) return 0;
    try {
      const std::string digits = text(names);
      const LeadingNumber number = leading_number(digits);
      if (number.rest.empty()) return to_double(number.value);
    } catch (const BadText&) {
    }
    refuse_cell(names, "is no number", "a number, or nothing");
  }
  std::uint64_t whole(const ColumnNames& names) const {
    const double value = number(names);
    if (value != std::floor(value) || value > 1e12)
      refuse_cell(names, "is no count", "a whole number, or nothing");
    return static_cast<std::uint64_t>(value);
  }
  std::uint32_t count(const ColumnNames& names) const {
    const std::uint64_t value = whole(names);
    if (value > 1'000'000'000) refuse_cell(names, "is too large", "a whole number, or nothing");
    return static_cast<std::uint32_t>(value);
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const std::vector<CsvCell>& cells_;
  bool ours_;
};

/// "TPU v5p-128 x2 slices" says how many slices the chips are in; 1 where nothing does.
std::uint32_t slices_of(const std::string& hardware) {
  const std::size_t word = hardware.find("slice");
  if (word == std::string::npos) return 1;
  std::size_t end = word;
  while (end > 0 && !std::isdigit(static_cast<unsigned char>(hardware[end - 1]))) --end;
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(hardware[begin - 1]))) --begin;
  if (begin == end || word - end > 2) return 1;
  const int value = std::stoi(hardware.substr(begin, std::min<std::size_t>(end - begin, 6)));
  return value > 0 ? static_cast<std::uint32_t>(value) : 1;
}

/// "H200 4-GPU nodes"; 0 where nothing says how many chips a server has.
std::uint32_t node_of(const std::string& hardware) {
  const std::size_t word = hardware.find("-GPU node");
  if (word == std::string::npos || word == 0) return 0;
  const char digit = hardware[word - 1];
  return digit >= '1' && digit <= '9' ? static_cast<std::uint32_t>(digit - '0') : 0;
}

/// The set without a column for it says it among the notes, in few words.
struct SaidInNotes {
  std::string_view words, recompute;
};
constexpr SaidInNotes said_in_notes[] = {
    {"sequence parallel + selective", "selective+SP"},
    {"selective", "selective"},
    {"full recompute", "full"},
    {"activation checkpointing", "full"},
    {"act. ckpt True", "full"},
    {"act. ckpt False", "none"},
};
std::string recompute_in(const std::string& text) {
  for (const SaidInNotes& row : said_in_notes) {
    if (text.find(row.words) != std::string::npos) return std::string(row.recompute);
  }
  return "";
}

MeasuredStep measured_step(const StepRecord& r) {
  static const std::vector<std::string> presets = preset_names_with_variants();
  MeasuredStep s;
  s.id = r.text(id);
  if (s.id.empty()) r.refuse_cell(id, "is missing", "a name of the row");
  s.place = r.cell(id)->place;
  s.source = r.text(source);
  s.model = r.text(model);
  s.parameters = r.number(parameters);
  s.layers = r.count(layers);
  s.hidden = r.count(hidden);
  s.heads = r.count(heads);
  s.kv_heads = r.count(kv_heads);
  s.ffn = r.count(ffn);
  s.vocab = r.count(vocab);
  s.seq = r.whole(seq);
  s.global_batch = r.whole(global_batch);
  s.chips = r.whole(chips);
  if (s.chips == 0) r.refuse_cell(chips, "is missing", "how many chips there were");
  s.tp = r.count(tp);
  s.pp = r.count(pp);
  s.dp = r.count(dp);
  s.cp = r.count(cp);
  s.ep = r.count(ep);
  s.vp = r.count(vp);
  s.micro_batch = r.count(micro_batch);
  s.recompute = r.text(recompute);
  if (s.recompute.empty()) s.recompute = recompute_in(r.text(notes));
  s.dtype = r.text(dtype);
  s.sharded = (s.pp == 0 && s.dp != 0) || r.text(notes).find("FSDP") != std::string::npos;
  s.preset = r.text(preset);
  if (!s.preset.empty() && std::find(presets.begin(), presets.end(), s.preset) == presets.end()) {
    const std::string meant = nearest(s.preset, presets);
    r.refuse_cell(preset, "is not known",
                  "a name of `tahoma presets`" + (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
  }
  s.nic = r.text(nic);
  s.transport = r.text(transport);
  s.oversubscription = r.text(oversubscription);
  s.ranks_per_chip = std::max(1U, r.count(ranks_per_chip));
  s.slices = slices_of(r.text(hardware));
  s.node = node_of(r.text(hardware));
  s.step_s = r.number(step);
  s.tokens_per_s = r.number(tokens);
  s.tflops = r.number(tflops);
  if (s.global_batch == 0 && s.step_s > 0 && s.tokens_per_s > 0 && s.seq > 0) {
    s.global_batch = static_cast<std::uint64_t>(
        std::llround(s.tokens_per_s * static_cast<double>(s.chips) * s.step_s / static_cast<double>(s.seq)));
  }
  return s;
}

}  // namespace

std::vector<MeasuredStep> read_measured_steps(std::string_view text, const std::string& file) {
  const CsvTable table = read_csv(text, file);
  std::map<std::string, std::size_t> columns;
  for (std::size_t c = 0; c < table.names.size(); ++c) columns.emplace(table.names[c].text, c);
  const bool ours = columns.contains("n_accel"), other = columns.contains("accels");
  if (!ours && !other) {
    throw at_place(
        {file, 1, 1}, "",
        "has neither a column 'n_accel' nor one 'accels'; accepted: one of the two sets of columns in "
        "docs/validation-training.md");
  }
  for (const ColumnNames& needed : {id, model, preset, dtype, source}) {
    const std::string name(ours ? needed.ours : needed.other);
    if (columns.contains(name)) continue;
    throw at_place({file, 1, 1}, "",
                   "there is no column '" + name +
                       "'; accepted: the columns named in "
                       "docs/validation-training.md, in any order");
  }
  if (table.records.empty())
    throw at_place({file, 1, 1}, "", "has no row; accepted: a line per measured step");
  std::vector<MeasuredStep> steps;
  std::set<std::string> ids;
  for (const std::vector<CsvCell>& cells : table.records) {
    const StepRecord record(columns, cells, ours);
    steps.push_back(measured_step(record));
    if (!ids.insert(steps.back().id).second)
      record.refuse_cell(id, "is there twice", "a name of its own for each row");
  }
  return steps;
}

const std::vector<MeasuredStep>& open_steps() {
  static const std::vector<MeasuredStep> steps = [] {
    std::vector<MeasuredStep> all = read_measured_steps(embedded_open_steps(), "open_steps.csv");
    std::vector<MeasuredStep> more = read_measured_steps(embedded_more_steps(), "more_steps.csv");
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return all;
  }();
  return steps;
}

}  // namespace tahoma
