"""The road of one read: admit, open, find the text, take the window. Start reading here."""

from typing import NamedTuple

from .documents import Converter, convert, recognise
from .errors import BinaryFile, ChangedWhileReading, IsDirectory, ReadError
from .model import Kind, ReadRequest, ReadResult, Rules, Text, Traits, Window
from .source import Opener, Source
from .text import Memory, hidden_in, list_directory, plain_text
from .watch import Watch
from .window import take_window

NO_WINDOW = Window([], 0, 0, None, None, "end")


class Means(NamedTuple):
    """What a read works with."""

    opener: Opener
    memory: Memory
    watch: Watch
    converter: Converter | None = None
    audited: bool = False
    """Account is kept of what was really opened."""


def read(request: ReadRequest, rules: Rules, means: Means) -> ReadResult:
    """Reads one window; a file that changes meanwhile is read once more."""
    try:
        return _read_once(request, rules, means)
    except ChangedWhileReading:
        return _read_once(request, rules, means, changed_before=True)


def _read_once(request: ReadRequest, rules: Rules, means: Means, changed_before: bool = False) -> ReadResult:
    path = means.opener.admit(request.path)
    open_source = means.opener.open_repaired if rules.repair_names else means.opener.open
    with open_source(path, means.watch) as source:
        try:
            result = _read_open(source, request, rules, means)
            if means.audited:
                result = result._replace(real=source.real_path())
        except ReadError:
            # What it was judged by may be of two versions.
            if source.since_opened() == "changed":
                raise ChangedWhileReading from None
            raise
        state = source.since_opened()
        if state == "unchanged" or (source.is_directory and changed_before):
            return result
        if state == "changed" and not (changed_before and rules.tell_changes):
            raise ChangedWhileReading
        return result._replace(state=state)


def _read_open(source: Source, request: ReadRequest, rules: Rules, means: Means) -> ReadResult:
    means.watch.weigh("directory" if source.is_directory else "file", source.size)
    revision = means.memory.revision_of(source) if rules.revision and not source.is_directory else None
    if revision is not None and request.if_revision == revision:
        kind = "document" if rules.documents == "convert" and recognise(source) else "file"
        return _result(source, request, rules, kind, NO_WINDOW, Traits(), revision)._replace(unchanged=True)
    kind, text = _text_of(source, request, rules, means)
    window = take_window(text, request, source.size)
    result = _result(source, request, rules, kind, window, text.traits(), revision)
    if rules.hidden and kind != "directory":
        result = result._replace(hidden=hidden_in(window.lines, window.start))
    return result


def _text_of(source: Source, request: ReadRequest, rules: Rules, means: Means) -> tuple[Kind, Text]:
    """Finds what has lines: a directory's entries, a converted document, or the file itself."""
    if source.is_directory:
        if rules.directories == "refuse":
            raise IsDirectory
        return "directory", list_directory(
            source, rules.entries_sorted, rules.directories == "sizes", rules.thin_listings, means.watch
        )
    document = recognise(source) if rules.documents != "ignore" else None
    if document and rules.documents == "refuse":
        raise BinaryFile(f"{document.upper()} document", source.size)
    if document:
        means.watch.weigh("document", source.size)
        return "document", convert(source, document, means.converter)
    return "file", plain_text(source, rules, request.encoding, means.memory, means.watch)


def _result(
    source: Source, request: ReadRequest, rules: Rules, kind: Kind, window: Window, traits: Traits, revision: str | None
) -> ReadResult:
    real = source.real_path() if rules.real_paths or source.repaired or ".." in request.path else ""
    return ReadResult(
        path=source.repaired or request.path,
        opened=real,
        kind=kind,
        size=source.size,
        mtime_ms=source.mtime_ms,
        window=window,
        traits=traits,
        revision=revision,
        notices=request.notices,
        from_end=request.last is not None,
        max_tokens=request.max_tokens,
        repaired=bool(source.repaired),
    )
