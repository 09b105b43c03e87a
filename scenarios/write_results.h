// `--out DIR`: the files of one run, whole or not at all.
//
// A run of minutes must not end with "permission denied", so the folder is made and tried before it. Every
// file is written beside its place and renamed only when all are complete: a reader never sees half a file.
// Files of an earlier run that this one does not have (flows.csv) are removed, for they would belie the rest.
#pragma once

#include <string>

#include "scenarios/result.h"

namespace tahoma {

/// Makes the folder (with its parents) and proves that files can be written there. Throws MachineError.
void prepare_folder(const std::string& folder);

struct ResultFiles {
  const Result& result;
  const std::string& resolved_yaml;
  bool timings = false;
};

/// One file, whole or not at all. Throws MachineError.
void write_text(const std::string& file, const std::string& text);

/// result.json, result.csv, links.csv, flows.csv (if there are flows), resolved.yaml. Throws MachineError.
void write_results(const std::string& folder, const ResultFiles& files);

}  // namespace tahoma
