// For scripts: JSON as the contract promises it, and a line of CSV per row.
#include <fmt/format.h>

#include "scenarios/json_text.h"
#include "scenarios/number_text.h"
#include "scenarios/result_csv.h"
#include "scenarios/validation/validation_report.h"

namespace tahoma {

namespace {

void write_summary(JsonText& json, const ErrorSummary& s) {
  json.field("rows", s.rows);
  json.field("failed", s.failed);
  if (s.rows == 0) return;
  json.field("bias", s.bias);
  json.field("mape", s.mape);
  json.field("median", s.median);
  json.field("worst", s.worst);
  json.field("worst_id", s.worst_id);
  json.field("median_factor", s.median_factor);
  json.field("worst_factor", s.worst_factor);
  json.field("worst_factor_id", s.worst_factor_id);
}

void write_sizes(JsonText& json, const std::array<ErrorSummary, size_classes>& sizes) {
  json.key("sizes");
  json.begin_array();
  for (std::size_t c = 0; c < size_classes; ++c) {
    json.begin_object();
    json.field("size", name_of(static_cast<SizeClass>(c)));
    write_summary(json, sizes[c]);
    json.end_object();
  }
  json.end_array();
}

void write_judged_row(JsonText& json, const JudgedRow& row) {
  json.begin_object();
  json.field("id", row.measured.id);
  json.field("source", row.measured.source);
  json.field("measured_s", row.measured.time);
  json.key("predicted_s");
  if (row.prediction.time) {
    json.value(*row.prediction.time);
  } else {
    json.value(nullptr);
  }
  json.field("bytes", row.measured.bytes);
  json.field("counted", row.counted);
  json.field("why_not", row.why_not);
  json.field("algorithm", row.prediction.algorithm);
  json.field("bytes_stated", row.measured.bytes_stated);
  json.end_object();
}

void write_source(JsonText& json, const SourceSummary& source) {
  json.begin_object();
  json.field("source", source.source);
  json.field("shown", source.shown);
  write_summary(json, source.all);
  json.field("sweeps", source.sweeps);
  if (source.least_rank_correlation) json.field("least_rank_correlation", *source.least_rank_correlation);
  write_sizes(json, source.by_size);
  json.end_object();
}

void write_outcome(JsonText& json, const AccuracyOutcome& outcome) {
  json.begin_object();
  json.field("name", outcome.name);
  json.field("limit", outcome.limit);
  json.field("value", outcome.value);
  json.field("rows", outcome.rows);
  json.field("held", outcome.held());
  json.field("worst", outcome.worst);
  json.end_object();
}

// Digits that a reader can use; the exact times are in the JSON.
std::string us(Duration d) {
  return fmt::format("{:.6g}", seconds(d) * 1e6);
}

}  // namespace

std::string validation_json(const Validation& validation, const std::vector<AccuracyOutcome>& outcomes) {
  JsonText json;
  json.begin_object();
  json.field("schema", "tahoma.validation/1");
  json.field("data", validation.data);
  json.key("rows");
  json.begin_array();
  for (const JudgedRow& row : validation.rows) write_judged_row(json, row);
  json.end_array();
  json.key("sources");
  json.begin_array();
  for (const SourceSummary& source : validation.sources) write_source(json, source);
  json.end_array();
  json.key("all");
  json.begin_object();
  json.field("counted", validation.counted);
  json.field("excluded", validation.excluded);
  json.field("shown_only", validation.shown_only);
  write_summary(json, validation.all);
  write_sizes(json, validation.by_size);
  json.end_object();
  json.key("thresholds");
  json.begin_array();
  for (const AccuracyOutcome& outcome : outcomes) write_outcome(json, outcome);
  json.end_array();
  json.field("interrupted", validation.interrupted);
  json.end_object();
  return json.take();
}

std::string validation_csv(const Validation& validation) {
  std::string text =
      "id,source,trust,basis,collective,dtype,bytes,size_class,preset,count,ranks,ranks_per_chip,shape,nic,"
      "transport,"
      "algo,measured_us,predicted_us,error_percent,factor,algorithm,counted,why_not\n";
  for (const JudgedRow& row : validation.rows) {
    const MeasuredRow& m = row.measured;
    const bool any = row.prediction.time.has_value();
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                        csv_field(m.id), csv_field(m.source), m.trust, m.basis, m.collective,
                        csv_field(m.dtype), m.bytes, name_of(size_class(m.bytes)), m.preset, m.count, m.ranks,
                        m.ranks_per_chip, csv_field(m.shape), csv_field(m.nic), csv_field(m.transport),
                        csv_field(m.algo), us(m.time), any ? us(*row.prediction.time) : "",
                        any ? fmt::format("{:.2f}", row.error() * 100) : "",
                        any ? fmt::format("{:.3f}", row.factor()) : "", csv_field(row.prediction.algorithm),
                        row.counted ? "yes" : "no", csv_field(row.why_not));
  }
  return text;
}

}  // namespace tahoma
