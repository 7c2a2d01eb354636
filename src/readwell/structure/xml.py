"""XML's elements with their lines, in the order of their ends."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers.expat import ExpatError, ParserCreate

from .text_part import MAX_DEPTH, ParseStopped, Part

PIECE = 1 << 16


class _OpenElement:
    """An element that is being read."""

    __slots__ = ("children", "has_text", "name", "order", "start")

    def __init__(self, name: str, start: int, order: int) -> None:
        self.name, self.start, self.order = name, start, order
        self.children, self.has_text = 0, False


class _ElementCollector:
    """Collects the elements that were closed."""

    def __init__(self) -> None:
        self.parser = ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.buffer_text = True
        self._opened: list[_OpenElement] = []
        self.closed: list[Part] = []

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Begins an element; stops where elements are nested too deep."""
        if self._opened:
            self._opened[-1].children += 1
        named = next((f' {key}="{attributes[key]}"' for key in ("id", "name", "key") if key in attributes), "")
        self._opened.append(_OpenElement(name + named, self.parser.CurrentLineNumber, self.parser.CurrentByteIndex))
        if len(self._opened) > MAX_DEPTH:
            raise ParseStopped(self.parser.CurrentLineNumber)

    def _end(self, _: str) -> None:
        """Ends an element and keeps it as part of the text."""
        closed, end = self._opened.pop(), self.parser.CurrentLineNumber
        count = closed.children
        holds = f"{count} element{'s' * (count != 1)}" if count else "text" if closed.has_text else "empty"
        part = Part(
            start=closed.start,
            end=end,
            kind="element",
            label=f"<{closed.name}>: {holds}",
            title=f"element {closed.name}",
            depth=len(self._opened),
            is_block=count > 0 or end > closed.start,
            order=closed.order,
        )
        self.closed.append(part)

    def _text(self, text: str) -> None:
        """Notes that an element has text."""
        if self._opened and not self._opened[-1].has_text and not text.isspace():
            self._opened[-1].has_text = True


def xml_parts(text: str) -> Iterator[Part]:
    """Yields the elements; raises ParseStopped after the last one."""
    reading = _ElementCollector()
    content = text.encode("utf-8", "replace")
    try:
        for at in range(0, len(content), PIECE):
            reading.parser.Parse(content[at : at + PIECE], at + PIECE >= len(content))
            yield from reading.closed
            reading.closed.clear()
    except (ExpatError, ParseStopped) as stopped:
        yield from reading.closed
        raise ParseStopped(stopped.lineno if isinstance(stopped, ExpatError) else stopped.line) from stopped
