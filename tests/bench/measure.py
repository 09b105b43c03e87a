"""Runs programs and takes their time and memory; the figures that tables are made of.

Wall time is what a user waits; CPU time is what does not depend on who else uses the machine. Both, and the peak
of memory, come from wait4, so they are those of the process alone, reading and printing included.
"""
import datetime
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "release"


class Failure(Exception):
    """A run that did not end well; its text goes into the table."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


class Run:
    """One run of a process: its seconds, its memory, what it printed."""

    def __init__(self, command, timeout=900, environment=None):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            child = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err, cwd=ROOT,
                                     env={**os.environ, **(environment or {})})
            guard = threading.Timer(timeout, child.kill)
            guard.start()
            _, status, usage = os.wait4(child.pid, 0)
            self.wall = time.monotonic() - start
            expired = not guard.is_alive()
            guard.cancel()
            child.returncode = code = os.waitstatus_to_exitcode(status)
            self.cpu = usage.ru_utime + usage.ru_stime
            self.mebibytes = usage.ru_maxrss / 1024
            out.seek(0), err.seek(0)
            self.text = out.read().decode()
            said = err.read().decode().strip()
        if code != 0:
            name = pathlib.Path(str(command[0])).name
            raise Failure(f"not done in {timeout} s" if expired else
                          f"{name} ended with {code}: {said.splitlines()[-1] if said else 'no word'}", code)

    def json(self):
        return json.loads(self.text)

    def lines(self):
        return [json.loads(line) for line in self.text.splitlines()]


class Runs:
    """Several runs of one command; the medians of their figures, and the last one's output."""

    def __init__(self, command, repeats, **options):
        self.all = [Run(command, **options) for _ in range(repeats)]
        self.last = self.all[-1]
        self.wall = statistics.median(run.wall for run in self.all)
        self.cpu = statistics.median(run.cpu for run in self.all)
        self.mebibytes = max(run.mebibytes for run in self.all)


def exponent(points):
    """Least squares of log(y) on log(x): the e of y ~ x^e. None for fewer than three points."""
    if len(points) < 3:
        return None
    x = [math.log(p[0]) for p in points]
    y = [math.log(p[1]) for p in points]
    mx, my = statistics.mean(x), statistics.mean(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def seconds(value):
    """Three significant digits, without an exponent."""
    digits = 3 if value <= 0 else max(0, 2 - math.floor(math.log10(value)))
    return f"{value:.{min(digits, 4)}f}"


def rate(value):
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g} {unit}"
    return f"{value:.3g}"


def machine():
    """One line: what the figures were taken on, and how busy it was."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = dict(line.rstrip().split("=", 1) for line in open("/etc/os-release", encoding="utf-8") if "=" in line)
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True, check=False).stdout.strip()
    return (f"{os.cpu_count()} x {model}, {memory:.0f} GiB, {system.get('PRETTY_NAME', '?').strip(chr(34))}, "
            f"g++ {compiler} -O3, load {os.getloadavg()[0]:.1f} at the start, "
            f"{datetime.date.today().strftime('%-d %B %Y')}")
