"""The nouns of a page, in points from its upper left corner."""

from dataclasses import dataclass, field
from typing import NamedTuple

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

LEVEL = 0.2
"""Radians by which level text may lean."""


class Frame(NamedTuple):
    """How PDF's own coordinates become those of the page as it is looked at: x' = ax + cy + e, y' = bx + dy + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    width: float
    height: float
    rotation: int
    """Degrees, clockwise, by which the page is turned for reading."""


@dataclass(slots=True)
class Font:
    """How a word is set. `angle` is that of its baseline, in radians, 0 for level text."""

    size: float
    bold: bool
    mono: bool
    italic: bool
    name: str
    angle: float
    level: bool = field(init=False)
    """Whether the text reads from left to right (or right to left), not up, down or upside down."""

    def __post_init__(self) -> None:
        self.level = abs(self.angle) < LEVEL


@dataclass(slots=True)
class Word:
    """Characters without a space between them: where they stand and how they are set.

    Not a tuple: a page has hundreds, and of each the fields are read dozens of times, in half the time.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    font: Font
    line: int
    """The number of PDFium's line that it stands in."""
    place: int
    """The number of its first character in PDFium's order."""

    @property
    def size(self) -> float:
        """Its font size: what an em is here."""
        return self.font.size

    @property
    def mid_x(self) -> float:
        """Half way across."""
        return (self.x0 + self.x1) / 2

    @property
    def mid_y(self) -> float:
        """Half way down."""
        return (self.top + self.bottom) / 2


class Rule(NamedTuple):
    """A drawn line: level at `at` = y from x `start` to `end`, or upright at `at` = x from y `start` to `end`."""

    at: float
    start: float
    end: float


class Rulings(NamedTuple):
    """What is drawn on a page: straight rules, and the boxes of curves and slanted strokes."""

    level: list[Rule]
    upright: list[Rule]
    figures: list[Box]


class PageWords(NamedTuple):
    """A page as read: its size as it is looked at, its words in PDFium's order, and how it is turned."""

    width: float
    height: float
    words: list[Word]
    frame: Frame
    outside: int
    """How many more words lie outside the visible part of the page."""


class Table(NamedTuple):
    """A grid found on a page, and the places of the words that stand in it."""

    rows: list[list[str]]
    words: frozenset[int]
    box: Box
