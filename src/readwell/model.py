"""The nouns of a read, in the order in which a read meets them.

NamedTuples rather than dataclasses, and annotations that are evaluated rather than kept as text:
both are a matter of start-up time, which every call of the command line pays.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

from .picture import Picture

Kind = Literal["file", "directory", "document", "image"]
Reason = Literal["end", "lines", "bytes", "tokens"]
Newline = Literal["lf", "crlf", "cr", "mixed", "none"]
View = Literal["source", "markdown", "outline", "block"]


class Notice(NamedTuple):
    """Something a reader should know: a code for programs, words for models, lines it is about."""

    code: str
    message: str
    lines: tuple[int, ...] = ()


class Clip(NamedTuple):
    """A shortened line: how many characters stand, where it goes on, how many are left if known."""

    line: int
    shown: int
    column: int
    rest: int | None


Cost = Callable[[int, int, Sequence[str], str, Sequence[Clip]], int]
"""Tokens of lines as a dialect shows them: first line, its first column, the lines, the same joined, the clips."""


class Limits(NamedTuple):
    """The ceilings of one window; the first that is reached ends it."""

    lines: int
    bytes: int
    line_length: int | None = None
    clip_bytes: int = 0
    """What a dialect's mark on a clipped line takes from the byte ceiling."""
    tokens: int | None = None
    cost: Cost | None = None
    columns: bool = False
    """The dialect can continue inside a line."""


class Span(NamedTuple):
    """The units of a document from `first` to `last`, counted from 1; negative: the last so many."""

    first: int
    last: int
    line: int = 1
    """The first line wanted of the first unit."""
    name: str = ""
    """What the caller wrote, which may be the name of a unit; `first` is 0 where it can be nothing else."""


class ReadRequest(NamedTuple):
    """What is wanted, in readwell's words."""

    path: str
    limits: Limits
    start: int = 1
    last: int | None = None
    """The last so many lines, instead of a start."""
    column: int = 1
    exact_up_to: int | None = None
    """The weight of a text up to which its lines are counted to the end; None: always."""
    encoding: str | None = None
    if_revision: str | None = None
    pages: Span | None = None
    """The window by units of a document, instead of a start."""
    view: View | None = None
    """None: Markdown for a binary document, the file itself for everything else."""
    notices: tuple[Notice, ...] = ()
    max_tokens: int | None = None
    """The budget as the caller knows it, remarks included."""
    may_wait: bool = False
    """One past the last line is an empty window, where a growing file will go on."""


class Rules(NamedTuple):
    """The switches of a dialect: how it tells text from binary and what it wants to know."""

    decoding: Literal["detect", "utf-8"] = "detect"
    sample_bytes: int = 65536
    control_percent: int | None = None
    """More control bytes than this in the sample are binary; None: only a NUL is."""
    refuse_boms: bool = False
    refused_extensions: frozenset[str] = frozenset()
    documents: Literal["convert", "refuse", "ignore"] = "ignore"
    notebooks: bool = False
    """Notebooks are documents, too."""
    directories: Literal["refuse", "names", "sizes"] = "refuse"
    entries_sorted: int | None = None
    validate_whole_file: bool = False
    """UTF-8 is judged on the whole file, not only on what is shown."""
    revision: bool = False
    hidden: bool = False
    """Look for characters that a reader cannot see."""
    real_paths: bool = False
    """The reply names the real path of what was opened."""
    tell_changes: bool = False
    """A file that changes under the read is told, not refused."""
    repair_names: bool = False
    """A missing name may stand for one that looks the same."""
    images: bool = False
    """Images are shown as such."""
    skip_ignored: bool = False
    """Listings leave out what version control ignores."""


class Root(NamedTuple):
    """A directory that confines: as the caller wrote it, made absolute, and where it really is."""

    given: str
    absolute: str
    real: str


class LocatedPath(NamedTuple):
    """A path that may be tried: `below` starts at root number `root`; None: at no root by name."""

    asked: str
    absolute: str
    root: int | None
    below: str


class Lines(NamedTuple):
    """Lines drawn from a text, none held beyond the characters asked for."""

    strings: list[str]
    rests: Mapping[int, int | None]
    """Index of a shortened line -> characters left out; None: very many."""
    ended: bool
    """Nothing follows these lines."""
    inside: bool = False
    """The drawing stopped inside its last line."""
    replaced: Mapping[int, Sequence[int]] = {}
    """Index of a line with bytes that are no characters -> where in it replacements stand."""


class Budget(NamedTuple):
    """How much is worth drawing: no line beyond `longest` unless asked by column, all not much beyond `characters`."""

    longest: int
    characters: int
    patient: bool = True
    """Whether the end of a very long line may be searched for; if not, the drawing stops inside it."""


class Traits(NamedTuple):
    """What is known of a text as a whole."""

    encoding: str | None = None
    bom: bool = False
    guess: Literal["sure", "guessed", "damaged", "forced"] = "sure"
    valid: bool | None = None
    newline: Newline | None = None
    lone_cr: bool = False
    """Some lines end in a carriage return alone, which other tools do not count."""
    final_newline: bool | None = None
    unlisted: int = 0
    """Directory entries that are there and not listed."""
    ignored: int = 0
    denied: int = 0
    """Directory entries left out by ignore files and by the policy."""
    runner_up: str = ""
    """The encoding that fits next best, where the text would read otherwise in it."""


class Position(NamedTuple):
    """Where a reading goes on."""

    line: int
    column: int = 1


class Window(NamedTuple):
    """What is shown. Negative numbers count from the end, where the total is not known."""

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


class Uncounted(NamedTuple):
    """Where lines stand whose numbers in the document are not known: the `lengths` of units, as far as read."""

    first: int
    """The first unit asked for."""
    line: int
    """Its first line asked for."""
    last: int
    """The last unit asked for."""
    lengths: tuple[int, ...]

    def unit_and_line(self, number: int) -> tuple[int, int]:
        """Returns the unit of a line of the window, and its number there; behind all that was read, the next unit."""
        left = number + self.line - 1
        for unit, length in enumerate(self.lengths, self.first):
            if left <= length:
                return unit, left
            left -= length
        return self.first + len(self.lengths), left


class Part(NamedTuple):
    """What a window shows of a document: its format, and which of its `units`."""

    format: str
    unit: str
    """`page`, `slide`, `sheet`, `chapter`, `part`, or what a converter calls it; empty where the document has none."""
    units: int
    first: int
    last: int
    uncounted: Uncounted | None = None
    """Where its lines stand, if they are not counted: those of the window are then numbered from 1."""


class Row(NamedTuple):
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
    rows: Sequence[Row]
    lines: int | None = None
    unit: str = ""
    units: int = 0
    notices: tuple[Notice, ...] = ()


class Hidden(NamedTuple):
    """Lines of a window that hold characters a reader cannot see, or cannot trust."""

    bidi: tuple[int, ...] = ()
    invisible: tuple[int, ...] = ()
    escapes: tuple[int, ...] = ()
    controls: tuple[int, ...] = ()
    utf8: tuple[int, ...] = ()
    """Lines of UTF-8 in a text of another encoding."""


class ReadResult(NamedTuple):
    """What was found, before any words."""

    path: str
    opened: str
    """The real path for the reply, where the rules ask for it or the path asked for does not tell; else empty."""
    kind: Kind
    size: int
    mtime_ms: int
    window: Window
    traits: Traits
    request: ReadRequest
    """What was asked for."""
    part: Part | None = None
    """Where a window of a document stands in it."""
    revision: str | None = None
    unchanged: bool = False
    """The caller's `if_revision` still holds; the window is empty."""
    hidden: Hidden = Hidden()
    repaired: bool = False
    """The name asked for was missing; `path` is the one that looks the same."""
    picture: Picture | None = None
    outline: Outline | None = None
    """Of an outline the rows in the window, whose lines they are as they are shown."""
    block: str = ""
    """What the window shows, where the block around a line was asked for."""
    state: Literal["steady", "grown", "changed"] = "steady"
    """What became of the file while it was read."""
    real: str = ""
    """The real path for the account that is kept of reads; empty where none is kept, and never in a reply."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What should be known of the request."""
        return self.request.notices

    @property
    def from_end(self) -> bool:
        """Whether the window was asked for by its distance from the end."""
        return self.request.last is not None

    @property
    def max_tokens(self) -> int | None:
        """The budget as the caller knows it, remarks included."""
        return self.request.max_tokens

    @property
    def encoding_unused(self) -> bool:
        """Whether the caller named an encoding for what is read without one."""
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


class Call(NamedTuple):
    """What a renderer may quote of the call itself."""

    params: object
    elapsed_ms: int
    cwd: str
    roots: tuple[Root, ...]
    mark: Callable[[], str]
    """Draws a few random letters that no file can know."""


class Reply(NamedTuple):
    """The wire form: what a model reads, what a program reads, what a Python face raises."""

    text: str
    data: dict[str, object]
    is_error: bool = False
    exception: Exception | None = None
    error: Exception | None = None
    """The ReadError behind a failure, whatever the dialect made of it; in a batch the first of them."""
    picture: Picture | None = None
    """An image to be shown beside the text."""
    excess: int = 0
    """Tokens by which the text exceeds the budget of its request."""


# A class that is called with names gathers them in a dictionary first; its own `__new__` does not, and is as quick by
# name as by position (decisions/0032).
new_limits = partial(Limits.__new__, Limits)
new_request = partial(ReadRequest.__new__, ReadRequest)
new_traits = partial(Traits.__new__, Traits)
new_window = partial(Window.__new__, Window)
new_result = partial(ReadResult.__new__, ReadResult)
