"""Parts of a text, and the choice among them: the rows of an outline down to a depth, the block around a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..named_tuple import NamedTuple

LONGEST = 120
"""Characters shown of one label."""
LONGEST_TITLE = 60
MAX_DEEP_ROWS = 200
"""Rows to which nested data is cut, by levels; the first level is always shown."""
MAX_ROWS = 20_000
MAX_DEPTH = 1000


def shortened(text: str, longest: int = LONGEST) -> str:
    """Returns a text of at most `longest` characters; one that is cut ends in an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


class Part(NamedTuple):
    """A definition, a section, a key: its lines from `start` to `end`, and how it is shown."""

    start: int
    end: int
    kind: str
    """Its kind, in one word for programs."""
    label: str
    """Its text in an outline, on one line."""
    title: str = ""
    """Its name in the header of a block; empty: the label."""
    above: int = 0
    """The first line of the comments and decorators above it; 0: there are none."""
    depth: int | None = None
    """Its depth; None: by the parts that contain it."""
    shown: bool = True
    """Whether an outline shows it; if not, it is only a block."""
    is_block: bool = True
    """Whether it can be a block; a single value cannot."""
    hidden_items: int = 0
    """Items of an array that are left out, because there are too many."""
    order: int = 0
    """A number that grows with the places where parts begin; it orders those that begin on one line."""


class ParseStopped(Exception):
    """The text does not parse from this line on; the parts before it are valid."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class OutlineParts(NamedTuple):
    """The parts of an outline in the order of the text, each with its depth."""

    rows: list[tuple[Part, int]]
    left_out: int = 0
    """Number of parts beyond the maximum."""
    depth: int | None = None
    """The deepest level shown, if deeper ones are left out."""
    hidden_items: int = 0
    """Items left out of arrays whose first items are shown."""


def outline_parts(parts: Iterable[Part], row_limit: int | None = None) -> OutlineParts:
    """Returns the parts of an outline; with `row_limit`, only the levels that fit into so many rows."""
    arrays: list[Part] = []
    rows, left_out, deepest = _keep_fitting_levels(_collect_long_arrays(parts, arrays), row_limit)
    rows.sort(key=lambda part: (part.start, part.order, -part.end, part.depth or 0))
    placed = _with_depths(rows)
    hidden = sum(part.hidden_items for part in arrays if deepest is None or (part.depth or 0) < deepest)
    return OutlineParts(placed[:MAX_ROWS], left_out + len(placed[MAX_ROWS:]), deepest, hidden)


def _collect_long_arrays(parts: Iterable[Part], arrays: list[Part]) -> Iterator[Part]:
    """Yields all parts and adds those with hidden items to `arrays`; depth -1 is the whole text."""
    for part in parts:
        if part.hidden_items and (part.shown or part.depth == -1):
            arrays.append(part)
        yield part


def _keep_fitting_levels(parts: Iterable[Part], row_limit: int | None) -> tuple[list[Part], int, int | None]:
    """Returns parts, the number left out, and the deepest level kept; keeps few in memory at a time."""
    by_depth: dict[int, list[Part]] = {}
    deepest, left_out = MAX_DEPTH, 0
    for part in parts:
        depth = part.depth or 0
        if not part.shown or depth > deepest:
            continue
        level = by_depth.setdefault(depth, [])
        if len(level) < MAX_ROWS:
            level.append(part)
        else:
            left_out += 1
        while row_limit and deepest and sum(map(len, by_depth.values())) > row_limit and max(by_depth):
            deepest = max(by_depth) - 1
            by_depth = {depth: level for depth, level in by_depth.items() if depth <= deepest}
    kept = [part for level in by_depth.values() for part in level]
    return kept, left_out, deepest if deepest < MAX_DEPTH else None


def _with_depths(parts: list[Part]) -> list[tuple[Part, int]]:
    """Returns each part with its own depth, or the number of parts that contain it."""
    placed: list[tuple[Part, int]] = []
    around: list[Part] = []
    for part in parts:
        while around and not (part.start <= around[-1].end and part.end <= around[-1].end):
            around.pop()
        placed.append((part, len(around) if part.depth is None else part.depth))
        around.append(part)
    return placed


class Block(NamedTuple):
    """The innermost part around a line, named with those around it; or the lines between its neighbours."""

    start: int
    end: int
    title: str
    """Empty: no part contains the line."""


def block_at(parts: Iterable[Part], line: int, total: int) -> Block:
    """Returns the smallest part that contains a line; without one, the lines between its neighbours."""
    around: list[tuple[int, int, Part]] = []
    """Of parts on the same lines the inner one comes first."""
    low, high = 1, total
    for part in parts:
        if not part.is_block:
            continue
        first = part.above or part.start
        if first <= line <= part.end:
            around.insert(0, (first, part.end, part))
        elif part.end < line:
            low = max(low, part.end + 1)
        else:
            high = min(high, first - 1)
    if not around:
        return Block(low, max(low, high), "")
    around.sort(key=lambda each: (each[1] - each[0], -each[2].start))
    titles = [part.title or part.label for _, _, part in around]
    named = list(dict.fromkeys(shortened(title, LONGEST_TITLE) for title in titles if title))
    return Block(around[0][0], around[0][1], " in ".join(named[:3]))
