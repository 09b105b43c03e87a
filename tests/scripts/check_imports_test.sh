#!/usr/bin/env bash
# scripts/check-imports finds each planted fault, names its file and line, and is silent about a clean tree.
set -euo pipefail
check=$1/scripts/check-imports
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect NAME EXIT TEXT FILE CONTENT: a fresh clean tree plus FILE; the exit code and a part of the output.
expect() {
  local name=$1 code=$2 text=$3 file=$4 content=$5 output status=0
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{core,topology,collectives,scenarios,apps/cli,tests/core}
  printf '#pragma once\n// chips and ranks may be named in a comment\n' >"$tree/core/units.h"
  printf '#pragma once\n#include "core/units.h"\n' >"$tree/topology/shape.h"
  printf '#include "topology/shape.h"\n#include <yaml-cpp/yaml.h>\n' >"$tree/scenarios/parse.cpp"
  [ -z "$file" ] || printf '%b' "$content" >"$tree/$file"
  output=$("$check" "$tree") || status=$?
  if [ "$status" -ne "$code" ] || [[ $output != *"$text"* ]]; then
    printf 'FAILED: %s\n  expected exit %s and "%s"; got exit %s:\n%s\n' "$name" "$code" "$text" "$status" "$output"
    failures=$((failures + 1))
  fi
}

expect "a clean tree passes" 0 "3 files, 0 findings" "" ""
expect "core may not include topology" 1 'core/engine.cpp:2: core -> topology' \
  core/engine.cpp '// x\n#include "topology/shape.h"\n'
expect "topology may not include collectives" 1 "topology -> collectives" \
  topology/a.cpp '#include "collectives/schedule.h"\n'
expect "collectives may not include scenarios" 1 "collectives -> scenarios" \
  collectives/a.cpp '#include "scenarios/scenario.h"\n'
expect "scenarios may not include apps" 1 "scenarios -> apps" scenarios/a.cpp '#include "apps/cli/main.h"\n'
expect "a room may not include tests" 1 "core -> tests" core/a.cpp '#include "tests/support/judge.h"\n'
expect "tests may include anything" 0 "0 findings" tests/core/a.cpp '#include "topology/shape.h"\n'
expect "YAML stays in the reader" 1 "yaml-cpp/ is for" topology/a.cpp '#include <yaml-cpp/yaml.h>\n'
expect "JSON stays out of the network" 1 "nlohmann/ is for" topology/a.cpp '#include <nlohmann/json.hpp>\n'
expect "an include needs its room" 1 "paths start at the repository root" core/a.cpp '#include "units.h"\n'
expect "an included file exists" 1 "does not exist" topology/a.cpp '#include "core/unit.h"\n'
expect "the engine does not name chips" 1 "core names 'chip_" core/a.cpp 'int chip_count = 0;\n'
expect "the engine does not name ranks" 1 "core names 'Rank" core/a.cpp 'struct RankId {};\n'
expect "a header guards itself" 1 "without #pragma once" core/a.h 'int x;\n'
expect "a header opens no namespace" 1 "'using namespace' in a header" \
  core/a.h '#pragma once\nusing namespace std;\n'
expect "a file has an end" 1 "core/a.cpp:401: the file has 401 lines" core/a.cpp "$(printf '//\\n%.0s' {1..401})"

[ "$failures" -eq 0 ] || exit 1
echo "16 cases hold"
