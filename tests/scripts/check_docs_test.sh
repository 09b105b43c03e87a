#!/usr/bin/env bash
# scripts/check-docs finds each planted dead link, names its page and line, and is silent about living ones.
set -euo pipefail
check=$1/scripts/check-docs
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect NAME EXIT TEXT README: a small tree with that README; the exit code and a part of the output.
expect() {
  local name=$1 code=$2 text=$3 readme=$4 output status=0
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/docs "$tree"/scripts
  touch "$tree/scripts/run"
  printf '# Model\n## Lanes, and time\n' >"$tree/docs/model.md"
  printf '%b' "$readme" >"$tree/README.md"
  output=$("$check" "$tree") || status=$?
  if [ "$status" -ne "$code" ] || [[ $output != *"$text"* ]]; then
    printf 'FAILED: %s\n  expected exit %s and "%s"; got exit %s:\n%s\n' "$name" "$code" "$text" "$status" "$output"
    failures=$((failures + 1))
  fi
}

expect "living links pass" 0 "0 findings" '[m](docs/model.md#lanes-and-time), `scripts/run`, [w](https://a.b)\n'
expect "a dead file" 1 "README.md:2: link to docs/modle.md: no such file" '[m](docs/model.md)\n[m](docs/modle.md)\n'
expect "a dead heading" 1 "no such heading" '[m](docs/model.md#lane)\n'
expect "a script that does not exist" 1 '`scripts/rnu` does not exist' '[m](docs/model.md) `scripts/rnu`\n'
expect "an orphan page" 1 "docs/model.md:1: cannot be reached" 'no links\n'
expect "fenced text is not read" 0 "0 findings" '[m](docs/model.md)\n```\n[x](nowhere.md)\n```\n'

[ "$failures" -eq 0 ] || exit 1
echo "6 cases hold"
