#!/usr/bin/env bash
# The JSON Schema of scenario files is one, accepts all of the library, and refuses each planted mistake.
set -euo pipefail
"$2" schema | python3 -c '
import json, pathlib, sys
import jsonschema, yaml

class Loader(yaml.SafeLoader):  # 2026-01-01 and 1e3 stay text, as the reader has them
    pass

schema = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

def findings(text):
    return [error.message for error in validator.iter_errors(yaml.load(text, Loader))]

failed = 0
files = sorted(pathlib.Path(sys.argv[1], "scenarios/library").glob("*.yaml"))
files += sorted(pathlib.Path(sys.argv[1], "tests/bench").glob("*.yaml"))
assert len(files) >= 25, "where is the library?"
for file in files:
    for message in findings(file.read_text()):
        print(f"FAILED: {file}: {message}")
        failed += 1
head = "apiVersion: tahoma/v1\n"
wrong = {
    "an unknown key at the top": "worklaod: {collective: all_reduce}",
    "an unknown key in a list": "fabric: {scale_up: [{kind: ring, sise: 4}]}",
    "an unknown key of a job": "workload: {jobs: [{colective: all_reduce}]}",
    "a bandwidth without a unit": "fabric: {scale_up: [{kind: ring, size: 4, bandwidth: 50}]}",
    "a unit of something else": "fabric: {scale_up: [{kind: ring, size: 4, bandwidth: 50us}]}",
    "an unknown collective": "workload: {collective: all_reduse}",
    "a count of nothing": "cluster: {count: 0}",
    "a share above one": "fabric: {scale_up: [{kind: ring, size: 4, efficiency: 1.5}]}",
    "an unknown key of a variant": "sweep: {variants: {a: {cluser: {count: 1}}}}",
    "an unknown key of a sweep": "sweep: {mod: zip}",
    "a map where a list belongs": "fabric: {scale_up: {kind: ring}}",
}
for name, text in wrong.items():
    if not findings(head + text):
        print(f"FAILED: {name} is accepted")
        failed += 1
right = {
    "a job has the keys of a workload": "workload: {jobs: [{name: a, collective: all_gather, sizes: 1MiB}]}",
    "lists of groups": "workload: {collective: all_gather, sizes: 1MiB, ranks: [[us0.s0.c0, us0.s0.c1]]}",
    "one algorithm per level": "workload: {collective: all_gather, sizes: 1MiB, algorithm: {intra: ring}}",
    "a variant": "sweep: {variants: {a: {cluster: {count: 1}}}}",
    "paths that are swept": "sweep: {mode: zip, workload.sizes: [1MB], fabric.scale_up.0.bandwidth: [1GB/s]}",
    "counts with a prefix": "cluster: {count: 8K}",
    "a list of bandwidths": "fabric: {scale_up: [{kind: torus, size: [4, 4], bandwidth: [1GB/s, 2 GB/s]}]}",
}
for name, text in right.items():
    for message in findings(head + text):
        print(f"FAILED: {name}: {message}")
        failed += 1
sys.exit(1 if failed else 0)
' "$1"
