#!/usr/bin/env bash
# Inside scripts/slurm-demo: 16 tasks over both nodes, one killed and requeued, a merge that waits, and the tables
# of the local executor.
set -euo pipefail
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# 64 points of about 50 ms: the engine, unfolded, since one chip is late.
cat >base.yaml <<'YAML'
apiVersion: tahoma/v1
cluster: {preset: trn2-ultraserver, count: 8}
workload: {collective: all_reduce, sizes: 1MiB, algorithm: ring}
faults: {stragglers: [{chips: "us0.s0.c0", delay: 1us}]}
sweep:
  workload.sizes: "log2(1KiB, 128KiB)"
  fabric.scale_out.0.bandwidth: "range(20GB/s, 27GB/s, 1GB/s)"
YAML
"$program" sweep base.yaml --out local >/dev/null
"$program" sweep base.yaml --out slurm --executor slurm >submit.txt
# A sample of points this short would be packed into one task; sixteen are asked for here.
sed -i 's/--of [0-9]*/--of 16/' slurm/slurm/shard.sh
sed -i 's/--array=0-[0-9]*/--array=0-15/' slurm/slurm/submit.sh
# The first start of task 5 kills itself as a lost node would; Slurm requeues it.
sed -i '2i if [ "$SLURM_ARRAY_TASK_ID" = 5 ] && [ "${SLURM_RESTART_COUNT:-0}" = 0 ]; then scontrol requeue "${SLURM_ARRAY_JOB_ID}_5"; sleep 60; fi' slurm/slurm/shard.sh
# A second each, so that one node cannot take them all before the other has begun.
sed -i '2i sleep 1' slurm/slurm/shard.sh
sed -i '2i echo "$SLURMD_NODENAME ${SLURM_RESTART_COUNT:-0}"' slurm/slurm/shard.sh
read -r array merge < <(bash slurm/slurm/submit.sh)
for _ in $(seq 600); do
  [ -z "$(squeue -h -j "$array,$merge" 2>/dev/null)" ] && break
  sleep 0.5
done
[ -e slurm/results.csv ] || { echo "no tables; tasks said:"; cat slurm/slurm/*.log; exit 1; }
cmp local/results.csv slurm/results.csv
nodes=$(cat slurm/slurm/task-*.log | awk '{print $1}' | sort -u | grep -c '^n[01]$')
[ "$nodes" = 2 ] || { echo "tasks ran on $nodes nodes"; cat slurm/slurm/task-*.log; exit 1; }
grep -q ' 1$' slurm/slurm/task-5.log || { echo "task 5 was not requeued"; cat slurm/slurm/task-5.log; exit 1; }
tasks=$(ls slurm/slurm/task-*.log | wc -l)
[ "$tasks" = 16 ] || { echo "$tasks of 16 tasks ran"; exit 1; }
echo "slurm: 64 points in 16 tasks on two nodes, one requeued, the same tables"
