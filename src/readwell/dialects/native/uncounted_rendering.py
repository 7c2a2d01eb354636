"""Rendering of pages whose lines are not counted: lines are numbered `50000.1`, and replies continue by pages."""

from __future__ import annotations

from ...model import Clip, Position, UncountedPages, Window


def line_label(pages: UncountedPages, line: int) -> str:
    """Returns the label of a line: its page and its number on that page."""
    return "{}.{}".format(*pages.unit_and_line(line))


def uncounted_body(window: Window, pages: UncountedPages, numbers: bool) -> str:
    """Returns the lines as they are shown, with labels if `numbers`."""
    lines = list(window.lines)
    for clip in window.clipped:
        lines[clip.line - window.start] += _cut_line_mark(clip, pages)
    if not numbers:
        return "\n".join(lines)
    gutters = [line_label(pages, number) for number in range(window.start, window.end + 1)]
    if window.column > 1:
        gutters[0] += f"@{window.column}"
    return "\n".join(f"{gutter}\t{line}" for gutter, line in zip(gutters, lines, strict=True))


def continuation_pages(pages: UncountedPages, position: Position) -> str:
    """Returns the value of `pages` that continues the reply: the rest of the pages asked for, or the next page."""
    unit, line = pages.unit_and_line(position.line)
    first = f"{unit}.{line}" if line > 1 else f"{unit}"
    return f"{first}-{pages.last}" if unit < pages.last else first


def uncounted_data(window: Window, pages: UncountedPages) -> dict[str, object]:
    """Returns the fields of the data that otherwise hold line numbers."""
    at, clipped = window.next, [(pages.unit_and_line(clip.line), clip.column) for clip in window.clipped]
    return {
        "start": None,
        "end": None,
        "total": None,
        "next": {"pages": continuation_pages(pages, at), "column": at.column} if at else None,
        "clipped": [{"page": page, "line": line, "column": column} for (page, line), column in clipped],
    }


def _cut_line_mark(clip: Clip, pages: UncountedPages) -> str:
    """Returns the end of a cut line: how to continue it."""
    rest = "more" if clip.rest is None else f"+{clip.rest} characters"
    return f" …[{rest}: pages={line_label(pages, clip.line)} column={clip.column}]"
