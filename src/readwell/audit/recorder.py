"""Makes the record of each call, and gives it to an audit function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from time import gmtime, strftime, time

from ..errors import AccessDenied, ReadError, Unreadable
from ..model import WHOLE_PAGE, ReadResult, Reply, ShownPart, Window
from ..model.search import FileMatches, SearchResult
from .audit_file import AuditFile
from .record import Audit, FoundLines, Record
from .record_json import has_no_rare_fields, json_fields_of_read

CallFacts = tuple[str, str | None, float, str | None]
"""A call: its tool, its caller, its start by the tool's clock, its path if it is known."""
_new_record = partial(Record.__new__, Record)


class Recorder:
    """Gives `audit` the record of each call of a dialect.

    An ordinary read is written to an `AuditFile` without becoming a `Record` before, which takes half the time.
    """

    def __init__(self, audit: Audit, dialect: str, clock: Callable[[], float]) -> None:
        self._audit, self._dialect, self._clock = audit, dialect, clock
        self._file = audit if isinstance(audit, AuditFile) else None

    def record_answer(self, call: CallFacts, reply: Reply, result: object) -> None:
        """Records a call that was answered."""
        tool, caller, began, path = call
        seconds = self._clock() - began
        at = time() - seconds
        if not isinstance(result, ReadResult):
            self._audit(self._record_of_other_call(call, reply, result, at, seconds))
        elif self._file and has_no_rare_fields(result, reply):
            size = _shown_bytes(result)
            ms, tokens = int(seconds * 1e6) / 1000, _reply_tokens(reply, size)
            caller = self._file.caller or caller
            line = json_fields_of_read(_timestamp(at), self._dialect, path, tool, caller, result, size, ms, tokens)
            self._file.append(line, at)
        else:
            self._audit(_record_of_read(self._dialect, call, reply, result, at, seconds))

    def record_failure(self, call: CallFacts, error: ReadError) -> None:
        """Records a call that failed, also one that was refused before anything was read."""
        _, _, began, _ = call
        seconds = self._clock() - began
        start = self._common_record(call, time() - seconds, seconds)
        if isinstance(error, AccessDenied):
            self._audit(start._replace(verdict="denied", rule=error.rule))
        else:
            rule = "permission" if isinstance(error, Unreadable) and error.no_permission else None
            self._audit(start._replace(opened=error.opened, verdict=type(error).__name__, rule=rule))

    def _common_record(self, call: CallFacts, at: float, seconds: float) -> Record:
        """Returns the fields that every record has."""
        tool, caller, _, path = call
        return Record(_timestamp(at), self._dialect, path, ms=round(seconds * 1000, 3), tool=tool, caller=caller)

    def _record_of_other_call(self, call: CallFacts, reply: Reply, result: object, at: float, seconds: float) -> Record:
        """Returns the record of a call that is no read, such as a search."""
        start = self._common_record(call, at, seconds)
        if isinstance(result, SearchResult):
            return _record_of_search(start, result, reply)
        return start._replace(tokens=_reply_tokens(reply, 0))


def records_of_batch(reply: Reply, listed: bool, records: Sequence[object]) -> Iterator[Record]:
    """Yields the records of a call for several files, as far as its reply shows them: only by name if it lists them."""
    tokens = _reply_tokens(reply, 0) // max(1, len(records))
    for record in records:
        if not isinstance(record, Record):
            continue
        if listed and record.verdict == "read":
            record = record._replace(verdict="listed", range=None, pages=None, bytes=0, tokens=tokens)
        yield record


def _record_of_read(
    dialect: str, call: CallFacts, reply: Reply, result: ReadResult, at: float, seconds: float
) -> Record:
    """Returns the record of a read."""
    tool, caller, _, path = call
    window, part = result.window, result.part
    size = _shown_bytes(result)
    is_counted = result.outline is None and not (part and part.uncounted)
    has_units = part is not None and part.unit != ""
    return _new_record(
        time=_timestamp(at),
        dialect=dialect,
        path=path,
        opened=result.real,
        range=(window.start, window.end) if window.lines and is_counted else None,
        bytes=size,
        ms=int(seconds * 1e6) / 1000,
        tool=tool,
        caller=caller,
        kind=result.kind,
        view=_view_name(result) if result.unchanged or result.outline is not None or result.block else None,
        total=window.total if is_counted else None,
        pages=(part.first, part.last) if part and has_units else None,
        page_total=part.units if part and has_units else None,
        revision=result.revision,
        tokens=_reply_tokens(reply, size),
        column=window.column if window.column > 1 else None,
        region=None if result.request.region == WHOLE_PAGE else result.request.region,
        pages_cut=part is not None and _is_page_cut(part, window),
    )


def _is_page_cut(part: ShownPart, window: Window) -> bool:
    """Whether a window of uncounted lines starts inside a page, or ends inside one."""
    if part.uncounted is None:
        return False
    _, line = part.uncounted.unit_and_line(window.start)
    after, _ = part.uncounted.unit_and_line(window.end + 1)
    return line > 1 or after == part.last


def _timestamp(at: float) -> str:
    return f"{_timestamp_to_second(int(at))}.{int(at * 1000) % 1000:03d}Z"


@lru_cache(maxsize=4)
def _timestamp_to_second(at: int) -> str:
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(at))


def _view_name(result: ReadResult) -> str | None:
    if result.unchanged:
        return "unchanged"
    return "outline" if result.outline is not None else "block" if result.block else None


def _record_of_search(start: Record, result: SearchResult, reply: Reply | None) -> Record:
    only_names = result.request.only_files
    size = 0 if only_names else sum(_utf8_size(row.text) for each in result.files for row in each.rows)
    found = tuple(_found_lines(each, only_names) for each in result.files)
    return start._replace(bytes=size, verdict="searched", tokens=_reply_tokens(reply, size), found=found)


def _found_lines(matches: FileMatches, only_name: bool) -> FoundLines:
    lines = () if only_name else (row.line for row in matches.rows)
    kind = "document" if matches.is_document else "file"
    return FoundLines(
        matches.real, matches.match_count, tuple(_line_ranges(lines)), kind=kind, revision=matches.revision
    )


def _line_ranges(lines: Iterable[int]) -> Iterable[tuple[int, int]]:
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


def _shown_bytes(result: ReadResult) -> int:
    """Returns the size of the text shown, without line ends."""
    return _utf8_size(result.window.text) - max(0, len(result.window.lines) - 1)


def _utf8_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


def _reply_tokens(reply: Reply | None, size: int) -> int:
    """Returns the tokens of a reply, or of so many bytes: counted, or about two for seven bytes of a numbered text."""
    if reply is None:
        return 0
    stated, images = reply.data.get("tokens"), sum(picture.tokens for picture in reply.pictures)
    counted = stated - images if isinstance(stated, int) else None
    # A reply that is surely within its budget states its bytes: it was not counted.
    if counted and 0 < counted < len(reply.text):
        return counted + images
    # A conversion counts nothing, and its reply is not what is shown.
    measured = size if stated == 0 else _utf8_size(reply.text) or size
    return (2 * measured + 6) // 7 + images
