"""What is asked for: requests, limits, the rules of a dialect, and paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ..light_typing import Any, Literal, NoReturn
from ..named_tuple import NamedTuple

View = Literal["source", "markdown", "outline", "block", "image"]


class Notice(NamedTuple):
    """A remark on a result: a code for programs, a message for models, and the lines that it is about."""

    code: str
    message: str
    lines: tuple[int, ...] = ()


class Clip(NamedTuple):
    """A shortened line: how many characters are shown, the column to go on at, how many are left if known."""

    line: int
    shown: int
    column: int
    rest: int | None


Cost = Callable[[int, int, Sequence[str], str, Sequence[Clip]], int]
"""Tokens of lines as a dialect shows them: first line, its first column, the lines, the same joined, the clips."""


Exceeds = Callable[[int, Sequence[str]], bool]
"""Whether whole lines, from a number on, surely cost more than can be shown; asking changes no answer of `Cost`."""


class Limits(NamedTuple):
    """The limits of one window; the first that is reached ends it."""

    lines: int
    bytes: int
    line_length: int | None = None
    clip_bytes: int = 0
    """Bytes that the dialect's mark on a shortened line takes from the limit."""
    tokens: int | None = None
    cost: Cost | None = None
    columns: bool = False
    """The dialect can continue inside a line."""
    exceeds: Exceeds | None = None


class Budget(NamedTuple):
    """How much is worth reading: lines up to `longest` characters unless asked by column, `characters` in all."""

    longest: int
    characters: int
    seeks_line_end: bool = True
    """Whether the end of a very long line is searched for; if not, reading stops inside it."""
    exceeds: Exceeds | None = None


class Span(NamedTuple):
    """The units of a document from `first` to `last`, counted from 1; negative: the last so many."""

    first: int
    last: int
    line: int = 1
    """The first line wanted of the first unit."""
    name: str = ""
    """What the caller wrote, which may be the name of a unit; `first` is 0 where it can be nothing else."""


class ImageRegion(NamedTuple):
    """A part of a page, in thousandths of its width and height, from the upper left corner."""

    x0: int
    y0: int
    x1: int
    y1: int


WHOLE_PAGE = ImageRegion(0, 0, 1000, 1000)


class ReadRequest(NamedTuple):
    """A request to read one window of a path, as every dialect parses it."""

    path: str
    limits: Limits
    start: int = 1
    last_lines: int | None = None
    """Read the last so many lines, instead of those from `start`."""
    column: int = 1
    exact_up_to: int | None = None
    """The size of a text in bytes up to which its lines are counted to the end; None: always."""
    encoding: str | None = None
    if_revision: str | None = None
    pages: Span | None = None
    """The window by units of a document, instead of a start."""
    after: str | None = None
    """The entry of a directory, as a listing shows it, behind which entries are listed and counted."""
    view: View | None = None
    """None: Markdown for a binary document, the file itself for everything else."""
    region: ImageRegion = WHOLE_PAGE
    """The part of a page that is shown as an image."""
    notices: tuple[Notice, ...] = ()
    max_tokens: int | None = None
    """The budget as the caller gave it, for the whole reply."""
    may_wait: bool = False
    """Reading one past the last line gives an empty window, so that a caller can wait for a growing file."""


class Rules(NamedTuple):
    """The switches of a dialect: how it tells text from binary, and what its results include."""

    decoding: Literal["detect", "utf-8"] = "detect"
    sample_bytes: int = 65536
    control_percent: int | None = None
    """A sample with a larger share of control bytes is binary; None: only a NUL makes it binary."""
    refuse_boms: bool = False
    refused_extensions: frozenset[str] = frozenset()
    documents: Literal["convert", "refuse", "ignore"] = "ignore"
    notebooks: bool = False
    """Notebooks are documents, too."""
    markdown_of_texts: int = 0
    """Up to so many bytes a text that has no Markdown view is its own; 0: the view is refused."""
    directories: Literal["refuse", "names", "sizes"] = "refuse"
    max_sorted_entries: int | None = None
    """Entries of a directory that are sorted and listed, the first by name; the others are only counted."""
    validate_whole_file: bool = False
    """Check the whole file for UTF-8, not only what is shown."""
    revision: bool = False
    find_invisible: bool = False
    """Look for invisible characters in what is shown."""
    real_paths: bool = False
    """The reply names the real path of the file."""
    tell_changes: bool = False
    """A file that changes during the read is reported, not refused."""
    repair_names: bool = False
    """A missing name is replaced by one that looks the same."""
    images: bool = False
    """Images are read as images, also where no view asks for it."""
    image_view: bool = True
    """Pages and images can be looked at with the view `image`."""
    image_side: int = 1568
    """Pixels of the longest side of an image."""
    unpack: bool = False
    """Compressed files are read as what they hold, archives as directories."""
    skip_ignored: bool = False
    """Listings leave out what version control ignores."""


class Root(NamedTuple):
    """A directory that reads are confined to: as the caller wrote it, made absolute, and its real path."""

    given: str
    absolute: str
    real: str


class FsspecRoot(NamedTuple):
    """A remote root: a directory of an fsspec file system that the caller has made."""

    filesystem: Any
    path: str

    def __repr__(self) -> str:
        return f"FsspecRoot({type(self.filesystem).__name__}, {self.path!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a remote root is not pickled: its file system may hold credentials")


class LocatedPath(NamedTuple):
    """A path and where it is by name: `below` is relative to root number `root`; None: in no root.

    Nothing has been checked: whether it may be read is decided when it is opened.
    """

    asked: str
    absolute: str
    root: int | None
    below: str


# A class that is called with names gathers them in a dictionary first; its own `__new__` does not, and is as quick by
# name as by position (decisions/0032).
new_limits = partial(Limits.__new__, Limits)
new_request = partial(ReadRequest.__new__, ReadRequest)
