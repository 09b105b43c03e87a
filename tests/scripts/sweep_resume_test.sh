#!/usr/bin/env bash
# A sweep that is killed twenty times and resumed each time has the tables of one that nobody disturbed, and
# computes nothing twice but what was in flight. The same from tasks (run-shard) and merge.
set -euo pipefail
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# 240 points: 10 rings x 4 bandwidths x 6 sizes of the message, three algorithms each.
cat >base.yaml <<'YAML'
apiVersion: tahoma/v1
cluster: {chip: generic}
fabric: {scale_up: [{kind: ring, size: 8, bandwidth: 100GB/s, latency: 1us}]}
workload: {collective: all_reduce, sizes: 8MB, algorithm: [ring, direct, halving_doubling]}
sweep:
  fabric.scale_up.0.size: [1, 2, 3, 5, 8, 12, 16, 24, 33, 64]
  fabric.scale_up.0.bandwidth: "range(50GB/s, 200GB/s, 50GB/s)"
  workload.sizes: "1MiB..32MiB *2"
YAML

tables() { # DIR: what is in the tables, whatever the bytes of the database
  cat "$1/results.csv"
  python3 -c 'import sqlite3, sys
for line in sqlite3.connect(sys.argv[1]).iterdump(): print(line)' "$1/results.sqlite"
}

"$program" sweep base.yaml -j 2 --out calm >/dev/null 2>calm.log || fail "the undisturbed run: $? $(cat calm.log)"
tables calm >calm.txt
[ "$(wc -l <calm/plan.jsonl)" = 240 ] || fail "the plan has $(wc -l <calm/plan.jsonl) points, not 240"

killed=0
for attempt in $(seq 20); do
  flag=$([ "$attempt" = 1 ] || echo --resume)
  # shellcheck disable=SC2086
  "$program" sweep base.yaml -j 2 --out wild $flag >/dev/null 2>wild.log &
  process=$!
  # From nothing to about the time that one undisturbed run takes.
  sleep "$(awk -v r=$RANDOM 'BEGIN { printf "%.4f", 0.002 + r / 32768 * 0.04 }')"
  if kill -9 $process 2>/dev/null; then killed=$((killed + 1)); fi
  wait $process 2>/dev/null || true
  [ -e wild/sweep.json ] || rm -rf wild  # killed before there was a plan: nothing to go on with
done
[ -e wild/sweep.json ] && flag=--resume || flag=
# shellcheck disable=SC2086
"$program" sweep base.yaml -j 1 --out wild $flag >/dev/null 2>wild.log || fail "the last run: $? $(cat wild.log)"
[ "$killed" -gt 0 ] || fail "nothing was killed"
tables wild | cmp -s - calm.txt || fail "the tables differ after $killed kills"
lines=$(cat wild/points/*.jsonl | wc -l)
[ "$lines" = 240 ] || fail "$lines lines for 240 points: something was computed twice"
! ls wild/points/*.part >/dev/null 2>&1 || fail "a part was left behind"

# Tasks of another engine: seven of them, one killed and begun anew, one begun twice, then the merge.
"$program" sweep base.yaml --out tasks --plan >/dev/null
"$program" sweep run-shard tasks --shard 3 --of 7 &
process=$!
sleep 0.01
kill -9 $process 2>/dev/null || true
wait $process 2>/dev/null || true
if "$program" sweep merge tasks >/dev/null 2>merge.log; then fail "a merge of a part says that all is well"; fi
for shard in 0 1 2 3 4 5 6 5; do
  "$program" sweep run-shard tasks --shard $shard --of 7 || fail "shard $shard: $?"
done
"$program" sweep merge tasks >/dev/null || fail "the merge: $?"
tables tasks | cmp -s - calm.txt || fail "the tables of tasks differ"
lines=$(cat tasks/points/*.jsonl | wc -l)
[ "$lines" = 240 ] || fail "$lines lines of tasks for 240 points"

# A damaged last line is dropped and its point done again; a damaged database is made again.
shard=$(ls wild/points/*.jsonl | head -n 1)
truncate -s -20 "$shard"
printf 'garbage' | dd of=wild/results.sqlite bs=1 seek=100 conv=notrunc status=none
"$program" sweep base.yaml --out wild --resume >/dev/null 2>wild.log || fail "after damage: $? $(cat wild.log)"
tables wild | cmp -s - calm.txt || fail "the tables differ after damage"

# Two processes on one folder; another sweep's folder; a folder that is none; one that cannot be written.
exec 9>wild/lock
flock 9
"$program" sweep base.yaml --out wild --resume >/dev/null 2>log && fail "a folder in use is taken" || [ $? = 5 ] || fail "in use: wrong code"
grep -q 'in use' log || fail "in use: $(cat log)"
flock -u 9
"$program" sweep base.yaml -m cluster.count=1 --out wild --resume >/dev/null 2>log && fail "another plan is mixed in" || [ $? = 2 ] || fail "another plan: wrong code"
grep -q 'another sweep' log || fail "another plan: $(cat log)"
"$program" sweep base.yaml --out wild >/dev/null 2>log && fail "a sweep is overwritten" || [ $? = 2 ] || fail "no --resume: wrong code"
sed -i 's/"version": "[^"]*"/"version": "0.0.1"/' wild/sweep.json
"$program" sweep base.yaml --out wild --resume >/dev/null 2>log && fail "another version goes on" || [ $? = 2 ] || fail "another version: wrong code"
mkdir full && touch full/file
"$program" sweep base.yaml --out full >/dev/null 2>log && fail "a folder of something else is used" || [ $? = 2 ] || fail "foreign folder: wrong code"
"$program" sweep base.yaml --out /proc/none >/dev/null 2>log && fail "a folder that cannot be made" || [ $? = 5 ] || fail "unwritable: wrong code $(cat log)"
"$program" sweep status calm | grep -q '240 points: 240 ok' || fail "status: $("$program" sweep status calm)"

[ "$failures" = 0 ]
