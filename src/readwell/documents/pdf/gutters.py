"""White that runs down through rows: where columns part."""

from collections.abc import Iterator, Sequence

from .rows import Interval

TOUCH = 0.01


def gutters(rows: Sequence[Sequence[Interval]], least: float, share: float = 0.0) -> list[Interval]:
    """Returns the stretches, at least so wide, that no more than this share of the rows covers.

    Only what has text on both sides is a gutter.
    """
    most = int(share * len(rows))
    found: list[Interval] = []
    start: float | None = None
    covered = 0
    for x, change in _edges(rows):
        if change > 0 and covered == most and start is not None:
            if x - start >= least:
                found.append((start, x))
            start = None
        covered += change
        if change < 0 and covered == most:
            start = x
    return found


def core(gutter: Interval, rows: Sequence[Sequence[Interval]], least: float) -> float | None:
    """Returns the middle of the widest stretch of a gutter that the fewest rows cover."""
    left, right = gutter
    clipped = [[(max(a, left), min(b, right)) for a, b in row if a < right and b > left] for row in rows]
    best: tuple[int, float] | None = None
    middle: float | None = None
    covered, last = 0, left
    for x, change in [*_edges(clipped), (right, 0)]:
        if x - last > least and (best is None or (covered, last - x) < best):
            best, middle = (covered, last - x), (x + last) / 2
        covered, last = covered + change, x
    return middle


def _edges(rows: Sequence[Sequence[Interval]]) -> list[tuple[float, int]]:
    """Returns where intervals begin (1) and end (-1), from left to right."""
    return sorted(edge for row in rows for edge in _row_edges(row))


def _row_edges(row: Sequence[Interval]) -> Iterator[tuple[float, int]]:
    """Yields the edges of one row's intervals, those that overlap made one."""
    end: float | None = None
    for start, stop in sorted(row):
        if end is not None and start <= end + TOUCH:
            end = max(end, stop)
            continue
        if end is not None:
            yield end, -1
        yield start, 1
        end = stop
    if end is not None:
        yield end, -1
