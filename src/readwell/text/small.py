"""A small file as lines: read, counted and decoded at once, and split as far as a window goes."""

from ..model import Budget, Lines, Traits
from ..source import Source
from .decode import MARK, Encoding, decoded_text
from .held import draw_held
from .split import has_longer_line, narrow, tally

SMALL = 1 << 16
"""Bytes up to which finding a line by an index takes longer than splitting all that comes before it."""


def small_text(source: Source, encoding: Encoding, judge_utf8: bool) -> "SmallText | None":
    """Returns a small file as lines; None for one that is not, has none, or holds bytes that are no characters."""
    if not encoding.bom < source.size <= SMALL or (judge_utf8 and encoding.codec != "utf-8"):
        return None
    raw = source.read_at(0, SMALL)
    text = decoded_text(raw[encoding.bom :], encoding.codec)
    if MARK in text:
        return None
    found = tally(raw if encoding.unit == 1 else narrow(raw, encoding.unit, encoding.big), False)
    ended, valid = text.endswith("\n"), True if judge_utf8 else None
    lone_cr = found.cr > found.pairs
    traits = Traits(encoding.codec, encoding.bom > 0, encoding.guess, valid, found.newline, lone_cr, ended)
    return SmallText(text, found.ends + (not ended), len(raw), traits)


class SmallText:
    """A text in memory that tells how many lines it has only when asked, or when a window has reached its end."""

    def __init__(self, text: str, total: int, weight: int, traits: Traits) -> None:
        self._text, self._total, self._traits = text, total, traits
        self.weight = weight
        self.known_total: int | None = None

    def total(self) -> int:
        """The number of lines."""
        self.known_total = self._total
        return self._total

    def traits(self) -> Traits:
        """Encoding and line ends."""
        return self._traits

    def take(self, start: int, count: int, column: int, budget: Budget) -> Lines:
        """Draws lines from number `start`."""
        lines = self._draw(start, start, count, column, budget)
        if lines.ended:
            self.known_total = self._total
        return lines

    def tail(self, count: int, column: int, budget: Budget) -> tuple[int, Lines]:
        """Draws the last lines."""
        found = min(count, self._total)
        if found == self._total:
            self.known_total = found
        return found, self._draw(self._total - found + 1, -found, count, column, budget)

    def _draw(self, start: int, named: int, count: int, column: int, budget: Budget) -> Lines:
        """Draws lines, the first of which is called so where it has no such column."""
        behind = min(start - 1 + count, self._total)
        strings = self._text.split("\n", behind)[start - 1 : behind]
        ended = start - 1 + len(strings) >= self._total
        if column == 1 and not has_longer_line(self._text, budget.longest):
            return Lines(strings, {}, ended)
        lines = draw_held(strings, named, count, column, budget)
        return lines._replace(ended=ended and len(lines.strings) == len(strings))
