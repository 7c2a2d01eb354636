"""Chooses the lines of a text that fit into one reply, and where the next read continues.

All counting and cutting is done here; every number is computed after the last cut.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from .errors import StartPastEnd
from .light_typing import Protocol
from .model import Budget, Clip, Limits, Lines, Position, ReadRequest, Reason, Traits, Window, new_window
from .named_tuple import NamedTuple

MUCH = 16
"""A window ends inside a line if whole lines leave more than one part in so many of its token budget."""
EXPECTED_GUESSES = 6


class Text(Protocol):
    """Something with lines: a file, a converted document, a directory listing."""

    @property
    def known_total(self) -> int | None:
        """The number of lines, if known without a scan."""
        ...

    @property
    def weight(self) -> int:
        """How many bytes must be scanned to count the lines."""
        ...

    def total(self) -> int:
        """The exact number of lines; may scan."""
        ...

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Returns up to `count` lines from `start`, the first one from `column`; may stop once beyond the budget."""
        ...

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Returns how many of the last `count` lines there are, and those lines; without a scan."""
        ...

    def traits(self) -> Traits:
        """The properties of the text that are known so far."""
        ...


def take_window(text: Text, request: ReadRequest) -> Window:
    """Returns the lines that a request asks for and that fit within its limits."""
    limits = request.limits
    exact = request.exact_up_to is None or text.weight <= request.exact_up_to
    if exact:
        text.total()
    start, lines = _take_lines(text, request, exact)
    if not lines.strings and start != 1:
        return _after_the_end(start, text.total(), request)
    fitted = _fit(lines, limits, start, request.column)
    return _window(text, lines, fitted, start, request)


def _after_the_end(start: int, total: int, request: ReadRequest) -> Window:
    """Returns the empty window that waits for the next line; raises StartPastEnd where no line can come next."""
    if not request.may_wait or start != total + 1 or request.column > 1:
        raise StartPastEnd(start, total)
    return Window(lines=[], start=start, end=total, total=total, next=None, reason="end")


def _take_lines(text: Text, request: ReadRequest, exact: bool) -> tuple[int, Lines]:
    """Returns the number of the first line and enough lines to reach a limit."""
    limits = request.limits
    longest = limits.bytes if _ceiling_clips(limits) else limits.line_length or 1
    budget = Budget(longest, limits.bytes, patient=exact or not limits.columns)
    start = request.start
    if request.last is not None:
        if text.known_total is None:
            return _take_tail(text, request, budget)
        start = max(1, text.known_total - request.last + 1)
    if start < 1:
        raise StartPastEnd(start, text.total())
    return start, text.take(start, limits.lines, request.column, budget)


def _take_tail(text: Text, request: ReadRequest, budget: Budget) -> tuple[int, Lines]:
    available, lines = text.tail(request.last or 0, request.column, budget)
    most = request.limits.lines
    if len(lines.strings) > most:
        lines = lines._replace(strings=lines.strings[:most], ended=False, inside=False)
    return (-available if text.known_total is None else text.known_total - available + 1), lines


def _ceiling_clips(limits: Limits) -> bool:
    """Whether a long line is cut by the limit of bytes rather than by the length of lines."""
    return limits.line_length is None or limits.line_length > limits.bytes


class _Fitted(NamedTuple):
    """Lines after all cuts; `inside` says that a budget ended the window inside its last line."""

    strings: list[str]
    text: str
    clips: tuple[Clip, ...]
    reason: Reason | None
    inside: bool


def _fit(lines: Lines, limits: Limits, start: int, column: int) -> _Fitted:
    """Cuts to the limit of bytes, then to the token budget; keeps at least one character."""
    strings, text = lines.strings, "\n".join(lines.strings)
    spent = None
    if not lines.rests and _size(text) <= limits.bytes:
        spent = _cost(strings, text, (), limits, start, column)
        if limits.tokens is None or spent <= limits.tokens:
            return _Fitted(strings, text, (), None, False)
    reason: Reason | None = None
    inside = 0 in lines.rests and (column > 1 or _ceiling_clips(limits))
    count = _within_bytes(lines, text, limits)
    if count < len(strings) or inside:
        reason = "bytes"
        strings = strings[:count] or [_first_bytes(strings[0], limits.bytes)]
        text = "\n".join(strings)
    clips = _clips(lines, strings, start, column)
    if spent is None:
        spent = _cost(strings, text, clips, limits, start, column)
    count, spent = _within_tokens(strings, text, clips, limits, start, column, spent)
    if count < len(strings):
        reason = "tokens"
        strings = _filled(lines, strings, count, limits, start, column, spent)
        text, clips = "\n".join(strings), _clips(lines, strings, start, column)
    inside = inside or (reason is not None and len(strings[-1]) < len(lines.strings[len(strings) - 1]))
    return _Fitted(strings, text, clips, reason, inside and limits.columns)


def _within_bytes(lines: Lines, text: str, limits: Limits) -> int:
    """Returns how many lines fit: their UTF-8 bytes, one byte between two, and the dialect's marks of cut lines."""
    strings, rests = lines.strings, lines.rests
    most = len(strings)
    if rests and _ceiling_clips(limits):
        most = min([number for number in rests if number], default=most)
    if _size(text) + limits.clip_bytes * len(rests) <= limits.bytes:
        return most
    if not rests:  # a line fits if the newline after it is at the limit or before
        return text.encode()[: limits.bytes + 1].count(b"\n")
    sizes = (
        len(line.encode()) + (number > 0) + limits.clip_bytes * (number in rests) for number, line in enumerate(strings)
    )
    return min(most, sum(1 for used in accumulate(sizes) if used <= limits.bytes))


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _first_bytes(line: str, ceiling: int) -> str:
    """Returns the most whole characters that fit, at least one."""
    return line.encode()[:ceiling].decode(errors="ignore") or line[:1]


def _within_tokens(
    strings: list[str], text: str, clips: tuple[Clip, ...], limits: Limits, start: int, column: int, spent: int
) -> tuple[int, int]:
    """Returns how many lines, as they will be shown, fit into the token budget, and their cost; all cost `spent`."""
    if limits.tokens is None or spent <= limits.tokens:
        return len(strings), spent

    lengths = list(accumulate(map(len, strings)))

    def cost_of(count: int) -> int:
        return _cost(strings[:count], text[: lengths[count - 1] + count - 1], clips, limits, start, column)

    return _most_within(limits.tokens, len(strings), spent, cost_of)


def _cost(strings: list[str], text: str, clips: tuple[Clip, ...], limits: Limits, start: int, column: int) -> int:
    return limits.cost(start, column, strings, text, clips) if limits.cost else 0


def _most_within(budget: int, top: int, spent: int, cost_of: Callable[[int], int]) -> tuple[int, int]:
    """Returns the largest number below `top` that costs no more than a budget, and what it costs; 0: none does.

    `top` costs `spent`. Counting is expensive, so each guess is estimated from the cost of the last one; after
    some misses the range is halved.
    """
    low, high, low_spent = 0, top, 0
    guess = top * max(0, budget) // max(1, spent)
    for tried in range(top.bit_length() + EXPECTED_GUESSES):
        if high - low <= 1:
            break
        if tried >= EXPECTED_GUESSES:
            guess = (low + high) // 2
        guess = min(max(guess, low + 1), high - 1)
        spent = cost_of(guess)
        if spent <= budget:
            low, low_spent = guess, spent
        else:
            high = guess
        guess += (budget - spent) * guess // max(1, spent)
    return low, low_spent


def _filled(
    lines: Lines, strings: list[str], count: int, limits: Limits, start: int, column: int, spent: int
) -> list[str]:
    """Returns the lines that fit into the token budget, and of the next one what fits if they leave much of it.

    At least one character stays.
    """
    whole, following, budget = strings[:count], strings[count], limits.tokens or 0

    def cost_of(length: int) -> int:
        shown = [*whole, following[:length]]
        return _cost(shown, "\n".join(shown), _clips(lines, shown, start, column), limits, start, column)

    if whole and (not limits.columns or spent >= budget - budget // MUCH):
        return whole
    length, _ = _most_within(budget, len(following), cost_of(len(following)), cost_of)
    return [*whole, following[: max(1, length)]] if length or not whole else whole


def _clips(lines: Lines, strings: list[str], start: int, column: int) -> tuple[Clip, ...]:
    """Returns the lines that are shortened, by the text or by a budget."""
    last = len(strings) - 1
    cut = {number for number in lines.rests if number <= last}
    if strings and len(strings[last]) < len(lines.strings[last]):
        cut.add(last)
    return tuple(_clip(lines, number, strings[number], start, column) for number in sorted(cut))


def _clip(lines: Lines, number: int, line: str, start: int, column: int) -> Clip:
    shown, rest = len(line), lines.rests.get(number, 0)
    left_out = None if rest is None else rest + len(lines.strings[number]) - shown
    return Clip(start + number, shown, shown + (1 if number else column), left_out)


def _window(text: Text, lines: Lines, fitted: _Fitted, start: int, request: ReadRequest) -> Window:
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
    return _with_replaced(window, lines) if lines.replaced else window


def _ends_in_cut_line(lines: Lines, fitted: _Fitted, end: int, limits: Limits) -> bool:
    """Whether all lines read are shown, nothing is known to follow, and the last of them is cut."""
    if len(fitted.strings) < len(lines.strings):
        return False
    return lines.inside or (lines.ended and limits.columns and fitted.clips[-1].line == end)


def _with_replaced(window: Window, lines: Lines) -> Window:
    """Counts the replacement characters in the lines shown."""
    lengths = dict(enumerate(map(len, window.lines)))
    replaced = {
        number: sum(position < lengths[number] for position in positions)
        for number, positions in lines.replaced.items()
        if positions[0] < lengths.get(number, 0)
    }
    first = window.start + min(replaced) if replaced else None
    return window._replace(replaced=sum(replaced.values()), first_replaced=first)
