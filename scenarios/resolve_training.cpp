// `training: {...}`: the model by name or by its dimensions, and the split, as far as it is fixed. A split
// without choices is checked here, where its numbers still have places; what is open is left to the search.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/nearest.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"
#include "scenarios/training/axis_network.h"
#include "scenarios/training/chip_math.h"
#include "scenarios/training/training_work.h"

namespace tahoma {

namespace {

std::uint32_t or_else(const Field& field, std::uint32_t otherwise) {
  return field ? read_count32(field) : otherwise;
}

bool is_true(const Field& field) {
  return field && field.text() == "true";
}

Model named_model(const Field& field) {
  if (const Model* model = known_model(field.text())) return *model;
  std::vector<std::string> names;
  for (const Model& model : known_models()) names.push_back(model.name);
  refuse(field, {"is no model that is known", listed(names) + ", or a map of its dimensions",
                 nearest(field.text(), names)});
}

Model own_model(const Field& map) {
  Model m;
  m.name = map["name"] ? map["name"].text() : "own model";
  m.layers = read_count32(required(map, "layers"));
  m.hidden = read_count32(required(map, "hidden"));
  m.heads = read_count32(required(map, "heads"));
  m.vocab = read_count32(required(map, "vocab"));
  m.kv_heads = or_else(map["kv_heads"], m.heads);
  if (m.heads % m.kv_heads != 0)
    refuse(map["kv_heads"], {fmt::format("does not divide {} heads", m.heads), "a divisor of them", ""});
  if (!map["head_dim"] && m.hidden % m.heads != 0)
    refuse(map["heads"],
           {fmt::format("does not divide hidden {}", m.hidden), "a divisor of it, or head_dim", ""});
  m.head_dim = or_else(map["head_dim"], m.hidden / m.heads);
  m.ffn = or_else(map["ffn"], 4 * m.hidden);
  m.gated = is_true(map["gated"]);
  m.tied = is_true(map["tied"]);
  m.window = or_else(map["window"], 0);
  if (!map["experts"]) return m;
  m.experts = read_count32(map["experts"]);
  m.top_k = read_count32(required(map, "top_k"));
  if (m.top_k > m.experts)
    refuse(map["top_k"], {fmt::format("is more than the {} experts", m.experts), "at most that", ""});
  m.expert_ffn = or_else(map["expert_ffn"], m.ffn);
  m.shared_experts = or_else(map["shared_experts"], 0);
  m.dense_layers = or_else(map["dense_layers"], 0);
  if (m.dense_layers > m.layers)
    refuse(map["dense_layers"], {fmt::format("is more than the {} layers", m.layers), "at most that", ""});
  return m;
}

/// One, several, or any.
std::vector<std::uint32_t> choices_of(const Field& field) {
  std::vector<std::uint32_t> values;
  for (const Field& one : each(field)) {
    if (one.text() == "auto") return {};
    values.push_back(read_count32(one));
  }
  return values;
}

std::uint64_t sequences_of(const Field& field, std::uint64_t seq) {
  constexpr std::string_view word = "tokens";
  std::string_view text = trimmed(field.text());
  const bool in_tokens = text.ends_with(word);
  if (in_tokens) text = trimmed(text.substr(0, text.size() - word.size()));
  const std::uint64_t count = read_field(field, [&](std::string_view) { return read_count(text); });
  if (count == 0) refuse(field, {"is nothing", "at least one sequence", ""});
  if (!in_tokens) return count;
  if (count % seq != 0) {
    const std::uint64_t below = count / seq;
    refuse(field, {fmt::format("is {} tokens, which sequences of {} do not divide", count, seq),
                   fmt::format("such as {} tokens or {} sequences", std::max<std::uint64_t>(below, 1) * seq,
                               std::max<std::uint64_t>(below, 1)),
                   ""});
  }
  return count / seq;
}

std::uint64_t seconds_of(const Field& field) {
  const Decimal ps =
      read_field(field, [](std::string_view text) { return read_quantity(text, Quantity::time); });
  return to_integral(scaled(ps, 1, -12)).nearest;
}

constexpr std::array math_types = {MathType::fp32, MathType::tf32,  MathType::fp16, MathType::bf16,
                                   MathType::fp8,  MathType::mxfp8, MathType::mxfp4};

MathType math_type(const Field& field, const Scenario& scenario) {
  const auto named = std::find_if(math_types.begin(), math_types.end(),
                                  [&](MathType type) { return name_of(type) == field.text(); });
  const auto* shape = std::get_if<ClusterShape>(&scenario.network);
  const auto chip = chip_math(scenario.preset, shape ? shape->ranks_per_chip : 1);
  if (chip && chip->matrix_rate[static_cast<std::size_t>(*named)] == 0)
    refuse(field, {fmt::format("is no format of {}", chip->chip), formats_of(*chip), ""});
  return *named;
}

std::array<ParallelAxis, 4> order_of_axes(const Field& field) {
  std::array<ParallelAxis, 4> order{};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string_view name = std::string_view(field.text()).substr(3 * i, 2);
    for (const ParallelAxis axis : {ParallelAxis::tp, ParallelAxis::cp, ParallelAxis::dp, ParallelAxis::pp}) {
      if (name_of(axis) == name) order[i] = axis;
    }
  }
  return order;
}

void read_recompute(const Field& field, TrainingChoices& choices) {
  bool with_sp = false;
  for (const Field& one : each(field)) {
    if (one.text() == "auto") {
      choices.recompute.clear();
      return;
    }
    for (const Recompute kind : {Recompute::none, Recompute::selective, Recompute::full}) {
      if (one.text() == name_of(kind)) choices.recompute.push_back(kind);
    }
    if (one.text() != "selective+sp") continue;
    choices.recompute.push_back(Recompute::selective);
    with_sp = true;
  }
  choices.sp = {with_sp};
}

void read_degrees(const Field& map, TrainingWork& work) {
  TrainingChoices& c = work.choices;
  c.tp = choices_of(map["tp"]);
  c.pp = choices_of(map["pp"]);
  c.dp = choices_of(map["dp"]);
  c.cp = choices_of(map["cp"]);
  c.ep = choices_of(map["ep"]);
  c.vp = choices_of(map["vp"]);
  c.zero = choices_of(map["zero"]);
  for (const std::uint32_t zero : c.zero) {
    if (zero > 3) refuse(map["zero"], {"is no level of sharding", "0, 1, 2 or 3", ""});
  }
  work.etp = or_else(map["etp"], 0);
  if (const Field sp = map["sp"]) c.sp = {is_true(sp)};
  if (map["schedule"].text() != "auto") c.schedule = {*pipeline_schedule(map["schedule"].text())};
  work.base.order = order_of_axes(map["order"]);
}

/// Every degree has one value, so that the sum can be checked now, at its place.
bool is_fixed(const TrainingChoices& c) {
  return c.tp.size() == 1 && c.pp.size() == 1 && c.cp.size() == 1 && c.ep.size() == 1 && c.dp.size() < 2 &&
         c.vp.size() == 1 && c.micro_batch.size() == 1;
}

void check_sums(const Field& training, const TrainingWork& work) {
  const std::uint64_t ranks = work.ranks;
  const TrainingChoices& c = work.choices;
  if (!is_fixed(c)) return;
  Parallel p = work.base;
  p.tp = c.tp[0];
  p.pp = c.pp[0];
  p.cp = c.cp[0];
  p.ep = c.ep[0];
  p.vp = c.vp[0];
  p.micro_batch = c.micro_batch[0];
  const std::uint64_t inner = std::uint64_t{p.tp} * p.pp * p.cp;
  p.dp = c.dp.empty() ? static_cast<std::uint32_t>(std::max<std::uint64_t>(1, ranks / inner)) : c.dp[0];
  p.etp = work.etp != 0 ? work.etp : (p.ep > 1 || !work.model.is_mixture() ? 1 : p.tp);
  p.sp = !c.sp.empty() && c.sp[0];
  p.schedule = !c.schedule.empty() ? c.schedule[0]
               : p.vp > 1          ? PipelineSchedule::interleaved
                                   : PipelineSchedule::one_f_one_b;
  const auto fault = fault_of(work.model, p, ranks);
  if (!fault) return;
  Field at = training;
  for (std::string_view rest = fault->key; !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const Field next = at[rest.substr(0, dot)];
    if (!next) break;
    at = next;
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  refuse({at.place(), training.path + "." + fault->key, "", {fault->because, "", ""}});
}

std::uint64_t ranks_of_cluster(const Scenario& scenario, const Field& training) {
  const auto* shape = std::get_if<ClusterShape>(&scenario.network);
  const auto network = shape ? training_network(*shape) : std::nullopt;
  if (network) return network->ranks;
  throw InfeasibleError(sentence({training.place(),
                                  training.path,
                                  "",
                                  {"needs a network of scale-up domains, and this one is another",
                                   "a preset, or fabric.scale_up and scale_out", ""}}));
}

}  // namespace

TrainingJob resolve_training(const Field& training, const Scenario& scenario) {
  auto work = std::make_shared<TrainingWork>();
  work->place = training.place();
  work->ranks = ranks_of_cluster(scenario, training);
  if (const Field first = training["ranks"]) {
    const std::uint64_t count = read_field(first, read_count);
    if (count > work->ranks)
      refuse(first, {fmt::format("is more than the {} ranks there are", work->ranks),
                     fmt::format("up to {}", work->ranks), ""});
    work->ranks = count;
  }
  const Field model = required(training, "model"), parallel = training["parallel"];
  work->model = model.node->is_map() ? own_model(model) : named_model(model);
  Parallel& base = work->base;
  base.seq = read_field(required(training, "seq"), read_count);
  base.global_batch = sequences_of(required(training, "global_batch"), base.seq);
  base.dtype = math_type(training["dtype"], scenario);
  const Field attention = training["attention"];
  base.fused_attention = attention ? attention.text() == "fused" : !work->model.plain_attention;
  base.gradient_bytes = training["gradients"].text() == "bf16" ? 2 : 4;
  if (const Field overlap = training["overlap"]) {
    base.overlap_dp = is_true(overlap["dp"]);
    base.overlap_tp = is_true(overlap["tp"]);
    base.overlap_ep = is_true(overlap["ep"]);
  }
  base.blocking_launch = training["launch"].text() == "blocking";
  base.one_nic_rings = training["rings"].text() == "one_nic";
  work->per_server_dispatch = training["dispatch"].text() == "per_server";
  work->ignores_memory = training["memory"].text() == "unchecked";
  work->choices.micro_batch = choices_of(training["micro_batch"]);
  read_recompute(training["recompute"], work->choices);
  if (parallel.node->is_map()) {
    read_degrees(parallel, *work);
  } else if (parallel.text() != "auto") {
    refuse(parallel, {"is no split", "auto, or a map such as {tp: 8, pp: 4}", ""});
  } else {
    work->choices.zero = {};
    work->idle_ranks = true;
  }
  if (const Field tokens = training["tokens"]) work->tokens = read_field(tokens, read_count);
  if (const Field deadline = training["deadline"]) {
    work->deadline_s = seconds_of(deadline);
    if (!work->tokens) refuse(deadline, {"needs to know how many tokens", "`tokens` beside it", ""});
  }
  const std::string& flops = training["flops"].text();
  work->flops = {flops.starts_with("hardware"), flops.ends_with("causal")};
  if (!scenario.count_is_open) check_sums(training, *work);
  return {std::move(work)};
}

}  // namespace tahoma
