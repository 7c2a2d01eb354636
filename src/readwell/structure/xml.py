"""XML's elements with their lines, in the order of their ends."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers.expat import ExpatError, ParserCreate

from .text_part import MAX_DEPTH, ParseStopped, Part

PIECE = 1 << 16


class _Reading:
    """Collects the elements that were closed."""

    def __init__(self) -> None:
        self.parser = ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self._around: list[tuple[str, int, list[int]]] = []
        self.closed: list[Part] = []

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Begins an element; stops where elements are nested too deep."""
        if self._around:
            self._around[-1][2][0] += 1
        named = next((f' {key}="{attributes[key]}"' for key in ("id", "name", "key") if key in attributes), "")
        self._around.append((name + named, self.parser.CurrentLineNumber, [0]))
        if len(self._around) > MAX_DEPTH:
            raise ParseStopped(self.parser.CurrentLineNumber)

    def _end(self, _: str) -> None:
        """Ends an element and keeps it as part of the text."""
        name, start, (children,) = self._around.pop()
        holds = f"{children} element{'s' * (children != 1)}" if children else "text"
        end = self.parser.CurrentLineNumber
        part = Part(start, end, "element", label=f"<{name}>: {holds}", title=f"element {name}", depth=len(self._around))
        self.closed.append(part._replace(is_block=children > 0 or end > start))


def xml_parts(text: str) -> Iterator[Part]:
    """Yields the elements; raises ParseStopped after the last one."""
    reading = _Reading()
    content = text.encode("utf-8", "replace")
    try:
        for at in range(0, len(content), PIECE):
            reading.parser.Parse(content[at : at + PIECE], at + PIECE >= len(content))
            yield from reading.closed
            reading.closed.clear()
    except ExpatError as error:
        yield from reading.closed
        raise ParseStopped(error.lineno) from error
