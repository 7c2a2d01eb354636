"""The steps of one read: locate, open, ask the readings, take the window. Start reading here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .deadline import Deadline
from .errors import BinaryFile, ChangedWhileReading, InvalidRequest, NotFound, ReadError, StartPastEnd
from .light_typing import Any
from .model import HiddenCharacters, ReadRequest, ReadResult, Rules, Traits, View, Window, new_result
from .model.search import SearchRequest, SearchResult
from .path_names import has_escape
from .readings import READINGS, ReadContent, ReadContext, Reading, Resources
from .source import Opener, Source
from .text import hidden_in
from .window import take_window

__all__ = ["HANDLERS", "Handler", "Resources", "read"]

Readings = Mapping[View | None, Sequence[Reading]]
NO_WINDOW = Window(lines=[], start=0, end=0, total=None, next=None, reason="end")
UNKNOWN = Traits()
NOTHING = HiddenCharacters()


def read(
    request: ReadRequest, rules: Rules, resources: Resources, deadline: Deadline, readings: Readings = READINGS
) -> ReadResult:
    """Reads one window; a file that changes meanwhile is read a second time."""
    try:
        return _read_once(request, rules, resources, deadline, readings)
    except ChangedWhileReading:
        return _read_once(request, rules, resources, deadline, readings, last_try=True)


Handler = Callable[[Any, Rules, Resources, Deadline], Any]
"""Answers a request of one type with its result."""


def _search(request: SearchRequest, rules: Rules, resources: Resources, deadline: Deadline) -> SearchResult:
    """Imports the search only when it is used."""
    from .search import search

    return search(request, rules, resources, deadline)


HANDLERS: Mapping[type, Handler] = {ReadRequest: read, SearchRequest: _search}
"""The handlers by the type of their requests."""


def _read_once(
    request: ReadRequest,
    rules: Rules,
    resources: Resources,
    deadline: Deadline,
    readings: Readings,
    last_try: bool = False,
) -> ReadResult:
    with _open_source(request.path, rules, resources.opener, deadline) as source:
        context = ReadContext(source, request, rules, resources, deadline)
        try:
            result = _read_with_readings(context, readings)
        except ReadError:
            # The error may come from a mixture of two versions.
            if source.change_since_opened() == "changed":
                raise ChangedWhileReading from None
            raise
        finally:
            for end in context.cleanups:
                end()
        state = source.change_since_opened()
        if state == "steady" or (source.is_directory and last_try):
            return result
        if state == "changed" and not (last_try and rules.tell_changes):
            raise ChangedWhileReading
        return result._replace(state=state)


def _open_source(asked: str, rules: Rules, opener: Opener, deadline: Deadline) -> Source:
    """Opens a path; a name that was shown with escapes can be given back in every dialect."""
    path = opener.locate(asked)
    if rules.repair_names:
        return opener.open_repaired(path, deadline)
    try:
        return opener.open(path, deadline)
    except NotFound as missing:
        if not has_escape(asked):
            raise
        try:
            return opener.open_repaired(path, deadline)
        except InvalidRequest:  # several are shown so
            raise missing from None


def _read_with_readings(context: ReadContext, readings: Readings) -> ReadResult:
    source = context.source
    context.deadline.announce("directory" if source.is_directory else "file", source.size)
    if (context.rules.revision or context.resources.audited) and not source.is_directory:
        context.revision = context.resources.index_cache.revision_of(source)
    content = None
    for reading in readings[context.request.view]:
        if content := reading(context):
            break
    if content is None:
        raise BinaryFile("", source.size)
    if content.text is None or content.request is None:
        return _make_result(context, content, NO_WINDOW, UNKNOWN, NOTHING)
    try:
        window = take_window(content.text, content.request)
    except StartPastEnd as past_end:
        past_end.in_outline = content.outline is not None
        past_end.remarks = tuple(remark.message for remark in source.remarks)
        raise
    if content.revision_of and window.start <= 1 and window.next is None:
        context.revision = content.revision_of(window)
        if context.revision == context.request.if_revision:
            return _make_result(context, ReadContent(content.kind), NO_WINDOW, UNKNOWN, NOTHING)
    traits = content.text.traits()
    is_text = content.kind != "directory" and content.outline is None
    hidden = hidden_in(window, traits) if context.rules.find_invisible and is_text else NOTHING
    return _make_result(context, content, window, traits, hidden)


def _make_result(
    context: ReadContext, content: ReadContent, window: Window, traits: Traits, hidden: HiddenCharacters
) -> ReadResult:
    source, request, outline = context.source, context.request, content.outline
    repaired = source.repaired
    result = new_result(
        path=repaired or request.path,
        opened=source.real_path() if context.rules.real_paths or repaired or ".." in request.path else source.address,
        kind=content.kind,
        size=source.size,
        mtime_ms=source.mtime_ms,
        window=window,
        traits=traits,
        request=request,
        part=content.part_of(window) if content.part_of else None,
        revision=context.revision,
        hidden=hidden,
        repaired=repaired != "",
        packing=source.packing,
        remarks=source.remarks,
        real=source.real_path() if context.resources.audited else "",
    )
    if content.text is None:
        return result._replace(pictures=content.pictures, unchanged=not content.pictures)
    if outline is None and not content.block:
        return result
    rows = outline and outline._replace(rows=outline.rows[max(0, window.start - 1) : window.end])
    return result._replace(outline=rows, block=content.block, block_end=content.block_end)
