"""The data types of a page. Coordinates are points from its upper left corner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ...named_tuple import NamedTuple
from .pdfium_calls import Paint

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

MAX_SLANT = 0.2
"""The largest angle, in radians, of text that counts as horizontal."""


class Frame(NamedTuple):
    """The transform from PDF coordinates to those of the page as displayed: x' = ax + cy + e, y' = bx + dy + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    width: float
    height: float
    rotation: int
    """Degrees, clockwise, by which the page is rotated for display."""


@dataclass(slots=True)
class Font:
    """The font of a word. `angle` is that of its baseline, in radians, 0 for horizontal text."""

    size: float
    bold: bool
    mono: bool
    italic: bool
    name: str
    angle: float
    tiny: bool = False
    """Whether the letters are smaller than a point."""
    horizontal: bool = field(init=False)
    """Whether the text runs from left to right or right to left, not up, down or upside down."""

    def __post_init__(self) -> None:
        self.horizontal = abs(self.angle) < MAX_SLANT


@dataclass(slots=True)
class Word:
    """Characters without a space between them, with their box and font.

    Not a tuple: a page has hundreds of words, and attributes of a class with slots are read in half the time.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    font: Font
    line: int
    """The number of the line, as PDFium counts them."""
    char_index: int
    """The index of its first character in PDFium's order, which identifies the word on its page."""

    @property
    def size(self) -> float:
        """The font size, which is one em."""
        return self.font.size

    @property
    def mid_x(self) -> float:
        """The horizontal centre."""
        return (self.x0 + self.x1) / 2

    @property
    def mid_y(self) -> float:
        """The vertical centre."""
        return (self.top + self.bottom) / 2


class RulingLine(NamedTuple):
    """A drawn line: horizontal at y = `at` from x `start` to `end`, or vertical at x = `at` from y `start` to `end`."""

    at: float
    start: float
    end: float


class Rulings(NamedTuple):
    """The line drawing of a page: straight ruling lines, and the bounding boxes of curves and slanted strokes."""

    horizontal: list[RulingLine]
    vertical: list[RulingLine]
    figures: list[Box]


NO_PAINTS: Mapping[int, Paint] = MappingProxyType({})


class PageWords(NamedTuple):
    """The words of a page in PDFium's order, its size as displayed, and its coordinate transform."""

    width: float
    height: float
    words: list[Word]
    frame: Frame
    outside: int
    """The number of further words, outside the visible part of the page."""
    paints: Mapping[int, Paint] = NO_PAINTS
    """How each text object of the page is painted."""


class Table(NamedTuple):
    """A table of a page: its cell texts, the `char_index` of each of its words, and its box."""

    rows: list[list[str]]
    char_indexes: frozenset[int]
    box: Box
    cells: Sequence[Sequence[Sequence[Word]]] = ()
    """The words of each cell, as printed from left to right."""
    above: Sequence[str] = ()
    """Comments above the table, and below: where it comes from, and where it goes on."""
    below: Sequence[str] = ()
