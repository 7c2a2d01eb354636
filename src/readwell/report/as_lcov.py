"""The report as LCOV: the format by which editors and coverage services show which lines were read, and how often."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..path_names import printable
from .build_report import Report
from .line_set import EquallyShownRun, count_lines

MAX_LINES = 1_000_000
"""Lines of a file; of a longer one only those that were read are listed, and no more than so many of them."""
MAX_ALL_LINES = 20_000_000
"""Lines of all files together: a record of a few bytes may claim any number of them."""
AT_ONCE = 10_000


def lcov_chunks(report: Report, warn: Callable[[str], None]) -> Iterator[str]:
    """Yields a section for each text file that was read; documents have no lines of their own and are left out.

    `warn` is called at the end, if there were more lines than are listed.
    """
    room, omitted_lines, omitting_files = MAX_ALL_LINES, 0, 0
    for number, reading in sorted(report.view_of_all.readings.items(), key=lambda each: report.files[each[0]].path):
        file = report.files[number]
        if file.kind not in ("", "file") or not (reading.windows or file.lines):
            continue
        read = reading.equally_shown_runs()
        known = file.lines if file.lines is not None else read[-1].last
        runs = read if known > MAX_LINES else list(_with_unread_runs(read, known))
        shown = _cut_runs(runs, min(MAX_LINES, room))
        room -= count_lines(shown)
        if omitted := count_lines(runs) - count_lines(shown):
            omitted_lines, omitting_files = omitted_lines + omitted, omitting_files + 1
        if shown or not runs:
            yield from _file_section(file.path, shown, known, reading.lines_read)
    if omitted_lines:
        bounds = f"{MAX_LINES:,} of a file and {MAX_ALL_LINES:,} of all files"
        files = "1 file" if omitting_files == 1 else f"{omitting_files:,} files"
        warn(f"{omitted_lines:,} lines of {files} are left out: LCOV lists at most {bounds}")


def _cut_runs(runs: Sequence[EquallyShownRun], most: int) -> list[EquallyShownRun]:
    """Returns the runs up to some number of lines; the last of them is cut."""
    shown: list[EquallyShownRun] = []
    for run in runs:
        if most <= 0:
            break
        shown.append(run._replace(last=min(run.last, run.first + most - 1)))
        most -= count_lines(shown[-1:])
    return shown


def _file_section(path: str, runs: Sequence[EquallyShownRun], known: int, lines_read: int) -> Iterator[str]:
    """Yields the section of a file: lines with how often each was read, then how many there are and were read."""
    yield f"TN:\nSF:{printable(path)}\n"
    for first, last, times in runs:
        for start in range(first, last + 1, AT_ONCE):
            yield "".join([f"DA:{line},{times}\n" for line in range(start, min(last + 1, start + AT_ONCE))])
    yield f"LF:{known}\nLH:{lines_read}\nend_of_record\n"


def _with_unread_runs(runs: Sequence[EquallyShownRun], known: int) -> Iterator[EquallyShownRun]:
    """Yields the runs and what lies between them, up to the last line."""
    line = 1
    for run in runs:
        if line < run.first:
            yield EquallyShownRun(line, run.first - 1, 0)
        yield run
        line = run.last + 1
    if line <= known:
        yield EquallyShownRun(line, known, 0)
