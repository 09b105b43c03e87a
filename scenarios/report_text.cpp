#include "scenarios/report_text.h"

#include "scenarios/number_text.h"
#include "scenarios/report_compare.h"
#include "scenarios/report_training.h"
#include "scenarios/text_table.h"

namespace tahoma {

std::string paint(const TextStyle& style, Ink ink, const std::string& text) {
  if (!style.colour || text.empty()) return text;
  const char* code = "";
  switch (ink) {
    case Ink::bold:
      code = "1";
      break;
    case Ink::dim:
      code = "2";
      break;
    case Ink::red:
      code = "31";
      break;
    case Ink::green:
      code = "32";
      break;
    case Ink::yellow:
      code = "33";
      break;
  }
  return std::string("\033[") + code + "m" + text + "\033[0m";
}

std::string assertions_text(const Result& result, const TextStyle& style) {
  if (result.assertions.empty()) return "";
  std::string text = paint(style, Ink::bold, "assertions") + "\n";
  for (const AssertionOutcome& assertion : result.assertions) {
    text += "  ";
    text += assertion.held ? paint(style, Ink::green, "held   ") : paint(style, Ink::red, "FAILED ");
    text += "  " + printable(assertion.text) + "  (worst: " + shortest(assertion.value) + ")";
    if (!assertion.row.empty()) text += "  in " + printable(assertion.row);
    text += "\n";
  }
  return text;
}

namespace {

std::string stats_text(const RunStats& stats) {
  constexpr double bytes_per_mib = 1 << 20;
  return "run: " + fixed(stats.wall_s, 3) + " s, peak " +
         fixed(static_cast<double>(stats.peak_rss_bytes) / bytes_per_mib, 1) + " MiB, " +
         grouped(stats.events) + " events, " + grouped(stats.solves) + " solves\n";
}

}  // namespace

std::string to_text(const Result& result, const TextStyle& style) {
  std::string text = summary_text(result, style);
  for (const std::string& part :
       {training_text(result, style), variants_text(result, style), collectives_text(result, style),
        flows_text(result, style), assertions_text(result, style)}) {
    if (!part.empty()) text += "\n" + part;
  }
  if (result.interrupted) {
    text += "\n" + paint(style, Ink::yellow, "interrupted: only the rows above were finished") + "\n";
  }
  text += "\n" + paint(style, Ink::dim, "fingerprint " + result.fingerprint) + "\n";
  if (style.timings) text += stats_text(result.stats);
  return text;
}

}  // namespace tahoma
