"""`Ledger`: adds up calls one by one, by caller and by file; memory grows with files up to a bound, not with text."""

from __future__ import annotations

from array import array
from collections import Counter

from .line_set import LineSet
from .logged_call import LISTED, READ, FoundLines, LoggedCall
from .recent_calls import RecentCalls

MAX_CALLERS = 40
"""Callers counted one by one; the calls of further ones are counted together."""
MAX_FILES = 100_000
"""Files that are told one by one; calls that showed further ones are in the totals alone, and their number is told."""
MAX_NAMES = 60
"""Different tools, and different outcomes, that are told apart."""
MAX_FAILURES = 50_000
"""Different failures whose repetition is noticed."""
MAX_WINDOWS = 64
"""Windows of a file without a revision that are compared with later ones."""
WORTH_NAMING = 40
"""Lines of a file from which reading it whole for one match is worth a remark."""
OTHERS = "(others)"


class LoggedFile:
    """A file or directory as the records tell of it."""

    __slots__ = ("_first", "_others", "kind", "known_at", "page_total", "path", "revision", "total")

    def __init__(self, path: str) -> None:
        self.path, self.kind, self.revision = path, "", ""
        self.total: int | None = None
        self.page_total: int | None = None
        self.known_at = 0
        """The time of the latest record of it."""
        self._first = ""
        self._others: set[str] | None = None
        """Revisions beside the first that was met."""

    @property
    def revision_count(self) -> int:
        """How many different revisions the records tell of."""
        return (self._first != "") + len(self._others or ())

    def learn(self, time: int | None, record: LoggedCall | FoundLines) -> None:
        """Takes over what a record says; one that is older than another only what that one left open."""
        self.kind = record.kind or self.kind
        self._note_revision(record.revision)
        at = self.known_at if time is None else time
        is_other = record.revision not in ("", self.revision)
        total, page_total = (record.total, record.page_total) if isinstance(record, LoggedCall) else (None, None)
        if at >= self.known_at:
            self.known_at = at
            if is_other:
                self.revision, self.total = record.revision, None
            self.total = self.total if total is None else total
            self.page_total = page_total or self.page_total
        elif not is_other or not self.revision:
            self.revision = self.revision or record.revision
            self.total = total if self.total is None else self.total
            self.page_total = self.page_total or page_total

    def _note_revision(self, revision: str) -> None:
        if not self._first:
            self._first = revision
        elif revision not in ("", self._first):
            if self._others is None:
                self._others = set()
            self._others.add(revision)


class ReadingCounts:
    """What one caller was shown of one file."""

    __slots__ = (
        "_revision",
        "_shown",
        "calls",
        "pages",
        "repeated",
        "seen",
        "single_match_shown",
        "tokens",
        "whole_for_one_match",
        "windows",
    )

    def __init__(self) -> None:
        self.calls = self.tokens = 0
        self.windows, self.pages = array("q"), array("q")
        self.repeated, self.whole_for_one_match = [0, 0], [0, 0]
        """Calls and tokens of reads that showed nothing new, and of reads of a whole file for one match."""
        self.single_match_shown = False
        """A search has shown one match of it, and it was not read since."""
        self.seen: LineSet | array[int] | None = None
        self._revision, self._shown = "", ""

    def add_read(self, call: LoggedCall) -> bool:
        """Notes what a read showed; returns whether the caller had been shown all of it before, unchanged."""
        self.calls += 1
        self.tokens += call.tokens
        if call.lines:
            self.windows.extend(call.lines)
        if call.pages:
            self.pages.extend(call.pages)
        return self._record_window(call)

    def _record_window(self, call: LoggedCall) -> bool:
        """Notes the lines or pages of a read; returns whether all of them were known."""
        window = call.lines or call.pages or ((1, 1) if call.kind == "image" else None)
        if window is None or call.in_part:
            return False
        return self._record_in_revision(window, call) if call.revision else self._record_with_size(window, call)

    def _record_in_revision(self, window: tuple[int, int], call: LoggedCall) -> bool:
        """Compares a window with the lines of the same revision, and adds it."""
        shown = "lines" if call.lines else call.kind
        if not isinstance(self.seen, LineSet) or (call.revision, shown) != (self._revision, self._shown):
            self.seen, self._revision, self._shown = LineSet(), call.revision, shown
        known = self.seen.holds_all(*window)
        self.seen.add(*window)
        return known

    def _record_with_size(self, window: tuple[int, int], call: LoggedCall) -> bool:
        """Compares a window with those of the same size of the file, where there is no revision, and adds it."""
        if not isinstance(self.seen, array):
            self.seen, self._revision = array("q"), ""
        key = hash((*window, call.size))
        if key in self.seen:
            return True
        self.seen.append(key)
        del self.seen[:-MAX_WINDOWS]
        return False


class CallerCounts:
    """The calls of one caller."""

    def __init__(self) -> None:
        self.calls = self.tokens = 0
        self.ms = 0.0
        self.tools: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.readings: dict[int, ReadingCounts] = {}
        self.failures: dict[tuple[str, str, str], list[int]] = {}
        """Calls by tool, path and outcome, and how many of them came after another of the same caller."""

    def reading_of(self, file: int) -> ReadingCounts:
        """Returns what the caller was shown of a file."""
        if file not in self.readings:
            self.readings[file] = ReadingCounts()
        return self.readings[file]


class Ledger:
    """Counts calls; `calls`, `callers` and `files` are the result."""

    def __init__(self) -> None:
        self.damaged = self.dropped = 0
        self.further_calls = 0
        """Calls that showed files beyond those that are told one by one."""
        self.first: int | None = None
        self.last: int | None = None
        self.callers: dict[str, CallerCounts] = {}
        self.files: list[LoggedFile] = []
        self.bases: Counter[str] = Counter()
        """Folders that relative paths start at, by how many calls show it."""
        self.recent = RecentCalls()
        self._numbers: dict[str, int] = {}

    @property
    def calls(self) -> int:
        """All calls."""
        return sum(counts.calls for counts in self.callers.values())

    def add(self, call: LoggedCall | None) -> None:
        """Counts a call; None is a damaged line."""
        if call is None:
            self.damaged += 1
            return
        self.dropped += call.dropped
        name = self._caller_or_others(call.caller)
        counts = self.callers[name]
        counts.calls += 1
        counts.tokens += call.tokens
        counts.ms += call.ms
        counts.tools[_name_or_others(counts.tools, call.tool)] += 1
        counts.outcomes[_name_or_others(counts.outcomes, call.outcome)] += 1
        self._note_time(call.at)
        self.recent.add(call, name, self._count_outcome(counts, call))

    def _count_outcome(self, counts: CallerCounts, call: LoggedCall) -> int:
        """Counts what a call showed, or its failure; returns the number of its file, or -1."""
        if call.failed:
            self._count_failure(counts, call)
            return -1
        is_further = False
        for each in call.found:
            if not each.ranges:  # its name was shown, and no line of it
                continue
            number = self._file_number(each.path)
            if number < 0:
                is_further = True
                continue
            self.files[number].learn(call.at, each)
            reading = counts.reading_of(number)
            reading.calls += 1
            for first, last in each.ranges:
                reading.windows.extend((first, last))
            reading.single_match_shown = each.matches == 1
        self.further_calls += is_further
        if not call.opened or call.outcome not in (READ, LISTED):
            return -1
        return self._count_read(counts, call, call.opened)

    def _count_read(self, counts: CallerCounts, call: LoggedCall, opened: str) -> int:
        number = self._file_number(opened)
        self._note_base(call, opened)
        if number < 0:
            self.further_calls += 1
            return number
        self.files[number].learn(call.at, call)
        if call.outcome != READ:
            return number
        reading = counts.reading_of(number)
        if reading.add_read(call):
            _add_one_and(reading.repeated, call.tokens)
        if reading.single_match_shown and call.lines:
            whole = call.lines[0] == 1 and call.lines[1] == call.total and call.lines[1] >= WORTH_NAMING
            if whole:
                _add_one_and(reading.whole_for_one_match, call.tokens)
            reading.single_match_shown = False
        return number

    def _count_failure(self, counts: CallerCounts, call: LoggedCall) -> None:
        key = (call.tool, call.path or "", call.outcome)
        if key in counts.failures:
            _add_one_and(counts.failures[key], 1)
        elif len(counts.failures) < MAX_FAILURES:
            counts.failures[key] = [1, 0]

    def _caller_or_others(self, name: str) -> str:
        if name not in self.callers and len(self.callers) >= MAX_CALLERS:
            name = OTHERS
        if name not in self.callers:
            self.callers[name] = CallerCounts()
        return name

    def _file_number(self, path: str) -> int:
        """Returns the number of a file; -1 for one that there is no room for."""
        number = self._numbers.get(path)
        if number is None:
            if len(self.files) >= MAX_FILES:
                return -1
            number = self._numbers[path] = len(self.files)
            self.files.append(LoggedFile(path))
        return number

    def _note_time(self, at: int | None) -> None:
        if at is not None:
            self.first = at if self.first is None else min(self.first, at)
            self.last = at if self.last is None else max(self.last, at)

    def _note_base(self, call: LoggedCall, opened: str) -> None:
        asked = (call.path or "").removeprefix("./")
        if asked and not asked.startswith("/") and opened.endswith(f"/{asked}"):
            base = opened[: -len(asked) - 1] or "/"
            if base in self.bases or len(self.bases) < MAX_FILES:
                self.bases[base] += 1


def _name_or_others(counted: Counter[str], name: str) -> str:
    return name if name in counted or len(counted) < MAX_NAMES else OTHERS


def _add_one_and(pair: list[int], more: int) -> None:
    pair[0] += 1
    pair[1] += more
