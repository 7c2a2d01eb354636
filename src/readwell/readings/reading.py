"""What a reading is: it looks at what was opened, and gives its lines or its picture if it can read it."""

from collections.abc import Callable
from typing import NamedTuple

from ..documents import Documents
from ..errors import BinaryFile, InvalidRequest
from ..model import Kind, Outline, Part, ReadRequest, Rules, Window
from ..picture import Picture
from ..source import Opener, Source
from ..text import IndexCache
from ..watch import Watch
from ..window import Text


class Means(NamedTuple):
    """What all reads of a tool work with."""

    opener: Opener
    index_cache: IndexCache
    documents: Documents
    audited: bool = False
    """Account is kept of what was really opened."""


class Case:
    """One read of what was opened: all that readings judge by."""

    __slots__ = ("at_end", "binary", "means", "request", "revision", "rules", "source", "watch")

    def __init__(self, source: Source, request: ReadRequest, rules: Rules, means: Means, watch: Watch) -> None:
        self.source, self.request, self.rules, self.means, self.watch = source, request, rules, means, watch
        self.revision: str | None = None
        """The revision of a file, where the rules ask for it."""
        self.binary: BinaryFile | None = None
        """Why it is no text, for the readings that are asked after that was found."""
        self.at_end: list[Callable[[], None]] = []
        """What readings want to be called when the window is taken, or could not be."""


class Found(NamedTuple):
    """What a reading gives: lines and which of them are meant, or a picture."""

    kind: Kind
    text: Text | None = None
    request: ReadRequest | None = None
    """The request, with its place in lines of this text."""
    part_of: Callable[[Window], Part] | None = None
    """Says which part of a document a window shows."""
    picture: Picture | None = None
    outline: Outline | None = None
    """All rows, where the lines are those of an outline."""
    block: str = ""
    """What the lines are, where they are a block."""


Reading = Callable[[Case], Found | None]
"""Returns what it reads the case as; None leaves it to the next reading; raises where it is the right one and fails."""


def as_text(case: Case) -> Case:
    """Returns the case as it would be without a view of its structure, whose lines are those of a plain read."""
    if case.request.view not in ("outline", "block"):
        return case
    plain = Case(case.source, case.request._replace(view=None), case.rules, case.means, case.watch)
    plain.revision, plain.at_end = case.revision, case.at_end
    return plain


def found_lines(kind: Kind, text: Text, request: ReadRequest) -> Found:
    """Returns lines that have no pages."""
    if request.pages is not None:
        raise InvalidRequest("pages", wants="left out: only documents have pages")
    return Found(kind, text, request)
