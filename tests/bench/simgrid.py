"""SimGrid beside the program: unpacked, never installed.

Problem: Debian's libsimgrid-dev needs Boost 1.74's headers, which conflict with the 1.81 that Tahoma is built with.
Idea: download the packages, unpack them into the build folder, and compile tests/bench/simgrid_side.cpp against
that. SimGrid's few Boost headers are content with 1.81. Where anything of this fails, there is no comparison, and
one line says why.
"""
import pathlib
import re
import subprocess

from measure import BUILD, ROOT

FOLDER = BUILD.parent / "simgrid"
SOURCE = ROOT / "tests" / "bench" / "simgrid_side.cpp"
# CM02 without cross-traffic or window is max-min fairness; 1e-12 s is its granularity of time. The stacks of 4,096
# actors are small, so that memory is not what is measured.
OPTIONS = ("--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0",
           "--cfg=surf/precision:1e-12", "--cfg=contexts/stack-size:64", "--cfg=contexts/guard-size:0",
           "--log=root.thresh:error")


class Unavailable(Exception):
    """There is no SimGrid here; the text says what was missing."""


def command(words, what, **options):
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    except OSError as error:
        raise Unavailable(f"{what}: {error}") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Unavailable(f"{what}: {said[-1] if said else 'failed'}")
    return done.stdout


def packages():
    """libsimgrid-dev, the library it is for, and what that needs and this machine lacks."""
    said = command(["apt-cache", "depends", "libsimgrid-dev"], "libsimgrid-dev is not in the package lists")
    library = re.search(r"Depends: (libsimgrid\S+)", said)
    if not library:
        raise Unavailable("libsimgrid-dev names no library")
    plan = command(["apt-get", "-s", "install", "--no-install-recommends", library[1]], "its dependencies")
    wanted = re.findall(r"^Inst (\S+)", plan, re.MULTILINE)
    return ["libsimgrid-dev", *(wanted or [library[1]])]


def unpack(root):
    if (root / "usr/include/simgrid/s4u.hpp").exists():
        return
    downloads = FOLDER / "packages"
    downloads.mkdir(parents=True, exist_ok=True)
    command(["apt-get", "download", *packages()], "download", cwd=downloads)
    for package in sorted(downloads.glob("*.deb")):
        command(["dpkg", "-x", package, root], f"unpacking {package.name}")


def side():
    """(program, environment, version) of the compiled comparison. Throws Unavailable."""
    root = FOLDER / "root"
    if pathlib.Path("/usr/include/simgrid/s4u.hpp").exists():
        root = pathlib.Path("/")
    else:
        unpack(root)
    libraries = next((file.parent for file in sorted(root.glob("usr/lib/*/libsimgrid.so*"))), None)
    if libraries is None:
        raise Unavailable("the packages hold no libsimgrid.so")
    program = FOLDER / "simgrid_side"
    if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
        FOLDER.mkdir(parents=True, exist_ok=True)
        command(["g++", "-std=c++17", "-O3", "-isystem", root / "usr/include", SOURCE, "-o", program,
                 f"-L{libraries}", "-lsimgrid", f"-Wl,-rpath-link,{libraries}"], "compiling against it")
    version = re.search(r"SimGrid version ([\d.]+)", (root / "usr/include/simgrid/version.h").read_text(encoding="utf-8"))
    return program, {"LD_LIBRARY_PATH": str(libraries)}, version[1] if version else "?"
