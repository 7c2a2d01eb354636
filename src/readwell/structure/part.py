"""A part of a text, and what the two views want of all parts: a list of them, or those around a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..named_tuple import NamedTuple

LONGEST = 120
"""Characters shown of one label."""
LONGEST_TITLE = 60
FITTING = 200
"""Rows that deep data is shown in, unless the first level alone has more."""
MOST_ROWS = 20_000
MOST_DEPTH = 1000


class Part(NamedTuple):
    """A definition, a section, a key: the lines from `start` to `end`, and how it is told."""

    start: int
    end: int
    kind: str
    """What it is, in one word for programs."""
    label: str
    """What is shown of it, on one line."""
    title: str = ""
    """What it is called where a block of it is shown; the label if empty."""
    above: int = 0
    """The first line of what belongs to it and stands before its start: comments, decorators; 0: nothing does."""
    depth: int | None = None
    """How deep it lies, where ranges do not say so."""
    shown: bool = True
    """Whether it stands in an outline; if not, it is only a block."""
    is_block: bool = True
    """Whether a line is shown with all of it; a single value is not worth that."""
    hidden_items: int = 0
    """How many of its items could be rows and are not, because there are too many."""


class Unparsed(Exception):
    """The text does not follow its grammar from this line on; what was found before it stands."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Listed(NamedTuple):
    """The parts of an outline in the order of the text, each with its depth."""

    rows: list[tuple[Part, int]]
    left_out: int = 0
    """Parts beyond the most that are listed."""
    depth: int | None = None
    """The deepest level that is shown, where deeper ones are not."""
    hidden_items: int = 0
    """Items of arrays that are left out, where others of their level are shown."""


def listed(parts: Iterable[Part], fitting: int | None = None) -> Listed:
    """Returns the parts to be shown; with `fitting`, only as deep as that many rows allow."""
    arrays: list[Part] = []
    rows, left_out, deepest = _gathered(_noting_long(parts, arrays), fitting)
    rows.sort(key=lambda part: (part.start, -part.end, part.depth or 0))
    placed = _with_depths(rows)
    hidden = sum(part.hidden_items for part in arrays if deepest is None or (part.depth or 0) < deepest)
    return Listed(placed[:MOST_ROWS], left_out + len(placed[MOST_ROWS:]), deepest, hidden)


def _noting_long(parts: Iterable[Part], arrays: list[Part]) -> Iterator[Part]:
    """Yields all parts and notes those whose items are not all rows; the whole of a text is no row itself."""
    for part in parts:
        if part.hidden_items and (part.shown or part.depth == -1):
            arrays.append(part)
        yield part


def _gathered(parts: Iterable[Part], fitting: int | None) -> tuple[list[Part], int, int | None]:
    """Returns parts, how many were too many, and the deepest level kept; holds few of very many."""
    by_depth: dict[int, list[Part]] = {}
    deepest, left_out = MOST_DEPTH, 0
    for part in parts:
        depth = part.depth or 0
        if not part.shown or depth > deepest:
            continue
        level = by_depth.setdefault(depth, [])
        if len(level) < MOST_ROWS:
            level.append(part)
        else:
            left_out += 1
        while fitting and deepest and sum(map(len, by_depth.values())) > fitting and max(by_depth):
            deepest = max(by_depth) - 1
            by_depth = {depth: level for depth, level in by_depth.items() if depth <= deepest}
    kept = [part for level in by_depth.values() for part in level]
    return kept, left_out, deepest if deepest < MOST_DEPTH else None


def _with_depths(parts: list[Part]) -> list[tuple[Part, int]]:
    """Returns each part with its own depth, or the number of parts that hold it."""
    placed: list[tuple[Part, int]] = []
    around: list[Part] = []
    for part in parts:
        while around and not (part.start <= around[-1].end and part.end <= around[-1].end):
            around.pop()
        placed.append((part, len(around) if part.depth is None else part.depth))
        around.append(part)
    return placed


class Block(NamedTuple):
    """The innermost part around a line, and its name with those around it; or the lines that it lies between."""

    start: int
    end: int
    title: str
    """Empty: no part holds the line."""


def block_at(parts: Iterable[Part], line: int, total: int) -> Block:
    """Returns the smallest part that holds a line; where none does, the lines between its neighbours."""
    around: list[tuple[int, int, Part]] = []
    low, high = 1, total
    for part in parts:
        if not part.is_block:
            continue
        first = part.above or part.start
        if first <= line <= part.end:
            around.append((first, part.end, part))
        elif part.end < line:
            low = max(low, part.end + 1)
        else:
            high = min(high, first - 1)
    if not around:
        return Block(low, max(low, high), "")
    around.sort(key=lambda each: (each[1] - each[0], -each[2].start))
    titles = [part.title or part.label for _, _, part in around]
    named = list(dict.fromkeys(title[:LONGEST_TITLE] for title in titles if title))
    return Block(around[0][0], around[0][1], " in ".join(named[:3]))
