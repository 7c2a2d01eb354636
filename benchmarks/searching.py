"""Compares search with ripgrep, grep and a plain loop: processor time, as ratios to `rg -j1` in one interleaved run."""

import argparse
import random
import re
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import readwell
from readwell.policy import DOOR_DENIALS

ROUNDS = 3
CASES = {
    "rare literal": ("rareNeedle", {"literal": True}, ["-F"]),
    "ignored case": ("RARENEEDLE", {"ignore_case": True}, ["-i"]),
    r"\w+X\d+": (r"\w+X\d+", {}, []),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=256, help="size of the log")
    parser.add_argument("--files", type=int, default=10_000, help="files of the tree")
    options = parser.parse_args()
    if not shutil.which("rg"):
        sys.exit("ripgrep is needed: apt install ripgrep")
    with tempfile.TemporaryDirectory() as folder:
        log, tree = Path(folder, "log"), Path(folder, "tree")
        write_log(log, options.megabytes)
        write_tree(tree, options.files)
        with readwell.Reader(folder, cache_dir=None, deny=DOOR_DENIALS.deny, ignore_files=True) as reader:
            print(f"{'':32}{'readwell':>10}{'grep':>8}{'loop':>8}   (1 is rg -j1)")
            for place in (log, tree):
                for name, case in CASES.items():
                    print_row(f"{place.name}: {name}", reader, place, *case)
            print_small(reader, tree)


def write_log(path: Path, megabytes: int) -> None:
    random.seed(1)
    lines = [
        f"2026-11-{n % 28 + 1:02}T{n % 24:02}:{n % 60:02} host app[{n}]: took {random.random()} ms\n"
        for n in range(17_000)
    ]
    block = "".join(lines)
    with path.open("w") as file:
        for number in range(megabytes):
            file.write(f"{block[: 1 << 20]}\nrareNeedleX{number} is here\n")


def write_tree(folder: Path, count: int) -> None:
    """Writes copies of Python's own library."""
    library = Path(sysconfig.get_paths()["stdlib"])
    sources = [path for path in library.rglob("*.py") if "site-packages" not in path.parts]
    for number in range(count):
        source = sources[number % len(sources)]
        target = folder / f"copy{number // len(sources)}" / source.relative_to(library)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    (folder / ".gitignore").write_text("*.pyc\nbuild/\n")


def print_row(
    name: str, reader: readwell.Reader, place: Path, pattern: str, params: dict[str, bool], flags: list[str]
) -> None:
    literal, ignore_case = params.get("literal", False), params.get("ignore_case", False)
    ways: dict[str, Callable[[], float]] = {
        "rg": lambda: child(["rg", "-n", "-j1", *flags, pattern, str(place)]),
        "readwell": lambda: own(lambda: reader.search(pattern, place, literal=literal, ignore_case=ignore_case)),
        "grep": lambda: child(["grep", "-rnP" if not flags else "-rn", *flags, pattern, str(place)]),
        "loop": lambda: own(lambda: plain_loop(place, pattern, params)),
    }
    best = dict.fromkeys(ways, float("inf"))
    for round_ in range(ROUNDS):
        for way, work in ways.items():
            if way != "loop" or not round_:
                best[way] = min(best[way], work())
    ratios = [best[way] / best["rg"] for way in ("readwell", "grep", "loop")]
    print(f"{name:32}{ratios[0]:10.2f}{ratios[1]:8.2f}{ratios[2]:8.2f}")


def plain_loop(place: Path, pattern: str, params: dict[str, bool]) -> None:
    written = re.escape(pattern) if params.get("literal") else pattern
    expression = re.compile(written.encode(), re.IGNORECASE if params.get("ignore_case") else 0)
    for path in [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            for line in file:
                expression.search(line)


def print_small(reader: readwell.Reader, tree: Path) -> None:
    """Prints what a search costs that finds nothing in one small file, beside a read of it."""
    path = next(path for path in sorted(tree.rglob("*.py")) if 3000 < path.stat().st_size < 5000)
    costs = []
    for work in (lambda: reader.search("absent_name", path), lambda: reader.read(path)):
        work()
        costs.append(min(own(lambda work=work: [work() for _ in range(200)]) for _ in range(ROUNDS)))
    print(f"an empty search of a small file, warm: {costs[0] / costs[1]:.2f} times the read of it")


def own(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def child(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.PIPE, check=False)  # grep stops early where nothing is read
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
