"""Following a file that grows: windows of the lines that are added, until it is closed or its time is up."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from time import monotonic
from typing import Self

from .errors import IsDirectory, NotFound, StartPastEnd
from .model import Position, ReadResult, Window
from .tool import Tool

EVERY_S = 0.25
"""Seconds between two looks at the file."""


class Following:
    """Iterates over windows as lines are added to a file; a line is told once it has ended.

    A file that was truncated or replaced under its name is read from its start; its first window then has
    `from_start`. `close` may be called from any thread.
    """

    def __init__(self, tool: Tool, path: str, offset: int, deadline_s: float | None) -> None:
        self._tool, self._path = tool, path
        self._expires = None if deadline_s is None else monotonic() + deadline_s
        self._closed = Event()
        self._offset = offset
        self._known: tuple[object, ...] | None = None
        self._size = 0
        self._last: str | None = None
        """The line before `offset`, as it was shown: where it is another one, the file was written anew."""
        self._anew = self._last_try = False

    def __iter__(self) -> Iterator[Window]:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends it: whoever waits for the next window gets none."""
        self._closed.set()

    def __next__(self) -> Window:
        """Returns the next window, waiting for lines; ends with the deadline, after what is there of the last line."""
        while not self._closed.is_set():
            if window := self._new_lines():
                return window
            if self._last_try:
                self.close()
            elif self._expires is not None and monotonic() >= self._expires:
                self._last_try = True
            else:
                self._closed.wait(EVERY_S)
        raise StopIteration

    def _new_lines(self) -> Window | None:
        """Returns lines that have been added; None where there are none, or no file for the moment."""
        try:
            if self._known:
                self._notice_replaced_file()
            window = self._lines_behind_last()
            if not self._known:
                self._notice_replaced_file()
        except NotFound:
            if self._known is None:
                raise
            return None
        if window is None or not window.lines:
            return None
        self._offset, self._last = window.end + 1, window.lines[-1]
        anew, self._anew = self._anew, False
        return window._replace(from_start=anew)

    def _lines_behind_last(self) -> Window | None:
        """Reads from the line that was shown last; None where that is another one, so that all is read anew."""
        known = self._last
        first = self._offset if known is None else self._offset - 1
        try:
            window = self._without_growing_line(
                self._tool.read({"path": self._path, "offset": first, "total": "exact"})
            )
        except StartPastEnd:
            window = None
        if known is None:
            return window
        if window is None or window.lines[:1] != [known]:
            self._begin_anew()
            return None
        rest = window.lines[1:]
        clipped = tuple(clip for clip in window.clipped if clip.line != first)
        return window._replace(lines=rest, start=first + 1, text="\n".join(rest), clipped=clipped)

    def _begin_anew(self) -> None:
        """Reads from the start next: what was shown is no longer there."""
        self._offset, self._last, self._anew = 1, None, True

    def _notice_replaced_file(self) -> None:
        """Notices whether the file is another one, or shorter than it was."""
        *known, size = self._tool.identity_of(self._path)
        if self._known is not None and (tuple(known) != self._known or size < self._size):
            self._begin_anew()
        self._known, self._size = tuple(known), size

    def _without_growing_line(self, result: ReadResult) -> Window:
        """Returns the window without a last line that may still be growing."""
        if result.kind == "directory":
            raise IsDirectory
        window = result.window
        growing = window.next is None and result.traits.final_newline is False and not self._last_try
        if not growing or not window.lines:
            return window
        if len(window.lines) == 1:
            self._offset = max(1, window.start)
        kept = window.lines[:-1]
        return window._replace(
            lines=kept, end=window.end - 1, next=Position(window.end), text="\n".join(kept), reason="lines"
        )
