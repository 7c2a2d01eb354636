"""Parses one line of an audit file into a `LoggedCall`, its verdict as a code; what is no record counts as damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, BinaryIO, cast

from ..named_tuple import NamedTuple

MAX_LINES = 1 << 40
"""A larger line number is no line number."""
MAX_NAME = 4096
"""Characters kept of a name."""
MAX_LINE = 4 << 20
"""Bytes of a line; a longer one is damaged."""
_parse = json.JSONDecoder().raw_decode
READ, SEARCHED, LISTED = "read", "searched", "listed"
SHOWN = (READ, SEARCHED, LISTED)
"""Outcomes that are no failure."""

NO_PERMISSION = ("Unreadable", "permission")
"""Verdict and rule of a file that the system does not let the process read."""
CODES = {
    "InvalidRequest": "INVALID_PARAM",
    "StartPastEnd": "OUT_OF_RANGE",
    "ColumnPastEnd": "OUT_OF_RANGE",
    "denied": "ACCESS_DENIED",
    "NotFound": "NOT_FOUND",
    "WrongKind": "IO_ERROR",
    "IsDirectory": "IS_DIRECTORY",
    "NotRegularFile": "NOT_REGULAR",
    "BinaryFile": "BINARY_FILE",
    "ConversionFailed": "CONVERSION_FAILED",
    "ConverterMissing": "CONVERTER_MISSING",
    "DocumentLocked": "DOCUMENT_LOCKED",
    "DocumentEmpty": "DOCUMENT_EMPTY",
    "TooLarge": "TOO_LARGE",
    "ChangedWhileReading": "CHANGED",
    "DeadlineExceeded": "TIMEOUT",
    "TooManyCalls": "TOO_MANY_CALLS",
    "Unreadable": "IO_ERROR",
}
"""The codes of failures by their verdicts."""


class FoundLines(NamedTuple):
    """The lines of a file that a search showed."""

    path: str
    matches: int
    ranges: tuple[tuple[int, int], ...]
    kind: str = ""
    revision: str = ""


class LoggedCall(NamedTuple):
    """A call as its record tells it; fields that an earlier version did not write have their defaults."""

    at: int | None
    """Milliseconds since 1970; None where the time cannot be read."""
    caller: str
    tool: str
    outcome: str
    """One of `SHOWN`, or the code of the failure."""
    path: str | None = None
    opened: str | None = None
    kind: str = ""
    lines: tuple[int, int] | None = None
    total: int | None = None
    pages: tuple[int, int] | None = None
    page_total: int | None = None
    revision: str = ""
    size: int = 0
    tokens: int = 0
    ms: float = 0.0
    in_part: bool = False
    """It showed a part of a line, of a page or of an image."""
    found: tuple[FoundLines, ...] = ()
    dropped: int = 0
    """Records before this one that could not be written."""

    @property
    def failed(self) -> bool:
        """Whether nothing was shown."""
        return self.outcome not in SHOWN


def parse_logged_calls(record: BinaryIO) -> Iterator[LoggedCall | None]:
    """Yields a call for each line that is not blank; None for a damaged one."""
    while line := record.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            _skip_line(record)
            yield None
        elif not line.isspace():
            yield parse_logged_call(line)


def _skip_line(record: BinaryIO) -> None:
    """Reads to the end of a line."""
    while (rest := record.readline(MAX_LINE)) and not rest.endswith(b"\n"):
        pass


def parse_logged_call(line: bytes) -> LoggedCall | None:
    """Returns the call of a line; None if it is damaged or something else."""
    try:
        text = line.decode().strip()
        fields, end = _parse(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or end < len(text):
        return None
    record = cast("dict[str, Any]", fields)
    outcome, size = _text_or_empty(record.get("verdict")), _count_or_zero(record.get("bytes"))
    if not outcome:
        return None
    tokens, rule = record.get("tokens"), _text_or_empty(record.get("rule"))
    return LoggedCall(
        at=_parse_time(record.get("time")),
        caller=_text_or_empty(record.get("caller")),
        tool=_text_or_empty(record.get("tool")) or ("search" if outcome == SEARCHED else "read"),
        outcome="PERMISSION_DENIED" if (outcome, rule) == NO_PERMISSION else CODES.get(outcome, outcome),
        path=_text_or_empty(record.get("path")) or None,
        opened=_text_or_empty(record.get("opened")) or None,
        kind=_text_or_empty(record.get("kind")),
        lines=_range_or_none(record.get("range")),
        total=_count_or_none(record.get("total")),
        pages=_range_or_none(record.get("pages")),
        page_total=_count_or_none(record.get("page_total")),
        revision=_text_or_empty(record.get("revision")),
        size=size,
        tokens=2 * size // 7 if tokens is None else _count_or_zero(tokens),
        ms=_duration_or_zero(record.get("ms")),
        in_part="column" in record or "region" in record or "pages_cut" in record,
        found=tuple(_found_files(record["found"])) if "found" in record else (),
        dropped=_count_or_zero(record.get("dropped")),
    )


def _text_or_empty(value: object) -> str:
    """Returns a text of bounded length; empty for anything else."""
    return value[:MAX_NAME] if isinstance(value, str) else ""


def _count_or_zero(value: object) -> int:
    """Returns a count; 0 for anything else."""
    return value if type(value) is int and 0 <= value <= MAX_LINES else 0


def _count_or_none(value: object) -> int | None:
    """Returns a count; None for anything else."""
    return value if type(value) is int and 0 <= value <= MAX_LINES else None


def _duration_or_zero(value: object) -> float:
    """Returns milliseconds; 0 for anything else."""
    return float(value) if isinstance(value, (int, float)) and 0 <= value < MAX_LINES else 0.0


def _range_or_none(value: object) -> tuple[int, int] | None:
    """Returns two line numbers; None where there are none, or they count from an end that is not known."""
    if not isinstance(value, list):
        return None
    numbers = cast("list[object]", value)
    if len(numbers) != 2:
        return None
    first, last = numbers
    if type(first) is not int or type(last) is not int or not 1 <= first <= last <= MAX_LINES:
        return None
    return first, last


def _found_files(value: object) -> Iterator[FoundLines]:
    """Yields the files that a search showed, with their lines."""
    for each in cast("list[object]", value) if isinstance(value, list) else []:
        if isinstance(each, dict):
            fields = cast("dict[str, object]", each)
            path, ranges = _text_or_empty(fields.get("path")), fields.get("ranges")
            shown = (_range_or_none(one) for one in cast("list[object]", ranges)) if isinstance(ranges, list) else ()
            if path:
                matches, kind, revision = fields.get("matches"), fields.get("kind"), fields.get("revision")
                lines = tuple(one for one in shown if one)
                yield FoundLines(
                    path, _count_or_zero(matches), lines, kind=_text_or_empty(kind), revision=_text_or_empty(revision)
                )


def _parse_time(value: object) -> int | None:
    """Parses `2026-05-04T09:12:33.120Z`; a time without a zone is UTC."""
    if not isinstance(value, str) or not 19 <= len(value) <= 40:
        return None
    second = _parse_cached_second(value[:19])
    if second is None:
        return None
    if len(value) == 24 and value[23] == "Z" and value[20:23].isdecimal() and value.isascii():
        return second + int(value[20:23])
    return _parse_any_time(value)


@lru_cache(maxsize=64)
def _parse_cached_second(text: str) -> int | None:
    return _parse_any_time(text)


def _parse_any_time(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
