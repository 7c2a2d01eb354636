"""Measures the cost of the cage: a small DOCX with and without it; time and memory of a large PDF.

`python cage_cost.py HOW FILE` reads a PDF (HOW is `warm`, `first` or `whole`) and prints the cost as JSON.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from console import progress
from reader_worker import own_peak
from readwell_calls import TIMEOUT_S, checked_reply, fresh_reader

from readwell.deadline import Deadline
from readwell.documents.contract import Converter
from readwell.documents.converters import find_converter, load
from readwell.documents.worker import Worker
from readwell.tokens import count_tokens

CALLS = 200
WARMING_TEXT = "naïve “quotes” " * 20
"""With its first text like this a tokenizer builds its tables, once a process: no cost of a document."""
REQUESTS: dict[str, dict[str, object]] = {"warm": {}, "first": {}, "whole": {"total": "exact", "limit": 1}}


class Overhead(NamedTuple):
    """Milliseconds for one small DOCX: medians, also of the differences, and the tenth percentile of these."""

    caged_ms: float
    in_process_ms: float
    extra_ms: float
    least_extra_ms: float


class Large(NamedTuple):
    """A large PDF read through the cage: processor seconds of all processes, wall seconds, peak bytes."""

    first_cpu_s: float
    whole_cpu_s: float
    first_s: float
    whole_s: float
    worker_peak: int
    caller_extra: int


def overhead(document: Path, calls: int = CALLS) -> Overhead:
    """Converts one document alternately through a warm worker and in process."""
    kind = document.suffix[1:]
    converter, content = load(kind, find_converter(kind, {})), document.read_bytes()
    assert isinstance(converter, Converter)
    caged: list[float] = []
    plain: list[float] = []
    with Worker() as worker, document.open("rb") as file:
        for _ in range(calls + 5):
            began = time.perf_counter()
            with worker.convert(file.fileno(), kind, _deadline()) as conversion:
                through_worker = list(conversion)
            between = time.perf_counter()
            opened = converter.open(content, None, b"")
            in_process = [opened.markdown(number + 1) for number in range(opened.count)]
            caged.append(between - began)
            plain.append(time.perf_counter() - between)
            if [text.strip() for text in through_worker] != [text.strip() for text in in_process]:
                raise RuntimeError("the worker and the process convert differently")
    differences = [one - other for one, other in zip(caged[5:], plain[5:], strict=True)]
    return Overhead(
        caged_ms=statistics.median(caged[5:]) * 1000,
        in_process_ms=statistics.median(plain[5:]) * 1000,
        extra_ms=statistics.median(differences) * 1000,
        least_extra_ms=statistics.quantiles(differences, n=10)[0] * 1000,
    )


def large(small: Path, pdf: Path, rounds: int) -> Large:
    """Reads a large PDF in separate processes, so that the memory of each is measured separately."""
    found: dict[str, list[dict[str, float]]] = {"warm": [], "first": [], "whole": []}
    for number in range(rounds):
        for how, taken in found.items():
            progress(f"through the cage, round {number + 1} of {rounds}: {how}")
            command = [sys.executable, __file__, how, str(small if how == "warm" else pdf)]
            output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=TIMEOUT_S).stdout
            taken.append(json.loads(output))

    def median(how: str, what: str) -> float:
        return statistics.median(each[what] for each in found[how])

    return Large(
        first_cpu_s=median("first", "cpu") - median("warm", "cpu"),
        whole_cpu_s=median("whole", "cpu") - median("warm", "cpu"),
        first_s=median("first", "wall"),
        whole_s=median("whole", "wall"),
        worker_peak=int(max(each["children_peak"] for each in found["whole"])),
        caller_extra=int(max(each["extra"] for each in found["whole"])),
    )


def _deadline() -> Deadline:
    return Deadline(time.monotonic, time.monotonic() + TIMEOUT_S, TIMEOUT_S)


def main(how: str, path: str) -> None:
    """Warms up the worker with a small document, reads, and ends the worker so that all its resources are counted."""
    with fresh_reader(os.path.dirname(path)) as reader:
        warming = Path(path).with_name("warming.pdf")
        checked_reply(reader, path=str(warming))
        count_tokens(WARMING_TEXT)
        peak = own_peak()
        began = time.perf_counter()
        if how != "warm":
            checked_reply(reader, path=path, **REQUESTS[how])
        wall = time.perf_counter() - began
        extra = own_peak() - peak
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(each.ru_utime + each.ru_stime for each in used)
    unit = 1 if sys.platform == "darwin" else 1024
    print(json.dumps({"cpu": cpu, "wall": wall, "extra": extra, "children_peak": used[1].ru_maxrss * unit}))


if __name__ == "__main__":
    main(*sys.argv[1:])
