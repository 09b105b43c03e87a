#!/usr/bin/env bash
# scripts/bench without measuring: its list, its fits, its limits, and where its tables go in a page.
set -euo pipefail
root=$1

# It lists a case for each scenario, and refuses a case that there is none of.
listed=$("$root/scripts/bench" --list)
for case in engine:halving-doubling-64 phold:1000 simgrid:fat-tree; do
  grep -qx "$case" <<<"$listed" || { echo "FAILED: --list does not name $case"; exit 1; }
done
if "$root/scripts/bench" --only whole:no-such-case 2>/dev/null; then
  echo "FAILED: a case that does not exist is accepted"
  exit 1
fi

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/tests/bench python3 - <<'PYTHON'
import pathlib
import tempfile

import fat_tree
from measure import Failure, Run, exponent, seconds
from tables import Table, put_into

# A cost of 3 * chips^1.5 grows with exponent 1.5; two points are no fit.
assert abs(exponent([(n, 3 * n**1.5) for n in (4096, 65536, 1048576)]) - 1.5) < 1e-12
assert exponent([(1, 1), (2, 2)]) is None
assert [seconds(x) for x in (0.012345, 1.2345, 123.45)] == ["0.0123", "1.23", "123"]

# A run that fails is no timing: the exit code and the last word are kept.
try:
    Run(["sh", "-c", "echo because >&2; exit 3"])
    raise SystemExit("a failed run passed for a timing")
except Failure as failure:
    assert failure.code == 3 and "because" in str(failure)
assert Run(["sh", "-c", "echo said"]).text == "said\n"

with tempfile.TemporaryDirectory() as folder:
    # Only the place of the table's name is written.
    page = pathlib.Path(folder) / "page.md"
    page.write_text("before\n<!-- bench a -->\nold\n<!-- bench end -->\nkept\n<!-- bench b -->\n<!-- bench end -->\n")
    missing = put_into(page, [Table("a", "A", ["x"], [["1"]]), Table("c", "C", ["x"], [])], "here")
    text = page.read_text()
    assert missing == ["c"] and "old" not in text and "| 1 |" in text
    assert text.startswith("before\n") and "\nkept\n<!-- bench b -->\n<!-- bench end -->\n" in text

    # A fat tree of 2^3 hosts: 7 flows leave each host; within a leaf 2 links, a pod 4, beyond 6. No link carries
    # more than a host's, so the closed form of the finish holds.
    file = pathlib.Path(folder) / "flows"
    fat_tree.write_all_to_all(file, 2, 10)
    paths = [list(map(int, line.split()))[1:] for line in file.read_text().split("flows 56\n")[1].splitlines()]
    assert sorted(map(len, paths[:7])) == [2, 4, 4, 6, 6, 6, 6]
    load = {}
    for path in paths:
        assert len(set(path)) == len(path)
        for link in path:
            load[link] = load.get(link, 0) + 1
    assert max(load.values()) == load[0] == 7
    assert fat_tree.finish_seconds(2, 10) == 7 * 10 / 50e9
PYTHON
echo "scripts/bench lists, fits, keeps failures apart and writes only its places"
