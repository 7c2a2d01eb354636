"""Chooses the lines of a text that fit into one reply, and where the next read continues.

All numbers are computed here, after the last cut; `line_fitting` cuts.
"""

from __future__ import annotations

from .errors import StartPastEnd
from .light_typing import Protocol
from .line_fitting import FittedLines, fit_lines, is_cut_by_bytes
from .model import Budget, Limits, Lines, Position, ReadRequest, Reason, Traits, Window, new_window


class Text(Protocol):
    """Something with lines: a file, a converted document, a directory listing."""

    @property
    def known_total(self) -> int | None:
        """The number of lines, if known without a scan."""
        ...

    @property
    def counting_cost(self) -> int:
        """What counting the lines costs, in bytes of plain text that take as long to scan; 0: they are counted."""
        ...

    def total(self) -> int:
        """The exact number of lines; may scan."""
        ...

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Returns up to `count` lines from `start`, the first one from `column`; may stop once beyond the budget."""
        ...

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Returns how many of the last `count` lines there are, and those lines, without a scan.

        It is called only where the total is not known.
        """
        ...

    def traits(self) -> Traits:
        """The properties of the text that are known so far."""
        ...


def take_window(text: Text, request: ReadRequest) -> Window:
    """Returns the lines that a request asks for and that fit within its limits."""
    limits = request.limits
    exact = request.exact_up_to is None or text.counting_cost <= request.exact_up_to
    if exact:
        text.total()
    start, lines = _take_lines(text, request, exact)
    if not lines.strings and start != 1:
        return _window_after_end(start, text.total(), request)
    fitted = fit_lines(lines, limits, start, request.column)
    return _make_window(text, lines, fitted, start, request)


def _window_after_end(start: int, total: int, request: ReadRequest) -> Window:
    """Returns the empty window that waits for the next line; raises StartPastEnd where no line can come next."""
    if not request.may_wait or start != total + 1 or request.column > 1:
        raise StartPastEnd(start, total)
    return Window(lines=[], start=start, end=total, total=total, next=None, reason="end")


def _take_lines(text: Text, request: ReadRequest, exact: bool) -> tuple[int, Lines]:
    """Returns the number of the first line and enough lines to reach a limit."""
    limits = request.limits
    longest = limits.bytes if is_cut_by_bytes(limits) else limits.line_length or 1
    budget = Budget(longest, limits.bytes, exact or not limits.columns, limits.exceeds)
    start = request.start
    if request.last_lines is not None:
        if text.known_total is None:
            return _take_tail(text, request, budget)
        start = max(1, text.known_total - request.last_lines + 1)
    if start < 1:
        raise StartPastEnd(start, text.total())
    return start, text.take(start, limits.lines, request.column, budget)


def _take_tail(text: Text, request: ReadRequest, budget: Budget) -> tuple[int, Lines]:
    available, lines = text.tail(request.last_lines or 0, request.column, budget)
    most = request.limits.lines
    if len(lines.strings) > most:
        lines = lines._replace(strings=lines.strings[:most], ended=False, inside=False)
    return (-available if text.known_total is None else text.known_total - available + 1), lines


def _make_window(text: Text, lines: Lines, fitted: FittedLines, start: int, request: ReadRequest) -> Window:
    count = len(fitted.strings)
    if not count:
        return Window(lines=[], start=0, end=0, total=0, next=None, reason="end")
    end = start + count - 1
    follows = count < len(lines.strings) or not lines.ended
    reason: Reason = fitted.reason or "lines"
    position = Position(end + 1) if follows else None
    after = None
    if not follows and lines.after is not None:
        position, after = Position(1), lines.after
    if fitted.inside or (fitted.clips and _ends_in_cut_line(lines, fitted, end, request.limits)):
        position, after = Position(end, fitted.clips[-1].column), None
    reason = reason if position else "end"
    window = new_window(
        lines=fitted.strings,
        start=start,
        end=end,
        total=text.known_total,
        next=position,
        reason=reason,
        column=request.column,
        clipped=fitted.clips,
        text=fitted.text,
        after=after,
    )
    return _with_replacement_counts(window, lines) if lines.replaced else window


def _ends_in_cut_line(lines: Lines, fitted: FittedLines, end: int, limits: Limits) -> bool:
    """Whether all lines read are shown, nothing is known to follow, and the last of them is cut."""
    if len(fitted.strings) < len(lines.strings):
        return False
    return lines.inside or (lines.ended and limits.columns and fitted.clips[-1].line == end)


def _with_replacement_counts(window: Window, lines: Lines) -> Window:
    """Counts the replacement characters in the lines shown."""
    lengths = dict(enumerate(map(len, window.lines)))
    replaced = {
        number: sum(position < lengths[number] for position in positions)
        for number, positions in lines.replaced.items()
        if positions[0] < lengths.get(number, 0)
    }
    first = window.start + min(replaced) if replaced else None
    return window._replace(replaced=sum(replaced.values()), first_replaced=first)
