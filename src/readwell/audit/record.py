"""The record of one call: who asked for what, and what was shown, without content."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from time import gmtime, strftime, time

from ..errors import AccessDenied, ReadError
from ..light_typing import Self
from ..matches import FileMatches, SearchResult
from ..model import ReadResult, Reply
from ..named_tuple import NamedTuple

PIXELS_A_TOKEN = 750
"""Pixels of an image for which a model is charged about one token."""


class Found(NamedTuple):
    """The lines of one file that a search showed."""

    path: str
    """Absolute path of the file."""
    matches: int
    ranges: tuple[tuple[int, int], ...]
    """First and last line of each run of lines shown."""


class Record(NamedTuple):
    """The record of one call: when, who asked for what, and the result."""

    time: str
    """Start of the call, UTC, ISO 8601 with milliseconds."""
    dialect: str
    path: str | None
    """Path as the caller sent it; None if it was missing or not text."""
    opened: str | None = None
    """Real path of what was opened, links resolved; None if nothing was."""
    range: tuple[int, int] | None = None
    """First and last line shown; entries of a directory, lines of a converted document; None: no lines were shown, or
    their numbers are not known."""
    bytes: int = 0
    """Size of the text shown, in UTF-8, without line ends."""
    verdict: str = "read"
    """`read`, `searched`, `listed` (only the names of too many files were shown), `denied`, or the error."""
    rule: str | None = None
    """The rule that denied the read, or `root`."""
    ms: float = 0.0
    """Duration in milliseconds."""
    tool: str | None = None
    caller: str | None = None
    """Name of the agent or client, if it is known."""
    kind: str | None = None
    """`file`, `directory`, `document` or `image`."""
    view: str | None = None
    """`outline`, `block` or `unchanged` where that was shown; an outline has no range."""
    total: int | None = None
    """Number of lines, if they were counted."""
    pages: tuple[int, int] | None = None
    """First and last page, slide, sheet or part of a document shown."""
    page_total: int | None = None
    revision: str | None = None
    tokens: int = 0
    """Tokens of the reply: as it counted them, else estimated by its size."""
    column: int | None = None
    """First column shown of the first line, if it is not 1."""
    found: tuple[Found, ...] | None = None
    """The lines that a search showed."""


Audit = Callable[[Record], None]
"""Called with the record of each call; `AuditFile` is one."""
_new_record = partial(Record.__new__, Record)


class Recorder:
    """Gives `audit` the record of one call when its block ends, unless it ends in an exception that is no ReadError.

    Set `path` as soon as the params are parsed, `result` and `reply` as soon as they are known. `began` is the start of
    the call by `clock`, `cwd` the directory where its relative paths start.
    """

    path: str | None = None
    result: object = None
    reply: Reply | None = None

    def __init__(
        self,
        audit: Audit,
        *,
        dialect: str,
        tool: str,
        caller: str | None,
        cwd: str,
        clock: Callable[[], float],
        began: float,
    ) -> None:
        self._audit, self._clock, self._began = audit, clock, began
        self.dialect, self.tool, self.caller, self.cwd = dialect, tool, caller, cwd

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            self._audit(self._record(self.result))
        elif isinstance(error, ReadError):
            self._audit(self._record(error))

    def refused(self, error: ReadError, params: object) -> None:
        """Gives `audit` the record of a call that was refused before anything was read."""
        path = params.get("path") if isinstance(params, dict) else None  # pyright: ignore - looked at
        self.path = path if isinstance(path, str) else None
        self._audit(self._record(error))

    def _record(self, outcome: object) -> Record:
        seconds = self._clock() - self._began
        at = time() - seconds
        if isinstance(outcome, ReadResult):
            return _of_read(self, outcome, at, seconds)
        start = Record(
            time=_time(at),
            dialect=self.dialect,
            path=self.path,
            ms=round(seconds * 1000, 3),
            tool=self.tool,
            caller=self.caller,
        )
        if isinstance(outcome, SearchResult):
            return _of_search(start, outcome, self.reply, self.cwd)
        if isinstance(outcome, AccessDenied):
            return start._replace(verdict="denied", rule=outcome.rule)
        if isinstance(outcome, ReadError):
            return start._replace(opened=outcome.opened, verdict=type(outcome).__name__)
        return start._replace(tokens=_tokens(self.reply, 0))


def records_of_batch(reply: Reply, listed: bool, records: Sequence[object]) -> Iterator[Record]:
    """Yields the records of a call for several files, as far as its reply shows them: only by name if it lists them."""
    tokens = _tokens(reply, 0) // max(1, len(records))
    for record in records:
        if not isinstance(record, Record):
            continue
        if listed and record.verdict == "read":
            record = record._replace(verdict="listed", range=None, pages=None, bytes=0, tokens=tokens)
        yield record


def _of_read(call: Recorder, result: ReadResult, at: float, seconds: float) -> Record:
    window, part = result.window, result.part
    size = _size(window.text) - max(0, len(window.lines) - 1)
    numbered = window.lines and result.outline is None and not (part and part.uncounted)
    has_units = part is not None and part.unit != ""
    return _new_record(
        time=_time(at),
        dialect=call.dialect,
        path=call.path,
        opened=result.real,
        range=(window.start, window.end) if numbered else None,
        bytes=size,
        ms=int(seconds * 1e6) / 1000,
        tool=call.tool,
        caller=call.caller,
        kind=result.kind,
        view=_view(result) if result.unchanged or result.outline is not None or result.block else None,
        total=window.total if numbered else None,
        pages=(part.first, part.last) if part and has_units else None,
        page_total=part.units if part and has_units else None,
        revision=result.revision,
        tokens=_tokens(call.reply, size),
        column=window.column if window.column > 1 else None,
    )


def _time(at: float) -> str:
    return f"{_second(int(at))}.{int(at * 1000) % 1000:03d}Z"


@lru_cache(maxsize=4)
def _second(at: int) -> str:
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(at))


def _view(result: ReadResult) -> str | None:
    if result.unchanged:
        return "unchanged"
    return "outline" if result.outline is not None else "block" if result.block else None


def _of_search(start: Record, result: SearchResult, reply: Reply | None, cwd: str) -> Record:
    size = sum(_size(row.text) for each in result.files for row in each.rows)
    found = tuple(_found(each, cwd) for each in result.files)
    return start._replace(bytes=size, verdict="searched", tokens=_tokens(reply, size), found=found)


def _found(matches: FileMatches, cwd: str) -> Found:
    lines = (row.line for row in matches.rows)
    return Found(os.path.join(cwd, matches.path), matches.found, tuple(_runs(lines)))


def _runs(lines: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Yields the first and last of lines that follow each other."""
    first = last = None
    for line in lines:
        if first is None or last is None or line > last + 1:
            if first is not None and last is not None:
                yield first, last
            first = line
        last = line
    if first is not None and last is not None:
        yield first, last


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


def _tokens(reply: Reply | None, size: int) -> int:
    """Returns the tokens of a reply, or of so many bytes: counted, or about two for seven bytes of a numbered text."""
    if reply is None:
        return 0
    counted = reply.data.get("tokens")
    # A reply that is surely within its budget states its bytes: it was not counted.
    if isinstance(counted, int) and counted < len(reply.text):
        tokens = counted
    else:
        tokens = (2 * (_size(reply.text) or size) + 6) // 7
    width, height = reply.picture.shown if reply.picture else (0, 0)
    return tokens + width * height // PIXELS_A_TOKEN
