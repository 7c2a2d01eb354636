"""Measures corpora: documents a second by workers and engine, memory of a worker, the start of a resumed run.

usage: python benchmarks/corpus_runs.py [COUNT] [ROUNDS] [FOLDER]

FOLDER has the documents that corpus_documents.py made before; without it they are made first.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from glob import glob
from pathlib import Path
from typing import Any

from console import warn
from corpus_documents import make_documents

from readwell import __version__
from readwell.corpus import Options, convert, convert_many, find_sources
from readwell.corpus.engines import ENGINES, EngineUnavailable
from readwell.corpus.process_tools import tool_for
from readwell.dataset import Job, run_job
from readwell.dataset.dataset_run import LAYOUT
from readwell.dataset.manifest import SourceState, entry_lines, head_line
from readwell.source.version_stamp import stamp_at

RESULTS = Path(__file__).parent / "corpus.json"
WARM_UP = 20
RESUMED = 100_000


def main(count: int, rounds: int, made: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if not made:
            make_documents(Path(folder) / "docs", count)
        sources = find_sources(made or f"{folder}/docs")
        assert len(sources) == count
        times: dict[str, list[float]] = {}
        memory: list[int] = []
        pages = 0
        for number in range(rounds):
            seconds, pages = alone(sources)
            times.setdefault("single", []).append(seconds)
            for name, workers in (("local", 1), ("local", 2), ("dask", 2), ("ray", 2)):
                measured = engine_seconds(name, workers, sources, memory)
                if measured is not None:
                    times.setdefault(f"{name} {workers}", []).append(measured)
            warn(f"round {number + 1} of {rounds}: { ({name: round(each[-1], 1) for name, each in times.items()}) }")
        results = {
            "documents": count,
            "pages": pages,
            "rounds": rounds,
            "machine": f"{os.cpu_count()} processors, Python {platform.python_version()}",
            "load": round(os.getloadavg()[1], 1),
            "seconds": {name: round(min(each), 2) for name, each in times.items()},
            "worker_mb": round(max(memory) / 1e6) if memory else None,
            "resume_s": round(resume_seconds(Path(folder)), 2),
        }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(json.dumps(results, indent=1))


def alone(sources: list[str]) -> tuple[float, int]:
    """Returns the sum of single conversions in one warm process, and how many pages there were."""
    tool_for.cache_clear()  # what was converted in the round before is kept in memory
    convert(b"%PDF-1.7", name="warm-up.pdf")
    began = time.perf_counter()
    pages = sum(max(1, len(convert(source).first_lines)) for source in sources)
    return time.perf_counter() - began, pages


def engine_seconds(name: Any, workers: int, sources: list[str], memory: list[int]) -> float | None:
    """Returns the time of all sources on an engine that has started; None where it is not installed."""
    try:
        with ENGINES[name](None, workers) as engine:
            list(convert_many(sources[:WARM_UP], executor=engine.executor, workers=workers))
            return run_seconds(engine.executor, workers, sources, memory if name == "local" else [])
    except EngineUnavailable as why:
        warn(f"NOT MEASURED: {name}: {why}")
        return None


def run_seconds(executor: Executor, workers: int, sources: list[str], memory: list[int]) -> float:
    """Returns the time of a whole run, rows in shards included."""
    with tempfile.TemporaryDirectory() as out:
        job = Job(sources, f"{out}/out", "jsonl", version=__version__)
        began = time.perf_counter()
        summary = run_job(job, lambda: (executor, workers), lambda _: None)
        seconds = time.perf_counter() - began
    memory.append(largest_worker())
    assert (summary.converted, summary.failed) == (len(sources), 0), summary.codes
    return seconds


def largest_worker() -> int:
    """Returns the memory of the largest worker with the processes that parse for it, shared pages counted once."""
    trees = [sum(map(proportional, [each, *below(each)])) for each in below(os.getpid()) if is_worker(each)]
    return max(trees, default=0)


def is_worker(process: str) -> bool:
    """Says whether a process is of the local pool: the children of the process that forks them."""
    with open(f"/proc/{process}/stat") as file:
        parent = file.read().rpartition(")")[2].split()[1]
    with open(f"/proc/{parent}/cmdline") as file:
        return "forkserver" in file.read()


def below(process: int | str) -> Iterator[str]:
    for listed in glob(f"/proc/{process}/task/*/children"):
        for child in Path(listed).read_text().split():
            yield child
            yield from below(child)


def proportional(process: str) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)


def resume_seconds(folder: Path) -> float:
    """Returns the processor time of a resumed run in which nothing is left to do.

    That is the start of every resumed run: program started, files listed, manifest read, every file looked at.
    """
    for number in range(RESUMED):
        path = folder / "many" / f"{number // 1000:03d}" / f"{number:06d}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x\n")
    out = folder / "resumed"
    out.mkdir()
    shard = "part-00000.jsonl"
    listed = find_sources(str(folder / "many"))
    states = [
        (each, SourceState("a" * 64, stamp_at(each), shard, version=__version__, closes=shard)) for each in listed
    ]
    header = {"readwell": LAYOUT, "format": "jsonl", "by": "document", "options": Options().text_shaping_options()}
    (out / shard).write_bytes(b"")
    (out / "manifest.json").write_bytes(head_line(header) + entry_lines(states, is_first=True))
    words = ("convert", str(folder / "many"), "-o", str(out), "--format", "jsonl", "--resume")
    before = os.times()
    done = subprocess.run([sys.executable, "-m", "readwell", *words], check=True, capture_output=True, text=True)
    after = os.times()
    assert f"nothing to do: all {RESUMED:,} sources are done" in done.stderr, done.stderr
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    count, rounds, made = [*sys.argv[1:], *("5000", "2", "")[len(sys.argv) - 1 :]]
    main(int(count), int(rounds), made)
