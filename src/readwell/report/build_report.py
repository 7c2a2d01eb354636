"""Builds the `Report` from a ledger and the project's files: totals and savings, for all callers and for each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..errors import DeadlineExceeded
from ..named_tuple import NamedTuple
from .ledger import CallerCounts, Ledger, LoggedFile, ReadingCounts
from .line_set import count_lines, count_shown_lines, equally_shown_runs
from .logged_call import SHOWN
from .project_files import Project
from .report_model import CallerView, Cost, File, FileReading, RepeatedFailure

MAX_LOOKS = 2000
"""Files whose lines are counted on the disk, where no record says how many there are."""


class Report(NamedTuple):
    """What is shown in whatever form."""

    files: Sequence[File]
    views: Sequence[CallerView]
    """All callers together, then each if there are several."""
    ledger: Ledger
    root: str = ""
    recorded_root: str = ""
    """Where the files were when they were read, if that was elsewhere."""
    project_files: int | None = None
    project_size: int = 0
    whole_project: bool = True
    """Whether all of its files were looked at."""

    @property
    def only_caller(self) -> str:
        """The name of the caller, if there is one only and it has a name; else empty."""
        return next(iter(self.ledger.callers)) if len(self.ledger.callers) == 1 else ""

    @property
    def view_of_all(self) -> CallerView:
        """All callers together."""
        return self.views[0]


def report_of(ledger: Ledger, project: Project | None = None) -> Report:
    """Makes the report of a ledger; the project says how large its files are, and which were never read."""
    sizes, complete = project.file_sizes() if project else ({}, True)
    root = project.root if project else ""
    base = _base_folder(ledger, root)
    files, in_time = _measure_logged_files(ledger, base, sizes, project)
    known = {file.path for file in files}
    unread = [File(path, size=size) for path, size in sizes.items() if path not in known]
    everything = [*files, *unread]
    callers = [_view(name, counts, files) for name, counts in ledger.callers.items()]
    together = _view(None, _merged_counts(ledger.callers.values()), files) if len(callers) != 1 else callers[0]
    views = [together._replace(caller=None), *(callers if len(callers) > 1 else [])]
    if project:
        views = [_with_project_share(view, everything) for view in views]
    in_project = [file.size for file in everything if file.size is not None]
    return Report(
        files=everything,
        views=views,
        ledger=ledger,
        root=root,
        recorded_root=base if root and base != root else "",
        project_files=len(in_project) if project else None,
        project_size=sum(in_project),
        whole_project=complete and in_time,
    )


def _base_folder(ledger: Ledger, root: str) -> str:
    """Returns the folder below which names are shown relative: the root, or where the records come from."""
    if root and any(logged.path.startswith(f"{root.rstrip('/')}/") for logged in ledger.files):
        return root
    common = ledger.bases.most_common(1)
    return common[0][0] if common else root


def _measure_logged_files(
    ledger: Ledger, base: str, sizes: Mapping[str, int], project: Project | None
) -> tuple[list[File], bool]:
    """Returns the files of a ledger, with sizes and numbers of lines from the disk; and whether it told all in time."""
    looks, in_time = MAX_LOOKS, True
    files: list[File] = []
    for logged in ledger.files:
        name = _path_below(logged.path, base)
        size = sizes.get(name)
        if project and size is None and logged.kind != "directory" and not os.path.isabs(name):
            try:
                size = project.size_of(name)
            except DeadlineExceeded:  # the others are not asked for, or a report may never end
                project, in_time = None, False
        lines = logged.total
        if project and lines is None and size is not None and logged.kind in ("", "file") and looks:
            looks -= 1
            now = project.current_text(name, 0)
            lines = now.total if now else None
        files.append(_file(logged, name, size, lines))
    return files, in_time


def _file(logged: LoggedFile, name: str, size: int | None, lines: int | None) -> File:
    return File(
        path=name,
        kind=logged.kind,
        lines=lines,
        page_total=logged.page_total,
        size=size,
        revision=logged.revision,
        revisions=logged.revision_count,
    )


def _path_below(path: str, base: str) -> str:
    """Returns a path relative to the project."""
    inside = f"{base.rstrip('/')}/"
    return path[len(inside) :] if base and path.startswith(inside) and len(path) > len(inside) else path


def _view(caller: str | None, counts: CallerCounts, files: Sequence[File]) -> CallerView:
    """Returns the totals of a caller."""
    shown = {number: _file_reading(reading, files[number]) for number, reading in counts.readings.items()}
    repeated, whole = Cost(), Cost()
    for reading in shown.values():
        repeated, whole = repeated.plus(reading.repeated), whole.plus(reading.whole_for_one_match)
    again = sorted((each for each in counts.failures.items() if each[1][1]), key=lambda each: -each[1][1])
    return CallerView(
        caller=caller,
        calls=counts.calls,
        tokens=counts.tokens,
        ms=counts.ms,
        tools=counts.tools,
        outcomes=counts.outcomes,
        readings={number: reading for number, reading in shown.items() if files[number].kind != "directory"},
        repeated=repeated,
        whole_for_one_match=whole,
        repeated_failure_count=sum(repeated for _, (_, repeated) in again),
        repeated_failures=[RepeatedFailure(*key, times=times) for key, (times, _) in again],
    )


def _file_reading(reading: ReadingCounts, file: File) -> FileReading:
    """Returns what was read of a file."""
    pages = count_lines(equally_shown_runs(reading.pages, file.page_total)) if reading.pages else 0
    return FileReading(
        calls=reading.calls,
        tokens=reading.tokens,
        lines_read=count_shown_lines(reading.windows, file.lines),
        pages_read=pages,
        windows=reading.windows,
        last_line=file.lines,
        repeated=Cost(*reading.repeated),
        whole_for_one_match=Cost(*reading.whole_for_one_match),
    )


def _merged_counts(callers: Iterable[CallerCounts]) -> CallerCounts:
    """Returns the calls of several callers as if they were one's; what was repeated stays each one's own matter."""
    result = CallerCounts()
    for counts in callers:
        result.calls += counts.calls
        result.tokens += counts.tokens
        result.ms += counts.ms
        result.tools += counts.tools
        result.outcomes += counts.outcomes
        for number, reading in counts.readings.items():
            _merge_reading(result.reading_of(number), reading)
        for call, failures in counts.failures.items():
            _add_pair(result.failures.setdefault(call, [0, 0]), failures)
    return result


def _merge_reading(result: ReadingCounts, reading: ReadingCounts) -> None:
    """Adds what another caller read of the same file."""
    result.calls += reading.calls
    result.tokens += reading.tokens
    result.windows.extend(reading.windows)
    result.pages.extend(reading.pages)
    _add_pair(result.repeated, reading.repeated)
    _add_pair(result.whole_for_one_match, reading.whole_for_one_match)


def _add_pair(pair: list[int], other: list[int]) -> None:
    pair[0], pair[1] = pair[0] + other[0], pair[1] + other[1]


def share_of_file_read(file: File, reading: FileReading | None) -> float:
    """Returns how much of a file was shown, from 0 to 1."""
    if reading is None:
        return 0.0
    if reading.pages_read and file.page_total:
        return min(1.0, reading.pages_read / file.page_total)
    if file.kind == "image":
        return 1.0
    return min(1.0, reading.lines_read / file.lines) if file.lines else float(file.lines == 0)


def _with_project_share(view: CallerView, files: Sequence[File]) -> CallerView:
    """Returns a view with how much of the project it is."""
    inside = sum(files[number].size is not None for number in view.readings)
    return view._replace(share_read=_share_of_project_read(view, files), project_files_read=inside)


def _share_of_project_read(view: CallerView, files: Sequence[File]) -> float | None:
    """Returns how much of all bytes was read; None where there are none."""
    total = sum(file.size or 0 for file in files)
    read = sum(
        (file.size or 0) * share_of_file_read(file, view.readings.get(number)) for number, file in enumerate(files)
    )
    return read / total if total else None


def failure_counts(view: CallerView) -> dict[str, int]:
    """Returns how many calls failed, by outcome, the most frequent first."""
    failed = Counter({name: times for name, times in view.outcomes.items() if name not in SHOWN})
    return dict(failed.most_common())
