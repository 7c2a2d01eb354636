"""Shorter and shorter forms of a path and of notices, for replies that they would take too much of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model import Notice
from .budget import SHORT_PATH
from .outline_rendering import remark


def shorter_forms(path: str, notices: Sequence[Notice]) -> Iterator[tuple[str, list[str]]]:
    """Yields the path and the notices in full, then shorter and shorter."""
    yield path, [remark(notice) for notice in notices]
    counted = [f"[note: {len(notices)} notices]"] if notices else []
    if notices:
        yield path, [f"[note: {', '.join(notice.code for notice in notices)}]"]
        yield path, counted
    yield f"…{path[-SHORT_PATH:]}", counted
