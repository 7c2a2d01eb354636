"""What is read: lines, windows, results, and the reply that a dialect makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..encoded_image import Picture
from ..light_typing import Literal
from ..named_tuple import NamedTuple
from .request import Clip, Notice, ReadRequest, Root

Kind = Literal["file", "directory", "document", "image"]
Reason = Literal["end", "lines", "bytes", "tokens"]
Newline = Literal["lf", "crlf", "cr", "mixed", "none"]


class Position(NamedTuple):
    """Where the next read continues."""

    line: int
    column: int = 1


class Lines(NamedTuple):
    """Lines taken from a text, each no longer than asked for."""

    strings: list[str]
    rests: Mapping[int, int | None]
    """Index of a shortened line -> characters left out; None: very many."""
    ended: bool
    """Nothing follows these lines."""
    inside: bool = False
    """Reading stopped inside the last line."""
    replaced: Mapping[int, Sequence[int]] = {}
    """Index of a line with bytes that could not be decoded -> positions of their replacements."""
    after: str | None = None
    """The entry of a directory behind which there are more than these, where they are not counted that far."""


class Traits(NamedTuple):
    """Properties of a whole text: its encoding and line ends, or what a listing leaves out."""

    encoding: str | None = None
    bom: bool = False
    guess: Literal["sure", "guessed", "damaged", "forced"] = "sure"
    valid: bool | None = None
    newline: Newline | None = None
    """The line ends; where not all are known, `newline_seen` has those that were read."""
    lone_cr: bool = False
    final_newline: bool | None = None
    unlisted: int = 0
    ignored: int = 0
    denied: int = 0
    """Directory entries beyond the limit of a listing, and left out by ignore files and by the policy."""
    runner_up: str = ""
    """The second-best encoding, where the text would be different in it."""
    newline_seen: Newline | None = None


class Window(NamedTuple):
    """The lines that are shown. Negative numbers count from the end, where the total is not known."""

    lines: list[str]
    start: int
    end: int
    total: int | None
    next: Position | None
    reason: Reason
    column: int = 1
    clipped: tuple[Clip, ...] = ()
    replaced: int = 0
    first_replaced: int | None = None
    text: str = ""
    """The lines joined by newlines."""
    from_start: bool = False
    """The file that is being followed was truncated or replaced, and this is its beginning."""
    after: str | None = None
    """The entry of a directory behind which the next read counts, where entries are not counted that far."""


class UncountedPages(NamedTuple):
    """Positions of lines whose numbers in the document are not known: the `lengths` of units, as far as read."""

    first: int
    """The first unit asked for."""
    line: int
    """Its first line asked for."""
    last: int
    """The last unit asked for."""
    lengths: tuple[int, ...]

    def unit_and_line(self, number: int) -> tuple[int, int]:
        """Returns the unit of a line of the window, and its number there; after all that was read, the next unit."""
        left = number + self.line - 1
        for unit, length in enumerate(self.lengths, self.first):
            if left <= length:
                return unit, left
            left -= length
        return self.first + len(self.lengths), left


class ShownPart(NamedTuple):
    """The part of a document that is shown: the format, which of its `units`, how many by OCR if counted."""

    format: str
    unit: str
    """`page`, `slide`, `sheet`, `chapter`, `part`, or what a converter calls it; empty where the document has none."""
    units: int
    first: int
    last: int
    uncounted: UncountedPages | None = None
    """The positions of its lines, if they are not counted: those of the window are then numbered from 1."""
    by_ocr: int = 0


class OutlineRow(NamedTuple):
    """A row of an outline: the lines of a part, or its pages, how deep it lies, what it is and what is shown of it."""

    start: int | None
    end: int | None
    depth: int
    kind: str
    label: str
    page: int | None = None
    last_page: int | None = None
    """The last page of those that it takes, where lines are not known."""


class Outline(NamedTuple):
    """What a thing is made of: its format, and how much of it there is, in units of a document or in lines."""

    format: str
    rows: Sequence[OutlineRow]
    lines: int | None = None
    unit: str = ""
    units: int = 0
    notices: tuple[Notice, ...] = ()
    by_ocr: int = 0


class HiddenCharacters(NamedTuple):
    """Numbers of the lines of a window with invisible or misleading characters, by kind."""

    bidi: tuple[int, ...] = ()
    invisible: tuple[int, ...] = ()
    escapes: tuple[int, ...] = ()
    controls: tuple[int, ...] = ()
    utf8: tuple[int, ...] = ()
    """Lines of UTF-8 in a text of another encoding."""


class ReadResult(NamedTuple):
    """The result of a read, before a dialect renders it."""

    path: str
    opened: str
    """The real path for the reply, where the rules ask for it or it differs from the path asked for; else empty."""
    kind: Kind
    size: int
    mtime_ms: int
    window: Window
    traits: Traits
    request: ReadRequest
    part: ShownPart | None = None
    """Which part of a document the window shows."""
    revision: str | None = None
    unchanged: bool = False
    """The file still has the caller's `if_revision`; the window is empty."""
    hidden: HiddenCharacters = HiddenCharacters()
    repaired: bool = False
    """The path asked for was missing; `path` is the one that looks the same."""
    pictures: tuple[Picture, ...] = ()
    """The image, or an image of each page."""
    outline: Outline | None = None
    """Of an outline the rows in the window, whose lines they are as they are shown."""
    block: str = ""
    block_end: int = 0
    """What the window shows, where the block around a line was asked for, and the last line of that block."""
    state: Literal["steady", "grown", "changed"] = "steady"
    """How the file changed while it was read."""
    packing: str = ""
    """How a compressed file or an archive is packed, such as `gzip`; else empty."""
    remarks: tuple[Notice, ...] = ()
    real: str = ""
    """The real path for the audit record; empty where no records are kept, and never in a reply."""

    @property
    def picture(self) -> Picture | None:
        """The first image."""
        return self.pictures[0] if self.pictures else None

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Remarks on the request."""
        return self.request.notices

    @property
    def from_end(self) -> bool:
        """Whether the window was asked for by its distance from the end."""
        return self.request.last_lines is not None

    @property
    def max_tokens(self) -> int | None:
        """The budget as the caller gave it, for the whole reply."""
        return self.request.max_tokens

    @property
    def encoding_unused(self) -> bool:
        """Whether the caller named an encoding that was not used."""
        return self.kind != "file" and bool(self.request.encoding)

    @property
    def lines(self) -> list[str]:
        """The lines shown, without numbers."""
        return self.window.lines

    @property
    def text(self) -> str:
        """The lines shown, joined by newlines."""
        return self.window.text

    @property
    def next(self) -> Position | None:
        """Where to go on; None at the end."""
        return self.window.next

    @property
    def after(self) -> str | None:
        """The entry of a directory behind which to go on; None where all entries are counted."""
        return self.request.after if self.window.after is None else self.window.after


class Call(NamedTuple):
    """Facts about the call that a renderer may quote."""

    params: object
    elapsed_ms: int
    cwd: str
    roots: tuple[Root, ...]
    mark: Callable[[], str]
    """Returns a few random characters that no file can contain in advance."""


class Reply(NamedTuple):
    """The answer to a call: text for a model, data for a program, the exception that a Python face raises."""

    text: str
    data: dict[str, object]
    is_error: bool = False
    exception: Exception | None = None
    error: Exception | None = None
    """The ReadError of a failure, whatever the dialect made of it; in a batch the first of them."""
    pictures: tuple[Picture, ...] = ()
    """Images to be shown beside the text."""
    excess: int = 0
    """Tokens by which the limit of the window must be lowered for the text to keep the budget of its request."""
    failures: tuple[str, ...] = ()
    without_failures: str = ""
    """Of several files: the messages of those that failed, and the text without them."""

    @property
    def picture(self) -> Picture | None:
        """The first image."""
        return self.pictures[0] if self.pictures else None


# Quicker than calling the classes by names, see `request`.
new_traits = partial(Traits.__new__, Traits)
new_window = partial(Window.__new__, Window)
new_result = partial(ReadResult.__new__, ReadResult)
