"""Rows 1 to 5, 8 and 9: compares the package with `wc -l`, with minimal Python, and with itself."""

import random
import statistics
import subprocess
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

from console import progress
from data import WINDOW, Data, Log
from figures import Noise, Row, speed_row, time_row
from readwell_calls import (
    checked_reply,
    floor_file,
    floor_window,
    floor_window_in_block,
    fresh_reader,
    scan,
    with_threads,
)
from timing import Job, interleaved, seconds_of, spread

from readwell import Reader

CALLS = 20
"""Windows in one sample of what takes less than a millisecond."""
SAMPLES = 64
WHOLE_FILE = 2000
MIN_STEP = 2
"""The first step that holds a whole window."""


def scan_rows(data: Data, rounds: int) -> tuple[list[Row], Noise]:
    """Rows 1 to 3: counting and indexing all lines against `wc -l`."""
    for log in (data.ascii, data.crlf, data.cjk):
        _check_counts(log)
    times = interleaved(_scan_jobs(data), rounds)
    wc = "wc -l"
    rows = [
        speed_row(1, "scan and index, one thread", times, "ascii one", "ascii wc", wc),
        speed_row(1, "scan and index, two threads", times, "ascii two", "ascii wc", wc),
        speed_row(2, "the same with the UTF-8 verdict, ASCII", times, "ascii judged", "ascii wc", wc),
        speed_row(2, "the same with the UTF-8 verdict, CJK", times, "cjk judged", "cjk wc", wc),
        speed_row(3, "scan and index, CRLF, one thread", times, "crlf one", "crlf wc", wc),
        speed_row(3, "scan and index, CRLF, two threads", times, "crlf two", "crlf wc", wc),
    ]
    return rows, Noise(wc, statistics.median(times["ascii wc"]) * 1000, spread(times["ascii wc"]))


def _check_counts(log: Log) -> None:
    for judge in (False, True):
        found = scan(log.path, judge)
        if found.total != log.lines or (judge and not found.valid):
            raise RuntimeError(f"{log.path.name}: {found.total} lines counted, {log.lines} written")


def _scan_jobs(data: Data) -> dict[str, Job]:
    jobs: dict[str, Job] = {
        "ascii judged": lambda: seconds_of(lambda: scan(data.ascii.path, validate_utf8=True)),
        "cjk judged": lambda: seconds_of(lambda: scan(data.cjk.path, validate_utf8=True)),
        "cjk wc": lambda: _wc(data.cjk.path),
    }
    for name, path in (("ascii", data.ascii.path), ("crlf", data.crlf.path)):
        jobs[f"{name} wc"] = lambda path=path: _wc(path)
        jobs[f"{name} one"] = lambda path=path: _scan_with(1, path)
        jobs[f"{name} two"] = lambda path=path: _scan_with(2, path)
    return jobs


def _wc(path: Path) -> float:
    return seconds_of(lambda: subprocess.run(["wc", "-l", str(path)], stdout=subprocess.PIPE, check=True))


def _scan_with(threads: int, path: Path) -> float:
    return seconds_of(lambda: with_threads(threads, lambda: scan(path)))


def window_rows(data: Data, rounds: int) -> list[Row]:
    """Rows 4, 5, 8 and 9: windows of files that are known already, and tails of one that is not."""
    with fresh_reader(data.folder) as reader, fresh_reader(data.folder) as lazy:
        times = interleaved(_window_jobs(data, reader, lazy), rounds)
    name = size_name(data.largest)
    rows = [
        time_row(4, f"warm window, {name}", times, "window", "floor", "Python floor, exact bytes"),
        time_row(4, f"warm window, {name}", times, "window", "floor in block", "Python floor, from a 64 KiB block"),
        time_row(5, "source file of 100 lines", times, "source", "readlines", "open, readlines, slice, number"),
        speed_row(8, f"lazy tail of 200 lines, {name}", times, "lazy tail", "tail", "the process tail -n 200"),
    ]
    least = size_name(data.steps[MIN_STEP])
    others = [size for size in logs_by_size(data) if size != least]
    return rows + [time_row(9, f"warm window, {size}", times, size, least, f"warm window, {least}") for size in others]


def _window_jobs(data: Data, reader: Reader, lazy: Reader) -> dict[str, Job]:
    largest, source, tail = data.largest, data.source, data.largest.path
    tail_command = ["tail", "-n", str(WINDOW), str(tail)]
    jobs: dict[str, Job] = {
        "window": _windows_of(reader, largest, seed=4),
        "floor": _floors_of(largest, floor_window, seed=4),
        "floor in block": _floors_of(largest, floor_window_in_block, seed=4),
        "source": _mean_of(lambda: checked_reply(reader, path=str(source))),
        "readlines": _mean_of(lambda: floor_file(source, WHOLE_FILE)),
        "lazy tail": _mean_of(lambda: checked_reply(lazy, path=str(tail), offset=-WINDOW, total="lazy")),
        "tail": lambda: seconds_of(lambda: subprocess.run(tail_command, stdout=subprocess.PIPE, check=True)),
    }
    return jobs | {size: _windows_of(reader, log, seed=9) for size, log in logs_by_size(data).items()}


def logs_by_size(data: Data) -> dict[str, Log]:
    logs = (*data.steps, data.numbered, data.ascii, *((data.large,) if data.large else ()))
    return {size_name(log): log for log in sorted(logs, key=lambda log: log.size)}


def size_name(log: Log) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6)):
        if log.size >= 0.99 * factor:
            return f"{log.size / factor:.0f} {unit}"
    return f"{log.size / 1e3:.0f} kB"


def _mean_of(work: Callable[[], object]) -> Job:
    def sample() -> float:
        return seconds_of(lambda: [work() for _ in range(CALLS)]) / CALLS

    return sample


def _starts(log: Log, seed: int) -> Iterator[list[int]]:
    """Yields the first lines of random windows, a sample at a time; the same ones for the same seed."""
    drawn = random.Random(seed)
    last = max(1, log.lines - WINDOW)
    return cycle([[drawn.randint(1, last) for _ in range(CALLS)] for _ in range(SAMPLES)])


def _windows_of(reader: Reader, log: Log, seed: int) -> Job:
    samples, path = _starts(log, seed), str(log.path)
    progress(f"indexing {log.path.name}")
    checked_reply(reader, path=path, offset=log.lines, limit=1)

    def sample() -> float:
        starts = next(samples)
        return seconds_of(lambda: [checked_reply(reader, path=path, offset=at, limit=WINDOW) for at in starts]) / CALLS

    return sample


def _floors_of(log: Log, floor: Callable[[Path, int, int, int], str], seed: int) -> Job:
    samples = _starts(log, seed)

    def sample() -> float:
        spans = [(*log.span(at, WINDOW), at) for at in next(samples)]
        return seconds_of(lambda: [floor(log.path, *span) for span in spans]) / CALLS

    return sample
