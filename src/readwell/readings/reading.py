"""A reading: a function that returns the content of an opened source, or None where another one should read it."""

from __future__ import annotations

from collections.abc import Callable

from ..deadline import Deadline
from ..documents import Documents
from ..encoded_image import Picture
from ..errors import BinaryFile, InvalidRequest
from ..model import Kind, Outline, ReadRequest, Rules, ShownPart, Window
from ..named_tuple import NamedTuple
from ..source import Opener, Source
from ..text import IndexCache
from ..window import Text


def return_source(source: Source, deadline: Deadline) -> Source:  # noqa: ARG001
    """Returns the source itself: the default where nothing is unpacked."""
    return source


def is_never_archive(source: Source) -> bool:  # noqa: ARG001
    """Says that no file is an archive: the default where nothing is unpacked."""
    return False


class Resources(NamedTuple):
    """What all reads of a tool share."""

    opener: Opener
    index_cache: IndexCache
    documents: Documents
    unpack_if_compressed: Callable[[Source, Deadline], Source] = return_source
    """Returns a file that was opened as what it holds: itself, or what is compressed in it."""
    is_archive: Callable[[Source], bool] = is_never_archive
    """Says whether an open file is an archive that can be read as a folder where its path is named."""
    audited: bool = False
    """Whether the real paths of opened files are needed for the audit."""


class ReadContext:
    """One read of an opened source: all that a reading may look at.

    `request` is the caller's until a reading replaces it by a corrected one, which the result repeats; the window is
    taken by the request of the `ReadContent`. A reading may also replace `revision`.
    """

    __slots__ = ("binary", "cleanups", "deadline", "request", "resources", "revision", "rules", "source")

    def __init__(
        self, source: Source, request: ReadRequest, rules: Rules, resources: Resources, deadline: Deadline
    ) -> None:
        self.source, self.request, self.rules, self.resources, self.deadline = (
            source,
            request,
            rules,
            resources,
            deadline,
        )
        self.revision: str | None = None
        """The revision of a file, where the rules ask for it."""
        self.binary: BinaryFile | None = None
        """Why the source is no text; set by `read_plain` for the readings after it."""
        self.cleanups: list[Callable[[], None]] = []
        """Functions to call at the end of the read, whether it succeeded or failed."""


class ReadContent(NamedTuple):
    """What a reading returns: a text and the request for it, or pictures."""

    kind: Kind
    text: Text | None = None
    request: ReadRequest | None = None
    """The request that the window is taken by: its start is in lines of this text."""
    part_of: Callable[[Window], ShownPart] | None = None
    """Returns which part of a document a window shows."""
    pictures: tuple[Picture, ...] = ()
    outline: Outline | None = None
    """All rows, where the lines are those of an outline."""
    block: str = ""
    """What the lines are, where they are a block."""
    block_end: int = 0
    """The last line of that block, which the window may not reach."""
    revision_of: Callable[[Window], str] | None = None
    """Returns the revision of a window of all lines, where the text has sizes that are known only once it is shown."""


Reading = Callable[[ReadContext], ReadContent | None]
"""Returns the content; None leaves the source to the next reading; raises where the source is its own but fails."""


def plain_read_context(context: ReadContext) -> ReadContext:
    """Returns the context of a plain read, without the views that show its lines, or none of them."""
    if context.request.view not in ("outline", "block", "image"):
        return context
    plain = ReadContext(
        context.source, context.request._replace(view=None), context.rules, context.resources, context.deadline
    )
    plain.revision, plain.cleanups = context.revision, context.cleanups
    return plain


def unpaged_content(kind: Kind, text: Text, request: ReadRequest) -> ReadContent:
    """Returns a text that has no pages; raises InvalidRequest where the caller asked for pages."""
    if request.pages is not None:
        raise InvalidRequest("pages", wants="left out: only documents have pages")
    return ReadContent(kind, text, request)
