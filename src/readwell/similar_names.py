"""Picks from given names those most similar to a missing one; for the disk, archives and remote roots."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import nsmallest

MAX_NAMES = 3
SHORTEST_CONTAINED = 3
CLOSE = 0.6
MAX_COMPARED = 200
"""Spellings compared in full: each comparison is quadratic in the length of a name."""
NAMES_A_CHECK = 64


def similar_names(
    wanted: str, names: Iterable[str], allowed: Callable[[str], bool], check: Callable[[], None]
) -> tuple[str, ...]:
    """Returns allowed names like the wanted one: containing it, of the same stem, closely spelled.

    `allowed` says whether a name may be offered; `check` checks the deadline and may raise.
    """
    low = wanted.lower()
    remaining = sorted(set(names), key=lambda name: (name.lower(), name))
    containing = [name for name in remaining if _one_contains_other(low, name.lower())]
    chosen = _first_allowed(containing, allowed, MAX_NAMES)
    if len(chosen) == MAX_NAMES:
        return tuple(chosen)
    remaining = [name for name in remaining if not _one_contains_other(low, name.lower())]
    stem = _stem(low)
    chosen += _first_allowed(
        sorted((name for name in remaining if _stem(name.lower()) == stem), key=len), allowed, MAX_NAMES - len(chosen)
    )
    if len(chosen) == MAX_NAMES:
        return tuple(chosen)
    close = _closely_spelled(low, [name for name in remaining if _stem(name.lower()) != stem], check)
    chosen += sorted(_first_allowed(close, allowed, MAX_NAMES - len(chosen)), key=lambda name: (name.lower(), name))
    return tuple(chosen)


def _first_allowed(names: Iterable[str], allowed: Callable[[str], bool], most: int) -> list[str]:
    chosen: list[str] = []
    for name in names:
        if len(chosen) == most:
            break
        if allowed(name):
            chosen.append(name)
    return chosen


def _one_contains_other(wanted: str, name: str) -> bool:
    shorter, longer = sorted((wanted, name), key=len)
    return shorter == longer or (len(shorter) >= SHORTEST_CONTAINED and shorter in longer)


def _stem(name: str) -> str:
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def _closely_spelled(wanted: str, names: list[str], check: Callable[[], None]) -> list[str]:
    """Returns closely spelled names, the closest first."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(b=wanted, autojunk=False)
    promising: list[tuple[float, str]] = []
    for number, name in enumerate(names):
        if number % NAMES_A_CHECK == 0:
            check()
        matcher.set_seq1(name.lower())
        if matcher.real_quick_ratio() >= CLOSE and (upper := matcher.quick_ratio()) >= CLOSE:
            promising.append((-upper, name))
    close: list[tuple[float, str]] = []
    for _, name in nsmallest(MAX_COMPARED, promising):
        check()
        matcher.set_seq1(name.lower())
        if (ratio := matcher.ratio()) >= CLOSE:
            close.append((-ratio, name))
    return [name for _, name in sorted(close)]
