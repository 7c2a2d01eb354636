"""The road of one read: admit, open, find the text, take the window. Start reading here."""

from __future__ import annotations

from .documents import Converter, convert, recognise
from .errors import BinaryFile, ChangedWhileReading, InvalidRequest, IsDirectory
from .model import Kind, ReadRequest, ReadResult, Rules, Text, Traits, Window
from .source import Opener, Source, revision_of
from .text import PlainText, encoding_of, hidden_in, list_directory
from .watch import Watch
from .window import take_window

NO_WINDOW = Window([], 0, 0, None, None, "end")


def read(request: ReadRequest, rules: Rules, opener: Opener, watch: Watch, converter: Converter | None) -> ReadResult:
    """Reads one window; a file that changes meanwhile is read once more."""
    path = opener.admit(request.path)
    for attempt in (1, 2):
        with opener.open(path) as source:
            result = _read_open(source, request, rules, watch, converter)
            if not source.changed():
                return result
            if attempt == 2 and rules.tell_changes:
                return result._replace(changed=True)
    raise ChangedWhileReading


def _read_open(
    source: Source, request: ReadRequest, rules: Rules, watch: Watch, converter: Converter | None
) -> ReadResult:
    revision = revision_of(source) if rules.revision and not source.is_directory else None
    if revision is not None and request.if_revision == revision:
        return _result(source, request, "file", NO_WINDOW, Traits(), revision)._replace(unchanged=True)
    kind, text = _text_of(source, request, rules, watch, converter)
    window = take_window(text, request, source.size)
    result = _result(source, request, kind, window, text.traits(), revision)
    if rules.hidden and kind != "directory":
        result = result._replace(hidden=hidden_in(window.lines, window.start))
    return result


def _text_of(
    source: Source, request: ReadRequest, rules: Rules, watch: Watch, converter: Converter | None
) -> tuple[Kind, Text]:
    """Finds what has lines: a directory's entries, a converted document, or the file itself."""
    if source.is_directory:
        if rules.directories == "refuse":
            raise IsDirectory
        if request.column > 1:
            raise InvalidRequest("column", request.column, "1 for a directory")
        return "directory", list_directory(source, rules.entries_sorted, rules.directories == "sizes", watch)
    document = recognise(source) if rules.documents != "ignore" else None
    if document and rules.documents == "refuse":
        raise BinaryFile(f"{document.upper()} document", source.size)
    if document:
        return "document", convert(source, document, converter)
    encoding = encoding_of(source, rules, request.encoding)
    return "file", PlainText(source, encoding, watch, rules.judge_whole_file)


def _result(
    source: Source, request: ReadRequest, kind: Kind, window: Window, traits: Traits, revision: str | None
) -> ReadResult:
    return ReadResult(
        path=request.path,
        opened=source.opened,
        kind=kind,
        size=source.size,
        mtime_ms=source.mtime_ms,
        window=window,
        traits=traits,
        revision=revision,
        grew=source.grew(),
        notices=request.notices,
        from_end=request.last is not None,
        max_tokens=request.max_tokens,
    )
