"""Compares search with ripgrep, grep, a plain loop and agent frameworks: processor time as ratios to `rg -j1`.

Everything runs interleaved in one run; the least of some rounds counts. Writes searching.json.
"""

import argparse
import json
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
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from console import progress, warn
from peers import Peer, Skipped, Worker, start
from question_set import write_documents
from search_views import outline_times, search_memory_peaks

import readwell
from readwell.policy import DOOR_DENIALS

HERE = Path(__file__).parent
RESULTS = HERE / "searching.json"
ROUNDS = 7
CASES = {
    "rare literal": ("rareNeedle", {"literal": True}, ["-F"]),
    "ignored case": ("RARENEEDLE", {"ignore_case": True}, ["-i"]),
    r"\w+X\d+": (r"\w+X\d+", {}, []),
}
WORKER = HERE / "search_worker.py"
FRAMEWORKS = (
    Peer("langchain", "langchain langgraph", "pip"),
    Peer("langchain-rg", "langchain langgraph", "pip"),
    Peer("agno", "agno", "pip"),
)
MAX_MATCHES = 2000
"""More than there are: the log has one in each megabyte, and all of it must be searched."""
LOOP_SHARE = 10
"""The loop searches this part of the log, and is taken to need so many times as long for all of it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="size of the log")
    parser.add_argument("--files", type=int, default=10_000, help="files of the tree")
    options = parser.parse_args()
    if not shutil.which("rg"):
        sys.exit("ripgrep is needed: apt install ripgrep")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        root = Path(folder).resolve()
        (root / "log").mkdir()
        write_log(root / "log" / "app.log", options.megabytes)
        write_tree(root / "tree", options.files)
        workers = started(root, running)
        reader = running.enter_context(
            readwell.Reader(
                root, cache_dir=None, deny=DOOR_DENIALS.deny, ignore_files=True, deadline_s=300, limit=MAX_MATCHES
            )
        )
        rows = [measured(reader, workers, root, place, name) for place in ("log", "tree") for name in CASES]
        results = {"megabytes": options.megabytes, "files": options.files, "rows": rows}
        results |= {"documents": documents_ratio(root), "small": small_ratio(reader, root / "tree")}
        results |= {
            "memory": search_memory_peaks(root / "log", options.megabytes),
            "outline": outline_times(root / "outlines"),
        }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(json.dumps(results, indent=1))


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


def started(root: Path, running: ExitStack) -> dict[str, Worker]:
    """Starts the frameworks that can be installed."""
    workers: dict[str, Worker] = {}
    for peer in FRAMEWORKS:
        try:
            workers[peer.name] = running.enter_context(start(peer, root, WORKER))
        except Skipped as why:
            warn(f"{peer.name} is left out: {why}")
    return workers


def measured(reader: readwell.Reader, workers: dict[str, Worker], root: Path, place: str, name: str) -> dict[str, Any]:
    """Returns the least processor time of each way as a multiple of rg's; None where it does not search such files."""
    pattern, params, flags = CASES[name]
    literal, ignore_case = params.get("literal", False), params.get("ignore_case", False)
    folder = root / place
    ways: dict[str, Callable[[], float | None]] = {
        "rg -j1": lambda: child(["rg", "-n", "-j1", *flags, pattern, str(folder)]),
        "readwell": lambda: own(
            lambda: reader.search(pattern, folder, literal=literal, ignore_case=ignore_case, limit=MAX_MATCHES)
        ),
        "grep": lambda: child(["grep", "-rnP" if not flags else "-rn", *flags, pattern, str(folder)]),
        "plain loop": lambda: own(lambda: plain_loop(folder, pattern, params)) * (LOOP_SHARE if place == "log" else 1),
    }
    ask = {"pattern": pattern, "path": place, "literal": literal, "ignore_case": ignore_case}
    ways |= {each: partial(of_framework, worker, ask) for each, worker in workers.items()}
    best: dict[str, float | None] = {}
    for round_ in range(ROUNDS):
        for way, work in ways.items():
            progress(f"{place}, {name}: {way}")
            if round_ == 0 or (way in ("rg -j1", "readwell", "grep") and best[way] is not None):
                best[way] = _less(best.get(way), work())
    least = best["rg -j1"] or 1.0
    ratios = {way: None if cpu is None else round(cpu / least, 2) for way, cpu in best.items()}
    print(f"{place}: {name}: {ratios}", flush=True)
    return {"place": place, "case": name, "ratios": ratios, "rg_seconds": round(least, 3)}


def _less(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)


def of_framework(worker: Worker, ask: dict[str, object]) -> float | None:
    """Returns the processor time of a framework's search; None where it finds nothing of what is there."""
    reply = worker.ask(**ask)
    is_missed = reply["found"] < 0 or (ask["path"] == "log" and reply["found"] < 1)
    return None if is_missed else float(reply["cpu"])


def plain_loop(folder: Path, pattern: str, params: dict[str, bool]) -> None:
    written = re.escape(pattern) if params.get("literal") else pattern
    expression = re.compile(written.encode(), re.IGNORECASE if params.get("ignore_case") else 0)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        left = path.stat().st_size // (LOOP_SHARE if folder.name == "log" else 1)
        with path.open("rb") as file:
            for line in file:
                expression.search(line)
                left -= len(line)
                if left < 0:
                    break


def documents_ratio(root: Path) -> float:
    """Returns what a second search of documents takes, beside a search of the same text as files."""
    write_documents(root / "documents")
    (root / "texts").mkdir()
    with readwell.Reader(root, cache_dir=None, deadline_s=300) as reader:
        for path in sorted((root / "documents").iterdir()):
            lines = reader.read(path, limit=2000).lines
            (root / "texts" / f"{path.name}.txt").write_text("\n".join(lines))
        costs: dict[str, list[float]] = {"documents": [], "texts": []}
        for _ in range(2 + ROUNDS):
            for place, each in costs.items():
                each.append(own(lambda place=place: [reader.search("rareNeedle", place) for _ in range(20)]))
    return round(min(costs["documents"]) / min(costs["texts"]), 2)


def small_ratio(reader: readwell.Reader, tree: Path) -> float:
    """Returns what a search costs that finds nothing in one small file, beside a read of it."""
    path = next(path for path in sorted(tree.rglob("*.py")) if 3000 < path.stat().st_size < 5000)
    costs: list[float] = []
    for work in (lambda: reader.search("absent_name", path), lambda: reader.read(path)):
        work()
        costs.append(min(own(lambda work=work: [work() for _ in range(200)]) for _ in range(ROUNDS)))
    return round(costs[0] / costs[1], 2)


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
