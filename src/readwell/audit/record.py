"""The record of one call: who asked for what, and what was shown, without content."""

from __future__ import annotations

from collections.abc import Callable

from ..named_tuple import NamedTuple


class FoundLines(NamedTuple):
    """The lines of one file that a search showed."""

    path: str
    """Real path of the file, as in `opened`."""
    matches: int
    ranges: tuple[tuple[int, int], ...]
    """First and last line of each run of lines shown; none where only the names of files were."""
    kind: str | None = None
    """`file` or `document`."""
    revision: str | None = None


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
    """The rule that denied the read, or `root`; `permission` where the system did."""
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
    found: tuple[FoundLines, ...] | None = None
    """The lines that a search showed."""
    region: tuple[int, int, int, int] | None = None
    """The part of an image shown, in thousandths of its width and height, if it is not the whole."""
    pages_cut: bool = False
    """Whether the first page is not shown from its first line, or the last not to its end."""


Audit = Callable[[Record], None]
"""Called with the record of each call; `AuditFile` is one."""
