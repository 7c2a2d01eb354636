"""Cuts lines so that they fit into one reply: by bytes, then by tokens."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from .model import Clip, Limits, Lines, Reason
from .named_tuple import NamedTuple

MUCH = 16
"""A window ends inside a line if whole lines leave more than one part in so many of its token budget."""
EXPECTED_GUESSES = 6
"""Guesses of `_largest_within_budget` after which it halves the range instead."""


def is_cut_by_bytes(limits: Limits) -> bool:
    """Whether a long line is cut by the limit of bytes rather than by the length of lines."""
    return limits.line_length is None or limits.line_length > limits.bytes


class FittedLines(NamedTuple):
    """Lines after all cuts; `inside` says that a budget ended the window inside its last line."""

    strings: list[str]
    text: str
    clips: tuple[Clip, ...]
    reason: Reason | None
    inside: bool


def fit_lines(lines: Lines, limits: Limits, start: int, column: int) -> FittedLines:
    """Cuts to the limit of bytes, then to the token budget; keeps at least one character."""
    strings, text = lines.strings, "\n".join(lines.strings)
    spent = None
    if not lines.rests and _utf8_size(text) <= limits.bytes:
        spent = _cost(strings, text, (), limits, start, column)
        if limits.tokens is None or spent <= limits.tokens:
            return FittedLines(strings, text, (), None, False)
    reason: Reason | None = None
    inside = 0 in lines.rests and (column > 1 or is_cut_by_bytes(limits))
    count = _count_within_bytes(lines, text, limits)
    if count < len(strings) or inside:
        reason = "bytes"
        strings = strings[:count] or [_cut_to_bytes(strings[0], limits.bytes)]
        text = "\n".join(strings)
    clips = _find_clips(lines, strings, start, column)
    if spent is None:
        spent = _cost(strings, text, clips, limits, start, column)
    count, spent = _count_within_tokens(strings, text, clips, limits, start, column, spent)
    if count < len(strings):
        reason = "tokens"
        strings = _fill_token_budget(lines, strings, count, limits, start, column, spent)
        text, clips = "\n".join(strings), _find_clips(lines, strings, start, column)
    inside = inside or (reason is not None and len(strings[-1]) < len(lines.strings[len(strings) - 1]))
    return FittedLines(strings, text, clips, reason, inside and limits.columns)


def _count_within_bytes(lines: Lines, text: str, limits: Limits) -> int:
    """Returns how many lines fit: their UTF-8 bytes, one byte between two, and the dialect's marks of cut lines."""
    strings, rests = lines.strings, lines.rests
    most = len(strings)
    if rests and is_cut_by_bytes(limits):
        most = min([number for number in rests if number], default=most)
    if _utf8_size(text) + limits.clip_bytes * len(rests) <= limits.bytes:
        return most
    if not rests:  # a line fits if the newline after it is at the limit or before
        return text.encode()[: limits.bytes + 1].count(b"\n")
    sizes = (
        len(line.encode()) + (number > 0) + limits.clip_bytes * (number in rests) for number, line in enumerate(strings)
    )
    return min(most, sum(1 for used in accumulate(sizes) if used <= limits.bytes))


def _utf8_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _cut_to_bytes(line: str, ceiling: int) -> str:
    """Returns the most whole characters that fit, at least one."""
    return line.encode()[:ceiling].decode(errors="ignore") or line[:1]


def _count_within_tokens(
    strings: list[str], text: str, clips: tuple[Clip, ...], limits: Limits, start: int, column: int, spent: int
) -> tuple[int, int]:
    """Returns how many lines, as they will be shown, fit into the token budget, and their cost; all cost `spent`."""
    if limits.tokens is None or spent <= limits.tokens:
        return len(strings), spent

    lengths = list(accumulate(map(len, strings)))

    def cost_of(count: int) -> int:
        return _cost(strings[:count], text[: lengths[count - 1] + count - 1], clips, limits, start, column)

    return _largest_within_budget(limits.tokens, len(strings), spent, cost_of)


def _cost(strings: list[str], text: str, clips: tuple[Clip, ...], limits: Limits, start: int, column: int) -> int:
    return limits.cost(start, column, strings, text, clips) if limits.cost else 0


def _largest_within_budget(budget: int, top: int, spent: int, cost_of: Callable[[int], int]) -> tuple[int, int]:
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


def _fill_token_budget(
    lines: Lines, strings: list[str], count: int, limits: Limits, start: int, column: int, spent: int
) -> list[str]:
    """Returns the lines that fit into the token budget, and of the next one what fits if they leave much of it.

    At least one character stays.
    """
    whole, following, budget = strings[:count], strings[count], limits.tokens or 0

    def cost_of(length: int) -> int:
        shown = [*whole, following[:length]]
        return _cost(shown, "\n".join(shown), _find_clips(lines, shown, start, column), limits, start, column)

    if whole and (not limits.columns or spent >= budget - budget // MUCH):
        return whole
    length, _ = _largest_within_budget(budget, len(following), cost_of(len(following)), cost_of)
    return [*whole, following[: max(1, length)]] if length or not whole else whole


def _find_clips(lines: Lines, strings: list[str], start: int, column: int) -> tuple[Clip, ...]:
    """Returns the lines that are shortened, by the text or by a budget."""
    last = len(strings) - 1
    cut = {number for number in lines.rests if number <= last}
    if strings and len(strings[last]) < len(lines.strings[last]):
        cut.add(last)
    return tuple(_clip_of_line(lines, number, strings[number], start, column) for number in sorted(cut))


def _clip_of_line(lines: Lines, number: int, line: str, start: int, column: int) -> Clip:
    shown, rest = len(line), lines.rests.get(number, 0)
    left_out = None if rest is None else rest + len(lines.strings[number]) - shown
    return Clip(start + number, shown, shown + (1 if number else column), left_out)
