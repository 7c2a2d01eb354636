"""The report as LCOV: the format by which editors and coverage services show which lines were read, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .build_report import Report
from .line_set import Run
from .report_model import File, FileReading

MAX_LINES = 1_000_000
"""Lines of a file; of a longer one only those that were read are listed."""
AT_ONCE = 10_000


def lcov_chunks(report: Report) -> Iterator[str]:
    """Yields a section for each text file that was read; documents have no lines of their own and are left out."""
    for number, reading in sorted(report.all.readings.items(), key=lambda each: report.files[each[0]].path):
        file = report.files[number]
        if file.kind in ("", "file") and (reading.windows or file.lines):
            yield from _section(file, reading)


def _section(file: File, reading: FileReading) -> Iterator[str]:
    """Yields the section of a file: each of its lines with how often it was read."""
    runs = reading.runs()
    known = file.lines if file.lines is not None else runs[-1].last
    yield f"TN:\nSF:{_one_line(file.path)}\n"
    for first, last, times in runs if known > MAX_LINES else _with_gaps(runs, known):
        for start in range(first, last + 1, AT_ONCE):
            yield "".join([f"DA:{line},{times}\n" for line in range(start, min(last + 1, start + AT_ONCE))])
    yield f"LF:{known}\nLH:{reading.lines_read}\nend_of_record\n"


def _with_gaps(runs: Sequence[Run], known: int) -> Iterator[Run]:
    """Yields the runs and what lies between them, up to the last line."""
    line = 1
    for run in runs:
        if line < run.first:
            yield Run(line, run.first - 1, 0)
        yield run
        line = run.last + 1
    if line <= known:
        yield Run(line, known, 0)


def _one_line(path: str) -> str:
    """Returns a path that cannot end its line, and can be written as UTF-8."""
    shown = path.replace("\r", "\\r").replace("\n", "\\n")
    return shown.encode(errors="backslashreplace").decode()
