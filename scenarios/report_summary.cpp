// The first screen. One block per (job, collective), at its largest size and with its fastest algorithm: the
// rest of the sizes and algorithms is in the table below it.
#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/number_text.h"
#include "scenarios/report_text.h"
#include "scenarios/report_training.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

constexpr std::size_t label_width = 12;
constexpr std::size_t most_headlines = 8;

// A paragraph with its label in the left margin; the same label is printed once.
class Paragraphs {
 public:
  explicit Paragraphs(const TextStyle& style) : style_(style) {}

  void add(const std::string& label, const std::string& body, Ink ink = Ink::bold) {
    const std::string shown = label == last_ ? "" : label;
    last_ = label;
    text_ += paint(style_, ink, shown) + std::string(label_width - std::min(label_width, shown.size()), ' ');
    text_ += wrapped(printable(body), label_width, style_.width) + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  const TextStyle& style_;
  std::string text_, last_;
};

struct Headline {
  const CollectiveRow* best = nullptr;
  std::size_t repeats = 1;                   // of a repeated job; `best` is then the slowest of them
  std::vector<const CollectiveRow*> slower;  // other algorithms at the same size
};

bool same_subject(const CollectiveRow& a, const CollectiveRow& b) {
  return a.job == b.job && a.collective == b.collective;
}

std::vector<Headline> headlines_of(const std::vector<CollectiveRow>& rows) {
  std::vector<Headline> headlines;
  for (const CollectiveRow& row : rows) {
    const auto at = std::find_if(headlines.begin(), headlines.end(),
                                 [&](const Headline& h) { return same_subject(*h.best, row); });
    if (at == headlines.end()) {
      headlines.push_back({&row, 1, {}});
    } else if (row.bytes > at->best->bytes) {
      *at = {&row, 1, {}};
    } else if (row.bytes == at->best->bytes && row.algorithm == at->best->algorithm) {
      ++at->repeats;
      if (row.time > at->best->time) at->best = &row;
    } else if (row.bytes == at->best->bytes) {
      const CollectiveRow* other = &row;
      if (row.time < at->best->time) std::swap(other, at->best);
      at->slower.push_back(other);
    }
  }
  return headlines;
}

std::string ranks_text(const CollectiveRow& row) {
  const std::string ranks = grouped(row.ranks) + (row.ranks == 1 ? " rank" : " ranks");
  return row.groups == 1 ? ranks : grouped(row.groups) + " groups of " + ranks;
}

std::string subject_text(const CollectiveRow& row) {
  return (row.job.empty() ? "" : row.job + ": ") + row.collective + " of " + readable_bytes(row.bytes);
}

std::string percent(double fraction) {
  return fixed(fraction * 100, 1) + " %";
}

std::string bound_text(const CollectiveRow& row) {
  std::string text = percent(row.efficiency) + " of the bound of " + readable(row.lower_bound);
  if (!row.bound_by.empty()) text += " (" + row.bound_by + ")";
  return text;
}

// The last stretch says where the time ran out, the first one why it began when it did.
void add_chain(Paragraphs& page, const std::vector<std::string>& chain) {
  constexpr std::size_t most_shown = 10;
  if (chain.size() > most_shown) return;
  for (const std::string& line : chain) page.add("chain", line);
}

void add_headline(Paragraphs& page, const Headline& headline) {
  const CollectiveRow& row = *headline.best;
  const std::string which =
      headline.repeats == 1 ? "" : " (the slowest of " + grouped(headline.repeats) + ")";
  page.add("result", subject_text(row) + " over " + ranks_text(row) + " takes " + readable(row.time) + which);
  page.add("result",
           "algbw " + fixed(row.algbw_GBps, 2) + " GB/s, busbw " + fixed(row.busbw_GBps, 2) + " GB/s");
  page.add("result", bound_text(row));
  std::string algorithm = row.algorithm;
  if (row.pipeline > 1) algorithm += ", pipeline " + std::to_string(row.pipeline);
  page.add("algorithm", algorithm);
  if (!row.why.empty()) page.add("algorithm", row.why);
  for (const CollectiveRow* slower : headline.slower) {
    const double ratio = row.time.ps == 0 ? 1 : seconds(slower->time) / seconds(row.time);
    page.add("algorithm", slower->algorithm + " takes " + readable(slower->time) + ", " + fixed(ratio, 2) +
                              " times as long");
  }
  if (!row.bottleneck.empty()) page.add("bottleneck", row.bottleneck);
  add_chain(page, row.critical_chain);
}

void add_short_headline(Paragraphs& page, const CollectiveRow& row) {
  std::string text = subject_text(row) + " takes " + readable(row.time) + ": busbw " +
                     fixed(row.busbw_GBps, 2) + " GB/s, " + percent(row.efficiency) + " of the bound";
  if (!row.bottleneck.empty()) text += "; bottleneck " + row.bottleneck;
  page.add("result", text);
}

void add_headlines(Paragraphs& page, const Result& result) {
  const std::vector<Headline> headlines = headlines_of(result.collectives);
  if (headlines.size() <= 2) {
    for (const Headline& headline : headlines) add_headline(page, headline);
  } else {
    const std::size_t shown = std::min(headlines.size(), most_headlines);
    for (std::size_t i = 0; i < shown; ++i) add_short_headline(page, *headlines[i].best);
    if (shown < headlines.size())
      page.add("result", grouped(headlines.size() - shown) + " more in the table");
  }
}

void add_flows(Paragraphs& page, const std::vector<FlowRow>& flows) {
  if (flows.empty()) return;
  const auto last = std::max_element(flows.begin(), flows.end(),
                                     [](const FlowRow& a, const FlowRow& b) { return a.finish < b.finish; });
  u128 bytes = 0;
  for (const FlowRow& flow : flows) bytes += flow.bytes;
  const std::string total =
      bytes >> 64 == 0 ? readable_bytes(static_cast<std::uint64_t>(bytes)) : "over 16 EiB";
  page.add("result", grouped(flows.size()) + (flows.size() == 1 ? " flow of " : " flows of together ") +
                         total + "; the last to finish is '" + last->id + "', at " +
                         readable({last->finish.ps}));
}

void add_trace(Paragraphs& page, const TraceRow& row) {
  page.add("simulated", "recorded traces: " + grouped(row.nodes) + " nodes and " + grouped(row.collectives) +
                            " collectives on " + grouped(row.ranks) + " ranks");
  page.add("result", "takes " + readable(row.time) + "; the slowest rank's device computes for " +
                         readable(row.device) + " and it communicates for " + readable(row.communication) +
                         ", " + readable(row.exposed) + " of them without computing");
}

// "all_reduce, all_gather; 24 sizes, 1 KiB to 8 GiB; bf16"
std::string workload_text(const std::vector<CollectiveRow>& rows) {
  std::vector<std::string> names;
  std::vector<std::uint64_t> sizes;
  std::vector<std::string> jobs;
  const auto note = [](auto& seen, const auto& value) {
    if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
  };
  for (const CollectiveRow& row : rows) {
    note(names, row.collective);
    note(sizes, row.bytes);
    note(jobs, row.job);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  text += sizes.size() == 1 ? " of " + readable_bytes(*least)
                            : " at " + grouped(sizes.size()) + " sizes from " + readable_bytes(*least) +
                                  " to " + readable_bytes(*most);
  if (jobs.size() > 1) text += ", " + grouped(jobs.size()) + " jobs on one fabric";
  return text;
}

}  // namespace

std::string summary_text(const Result& result, const TextStyle& style) {
  std::string text = paint(style, Ink::bold, printable(result.name)) + "\n";
  if (!result.description.empty()) text += wrapped(printable(result.description), 0, style.width) + "\n";
  text += "\n";
  Paragraphs page(style);
  page.add("simulated", result.cluster.summary);
  if (!result.collectives.empty()) page.add("simulated", workload_text(result.collectives));
  add_headlines(page, result);
  add_flows(page, result.flows);
  for (const TraceRow& row : result.traces) add_trace(page, row);
  for (const TrainingRow& row : result.training) {
    for (const auto& [label, line] : training_lines(row)) page.add(label, line);
  }
  if (result.collectives.empty() && result.flows.empty() && result.traces.empty() && result.training.empty())
    page.add("result", "nothing was finished");
  for (const std::string& suggestion : result.suggestions) page.add("would help", suggestion);
  for (const std::string& evidence : result.evidence) page.add("evidence", evidence);
  for (const std::string& warning : result.warnings) page.add("warning", warning, Ink::yellow);
  return text + page.text();
}

}  // namespace tahoma
