"""A directory as lines: its entries, sorted as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from ..model import Traits
from ..names import listed, printable
from ..source import ENTRIES_A_TICK, Entry, Source, Target, Visibility, VisibilityOf
from ..watch import Watch
from .in_memory import InMemoryText


def list_directory(
    source: Source, most: int | None, with_sizes: bool, skip_ignored: bool, watch: Watch
) -> InMemoryText:
    """Returns the visible entries of a directory as a text: at most `most` of them, the rest is counted."""
    left_out: dict[Visibility, int] = {"ignored": 0, "denied": 0}
    entries = _shown(_watched(source.entries(), watch), source.visibility(skip_ignored), left_out)
    show = listed if with_sizes else printable
    rows = [_row(source, entry, show) for entry in islice(entries, most)]
    unlisted = sum(1 for _ in entries)
    rows.sort(key=lambda row: (row[0].lower(), row[0]))
    names = [shown for shown, _ in rows]
    finish = partial(_with_size, source, rows) if with_sizes else None
    return InMemoryText(
        names, Traits(unlisted=unlisted, ignored=left_out["ignored"], denied=left_out["denied"]), finish
    )


def _with_size(source: Source, rows: list[tuple[str, Entry]], number: int) -> str:
    """Returns `name/`, or the name, a tab and its size, or its kind if it is no file."""
    shown, entry = rows[number]
    if shown.endswith("/"):
        return shown
    if entry.kind == "link":
        target = source.follow(entry.name)
        return f"{shown}\t{target.size if target and target.kind == 'file' else 'link'}"
    size = source.size_of(entry.name)
    if size is None:
        return f"{shown}\t{'unreadable' if entry.kind == 'file' else 'special'}"
    return f"{shown}\t{size}"


def _row(source: Source, entry: Entry, show: Callable[[str], str]) -> tuple[str, Entry]:
    slash = entry.kind == "directory" or (entry.kind == "link" and _leads_to_directory(source.follow(entry.name)))
    return show(entry.name) + "/" * slash, entry


def _leads_to_directory(target: Target | None) -> bool:
    return target is not None and target.kind == "directory"


def _shown(
    entries: Iterator[Entry], visibility_of: VisibilityOf | None, left_out: dict[Visibility, int]
) -> Iterator[Entry]:
    for entry in entries:
        visibility = visibility_of(entry) if visibility_of else "shown"
        if visibility == "shown":
            yield entry
        else:
            left_out[visibility] += 1


def _watched(entries: Iterator[Entry], watch: Watch) -> Iterator[Entry]:
    for number, entry in enumerate(entries):
        if number % ENTRIES_A_TICK == 0:
            watch.tick(number, 0, "list")
        yield entry
