// A measured training step as a scenario.
//
// Problem: a row prints half of its configuration, and whoever fills in the rest by hand can make any
// prediction right. Idea: columns only. What is printed is taken as it is. What is not is either left open,
// so that the search chooses what a tuned run would (micro-batch, chunks), or follows from the table of
// software generations: what the training software of a chip's time did unless told otherwise. A row never
// seen maps the same way. Never read: source and notes.
#pragma once

#include <string>
#include <vector>

#include "scenarios/validation/mapping.h"
#include "scenarios/validation/training_rows.h"

namespace tahoma {

/// What training software of a time did by default.
struct SoftwareGeneration {
  std::string_view name;
  std::string_view recompute;  // where a row does not say
  bool fused_attention;
  bool overlap_dp, overlap_tp, overlap_ep;
  bool splits_sequence;  // along tp
  std::string_view gradients;
  bool interleaves;  // where a row does not say
  bool blocking_launch, one_nic_rings, per_server_dispatch;
  std::string_view zero;  // what may be sharded; the fastest that fits
  std::string_view when;  // the rows it is of, for the page
};
const SoftwareGeneration& generation_of(const MeasuredStep& step);
std::vector<SoftwareGeneration> software_generations();

struct StepScenario {
  std::string text;
  Duration measured;
  bool derived = false;  // the time was not printed
};
/// Throws Unmapped.
StepScenario step_scenario(const MeasuredStep& step);

/// The model of a row: known by name, or made of its columns. Throws Unmapped.
Model model_of(const MeasuredStep& step);

}  // namespace tahoma
