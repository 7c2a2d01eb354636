"""The road of one read: admit, open, find the text, take the window. Start reading here."""

from typing import TYPE_CHECKING, NamedTuple

from .documents import Documents, image_format, read_by_others, recognise, renderable
from .errors import BinaryFile, ChangedWhileReading, ConversionFailed, InvalidRequest, IsDirectory, ReadError
from .model import Hidden, Kind, Part, ReadRequest, ReadResult, Rules, Traits, Window
from .picture import Picture
from .source import Opener, Source
from .text import HeldText, Memory, hidden_in, list_directory, plain_text
from .watch import Watch
from .window import Text, take_window

if TYPE_CHECKING:
    from .documents import PagedText

NO_WINDOW = Window([], 0, 0, None, None, "end")
UNKNOWN = Traits()
NOTHING = Hidden()


class Means(NamedTuple):
    """What all reads of a tool work with."""

    opener: Opener
    memory: Memory
    documents: Documents
    audited: bool = False
    """Account is kept of what was really opened."""


Found = tuple[Kind, Text, "PagedText | None"]
"""What has lines, and the same once more where it also has pages."""


def read(request: ReadRequest, rules: Rules, means: Means, watch: Watch) -> ReadResult:
    """Reads one window; a file that changes meanwhile is read once more."""
    try:
        return _read_once(request, rules, means, watch)
    except ChangedWhileReading:
        return _read_once(request, rules, means, watch, last_try=True)


def _read_once(request: ReadRequest, rules: Rules, means: Means, watch: Watch, last_try: bool = False) -> ReadResult:
    path = means.opener.admit(request.path)
    open_source = means.opener.open_repaired if rules.repair_names else means.opener.open
    with open_source(path, watch) as source:
        try:
            result = _read_open(source, request, rules, means, watch)
            if means.audited:
                result = result._replace(real=source.real_path())
        except ReadError:
            # What it was judged by may be of two versions.
            if source.since_opened() == "changed":
                raise ChangedWhileReading from None
            raise
        state = source.since_opened()
        if state == "steady" or (source.is_directory and last_try):
            return result
        if state == "changed" and not (last_try and rules.tell_changes):
            raise ChangedWhileReading
        return result._replace(state=state)


def _read_open(source: Source, request: ReadRequest, rules: Rules, means: Means, watch: Watch) -> ReadResult:
    watch.weigh("directory" if source.is_directory else "file", source.size)
    revision = means.memory.revision_of(source) if rules.revision and not source.is_directory else None
    if revision is not None and request.if_revision == revision:
        kind = "document" if _document_format(source, request, rules) else "file"
        return _result(source, request, rules, revision, kind, unchanged=True)
    try:
        kind, text, paged = _find_text(source, request, rules, means, watch)
    except BinaryFile as binary:
        picture = _picture(source, request, rules, means, watch)
        if picture is None:
            raise _refused(binary, source, request, rules) from None
        return _result(source, request, rules, revision, "image", picture=picture)
    try:
        window = take_window(text, _by_pages(request, paged))
        part = paged.part(window) if paged else None
    finally:
        if paged:
            paged.close()
    hidden = hidden_in(window) if rules.hidden and kind != "directory" else NOTHING
    return _result(source, request, rules, revision, kind, window, text.traits(), hidden, part)


def _find_text(source: Source, request: ReadRequest, rules: Rules, means: Means, watch: Watch) -> Found:
    """Finds what has lines: a directory's entries, a converted document, or the file itself."""
    if source.is_directory:
        if rules.directories == "refuse" or request.view:
            raise IsDirectory
        with_sizes = rules.directories == "sizes"
        listing = list_directory(source, rules.entries_sorted, with_sizes, rules.thin_listings, watch)
        return "directory", listing, None
    if not source.size and (image := _image_format(source, request, rules)):
        raise ConversionFailed(image, "the file is empty")
    document = _document_format(source, request, rules)
    if document is None:
        try:
            _refuse_image(source, request, rules, means, watch)
            return "file", plain_text(source, rules, request.encoding, means.memory, watch), None
        except BinaryFile:
            document = read_by_others(source) if rules.documents == "convert" and request.view is None else None
            if document is None:
                raise
    text = means.documents.text_of(source, document, watch)
    return "document", text, None if isinstance(text, HeldText) else text


def _refuse_image(source: Source, request: ReadRequest, rules: Rules, means: Means, watch: Watch) -> None:
    """Raises BinaryFile for an image that an encoding was named for.

    In an encoding that gives every byte a character it would be a text. So it is judged as if none were named, and
    what only begins like an image is still read.
    """
    if request.encoding and not request.view and image_format(source):
        plain_text(source, rules, None, means.memory, watch)


def _picture(source: Source, request: ReadRequest, rules: Rules, means: Means, watch: Watch) -> Picture | None:
    """Returns what is shown of an image; None where none can be shown."""
    image = _image_format(source, request, rules)
    return means.documents.picture_of(source, image, watch) if image else None


def _refused(binary: BinaryFile, source: Source, request: ReadRequest, rules: Rules) -> BinaryFile:
    """Returns the failure to show a source, with what the file can be read as instead."""
    if request.view != "source":
        return binary
    if rules.documents == "convert" and (document := recognise(source)):
        return BinaryFile(f"{document.upper()} document", source.size, "markdown")
    if rules.images and image_format(source):
        return BinaryFile(binary.looks_like, source.size, "image")
    return binary


def _image_format(source: Source, request: ReadRequest, rules: Rules) -> str | None:
    """Returns the format of an image that is to be shown as one."""
    return image_format(source) if rules.images and request.view is None else None


def _document_format(source: Source, request: ReadRequest, rules: Rules) -> str | None:
    """Returns the format from which the file is to be converted; None: it is read as it is."""
    if rules.documents == "ignore" or request.view == "source":
        return None
    document = recognise(source)
    if document and rules.documents == "refuse":
        raise BinaryFile(f"{document.upper()} document", source.size)
    if document or request.view is None:
        return document
    return renderable(source)


def _by_pages(request: ReadRequest, paged: "PagedText | None") -> ReadRequest:
    """Returns the request with its pages as lines."""
    if request.pages is None:
        return request
    if paged is None:
        raise InvalidRequest("pages", wants="left out: only documents have pages")
    start, count = paged.lines_of(request.pages, request.exact_up_to)
    limits = request.limits._replace(lines=min(count, request.limits.lines))
    return request._replace(start=start, last=-start if start < 0 else None, limits=limits)


def _result(
    source: Source,
    request: ReadRequest,
    rules: Rules,
    revision: str | None,
    kind: Kind,
    window: Window = NO_WINDOW,
    traits: Traits = UNKNOWN,
    hidden: Hidden = NOTHING,
    part: Part | None = None,
    picture: Picture | None = None,
    unchanged: bool = False,
) -> ReadResult:
    repaired, from_end = source.repaired, request.last is not None
    opened = source.real_path() if rules.real_paths or repaired or ".." in request.path else ""
    # By place, in the order of its fields: names cost a small read some 2 % (decisions/0032).
    return ReadResult(
        repaired or request.path, opened, kind, source.size, source.mtime_ms, window, traits, part, revision, unchanged,
        hidden, request.notices, from_end, request.max_tokens, repaired != "", picture,
        kind != "file" and bool(request.encoding),
    )  # fmt: skip
